// Files that a model lacks: what is asked for, where the copies go, when the model loads.

import { afterEach, beforeEach, expect, test } from 'vitest';

import { internal, ServerError } from '../../../src-shared/errors.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeInspection } from '../../testing/fake-views.ts';
import { allTold, forgetTold, readyEngine, toldOf } from '../../testing/told.ts';
import { exportModels } from './export-flow.ts';
import { importStore } from './import-store.ts';
import { locateData } from './locate-data.ts';
import { replaceModelFile } from './replace-model-file.ts';

const asked: string[] = [];
let stop: (() => void) | undefined;

beforeEach(() => {
  asked.length = 0;
  importStore.setState({ dialogs: [], picker: undefined, uploads: [] });
});
afterEach(async () => {
  await forgetTold();
  stop?.();
});

/** Answers the page's picker in turn; what comes after the last answer is cancelled. */
function answers(...paths: readonly string[]): void {
  const left = [...paths];
  stop = importStore.subscribe(({ picker }) => {
    if (picker === undefined) return;
    asked.push(picker.title);
    const next = left.shift();
    picker.answer(next === undefined ? [] : [next]);
  });
}

function start(externalData: readonly { name: string; byteSize: number; isFound: boolean }[]): FakeEngine {
  const fake = new FakeEngine();
  fake.overrides['repository/addDataFile'] = () => undefined;
  fake.overrides['repository/files'] = () => [
    { path: 'config.pbtxt', byteSize: 1, modifiedAtMs: 0 },
    { path: '1/model.onnx', byteSize: 1, modifiedAtMs: 0 },
    { path: '2/net.onnx', byteSize: 1, modifiedAtMs: 0 },
  ];
  fake.overrides['config/inspectOnnx'] = ({ path }) => ({ ...fakeInspection(path), externalData });
  return fake;
}

const MISSING = [
  { name: 'a.bin', byteSize: 4, isFound: false },
  { name: 'b.bin', byteSize: 4, isFound: true },
  { name: 'c.bin', byteSize: 4, isFound: false },
];

test('each missing file is asked for once, goes into the newest version, and the model loads', async () => {
  answers('/disk/a.bin', '/disk/elsewhere.bin');
  const fake = start(MISSING);
  await locateData(await readyEngine(fake), 'batch_mlp');
  expect(asked).toEqual(['Locate a.bin', 'Locate c.bin']);
  expect(fake.argsOf('config/inspectOnnx')).toEqual([{ path: '/home/ada/models/batch_mlp/2/net.onnx' }]);
  expect(fake.argsOf('repository/addDataFile')).toMatchObject([
    { model: 'batch_mlp', version: '2', name: 'a.bin', source: '/disk/a.bin' },
    { model: 'batch_mlp', version: '2', name: 'c.bin', source: '/disk/elsewhere.bin' },
  ]);
  expect(fake.argsOf('repository/load').map(({ model }) => model)).toEqual(['batch_mlp']);
});

test('a cancelled question ends it: the model is not loaded without its data', async () => {
  answers('/disk/a.bin');
  const fake = start(MISSING);
  await locateData(await readyEngine(fake), 'batch_mlp');
  expect(asked).toHaveLength(2);
  expect(fake.argsOf('repository/addDataFile')).toHaveLength(1);
  expect(fake.argsOf('repository/load')).toEqual([]);
  expect(await allTold()).toEqual([]);
});

test('a version without its model file gets the file itself', async () => {
  answers('/disk/net.onnx');
  const fake = start([]);
  fake.overrides['repository/files'] = () => [{ path: 'config.pbtxt', byteSize: 1, modifiedAtMs: 0 }];
  await locateData(await readyEngine(fake), 'batch_mlp');
  expect(asked).toEqual(['Locate model.onnx']);
  expect(fake.argsOf('repository/addDataFile')).toMatchObject([{ version: '2', name: 'model.onnx' }]);
  expect(fake.argsOf('config/inspectOnnx')).toEqual([]);
});

test('when nothing is missing nothing is asked, and that is said', async () => {
  answers();
  await locateData(await readyEngine(start([])), 'batch_mlp');
  expect(asked).toEqual([]);
  await toldOf('batch_mlp');
});

test('a damaged file of the version that failed gives way to the chosen one, and the model loads', async () => {
  answers('/disk/better.onnx');
  const fake = start([]);
  fake.overrides['repository/replaceModelFile'] = () => ({ movedTo: 'the system bin', undo: undefined });
  const original = 'Load model from /models/batch_mlp/1/model.onnx failed:Protobuf parsing failed.';
  fake.change('batch_mlp', {
    failure: { title: '', original, why: '', code: undefined, line: 0, place: undefined, fixes: [] },
  });
  await replaceModelFile(await readyEngine(fake), 'batch_mlp');
  expect(asked).toEqual(['Choose the model file of batch_mlp']);
  expect(fake.argsOf('repository/replaceModelFile')).toMatchObject([
    { model: 'batch_mlp', version: '1', source: '/disk/better.onnx' },
  ]);
  expect(fake.argsOf('repository/load').map(({ model }) => model)).toEqual(['batch_mlp']);
  await toldOf('the system bin');
});

test('nothing is replaced when no file is chosen', async () => {
  answers();
  const fake = start([]);
  await replaceModelFile(await readyEngine(fake), 'batch_mlp');
  expect(fake.argsOf('repository/replaceModelFile')).toEqual([]);
  expect(fake.argsOf('repository/load')).toEqual([]);
});

test.each([
  ['a failure is told', internal('the disk is full'), 'the disk is full'],
  ['who cancelled the copy knows', new ServerError('CANCELLED', 'cancelled: Copying a.bin'), ''],
])('%s, and the model is not loaded', async (_name, thrown, text) => {
  answers('/disk/a.bin', '/disk/c.bin');
  const fake = start(MISSING);
  fake.overrides['repository/addDataFile'] = () => {
    throw thrown;
  };
  await locateData(await readyEngine(fake), 'batch_mlp');
  if (text === '') expect(await allTold()).toEqual([]);
  else await toldOf(text);
  expect(fake.argsOf('repository/load')).toEqual([]);
});

test('an export packs all named models into the chosen folder, and says where and how large it is', async () => {
  answers('/media/stick');
  const fake = new FakeEngine();
  fake.overrides['repository/exportModels'] = () => ({
    path: '/media/stick/2.zip',
    byteSize: 2 * 1024 * 1024,
  });
  await exportModels(await readyEngine(fake), 'simple\nbatch_mlp\n');
  expect(asked[0]).toContain('simple, batch_mlp');
  expect(fake.argsOf('repository/exportModels')).toMatchObject([
    { models: ['simple', 'batch_mlp'], folder: '/media/stick' },
  ]);
  await toldOf('/media/stick/2.zip');
});

test('an export without a folder, or cancelled as a task, leaves no message; a failure leaves its own', async () => {
  answers('/media/stick', '/media/stick');
  const fake = new FakeEngine();
  const engine = await readyEngine(fake);
  fake.overrides['repository/exportModels'] = () => {
    throw new ServerError('CANCELLED', 'cancelled: Exporting simple');
  };
  await exportModels(engine, 'simple');
  expect(await allTold()).toEqual([]);
  fake.overrides['repository/exportModels'] = () => {
    throw internal('the stick was pulled');
  };
  await exportModels(engine, 'simple');
  await toldOf('the stick was pulled');
  await exportModels(engine, 'simple');
  expect(fake.argsOf('repository/exportModels')).toHaveLength(2);
});

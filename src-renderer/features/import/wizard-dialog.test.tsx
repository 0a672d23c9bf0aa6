// The import wizard: what stands in the way, what is sent, and how it goes on with several files and after a failure.

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { BatchProbeResult, OnnxInspection } from '../../../src-shared/contract/config-calls.ts';
import { describeTensor } from '../../../src-shared/config/model-description.ts';
import { internal, ServerError } from '../../../src-shared/errors.ts';
import { activeTab } from '../../lib/workspace-store.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { FAKE_REPOSITORY } from '../../testing/fake-models.ts';
import { fakeInspection } from '../../testing/fake-views.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, choose, click, renderWithHosts, type, until } from '../../testing/render.tsx';
import { allTold, forgetTold, toldOf } from '../../testing/told.ts';
import { ImportHost } from './import-host.tsx';
import { importStore, showDialog } from './import-store.ts';

let page: Rendered | undefined;

beforeEach(() => importStore.setState({ dialogs: [], picker: undefined, uploads: [] }));
afterEach(async () => {
  await forgetTold();
  await page?.close();
});

const named = (name: string, changes: Partial<OnnxInspection> = {}): OnnxInspection => ({
  ...fakeInspection(`/drop/${name}.onnx`),
  suggestedName: name,
  ...changes,
});

/** One whose first dimension is fixed at 1. */
const fixed = (name: string): OnnxInspection =>
  named(name, {
    description: {
      inputs: [describeTensor('input', 'FP32', [1, 8])],
      outputs: [describeTensor('output', 'FP32', [1, 4])],
    },
  });

async function start(inspections: readonly OnnxInspection[], fake = new FakeEngine()): Promise<Rendered> {
  showDialog({ kind: 'wizard', inspections });
  page = await renderWithHosts(<ImportHost />, fake);
  const { get } = page;
  await until(() => get('wizard-dialog'));
  return page;
}

const isOff = (element: HTMLElement): boolean => element.getAttribute('aria-disabled') === 'true';
const created = (fake: FakeEngine) => fake.argsOf('repository/createFromOnnx');
const preview = (): string => page?.get('wizard-config-preview').textContent ?? '';
const tree = (): string => page?.get('wizard-tree').textContent ?? '';
const open = (): boolean => page?.query('wizard-dialog') !== null;

test('what becomes of the first dimension is told, with batching and without', async () => {
  const { get } = await start([named('net')]);
  const told = (): string => `${get('wizard-tensors').textContent} ${get('wizard-first-help').textContent}`;
  expect(told()).toContain('rows of a batch');
  expect(told()).toContain('it is not in dims');
  await click(get('wizard-batching'));
  await until(() => expect(told()).toContain('part of the tensor'));
  expect(told()).toContain('stands in dims');
});

test('what is shown is what is sent, and the model opens', async () => {
  const { get, fake } = await start([named('net')]);
  expect(await accessibilityFaults()).toEqual([]);
  await type(get('wizard-name'), 'fresh');
  await type(get('wizard-version'), '3');
  await type(get('wizard-max-batch'), '16');
  await type(get('wizard-delay'), '200');
  await until(() => expect(preview()).toContain('max_batch_size: 16'));
  expect(preview()).toContain('max_queue_delay_microseconds: 200');
  expect(tree()).toContain(FAKE_REPOSITORY);
  expect(tree()).toContain('fresh/3/model.onnx');
  const shown = preview();
  await click(get('wizard-create-load'));
  await until(() => expect(open()).toBe(false));
  expect(created(fake)).toMatchObject([
    { onnxPath: '/drop/net.onnx', name: 'fresh', version: '3', repository: FAKE_REPOSITORY, load: true },
  ]);
  expect(created(fake)[0]?.configText?.trim()).toBe(shown.trim());
  expect(activeTab()?.address.model).toBe('fresh');
});

test('nothing is created while the name is taken or bad, or the version is no version', async () => {
  const { get, fake } = await start([named('net')]);
  for (const [field, bad, good] of [
    ['wizard-name', ['batch_mlp', '../up', ''], 'fresh'],
    ['wizard-version', ['0', '1.5'], '2'],
  ] as const) {
    for (const value of bad) {
      await type(get(field), value);
      await until(() => expect(isOff(get('wizard-create')), `${field} '${value}'`).toBe(true));
      await click(get('wizard-create'));
      await click(get('wizard-create-load'));
    }
    await type(get(field), good);
    await until(() => expect(isOff(get('wizard-create'))).toBe(false));
  }
  expect(created(fake)).toEqual([]);
});

test('without a configuration nothing of it is written, and warm-up is off', async () => {
  const { get, fake } = await start([named('net')]);
  await click(get('wizard-warmup'));
  await until(() => expect(preview()).toContain('model_warmup'));
  await click([...get('wizard-write').querySelectorAll<HTMLElement>('[role="radio"]')].at(-1)!);
  await until(() => expect(page?.query('wizard-config-preview')).toBeNull());
  expect(tree()).not.toContain('config.pbtxt');
  expect(get('wizard-warmup').getAttribute('aria-checked')).toBe('false');
  await click(get('wizard-create'));
  await until(() => expect(created(fake)).toMatchObject([{ configText: undefined, load: false }]));
});

test('a failure is told, and everything that was typed is still there', async () => {
  const fake = new FakeEngine();
  fake.overrides['repository/createFromOnnx'] = () => {
    throw internal('the disk is full.');
  };
  const { get } = await start([named('net')], fake);
  await type(get('wizard-name'), 'fresh');
  await click(get('wizard-create'));
  await toldOf('the disk is full.');
  await until(() => expect(isOff(get('wizard-create'))).toBe(false));
  expect((get('wizard-name') as HTMLInputElement).value).toBe('fresh');
});

test('while it is created neither button starts it again; cancelled as a task it is no error', async () => {
  const fake = new FakeEngine();
  const answer = Promise.withResolvers<{ readonly model: string }>();
  fake.overrides['repository/createFromOnnx'] = () => answer.promise;
  const { get } = await start([named('net')], fake);
  await click(get('wizard-create'));
  await until(() => expect(get('wizard-create-load').getAttribute('aria-busy')).toBe('true'));
  await click(get('wizard-create-load'));
  expect(created(fake)).toHaveLength(1);
  answer.reject(new ServerError('CANCELLED', 'cancelled: Importing net'));
  await until(() => expect(isOff(get('wizard-create'))).toBe(false));
  expect(await allTold()).toEqual([]);
});

test('missing weights stand in the way until they are located, and go with the model', async () => {
  const externalData = [
    { name: 'a.bin', byteSize: 4096, isFound: true },
    { name: 'b.bin', byteSize: 4096, isFound: false },
  ];
  const { get, fake, query } = await start([named('net', { externalData, problem: 'b.bin is missing' })]);
  await until(() => expect(get('wizard-missing').textContent).toContain('b.bin'));
  expect(isOff(get('wizard-create'))).toBe(true);
  expect(get('wizard-external-b.bin').dataset['state']).toBe('missing');
  await click(get('wizard-locate-b.bin'));
  await until(() => expect(importStore.getState().picker?.isAnyFile).toBe(true));
  importStore.getState().picker?.answer(['/other/b.bin']);
  await until(() => expect(query('wizard-missing')).toBeNull());
  await click(get('wizard-create'));
  await until(() =>
    expect(created(fake)).toMatchObject([
      { externalData: { 'a.bin': '/drop/a.bin', 'b.bin': '/other/b.bin' } },
    ]),
  );
});

test('labels are chosen for an output, and taken away again', async () => {
  const { get, fake } = await start([named('net')]);
  await click(get('wizard-labels-output'));
  await until(() => expect(importStore.getState().picker).toBeDefined());
  importStore.getState().picker?.answer(['/home/ada/classes.txt']);
  await until(() => expect(preview()).toContain('label_filename: "output_labels.txt"'));
  expect(tree()).toContain('net/output_labels.txt');
  await click(document.querySelector<HTMLElement>('[title="/home/ada/classes.txt"]')!);
  await until(() => expect(preview()).not.toContain('label_filename'));
  await click(get('wizard-create'));
  await until(() => expect(created(fake).map(({ labels }) => labels)).toEqual([{}]));
});

test('device and number of instances are written', async () => {
  const { get } = await start([named('net')]);
  await choose(document.querySelector<HTMLElement>('[role="combobox"][aria-label="Device"]')!, 'CPU');
  await until(() => expect(preview()).toContain('kind: KIND_CPU'));
  await click(get('wizard-batching'));
  await until(() => expect(preview()).toContain('max_batch_size: 0'));
});

test('another repository is opened from here, and the model goes there', async () => {
  const fake = new FakeEngine();
  fake.overrides['repository/add'] = ({ path }) => ({
    repository: { ...fake.snapshot.repositories[0]!, path },
  });
  const { get } = await start([named('net')], fake);
  await click(get('wizard-choose-repository'));
  await until(() => expect(importStore.getState().picker?.mode).toBe('folder'));
  importStore.getState().picker?.answer(['/srv/other']);
  await until(() => expect(tree()).toContain('/srv/other'));
  // What runs code is not trusted on the way.
  expect(fake.argsOf('repository/add')).toEqual([{ path: '/srv/other', load: false, trustCode: false }]);
  await click(get('wizard-create'));
  await until(() => expect(created(fake)).toMatchObject([{ repository: '/srv/other' }]));
});

test('several files come one after the other, each with its own name', async () => {
  const { get, fake } = await start([named('a'), named('b')]);
  expect(get('wizard-dialog').textContent).toContain('a.onnx');
  await type(get('wizard-name'), 'first');
  await click(get('wizard-create'));
  await until(() => expect((get('wizard-name') as HTMLInputElement).value).toBe('b'));
  await click(get('wizard-create'));
  await until(() => expect(open()).toBe(false));
  expect(created(fake).map(({ name }) => name)).toEqual(['first', 'b']);
});

test('the same for all: choices are shared, names are not, and one that cannot batch does not', async () => {
  const { get, fake } = await start([named('net'), named('net'), fixed('still')]);
  await type(get('wizard-max-batch'), '32');
  await click(get('wizard-same-for-all'));
  await click(get('wizard-create'));
  await until(() => expect(open()).toBe(false));
  expect(created(fake).map(({ name }) => name)).toEqual(['net', 'net_2', 'still']);
  const batches = created(fake).map(({ configText }) => /max_batch_size: (\d+)/.exec(configText ?? '')?.[1]);
  expect(batches).toEqual(['32', '32', '0']);
});

test('the same for all stops at the file that fails, where it can be put right', async () => {
  const fake = new FakeEngine();
  let isFull = true;
  fake.overrides['repository/createFromOnnx'] = ({ name }) => {
    if (name === 'b' && isFull) throw internal('the disk is full.');
    return { model: name };
  };
  const { get } = await start([named('a'), named('b'), named('c')], fake);
  await type(get('wizard-max-batch'), '32');
  await click(get('wizard-same-for-all'));
  await click(get('wizard-create'));
  await toldOf('the disk is full.');
  await until(() => expect(get('wizard-dialog').textContent).toContain('b.onnx'));
  expect((get('wizard-max-batch') as HTMLInputElement).value).toBe('32');
  isFull = false;
  await until(() => expect(isOff(get('wizard-create'))).toBe(false));
  await click(get('wizard-create'));
  await until(() => expect(open()).toBe(false));
  expect(created(fake).map(({ name }) => name)).toEqual(['a', 'b', 'b', 'c']);
});

test('a file that cannot be read says so and is passed over', async () => {
  const junk = named('junk', {
    problem: "'/drop/junk.onnx' is not an ONNX model",
    operatorCount: 0,
    description: { inputs: [], outputs: [] },
  });
  const { get, query, fake } = await start([junk, named('good')]);
  expect(get('wizard-unreadable').textContent).toContain("'junk.onnx' is not an ONNX model");
  expect(query('wizard-create')).toBeNull();
  await click(get('wizard-skip'));
  await until(() => expect((get('wizard-name') as HTMLInputElement).value).toBe('good'));
  expect(created(fake)).toEqual([]);
});

const probe = (verdict: BatchProbeResult['verdict'], changes: Partial<BatchProbeResult> = {}) => ({
  verdict,
  maxDifference: 0,
  message: 'rows differ by 0.5.',
  canMakeDynamic: false,
  ...changes,
});

test.each([
  ['safe', probe('safe', { maxDifference: 0.000_002 }), '2.0e-6'],
  ['unsafe', probe('unsafe'), 'rows differ by 0.5.'],
  ['cannot-run', probe('cannot-run', { message: 'an operator is missing.' }), 'an operator is missing.'],
])('the probe of batching says that it is %s', async (_verdict, result, part) => {
  const fake = new FakeEngine();
  fake.overrides['config/batchProbe'] = () => result;
  const { get } = await start([named('net')], fake);
  await until(() => expect(get('wizard-probe-result').textContent).toContain(part));
});

test('a large file is probed when it is asked for, and a probe that fails says why', async () => {
  const fake = new FakeEngine();
  fake.overrides['config/batchProbe'] = () => {
    throw internal('it ran out of memory.');
  };
  const { get } = await start([named('net', { byteSize: 200 * 1024 * 1024 })], fake);
  expect(fake.argsOf('config/batchProbe')).toEqual([]);
  await click(get('wizard-probe'));
  await until(() => expect(get('wizard-dialog').textContent).toContain('it ran out of memory.'));
});

test('a copy with a dynamic first dimension is tried, and written as the next version when it is safe', async () => {
  const fake = new FakeEngine();
  fake.overrides['config/batchProbe'] = () => probe('cannot-run', { canMakeDynamic: true });
  const { get, query } = await start([fixed('net')], fake);
  const make = await until(() => get('wizard-make-dynamic'));
  // What keeps it from batches is said once, above.
  expect(query('wizard-probe-result')).toBeNull();
  await click(make);
  await until(() => expect(tree()).toContain('net/2/model.onnx'));
  expect(preview()).toContain('max_batch_size: 4');
  await click(get('wizard-dynamic-version'));
  await until(() => expect(tree()).not.toContain('net/2/model.onnx'));
  expect(preview()).toContain('max_batch_size: 0');
  await click(get('wizard-dynamic-version'));
  await until(() => expect(tree()).toContain('net/2/model.onnx'));
  await click(get('wizard-create'));
  await until(() => expect(created(fake)).toMatchObject([{ hasDynamicVersion: true, version: '1' }]));
});

test('the try of a dynamic copy is cancelled by its button and by closing the wizard', async () => {
  const fake = new FakeEngine();
  const signals: AbortSignal[] = [];
  fake.overrides['config/batchProbe'] = () => probe('cannot-run', { canMakeDynamic: true });
  fake.overrides['repository/probeDynamic'] = (_args, { signal }) => {
    signals.push(signal);
    return new Promise(() => undefined);
  };
  const { get } = await start([fixed('net')], fake);
  await click(await until(() => get('wizard-make-dynamic')));
  await click(await until(() => get('wizard-dynamic-cancel')));
  await until(() => expect(signals[0]?.aborted).toBe(true));
  await click(await until(() => get('wizard-make-dynamic')));
  await until(() => expect(signals).toHaveLength(2));
  importStore.setState({ dialogs: [] });
  await until(() => expect(signals[1]?.aborted).toBe(true));
  expect(await allTold()).toEqual([]);
});

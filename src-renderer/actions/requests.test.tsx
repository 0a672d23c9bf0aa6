// Requests that the window makes up by itself: the smallest one for a snippet, the batch probe, a comparison of speed.

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { ModelInterface } from '../../src-shared/contract/inference-calls.ts';
import type { PerfDefaults } from '../../src-shared/contract/perf-calls.ts';
import { defaultPerfPlan } from '../../src-shared/contract/perf-plan.ts';
import { internal } from '../../src-shared/errors.ts';
import { activeTab, INITIAL_WORKSPACE, workspace } from '../lib/workspace-store.ts';
import type { ActionPage } from '../testing/action-page.tsx';
import { actionPage } from '../testing/action-page.tsx';
import { FakeEngine } from '../testing/fake-engine.ts';
import { fakeModel } from '../testing/fake-models.ts';
import { compareSpeed } from './compare-speed.ts';
import { probeModel } from './probe-model.ts';
import { snippetRequest } from './sample-request.ts';

const INTERFACE: ModelInterface = {
  inputs: [
    { name: 'A', datatype: 'FP32', shape: [-1, 3, -1], optional: false, imageLayout: '' },
    { name: 'B', datatype: 'BYTES', shape: [1], optional: true, imageLayout: '' },
  ],
  outputs: [],
  maxBatchSize: 8,
  isSequence: false,
  sequenceIdleMs: 0,
  isDecoupled: false,
};

let page: ActionPage;
let fake: FakeEngine;
const result = (changes: object) => ({
  verdict: 'safe' as const,
  maxDifference: 0,
  message: 'Batching is safe.',
  canMakeDynamic: false,
  ...changes,
});
const FIXED = { verdict: 'cannot-run' as const, message: 'dim 0 is 1', canMakeDynamic: true };

beforeEach(async () => {
  workspace.setState(INITIAL_WORKSPACE, true);
  fake = new FakeEngine();
  page = await actionPage(fake);
});
afterEach(() => page.close());

test('a snippet asks for every input that must be there, one of each open dimension', () => {
  expect(snippetRequest('m', '2', INTERFACE)).toMatchObject({
    model: 'm',
    version: '2',
    protocol: 'http-json',
    inputs: [{ name: 'A', datatype: 'FP32', shape: [1, 3, 1], source: { kind: 'fill', value: 'zeros' } }],
    outputs: [],
  });
});

test('a text is a word, and a sequence is one of a single request', () => {
  const [input] = INTERFACE.inputs;
  const text = { ...input!, datatype: 'BYTES' };
  expect(snippetRequest('m', '', { ...INTERFACE, inputs: [text], isSequence: true }, 'grpc')).toMatchObject({
    protocol: 'grpc',
    inputs: [{ source: { kind: 'constant', value: 'text' } }],
    sequence: { id: '1', start: true, end: true },
  });
});

test('there is no snippet before the inputs are known, nor without any', () => {
  expect(snippetRequest('m', '', undefined)).toBeUndefined();
  expect(snippetRequest('m', '', { ...INTERFACE, inputs: [] })).toBeUndefined();
});

test('the file of the newest version is probed, and its verdict told', async () => {
  const model = fakeModel('probed');
  fake.overrides['repository/files'] = () =>
    ['config.pbtxt', '10/model.onnx', '1/notes.txt', '1/model.onnx'].map((path) => ({
      path,
      byteSize: 1,
      modifiedAtMs: 0,
    }));
  fake.overrides['config/batchProbe'] = () => result({});
  await probeModel(page.engine, model);
  expect(fake.argsOf('config/batchProbe')).toEqual([{ path: `${model.path}/1/model.onnx` }]);
  await page.told('success', 'Batching is safe.');
  fake.overrides['config/batchProbe'] = () => result({ verdict: 'unsafe', message: 'Rows differ.' });
  await probeModel(page.engine, model);
  await page.told('warning', 'Rows differ.');
  fake.overrides['config/batchProbe'] = () => result({ verdict: 'cannot-run', message: 'no such operator' });
  await probeModel(page.engine, model);
  await page.told('info', 'Cannot run: no such operator');
});

test('a model without an ONNX file is told to have none', async () => {
  fake.overrides['repository/files'] = () => [{ path: '1/model.py', byteSize: 1, modifiedAtMs: 0 }];
  await probeModel(page.engine, fakeModel('py'));
  await page.told('info', 'The newest version of py has no .onnx file to probe.');
  expect(fake.argsOf('config/batchProbe')).toEqual([]);
});

test('a fixed first dimension: the version that declares it as dynamic is offered, added and loaded', async () => {
  fake.overrides['config/batchProbe'] = () => result(FIXED);
  fake.overrides['repository/addDynamicVersion'] = () => ({ version: '3', probe: result({}) });
  const done = probeModel(page.engine, fakeModel('image_tiny'));
  expect(await page.answer('dynamic')).toContain('Cannot run: dim 0 is 1.');
  await done;
  expect(fake.argsOf('repository/addDynamicVersion')).toEqual([
    { model: 'image_tiny', version: '1', taskId: 'dynamic-image_tiny-1' },
  ]);
  await page.told('success', 'Version 3 of image_tiny has a dynamic first dimension.');
  expect(fake.argsOf('repository/reload')).toHaveLength(1);
});

test('a copy that is not safe is not added, and nothing is loaded; a closed question tries nothing', async () => {
  fake.overrides['config/batchProbe'] = () => result(FIXED);
  fake.overrides['repository/addDynamicVersion'] = () => ({
    version: undefined,
    probe: result({ verdict: 'unsafe', message: 'Rows differ by 3.' }),
  });
  const done = probeModel(page.engine, fakeModel('simple', { state: 'unloaded' }));
  await page.answer('dynamic');
  await done;
  await page.told('warning', 'No version was added to simple. Rows differ by 3.');
  expect(fake.argsOf('repository/load')).toEqual([]);
  const closed = probeModel(page.engine, fakeModel('simple'));
  await page.answer('cancel');
  await closed;
  expect(fake.argsOf('repository/addDynamicVersion')).toHaveLength(1);
});

test('a probe that fails is told in its own words', async () => {
  fake.overrides['config/batchProbe'] = () => {
    throw internal('the file is cut off');
  };
  await probeModel(page.engine, fakeModel('cut'));
  await page.told('error', 'the file is cut off');
});

test('two versions are measured one after the other by the same plan, and shown side by side', async () => {
  const plan = defaultPerfPlan('m');
  const quick = { ...plan, batchSize: 4 };
  fake.overrides['perf/plan'] = () =>
    ({ plan, presets: [{ name: 'quick', about: '', plan: quick }] }) as unknown as PerfDefaults;
  fake.overrides['perf/start'] = ({ name }) => ({ runs: [`run of ${name}`], sweep: '' });
  await compareSpeed(page.engine.client, { model: 'm', versions: ['1', '2'] });
  expect(fake.argsOf('perf/start')).toEqual([
    { plan: { ...quick, version: '1' }, name: 'm v1', configText: undefined },
    { plan: { ...quick, version: '2' }, name: 'm v2', configText: undefined },
  ]);
  expect(activeTab()?.address).toMatchObject({
    area: 'perf',
    query: { model: 'm', compare: 'run of m v1,run of m v2' },
  });
});

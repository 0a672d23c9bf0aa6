// The playground of a model between requests: its draft, what came back, and saved requests.

import { beforeEach, expect, test } from 'vitest';

import type {
  ModelInterface,
  PlaygroundRequest,
  PlaygroundResult,
} from '../../../src-shared/contract/inference-calls.ts';
import { internal } from '../../../src-shared/errors.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import type { Outcome } from './playground-store.ts';
import {
  addOutcome,
  clearPlaygrounds,
  editInput,
  faultyInputOf,
  patchDraft,
  patchInput,
  playgroundOf,
  previousOutcome,
  restoreRequest,
  setInterface,
  setUpload,
} from './playground-store.ts';
import { importSaved, runAllSaved, runSaved, savedState } from './saved-store.ts';
import { timingParts } from './timing-parts.ts';

const io: ModelInterface = {
  inputs: [{ name: 'X', datatype: 'FP32', shape: [-1, 4], optional: false, imageLayout: '' }],
  outputs: [{ name: 'Y', datatype: 'FP32', shape: [-1, 2], hasLabels: false }],
  maxBatchSize: 8,
  isSequence: false,
  sequenceIdleMs: 0,
  isDecoupled: false,
};
const request = { inputs: [], outputs: [] } as unknown as PlaygroundRequest;
const outcome = (id: number, changes: Partial<Outcome> = {}): Outcome => ({
  id,
  atMs: id,
  request,
  result: { ok: true, faultyInput: undefined } as PlaygroundResult,
  repeat: undefined,
  refused: undefined,
  refusedInput: undefined,
  cancelledAfterMs: undefined,
  isLost: false,
  ...changes,
});

beforeEach(() => {
  clearPlaygrounds();
  savedState.setState({ revision: 0, runs: {}, isRunningAll: false });
});

test('each model has one playground, kept while other tabs are shown', () => {
  expect(playgroundOf('a')).toBe(playgroundOf('a'));
  expect(playgroundOf('a')).not.toBe(playgroundOf('b'));
});

test('a draft survives a reload of the same interface, and no other one', () => {
  const store = playgroundOf('m');
  setInterface(store, io);
  patchInput(store, 'X', { values: ['7', '7', '7', '7'] });
  const { draft } = store.getState();
  setInterface(store, { ...io, maxBatchSize: 16 });
  expect(store.getState().draft).toBe(draft);
  expect(store.getState().io?.maxBatchSize).toBe(16);
  setInterface(store, { ...io, maxBatchSize: 0 });
  expect(store.getState().draft).not.toBe(draft);
  expect(store.getState().steps).toEqual([]);
});

test('half floats cannot be sent as JSON: the protocol changes, and that is known', () => {
  const store = playgroundOf('m');
  setInterface(store, {
    ...io,
    inputs: [{ ...io.inputs[0], datatype: 'FP16' } as (typeof io.inputs)[number]],
  });
  expect(store.getState()).toMatchObject({ draft: { protocol: 'http-binary' }, isJsonRefused: false });
  patchDraft(store, { protocol: 'http-json' });
  expect(store.getState()).toMatchObject({ draft: { protocol: 'http-binary' }, isJsonRefused: true });
  patchDraft(store, { protocol: 'grpc' });
  expect(store.getState().draft?.protocol).toBe('grpc');
});

test('an edit without a draft, or of an unknown input, changes nothing', () => {
  const store = playgroundOf('m');
  patchDraft(store, { id: 'x' });
  expect(store.getState().draft).toBeUndefined();
  setInterface(store, io);
  const before = store.getState().draft?.inputs;
  editInput(store, 'nobody', (input) => ({ ...input, mode: 'zeros' }));
  expect(store.getState().draft?.inputs).toEqual(before);
});

test('a request that was sent comes back into the builder', () => {
  const store = playgroundOf('m');
  restoreRequest(store, request);
  expect(store.getState().draft).toBeUndefined();
  setInterface(store, io);
  restoreRequest(store, {
    model: 'm',
    version: '',
    protocol: 'grpc',
    id: 'r7',
    inputs: [{ name: 'X', datatype: 'FP32', shape: [2, 4], source: { kind: 'constant', value: '3' } }],
    outputs: [{ name: 'Y', classification: 2 }],
    priority: 1,
    timeoutUs: 5,
    parameters: { a: 1, b: true, c: 'x' },
  });
  expect(store.getState().draft).toMatchObject({
    protocol: 'grpc',
    id: 'r7',
    inputs: [{ shape: [2, 4], mode: 'constant', constant: '3' }],
    outputs: [{ isWanted: true, classification: 2 }],
    parameters: [
      { key: 'a', kind: 'number', value: '1' },
      { key: 'b', kind: 'boolean', value: 'true' },
      { key: 'c', kind: 'text', value: 'x' },
    ],
  });
});

test('uploads are known by input until they end', () => {
  const store = playgroundOf('m');
  setUpload(store, 'X', 0.2);
  setUpload(store, 'Z', 0.1);
  setUpload(store, 'X', 0.6);
  expect(store.getState().uploads).toEqual({ X: 0.6, Z: 0.1 });
  setUpload(store, 'X', undefined);
  expect(store.getState().uploads).toEqual({ Z: 0.1 });
});

test('fifty outcomes are kept; what falls out is given back, so that its tensors can be released', () => {
  const store = playgroundOf('m');
  for (let id = 1; id <= 50; id += 1) expect(addOutcome(store, outcome(id))).toEqual([]);
  expect(addOutcome(store, outcome(51)).map(({ id }) => id)).toEqual([1]);
  expect(
    store
      .getState()
      .history.map(({ id }) => id)
      .slice(0, 2),
  ).toEqual([51, 50]);
});

test('the one before is the newest earlier one with an answer', () => {
  const store = playgroundOf('m');
  expect(previousOutcome(store.getState())).toBeUndefined();
  addOutcome(store, outcome(1));
  addOutcome(store, outcome(2, { result: undefined, refused: 'cancelled' }));
  addOutcome(store, outcome(3));
  expect(previousOutcome(store.getState())?.id).toBe(1);
  store.setState({ outcome: store.getState().history[2] });
  expect(previousOutcome(store.getState())).toBeUndefined();
});

test('the input an outcome is about is the server’s word, else ours', () => {
  expect(faultyInputOf(undefined)).toBeUndefined();
  expect(faultyInputOf(outcome(1, { result: { faultyInput: 'X' } as PlaygroundResult }))).toBe('X');
  expect(faultyInputOf(outcome(1, { result: undefined, refusedInput: 'Z' }))).toBe('Z');
});

test('the parts of a time follow each other and fill the whole', () => {
  const parts = timingParts([
    { name: 'send', ms: 1 },
    { name: 'compute', ms: 3 },
    { name: 'something new', ms: 4 },
  ]);
  expect(parts.map(({ offset, share }) => [offset, share])).toEqual([
    [0, 0.125],
    [0.125, 0.375],
    [0.5, 0.5],
  ]);
  expect(parts[2]).toMatchObject({ title: 'something new', help: '' });
  expect(timingParts([{ name: 'send', ms: 0 }])[0]).toMatchObject({ offset: 0, share: 0 });
});

function answering(answers: Readonly<Record<string, { passed?: boolean; ok?: boolean; message?: string }>>) {
  const fake = new FakeEngine();
  fake.overrides['playground/runSaved'] = ({ id }) => {
    const answer = answers[id];
    if (answer === undefined) throw internal(`there is no ${id}`);
    const { ok = true, message = '', passed } = answer;
    return { result: { ok, error: ok ? '' : message }, passed, message } as never;
  };
  return { fake, client: fake.engine().client };
}

test('a saved request passes, fails, or just answers', async () => {
  const { client } = answering({
    good: { passed: true, message: 'ignored' },
    bad: { passed: false, message: 'Y[0] differs' },
    free: {},
    refused: { ok: false, message: 'no such model' },
  });
  const run = (id: string) => runSaved(client, 'm', id);
  expect(await run('good')).toEqual({ state: 'passed', message: undefined });
  expect(await run('bad')).toEqual({ state: 'failed', message: 'Y[0] differs' });
  expect(await run('free')).toEqual({ state: 'answered', message: undefined });
  expect(await run('refused')).toEqual({ state: 'failed', message: 'no such model' });
  expect(await run('gone')).toEqual({ state: 'failed', message: 'there is no gone' });
  expect(Object.keys(savedState.getState().runs)).toEqual(['good', 'bad', 'free', 'refused', 'gone']);
});

test('all of them run one after another, once at a time, and the failures are counted', async () => {
  const { client, fake } = answering({ a: { passed: true }, b: { passed: false }, c: {} });
  const all = runAllSaved(client, 'm', ['a', 'b', 'c', 'd']);
  expect(await runAllSaved(client, 'm', ['a'])).toBe(0);
  expect(await all).toBe(2);
  expect(fake.argsOf('playground/runSaved').map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
  expect(savedState.getState().isRunningAll).toBe(false);
});

test('a file of saved requests is handed in as a blob, which is released however it ends', async () => {
  const fake = new FakeEngine();
  fake.overrides['blob/create'] = () => ({ blob: 'b1' });
  fake.overrides['blob/append'] = () => ({ byteSize: 2 });
  fake.overrides['blob/release'] = () => undefined;
  fake.overrides['playground/importSaved'] = () => ({ count: 3 });
  const { client } = fake.engine();
  const file = new File(['{}'], 'm.requests.json');
  expect(await importSaved(client, 'm', file)).toBe(3);
  expect(savedState.getState().revision).toBe(1);
  fake.overrides['playground/importSaved'] = () => {
    throw internal('no such form');
  };
  await expect(importSaved(client, 'm', file)).rejects.toThrow('no such form');
  expect(savedState.getState().revision).toBe(1);
  expect(fake.argsOf('blob/release')).toHaveLength(2);
});

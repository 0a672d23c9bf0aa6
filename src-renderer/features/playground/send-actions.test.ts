// Sending: what must be there first, what is refused before it leaves, cancelling, steps of sequences, and what is given
// back to the engine.

import { afterEach, expect, test, vi } from 'vitest';

import type { ModelInterface, PlaygroundResult } from '../../../src-shared/contract/inference-calls.ts';
import { internal } from '../../../src-shared/errors.ts';
import { runningActions } from '../../actions/model-actions.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel } from '../../testing/fake-models.ts';
import { fakeInterface, fakeRefusal, fakeResult } from '../../testing/fake-playground.ts';
import { clearPlaygrounds, patchDraft, patchInput, playgroundOf, setInterface } from './playground-store.ts';
import { cancelSending, nextSequenceId, readinessOf, sendDraft, sendStep } from './send-actions.ts';

const target = { model: 'm', version: '' };

afterEach(() => {
  clearPlaygrounds();
  runningActions.setState({ byModel: new Map() });
});

function start(io: ModelInterface = fakeInterface(), model = fakeModel('m', { state: 'ready' })) {
  const fake = new FakeEngine();
  fake.overrides['playground/send'] = () => fakeResult();
  fake.overrides['blob/release'] = () => undefined;
  const engine = fake.engine();
  engine.state.models.setState({ byName: new Map([['m', model]]) });
  engine.state.server.setState({ view: fake.server });
  const store = playgroundOf('m');
  setInterface(store, io);
  return { fake, engine, store, send: () => sendDraft(engine, store, target) };
}

test.each([
  ['ready', true, 'ready'],
  ['ready', false, 'start'],
  ['unloaded', true, 'load'],
  ['unloaded', false, 'start'],
  ['failed', true, 'load'],
  ['loading', true, 'loading'],
  ['loading', false, 'start'],
  ['unloading', false, 'busy'],
  ['not-runnable', true, 'impossible'],
] as const)('a model that is %s, with a server %s, is %s', (state, isServing, readiness) => {
  expect(readinessOf(fakeModel('m', { state }), isServing)).toBe(readiness);
});

test('a model that is gone cannot be sent to', () => {
  expect(readinessOf(undefined, true)).toBe('impossible');
});

test('an answer is shown and kept', async () => {
  const { fake, store, send } = start();
  await send();
  expect(store.getState()).toMatchObject({ sending: undefined, history: { length: 1 } });
  expect(store.getState().outcome).toMatchObject({ refused: undefined, result: { ok: true } });
  expect(fake.argsOf('playground/send')[0]).toMatchObject({ model: 'm', inputs: [{ name: 'X' }] });
});

test('what can never be sent is refused here, with the input that it is about', async () => {
  const { fake, store, send } = start();
  patchInput(store, 'X', { values: ['1', 'two', '3', '4'] });
  await send();
  expect(store.getState().outcome).toMatchObject({
    ...{ refused: 'X: Element 1, “two”, is no FP32.', refusedInput: 'X', result: undefined },
  });
  expect(fake.argsOf('playground/send')).toEqual([]);
});

test('an engine that fails is an outcome in its words, and the next request can be sent', async () => {
  const { fake, store, send } = start();
  fake.overrides['playground/send'] = () => {
    throw internal('the process is gone');
  };
  await send();
  expect(store.getState().outcome).toMatchObject({ refused: 'the process is gone', refusedInput: undefined });
  fake.overrides['playground/send'] = () => fakeResult();
  await send();
  expect(store.getState().outcome?.result?.ok).toBe(true);
});

test('repeats are asked for in one call, and the last answer is the one that is shown', async () => {
  const { fake, store, send } = start();
  const last = fakeResult({ totalMs: 9 });
  fake.overrides['playground/repeat'] = () => ({
    ...{ last, okCount: 9, failCount: 1, errors: [], totalMs: 50, perSecond: 200, latencyMs: undefined },
  });
  patchDraft(store, { repeat: { count: 10, concurrency: 4 } });
  await send();
  expect(fake.argsOf('playground/repeat')).toMatchObject([{ count: 10, concurrency: 4 }]);
  expect(store.getState().outcome).toMatchObject({ result: { totalMs: 9 }, repeat: { failCount: 1 } });
});

test('a second send while one is under way does nothing', async () => {
  const { fake, store, send } = start();
  const gate = Promise.withResolvers<undefined>();
  fake.overrides['playground/send'] = async () => {
    await gate.promise;
    return fakeResult();
  };
  const first = send();
  await send();
  gate.resolve(undefined);
  await first;
  expect(fake.argsOf('playground/send')).toHaveLength(1);
  expect(store.getState().history).toHaveLength(1);
});

test('an unloaded model is loaded first; nothing is sent to one that cannot be loaded', async () => {
  const { fake, store, send } = start(fakeInterface(), fakeModel('m', { state: 'unloaded' }));
  const order: string[] = [];
  fake.overrides['repository/load'] = () => {
    order.push('load');
    throw internal('no memory');
  };
  fake.overrides['playground/send'] = () => {
    order.push('send');
    return fakeRefusal("model 'm' is not ready");
  };
  await send();
  expect(order).toEqual(['load']);
  expect(store.getState().outcome?.refused).toBe(
    'Nothing was sent, because m could not be loaded. no memory',
  );
});

/** Long enough for whatever does not wait for something else. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

test('a request waits for a load that others began, and is sent behind it', async () => {
  const { fake, engine, store, send } = start(fakeInterface(), fakeModel('m', { state: 'loading' }));
  const sent = send();
  await turns();
  expect(fake.argsOf('playground/send')).toEqual([]);
  engine.state.models.setState({ byName: new Map([['m', fakeModel('m', { state: 'ready' })]]) });
  await sent;
  expect(fake.argsOf('playground/send')).toHaveLength(1);
  expect(fake.argsOf('repository/load')).toEqual([]);
  expect(store.getState().outcome?.result?.ok).toBe(true);
});

test('waiting for a load of others can be cancelled, and leaves that load alone', async () => {
  const { fake, store, send } = start(fakeInterface(), fakeModel('m', { state: 'loading' }));
  const sent = send();
  await turns();
  cancelSending(store.getState());
  await sent;
  expect(store.getState().outcome?.refused).toBe('Cancelled before an answer came.');
  expect(fake.argsOf('playground/send')).toEqual([]);
  expect(fake.argsOf('repository/stopLoading')).toEqual([]);
});

test('cancelling ends a load that the request waits for, at once', async () => {
  const { fake, store, send } = start(fakeInterface(), fakeModel('m', { state: 'unloaded' }));
  let isAborted = false;
  fake.overrides['repository/load'] = (_args, { signal }: { signal: AbortSignal }) => {
    signal.addEventListener('abort', () => {
      isAborted = true;
    });
    return Promise.withResolvers<never>().promise;
  };
  const sent = send();
  await vi.waitFor(() => expect(fake.argsOf('repository/load')).toHaveLength(1));
  cancelSending(store.getState());
  await sent;
  expect(store.getState()).toMatchObject({
    sending: undefined,
    outcome: { refused: 'Cancelled before an answer came.' },
  });
  await vi.waitFor(() => expect(isAborted).toBe(true));
  expect(fake.argsOf('playground/send')).toEqual([]);
});

test('a server that is stopped is started first, and one that does not start is said', async () => {
  const { fake, engine, store, send } = start();
  engine.state.server.setState({ view: { ...fake.server, state: 'stopped' } });
  fake.overrides['server/start'] = () => {
    throw internal('the port is taken');
  };
  await send();
  expect(store.getState().outcome?.refused).toContain('could not be started');
  expect(fake.argsOf('playground/send')).toEqual([]);
});

test('the tensors of an answer are given back when it falls out of the history', async () => {
  const { fake, store, send } = start();
  for (let at = 0; at < 51; at += 1) await send();
  expect(store.getState().history).toHaveLength(50);
  await vi.waitFor(() => expect(fake.argsOf('blob/release')).toEqual([{ blob: 'blob-Y' }]));
});

const SEQUENCE = fakeInterface({ isSequence: true, sequenceIdleMs: 1000 });

test('steps of a sequence follow each other: start, step, end, and the next one starts anew', async () => {
  const { fake, engine, store } = start(SEQUENCE);
  const step = (begins: boolean, ends: boolean) =>
    sendStep(engine, store, target, { start: begins, end: ends });
  await step(true, false);
  await step(false, false);
  await step(false, true);
  expect(store.getState().steps.map(({ flags }) => flags)).toEqual(['start', 'step', 'end']);
  expect(store.getState().draft?.sequence).toEqual({ id: '1', start: true, end: false });
  expect(fake.argsOf('playground/send').map(({ sequence }) => sequence)).toEqual([
    { id: '1', start: true, end: false },
    { id: '1', start: false, end: false },
    { id: '1', start: false, end: true },
  ]);
  await step(true, true);
  expect(store.getState().steps.map(({ flags }) => flags)).toEqual(['start and end']);
});

test('a step that was refused can be sent again as the same step', async () => {
  const { fake, engine, store } = start(SEQUENCE);
  fake.overrides['playground/send'] = () => fakeRefusal('no such sequence');
  await sendStep(engine, store, target, { start: true, end: false });
  expect(store.getState().draft?.sequence.start).toBe(true);
  expect(store.getState().steps).toHaveLength(1);
});

test('a request to a model without sequences is no step', async () => {
  const { store, send } = start();
  await send();
  expect(store.getState().steps).toEqual([]);
});

test.each([
  ['1', '2'],
  ['run9', 'run10'],
  ['18446744073709551615', '18446744073709551616'],
  ['', '-2'],
  ['name', 'name-2'],
])('after the sequence %j comes %j', (id, next) => {
  expect(nextSequenceId(id)).toBe(next);
});

/** A model that sends responses until it is stopped. */
function startStream(count: number) {
  const begun = start(fakeInterface({ isDecoupled: true }));
  const ended = Promise.withResolvers<PlaygroundResult>();
  const { overrides } = begun.fake;
  overrides['playground/sendStream'] = (_args, { signal }: { signal: AbortSignal }) => {
    signal.addEventListener('abort', () => ended.reject(signal.reason as Error));
    return ended.promise;
  };
  overrides['playground/streamed'] = () => ({ count, byteSize: 4 * count, outputs: [] });
  overrides['playground/stopStream'] = () =>
    ended.resolve(fakeResult({ status: 1, statusText: 'CANCELLED', streamed: { count, isStopped: true } }));
  return begun;
}

test('a stream tells how far it is, and what came until it was cancelled is its answer', async () => {
  const { fake, store, send } = startStream(10);
  const sent = send();
  await vi.waitFor(() => expect(store.getState().stream?.progress?.count).toBe(10));
  cancelSending(store.getState());
  await sent;
  expect(store.getState()).toMatchObject({
    sending: undefined,
    stream: undefined,
    outcome: { refused: undefined, result: { streamed: { count: 10, isStopped: true } } },
  });
  const [{ stream } = { stream: '' }] = fake.argsOf('playground/sendStream');
  expect(fake.argsOf('playground/stopStream')).toEqual([{ stream }]);
});

test('a stream that is cancelled before its first response was not answered', async () => {
  const { store, send } = startStream(0);
  const sent = send();
  await vi.waitFor(() => expect(store.getState().stream?.stop).toBeDefined());
  cancelSending(store.getState());
  await sent;
  expect(store.getState().outcome).toMatchObject({
    result: undefined,
    refused: 'Cancelled before an answer came.',
  });
});

test('a stream that does not stop is given up by cancelling once more', async () => {
  const { fake, store, send } = startStream(3);
  fake.overrides['playground/stopStream'] = () => undefined;
  const sent = send();
  await vi.waitFor(() => expect(store.getState().stream?.progress).toBeDefined());
  cancelSending(store.getState());
  expect(store.getState().sending).toBeDefined();
  cancelSending(store.getState());
  await sent;
  expect(store.getState()).toMatchObject({
    sending: undefined,
    stream: undefined,
    outcome: { result: undefined },
  });
});

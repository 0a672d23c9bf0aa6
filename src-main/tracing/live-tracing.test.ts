// Which requests the window traces, beside the trace setting of the server, and what a row holds.

import { expect, test } from 'vitest';

import { ServerError } from '../../src-shared/errors.ts';
import type { RequestTrace, TracedPayload } from '../inference/request-trace.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { LiveBuffer } from './live-buffer.ts';
import { LiveTracing } from './live-tracing.ts';
import type { RequestTracer } from './request-tracer.ts';

const NO_CONTEXT = { traceparent: undefined, tracestate: undefined };
const off: RequestTracer = {
  isActive: () => false,
  start: () => {
    throw new Error('asked although it is off');
  },
  startRefused: () => undefined,
};

function tracing(sampler = off): { readonly live: LiveTracing; readonly clock: FakeClock } {
  const clock = new FakeClock();
  return { clock, live: new LiveTracing(sampler, clock, new LiveBuffer(100)) };
}

/** One request from its arrival to its answer, a moment each 1000 ns. */
function serve(live: LiveTracing, payload?: TracedPayload): RequestTrace | undefined {
  const trace = live.start('resnet', NO_CONTEXT);
  let ns = 1_000_000;
  const step = (): number => (ns += 1000);
  trace?.activity('HTTP_RECV_START', step());
  trace?.activity('HTTP_RECV_END', step());
  trace?.setModel('resnet', '3', 'mine');
  trace?.activity('REQUEST_START', step());
  trace?.activity('QUEUE_START', step());
  if (payload !== undefined) trace?.executes?.(payload, 'resnet_0');
  trace?.activity('COMPUTE_START', step());
  trace?.activity('COMPUTE_INPUT_END', step());
  trace?.activity('COMPUTE_OUTPUT_START', step());
  trace?.activity('COMPUTE_END', step());
  trace?.activity('REQUEST_END', step());
  trace?.activity('HTTP_SEND_START', step());
  trace?.activity('HTTP_SEND_END', step());
  trace?.end();
  return trace;
}

test('while it is off nobody has a trace, and the trace setting is not asked', () => {
  const { live } = tracing();
  expect([live.isActive(), serve(live)]).toEqual([false, undefined]);
  expect(live.state()).toMatchObject({ mode: undefined, nextRow: 0, openCount: 0 });
});

test('the next requests are taken, and no more', () => {
  const { live } = tracing();
  live.begin({ kind: 'next', count: 2 });
  for (let count = 0; count < 5; count += 1) serve(live);
  expect(live.state()).toMatchObject({ mode: undefined, remainingCount: 0, nextRow: 2 });
  expect(live.isActive()).toBe(false);
});

test('of many requests every so many-th is taken', () => {
  const { live } = tracing();
  live.begin({ kind: 'sampled', rate: 3 });
  const taken = Array.from({ length: 7 }, () => serve(live) !== undefined);
  expect(taken).toEqual([false, false, true, false, false, true, false]);
});

test('all are taken for as long as was asked for', () => {
  const { live, clock } = tracing();
  live.begin({ kind: 'all', seconds: 30 });
  serve(live);
  clock.skip(29e9);
  serve(live);
  clock.skip(2e9);
  expect(serve(live)).toBeUndefined();
  expect(live.state()).toMatchObject({ mode: undefined, endsAtMs: 0, nextRow: 2 });
});

test('a row has the moments, the execution and why it was closed', () => {
  const { live } = tracing();
  live.begin({ kind: 'sampled', rate: 1 });
  const payload = { requests: { length: 4 }, batchSize: 8, closeReason: 'delay' };
  serve(live, payload);
  serve(live, payload);
  serve(live, { requests: { length: 1 }, batchSize: 1, closeReason: 'unheard of' });
  const [first, second, third] = [0, 1, 2].map((number) => live.row(number));
  expect(first).toMatchObject({
    model: 'resnet',
    version: '3',
    requestId: 'mine',
    protocol: 'http',
    isFailed: false,
    runCount: 1,
    execution: { instance: 'resnet_0', requestCount: 4, batchSize: 8, closeReason: 'delay' },
    stamps: { receiveStart: 1_001_000, queueStart: 1_004_000, computeEnd: 1_008_000, sendEnd: 1_011_000 },
  });
  expect(second?.execution?.id).toBe(first?.execution?.id);
  expect(third?.execution?.id).not.toBe(first?.execution?.id);
  expect(third?.execution?.closeReason).toBeUndefined();
});

test('a row waits for the end of the request, and an error is the first one', () => {
  const { live } = tracing();
  live.begin({ kind: 'next', count: 1 });
  const trace = live.start('resnet', NO_CONTEXT);
  trace?.activity('REQUEST_START', 1000);
  trace?.failed?.(new ServerError('INTERNAL', 'the first'));
  trace?.failed?.(new ServerError('INTERNAL', 'the second'));
  trace?.end();
  expect(live.state()).toMatchObject({ nextRow: 0, openCount: 1 });
  trace?.activity('REQUEST_END', 2000);
  expect(live.state()).toMatchObject({ nextRow: 1, openCount: 0 });
  expect(live.row(0)).toMatchObject({ isFailed: true, error: 'the first', execution: undefined });
});

test('a moment of an earlier run is no part of the last one', () => {
  const { live } = tracing();
  live.begin({ kind: 'next', count: 1 });
  const trace = live.start('resnet', NO_CONTEXT);
  trace?.activity('QUEUE_START', 5000);
  trace?.activity('COMPUTE_START', 4000);
  trace?.activity('COMPUTE_END', 6000);
  trace?.end();
  expect(live.row(0)?.stamps).toEqual({ queueStart: 5000, computeEnd: 6000 });
});

test('what is run for a request is a row of its own that names it', () => {
  const { live } = tracing();
  live.begin({ kind: 'next', count: 1 });
  const trace = live.start('both', NO_CONTEXT);
  trace?.child('first', '1').end();
  trace?.end();
  expect(live.row(0)).toMatchObject({ model: 'first', parentId: live.row(1)?.id, protocol: undefined });
});

test('clearing forgets requests that are still under way', () => {
  const { live } = tracing();
  live.begin({ kind: 'next', count: 1 });
  const trace = live.start('resnet', NO_CONTEXT);
  const { generation } = live.state();
  live.clear();
  trace?.end();
  expect(live.state()).toMatchObject({ nextRow: 0, openCount: 0 });
  expect(live.state().generation).not.toBe(generation);
});

test('the trace setting samples as if the window did not trace', () => {
  const seen: string[] = [];
  const set = (log: string): RequestTrace => ({
    tensors: undefined,
    context: '{"traceparent":"00"}',
    activity: (activity) => seen.push(`${log} ${activity}`),
    customActivity: (name) => seen.push(`${log} ${name}`),
    child: () => set(`${log} child`),
    setModel: () => seen.push(`${log} model`),
    refused: () => seen.push(`${log} refused`),
    end: () => seen.push(`${log} end`),
  });
  let asked = 0;
  const { live } = tracing({
    isActive: () => true,
    start: () => ((asked += 1) % 2 === 0 ? set('set') : undefined),
    startRefused: () => undefined,
  });
  live.begin({ kind: 'next', count: 2 });
  for (let count = 0; count < 4; count += 1) serve(live);
  expect(asked).toBe(4);
  expect(seen.filter((one) => one === 'set end')).toHaveLength(2);
  expect(seen.filter((one) => one === 'set COMPUTE_END')).toHaveLength(2);
  expect(live.state().nextRow).toBe(2);
  live.begin({ kind: 'next', count: 2 });
  live.start('resnet', NO_CONTEXT);
  const both = live.start('resnet', NO_CONTEXT);
  expect(both?.context).toBe('{"traceparent":"00"}');
  both?.child('step', '1').customActivity('MINE', 1);
  expect(seen.at(-1)).toBe('set child MINE');
});

test('a request that is refused before it is sampled is a row all the same', () => {
  const { live } = tracing();
  expect(live.startRefused('resnet')).toBeUndefined();
  live.begin({ kind: 'next', count: 1 });
  const trace = live.startRefused('resnet');
  trace?.failed?.(new ServerError('INVALID_ARG', 'no data'));
  trace?.end();
  expect(live.state()).toMatchObject({ nextRow: 1, mode: undefined });
  expect(live.row(0)).toMatchObject({ model: 'resnet' });
});

// Traces through the contract: switching, events at their rate, and rows in messages that stay small.

import { afterAll, beforeEach, expect, test } from 'vitest';

import type { TraceState } from '../../../src-shared/contract/trace-calls.ts';
import { unpackTraces } from '../../../src-shared/contract/trace-pack.ts';
import { LiveBuffer } from '../../tracing/live-buffer.ts';
import { LiveTracing } from '../../tracing/live-tracing.ts';
import type { ControlWorld } from '../../testing/control-world.ts';
import { mlpRequest, startControlWorld } from '../../testing/control-world.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { TraceRoom } from './trace-room.ts';

const world: ControlWorld = await startControlWorld(['batch_mlp']);
const { client } = world;

afterAll(() => world[Symbol.asyncDispose]());

beforeEach(async () => {
  await client.call('traces/stop', {});
  await client.call('traces/clear', {});
});

test('the next requests of a client are traced from the arrival to the end of the answer', async () => {
  expect(await client.call('traces/state', {})).toMatchObject({ mode: undefined, nextRow: 0 });
  const mode = { kind: 'next', count: 2 } as const;
  expect(await client.call('traces/start', { mode })).toMatchObject({ mode, remainingCount: 2 });
  await client.call('playground/send', mlpRequest({ id: 'mine' }));
  await client.call('playground/send', mlpRequest());
  await client.call('playground/send', mlpRequest());
  await expect.poll(() => client.call('traces/state', {})).toMatchObject({ mode: undefined, nextRow: 2 });
  const page = await client.call('traces/read', { fromRow: 0 });
  const [first, second] = unpackTraces(page);
  expect(first).toMatchObject({ model: 'batch_mlp', requestId: 'mine', isFailed: false });
  expect(second?.execution?.instance).toBe('batch_mlp_0_0');
  expect(first?.stamps.sendEnd).toBeGreaterThan(first?.stamps.receiveStart ?? Infinity);
  expect(await client.call('traces/read', { fromRow: 2 })).toMatchObject({
    fromRow: 2,
    nextRow: 2,
    rows: [],
  });
});

test('a captured request is found by its trace', async () => {
  await client.call('traces/start', { mode: { kind: 'next', count: 1 } });
  await client.call('capture/start', {});
  await client.call('playground/send', mlpRequest({ id: 'both' }));
  await client.call('capture/stop', {});
  await expect.poll(() => client.call('traces/state', {})).toMatchObject({ nextRow: 1 });
  const [traced] = unpackTraces(await client.call('traces/read', { fromRow: 0 }));
  const { row } = await client.call('capture/ofTrace', { traceId: traced?.id ?? 0 });
  expect(row).toMatchObject({ requestId: 'both', model: 'batch_mlp', hasTensors: true });
  expect(await client.call('capture/ofTrace', { traceId: 999_999 })).toEqual({ row: undefined });
  await client.call('capture/clear', {});
});

const NO_CONTEXT = { traceparent: undefined, tracestate: undefined };

function room(rowCount: number) {
  const clock = new FakeClock();
  const silent = { isActive: () => false, start: () => undefined, startRefused: () => undefined };
  const tracing = new LiveTracing(silent, clock, new LiveBuffer(10_000));
  const told: TraceState[] = [];
  const traces = new TraceRoom({ clock, tracing, publish: (_, state) => told.push(state as TraceState) });
  traces.start();
  const serve = (): void => {
    const trace = tracing.start('resnet', NO_CONTEXT);
    trace?.activity('HTTP_RECV_START', clock.nowNs());
    trace?.setModel('resnet', '1', 'an id of the client');
    trace?.end();
  };
  tracing.begin({ kind: 'sampled', rate: 1 });
  for (let count = 0; count < rowCount; count += 1) serve();
  return { clock, tracing, told, traces, serve };
}

test('however many requests end, at most two events a second tell it', async () => {
  const { clock, told, traces, serve } = room(0);
  for (let tenth = 0; tenth < 100; tenth += 1) {
    for (let count = 0; count < 10; count += 1) serve();
    await clock.advance(100);
  }
  expect(told.length).toBeGreaterThanOrEqual(15);
  expect(told.length).toBeLessThanOrEqual(20);
  expect(told.at(-1)?.nextRow).toBeGreaterThan(900);
  traces.close();
});

test('rows come in messages below 64 KiB, without a gap', async () => {
  const { tracing, traces } = room(3000);
  const read = traces.handlers['traces/read'];
  let next = 0;
  let messages = 0;
  while (next < 3000) {
    const page = await read({ fromRow: next }, { signal: new AbortController().signal });
    expect(JSON.stringify(page).length).toBeLessThan(64 * 1024);
    expect(page.fromRow).toBe(next);
    expect(unpackTraces(page)[0]).toEqual(tracing.row(next));
    next = page.nextRow;
    messages += 1;
  }
  expect(messages).toBeLessThan(20);
});

test('all for some seconds ends by itself, also when no request comes, and is told', async () => {
  const { clock, told, traces } = room(0);
  await traces.handlers['traces/start'](
    { mode: { kind: 'all', seconds: 5 } },
    { signal: new AbortController().signal },
  );
  await clock.advance(6000);
  expect(told.at(-1)).toMatchObject({ mode: undefined, endsAtMs: 0 });
});

test('a page that is gone leaves nothing running', () => {
  const { tracing, traces } = room(1);
  traces.close();
  expect(tracing.isActive()).toBe(false);
  expect(tracing.onChange).toBeUndefined();
});

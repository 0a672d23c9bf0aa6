// The traces of a model's slowest requests: kept by second, found by what the client saw, gone when nobody asks.

import { expect, test } from 'vitest';

import type { RequestTrace } from '../inference/request-trace.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { LiveTracing } from './live-tracing.ts';
import { SlowTraces } from './slow-traces.ts';

const NO_CONTEXT = { traceparent: undefined, tracestate: undefined };

function world() {
  const clock = new FakeClock();
  const live = new LiveTracing(
    { isActive: () => false, start: () => undefined, startRefused: () => undefined },
    clock,
  );
  const slow = new SlowTraces(live, clock);
  /** A request that begins now and takes so long. */
  const request = (tookMs: number, model = 'm', inside?: (trace: RequestTrace) => void) => {
    const trace = slow.start(model, NO_CONTEXT);
    const atMs = clock.wallMs();
    trace?.activity('REQUEST_START', clock.nowNs());
    if (trace !== undefined) inside?.(trace);
    clock.skip(tookMs * 1e6);
    trace?.activity('REQUEST_END', clock.nowNs());
    trace?.end();
    return { atMs, latencyUs: tookMs * 1000 };
  };
  return { clock, live, slow, request };
}

test('while nobody asks, nothing is traced', () => {
  const { slow, request } = world();
  expect(slow.isActive()).toBe(false);
  const seen = request(10);
  slow.follow('m');
  expect(slow.isActive()).toBe(true);
  expect(slow.of([seen])).toEqual([[]]);
});

test('each slow request gets the trace that lies within it; other models are left out', () => {
  const { clock, slow, request } = world();
  slow.follow('m');
  const fast = request(5);
  clock.skip(50e6);
  const other = request(100, 'other');
  clock.skip(50e6);
  const slowest = request(60);
  const [first, second, none] = slow.of([slowest, fast, other]);
  expect(first).toMatchObject([{ model: 'm', atMs: slowest.atMs }]);
  expect(second).toMatchObject([{ model: 'm', atMs: fast.atMs }]);
  expect(none).toEqual([]);
  slow.stop();
  expect(slow.of([slowest])).toEqual([[]]);
});

test('of a second the slowest are kept, with the steps at any depth', () => {
  const { slow, request } = world();
  slow.follow('m');
  const step = (trace: RequestTrace): void => {
    const child = trace.child('step', '1');
    const inner = child.child('inner', '1');
    inner.end();
    child.end();
  };
  const slowest = request(90, 'm', step);
  for (let count = 0; count < 100; count += 1) request(4);
  const [rows = []] = slow.of([slowest]);
  expect(rows.map(({ model }) => model)).toEqual(['m', 'step', 'inner']);
  expect(rows[1]?.parentId).toBe(rows[0]?.id);
});

test('what the window traces keeps its own numbers', () => {
  const { live, slow } = world();
  live.begin({ kind: 'next', count: 5 });
  slow.follow('m');
  expect(slow.start('m', NO_CONTEXT)?.windowId).toBe(1);
  live.stop();
  expect(slow.start('m', NO_CONTEXT)?.windowId).toBeGreaterThan(1e11);
});

// Which requests are traced, and what of them reaches the file or the collector.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addLogSink } from '../base/log.ts';
import type { RequestTrace } from '../inference/request-trace.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import type { Span } from './otel-span.ts';
import { parseTraceparent } from './trace-context.ts';
import { TraceSampler } from './trace-sampler.ts';
import type { TraceStart } from './trace-settings.ts';
import { TraceSettings } from './trace-settings.ts';

const NO_CONTEXT = { traceparent: undefined, tracestate: undefined };
const REMOTE = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`, tracestate: 'x=1' };

interface World {
  readonly clock: FakeClock;
  readonly settings: TraceSettings;
  readonly sampler: TraceSampler;
  readonly file: string;
  readonly sent: (readonly Span[])[];
}

function world(start: Partial<TraceStart>): World {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'conch-trace-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'trace.json');
  const clock = new FakeClock();
  const sent: (readonly Span[])[] = [];
  const settings = new TraceSettings({
    start: {
      levels: ['TIMESTAMPS'],
      rate: 1,
      count: -1,
      logFrequency: 0,
      mode: 'triton',
      file,
      modeSettings: [],
      endpoint: 'http://localhost:4318/v1/traces',
      ...start,
    },
    isKnownModel: () => true,
  });
  const sampler = new TraceSampler({
    settings,
    clock,
    createSender: () => ({
      send: (spans) => {
        sent.push(spans);
        return Promise.resolve();
      },
      close: () => Promise.resolve(),
    }),
  });
  return { clock, settings, sampler, file, sent };
}

const read = (file: string): Record<string, unknown>[] =>
  JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>[];

/** Which of `count` requests are traced; each trace ends at once. */
function hits({ sampler }: World, count: number, model = 'm'): number[] {
  return Array.from({ length: count }, (_, i) => {
    const trace = sampler.start(model, NO_CONTEXT);
    trace?.activity('HTTP_RECV_START', i);
    trace?.end();
    return trace === undefined ? 0 : i + 1;
  }).filter((hit) => hit > 0);
}

function run(trace: RequestTrace | undefined, name: string): void {
  trace?.setModel(name, '1', name === 'm' ? 'r"1' : '');
  trace?.activity('REQUEST_START', 10);
  trace?.activity('COMPUTE_START', 20);
  trace?.activity('COMPUTE_END', 30);
  trace?.activity('REQUEST_END', 40);
}

describe('sampling', () => {
  test('traces every rate-th request while the count lasts, and reports what is left', () => {
    const w = world({ rate: 3, count: 2 });
    expect(hits(w, 12)).toEqual([3, 6]);
    expect(w.settings.get('').traceCount).toBe('0');
  });

  test('gives models with own settings their own counters, which an update restarts', () => {
    const w = world({ rate: 2 });
    w.settings.update('own', new Map([['trace_rate', ['3']]]));
    expect(hits(w, 2, 'own')).toEqual([]);
    expect(hits(w, 4, 'other')).toEqual([2, 4]);
    expect(hits(w, 1, 'own')).toEqual([1]);
    w.settings.update('own', new Map([['trace_rate', ['1']]]));
    expect(hits(w, 2, 'own')).toEqual([1, 2]);
  });

  test.each<[string, Partial<TraceStart>]>([
    ['level OFF', { levels: [] }],
    ['no file', { file: '' }],
  ])('is inactive with %s', (_, start) => {
    const w = world(start);
    expect(w.sampler.isActive()).toBe(false);
  });

  test('traces nothing with rate 0 or count 0', () => {
    expect(hits(world({ rate: 0 }), 5)).toEqual([]);
    expect(hits(world({ count: 0 }), 5)).toEqual([]);
  });
});

describe('files', () => {
  test('hold header, stamps, tensors and children, grouped by id, the last child first', async () => {
    const w = world({ levels: ['TIMESTAMPS', 'TENSORS'] });
    const trace = w.sampler.start('m', NO_CONTEXT);
    trace?.activity('HTTP_RECV_START', 1);
    run(trace, 'm');
    const child = trace?.child('step', '2');
    trace?.tensors?.(
      'TENSOR_QUEUE_INPUT',
      { name: 'I', datatype: 'FP32', shape: [1, 2], bytes: new Uint8Array(Float32Array.of(0.5, 1e7).buffer) },
      5,
    );
    run(child, 'step');
    child?.end();
    trace?.activity('HTTP_SEND_END', 99);
    trace?.end();
    trace?.end();
    await w.sampler.close();
    const records = read(w.file);
    const id = records.at(-1)?.['id'] as number;
    const own = records.findIndex((record) => record['id'] === id);
    expect(records.slice(own, own + 3)).toEqual([
      { id, timestamps: [{ name: 'HTTP_RECV_START', ns: 1 }] },
      { id, model_name: 'm', model_version: 1, request_id: 'r"1' },
      { id, timestamps: [{ name: 'REQUEST_START', ns: 10 }] },
    ]);
    expect(records).toContainEqual({
      id,
      activity: 'TENSOR_QUEUE_INPUT',
      tensor: { name: 'I', data: '0.5,1e+07', shape: '1,2', dtype: 'FP32' },
    });
    const childId = records[0]?.['id'];
    expect(records.find((record) => record['parent_id'] !== undefined)).toEqual({
      id: childId,
      model_name: 'step',
      model_version: 1,
      parent_id: id,
    });
    expect(records.findLastIndex((record) => record['id'] === childId)).toBe(own - 1);
  });

  test('hold a large tensor in its place, printed away from the loop', async () => {
    const w = world({ levels: ['TIMESTAMPS', 'TENSORS'] });
    const trace = w.sampler.start('m', NO_CONTEXT);
    trace?.activity('QUEUE_START', 1);
    const bytes = new Uint8Array(50_000).fill(3);
    trace?.tensors?.('TENSOR_QUEUE_INPUT', { name: 'I', datatype: 'UINT8', shape: [50_000], bytes }, 2);
    trace?.activity('COMPUTE_START', 3);
    trace?.end();
    await w.sampler.close();
    expect(read(w.file)).toMatchObject([
      { timestamps: [{ name: 'QUEUE_START' }] },
      { tensor: { data: Array.from({ length: 50_000 }, () => 3).join(',') } },
      { timestamps: [{ name: 'COMPUTE_START' }] },
    ]);
  });

  test('wait for a request that is released after its reply was sent', async () => {
    const w = world({});
    const trace = w.sampler.start('m', NO_CONTEXT);
    trace?.activity('REQUEST_START', 1);
    trace?.end();
    trace?.activity('REQUEST_END', 2);
    await w.sampler.close();
    expect(read(w.file)).toHaveLength(2);
  });

  test('leave out stamps and header with level TENSORS alone', async () => {
    const w = world({ levels: ['TENSORS'] });
    const trace = w.sampler.start('m', NO_CONTEXT);
    run(trace, 'm');
    trace?.tensors?.(
      'TENSOR_BACKEND_OUTPUT',
      { name: 'O', datatype: 'BOOL', shape: [1], bytes: Uint8Array.of(7) },
      5,
    );
    trace?.end();
    await w.sampler.close();
    expect(read(w.file)).toMatchObject([{ activity: 'TENSOR_BACKEND_OUTPUT', tensor: { data: '1' } }]);
  });

  test('are indexed every N traces, the rest at the end', async () => {
    const w = world({ logFrequency: 2 });
    hits(w, 5);
    await w.sampler.close();
    expect([read(`${w.file}.0`).length, read(`${w.file}.1`).length, read(`${w.file}.2`).length]).toEqual([
      2, 2, 1,
    ]);
    expect(existsSync(w.file)).toBe(false);
  });

  test('are written when the count is used up', async () => {
    const w = world({ count: 2 });
    hits(w, 3);
    await w.sampler.close();
    expect(read(`${w.file}.0`)).toHaveLength(2);
  });

  test('get what a replaced setting had buffered, once its last open trace has ended', async () => {
    const w = world({});
    hits(w, 1);
    const open = w.sampler.start('m', NO_CONTEXT);
    open?.activity('HTTP_RECV_START', 7);
    w.settings.update('', new Map([['trace_level', ['OFF']]]));
    expect(w.sampler.isActive()).toBe(false);
    open?.end();
    w.settings.update('', new Map([['trace_level', ['TIMESTAMPS']]]));
    hits(w, 1);
    await w.sampler.close();
    expect(read(w.file)).toHaveLength(3);
  });
});

describe('opentelemetry', () => {
  const parentOf = (spans: readonly Span[], name: string): string =>
    spans.find((span) => span.spanId === spans.find((child) => child.name === name)?.parentSpanId)?.name ??
    '';
  const eventsOf = (spans: readonly Span[], name: string): string[] =>
    spans.find((span) => span.name === name)?.events.map(([event]) => event) ?? [];

  test('nests spans below the remote context, and exports them after the delay', async () => {
    const w = world({ mode: 'opentelemetry', rate: 0, modeSettings: [['bsp_schedule_delay', '100']] });
    expect(w.sampler.start('m', NO_CONTEXT)).toBeUndefined();
    const trace = w.sampler.start('m', REMOTE);
    trace?.activity('HTTP_RECV_START', 5);
    trace?.setModel('m', '1', 'r');
    expect(trace?.context).toBeUndefined();
    trace?.activity('REQUEST_START', 10);
    expect(JSON.parse(trace?.context ?? '')).toEqual({
      traceparent: expect.stringMatching(/^00-a{32}-[0-9a-f]{16}-01$/) as string,
      tracestate: 'x=1',
    });
    const child = trace?.child('step', '1');
    run(child, 'step');
    child?.end();
    trace?.activity('REQUEST_END', 40);
    await w.clock.advance(50);
    trace?.activity('HTTP_SEND_END', 50);
    trace?.end();
    expect(w.sent).toEqual([]);
    await w.clock.advance(50);
    const [spans = []] = w.sent;
    expect(spans.map(({ name }) => name)).toEqual(['compute', 'step', 'm', 'InferRequest']);
    expect(['compute', 'step', 'm'].map((name) => parentOf(spans, name))).toEqual([
      'step',
      'm',
      'InferRequest',
    ]);
    const [compute, , model, root] = spans;
    expect(root).toMatchObject({ parentSpanId: 'b'.repeat(16), traceState: 'x=1' });
    expect(spans.every(({ traceId }) => traceId === 'a'.repeat(32))).toBe(true);
    expect([compute?.startNs, compute?.endNs, model?.startNs, model?.endNs]).toEqual([20, 30, 10, 40]);
    expect((root?.endNs ?? 0) - (root?.startNs ?? 0)).toBe(50e6);
    expect(eventsOf(spans, 'InferRequest')).toEqual(['HTTP_RECV_START', 'HTTP_SEND_END']);
    expect(eventsOf(spans, 'm')).toEqual(['REQUEST_START', 'REQUEST_END']);
    expect(eventsOf(spans, 'compute')).toEqual(['COMPUTE_START', 'COMPUTE_END']);
    const id = model?.attributes.find(([key]) => key === 'triton.trace_id')?.[1];
    expect(model?.attributes).toContainEqual(['triton.request_id', 'r']);
    expect(spans[1]?.attributes).toContainEqual(['triton.trace_parent_id', id]);
    await w.sampler.close();
  });

  test('opens a span for each custom start, closes the topmost at each custom end', async () => {
    const w = world({ mode: 'opentelemetry' });
    const trace = w.sampler.start('m', NO_CONTEXT);
    trace?.setModel('m', '1', '');
    trace?.activity('REQUEST_START', 10);
    const names = ['A_START', 'B_START', 'ONE', 'C_END', 'A_END', '_START', '_END'];
    names.forEach((name, at) => trace?.customActivity(name, 11 + at));
    trace?.activity('COMPUTE_START', 12);
    trace?.activity('COMPUTE_INPUT_END', 13);
    trace?.activity('COMPUTE_END', 15);
    expect(JSON.parse(trace?.context ?? '')).toMatchObject({ 11: 'A_START', 13: 'ONE' });
    trace?.activity('REQUEST_END', 40);
    trace?.end();
    await w.sampler.close();
    const spans = w.sent.flat();
    expect(spans.map(({ name }) => name)).toEqual(['B', 'A', 'compute', 'm', 'InferRequest']);
    expect(['B', 'A', 'compute'].map((name) => parentOf(spans, name))).toEqual(['A', 'm', 'm']);
    expect(eventsOf(spans, 'B')).toEqual(['B_START', 'ONE', 'C_END']);
    expect(eventsOf(spans, 'm')).toEqual(['REQUEST_START', '_START', '_END', 'REQUEST_END']);
    expect(eventsOf(spans, 'compute')).toEqual(['COMPUTE_START', 'COMPUTE_INPUT_END', 'COMPUTE_END']);
  });

  test('says once that tensors are not traced in this mode', async () => {
    const told: string[] = [];
    const removeSink = addLogSink(({ level, message }) => told.push(`${level} ${message}`));
    const w = world({ mode: 'opentelemetry', levels: ['TENSORS'] });
    w.sampler.start('m', NO_CONTEXT)?.end();
    removeSink();
    await w.sampler.close();
    expect(told).toEqual(['error Tensor level tracing is not supported by the mode: opentelemetry']);
  });

  test('ends with the last of its requests, and ends what was left open', async () => {
    const w = world({ mode: 'opentelemetry' });
    const trace = w.sampler.start('m', NO_CONTEXT);
    trace?.activity('REQUEST_START', 1);
    trace?.customActivity('OPEN_START', 2);
    trace?.end();
    trace?.activity('REQUEST_END', 3);
    await w.sampler.close();
    expect(w.sent.flat().map(({ name }) => name)).toEqual(['OPEN', '', 'InferRequest']);
  });

  test('sends full batches at once, the rest on close, and drops beyond the queue', async () => {
    const w = world({
      mode: 'opentelemetry',
      modeSettings: [
        ['bsp_max_export_batch_size', '2'],
        ['bsp_max_queue_size', '3'],
      ],
    });
    hits(w, 6);
    await w.sampler.close();
    // The first two are on their way when the others come; three wait, one is too many.
    expect(w.sent.map((spans) => spans.length)).toEqual([2, 2, 1]);
  });

  test.each([
    ['00-' + 'a'.repeat(32) + '-' + 'b'.repeat(16) + '-01', true],
    ['cc-' + 'a'.repeat(32) + '-' + 'b'.repeat(16) + '-01-more', true],
    ['00-' + 'a'.repeat(32) + '-' + 'b'.repeat(16) + '-01-more', false],
    ['ff-' + 'a'.repeat(32) + '-' + 'b'.repeat(16) + '-01', false],
    ['00-' + '0'.repeat(32) + '-' + 'b'.repeat(16) + '-01', false],
    ['00-' + 'A'.repeat(32) + '-' + 'b'.repeat(16) + '-01', true],
    ['00-' + 'g'.repeat(32) + '-' + 'b'.repeat(16) + '-01', false],
    [undefined, false],
  ])('reads traceparent %s: %s', (text, isValid) => {
    expect(parseTraceparent(text, undefined) !== undefined).toBe(isValid);
  });
});

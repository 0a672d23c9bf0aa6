// Files of traces: ours come back as they were, those of the reference are read as they are, others are refused with a
// reason; and the form that Perfetto opens.

import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { TraceRow } from '../../../src-shared/contract/trace-row.ts';
import { CLOSE_REASONS, TRACE_STAMPS } from '../../../src-shared/contract/trace-row.ts';
import { fakeEnsemble, fakeTraces, stampsOf, traceRow } from '../../testing/fake-traces.ts';
import { chromeTraceText } from './chrome-trace.ts';
import { readTritonTrace, TraceFileError, tritonTraceText } from './trace-file.ts';
import { hasOutcome, partsOf, totalNs } from './trace-parts.ts';

const stamp = (id: number, name: string, ns: number) => ({ id, timestamps: [{ name, ns }] });

test('what is exported is read again, but for the wall clock', () => {
  const rows = [...fakeTraces(), ...fakeEnsemble()];
  expect(readTritonTrace(tritonTraceText(rows))).toEqual(rows.map((row) => ({ ...row, atMs: undefined })));
});

test('a request that only began has no outcome and no duration', () => {
  const [row] = readTritonTrace(
    JSON.stringify([{ id: 1, model_name: 'm', model_version: 1 }, stamp(1, 'REQUEST_START', 7)]),
  );
  if (row === undefined) throw new Error('the row is missing');
  expect([hasOutcome(row), totalNs(row)]).toEqual([false, undefined]);
  expect(hasOutcome({ ...row, isFailed: true })).toBe(true);
  expect(hasOutcome({ ...row, stamps: { requestStart: 7, requestEnd: 9 } })).toBe(true);
});

test('a request that failed without a reason comes back without one', () => {
  const failed = traceRow(1, { stamps: stampsOf(0, 200, 1000), isFailed: true });
  expect(readTritonTrace(tritonTraceText([failed]))).toMatchObject([{ isFailed: true, error: undefined }]);
});

test('a file may have more requests than a function may have arguments', () => {
  const count = 600_000;
  const records = Array.from({ length: count - 1 }, (_, at) => ({ id: at + 1 }));
  const rows = readTritonTrace(JSON.stringify([...records, stamp(count, 'COMPUTE_START', 7)]));
  expect([rows.length, rows.at(-1)?.stamps]).toEqual([count, { computeStart: 7 }]);
});

test('any rows come back as they were written', () => {
  const moment = fc.option(fc.nat(), { nil: undefined });
  const stamps = fc
    .array(moment, { minLength: TRACE_STAMPS.length, maxLength: TRACE_STAMPS.length })
    .map((all) => all.map((ns, at) => [TRACE_STAMPS[at], ns] as const).filter(([, ns]) => ns !== undefined))
    .map((known) => Object.fromEntries(known) as TraceRow['stamps']);
  const text = fc.option(fc.string({ minLength: 1 }), { nil: undefined });
  const execution = fc.record({
    id: fc.nat(),
    instance: fc.string(),
    requestCount: fc.nat(),
    batchSize: fc.nat(),
    closeReason: fc.constantFrom(...CLOSE_REASONS, undefined),
  });
  const row = fc.record({
    stamps,
    model: fc.string(),
    version: fc.option(fc.nat().map(String), { nil: undefined }),
    requestId: text,
    isFailed: fc.boolean(),
    error: text,
    execution,
    runCount: fc.nat(),
  });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), (parts) => {
      const rows = parts.map(({ isFailed, error, ...rest }, at) => {
        const reason = isFailed ? error : undefined;
        return traceRow(at + 1, { ...rest, isFailed, error: reason, atMs: undefined });
      });
      fc.pre(rows.some((one) => Object.keys(one.stamps).length > 0));
      // Which protocol it was stands in the names of its moments only.
      const read = readTritonTrace(tritonTraceText(rows)).map((one) => ({ ...one, protocol: 'http' }));
      expect(read).toEqual(rows);
    }),
  );
});

test('records stand in the order and under the names of the format', () => {
  const { id, model, stamps } = traceRow(7, { requestId: 'r', stamps: stampsOf(0, 100, 50) });
  const records = JSON.parse(
    tritonTraceText([traceRow(id, { model, requestId: 'r', stamps, parentId: 3 })]),
  ) as {
    readonly timestamps?: readonly { readonly name: string; readonly ns: number }[];
  }[];
  expect(records[0]).toEqual({
    id: 7,
    model_name: 'resnet',
    model_version: 1,
    request_id: 'r',
    parent_id: 3,
    conch: { runCount: 1 },
  });
  expect(records.slice(1).map(({ timestamps }) => timestamps?.[0]?.name)).toEqual([
    'HTTP_RECV_START',
    'HTTP_RECV_END',
    'REQUEST_START',
    'QUEUE_START',
    'COMPUTE_START',
    'COMPUTE_INPUT_END',
    'COMPUTE_OUTPUT_START',
    'COMPUTE_END',
    'REQUEST_END',
    'HTTP_SEND_START',
    'HTTP_SEND_END',
  ]);
});

// As tritonserver 2.51 wrote it: two requests that it ran together, and one alone.
const REFERENCE = [
  stamp(1, 'HTTP_RECV_START', 15207344372323),
  stamp(1, 'HTTP_RECV_END', 15207344544909),
  { id: 1, model_name: 'batch_mlp', model_version: 1, request_id: 'theirs' },
  stamp(1, 'REQUEST_START', 15207344957100),
  stamp(1, 'QUEUE_START', 15207344981547),
  stamp(1, 'INFER_RESPONSE_COMPLETE', 15207349544528),
  stamp(1, 'HTTP_SEND_START', 15207349612699),
  stamp(1, 'HTTP_SEND_END', 15207349622243),
  stamp(1, 'COMPUTE_START', 15207347852046),
  stamp(1, 'COMPUTE_INPUT_END', 15207348278810),
  stamp(1, 'COMPUTE_OUTPUT_START', 15207349406693),
  stamp(1, 'COMPUTE_END', 15207349432932),
  stamp(1, 'REQUEST_END', 15207349869470),
  stamp(2, 'HTTP_RECV_START', 15207345145039),
  stamp(2, 'HTTP_RECV_END', 15207345151829),
  { id: 2, model_name: 'batch_mlp', model_version: 1, request_id: 'theirs' },
  stamp(2, 'REQUEST_START', 15207345662037),
  stamp(2, 'QUEUE_START', 15207345666373),
  stamp(2, 'INFER_RESPONSE_COMPLETE', 15207349850762),
  stamp(2, 'COMPUTE_START', 15207347852046),
  stamp(2, 'COMPUTE_INPUT_END', 15207348278810),
  stamp(2, 'COMPUTE_OUTPUT_START', 15207349406693),
  stamp(2, 'COMPUTE_END', 15207349432932),
  stamp(2, 'REQUEST_END', 15207349888759),
  stamp(2, 'HTTP_SEND_START', 15207353616861),
  stamp(2, 'HTTP_SEND_END', 15207353622509),
  stamp(3, 'HTTP_RECV_START', 15207347631770),
  stamp(3, 'HTTP_RECV_END', 15207347647373),
  { id: 3, model_name: 'batch_mlp', model_version: 1, request_id: 'theirs' },
  stamp(3, 'REQUEST_START', 15207347736345),
  stamp(3, 'QUEUE_START', 15207347743075),
  stamp(3, 'INFER_RESPONSE_COMPLETE', 15207352248981),
  stamp(3, 'HTTP_SEND_START', 15207352295941),
  stamp(3, 'HTTP_SEND_END', 15207352311083),
  stamp(3, 'COMPUTE_START', 15207352089805),
  stamp(3, 'COMPUTE_INPUT_END', 15207352119238),
  stamp(3, 'COMPUTE_OUTPUT_START', 15207352204695),
  stamp(3, 'COMPUTE_END', 15207352225436),
  stamp(3, 'REQUEST_END', 15207352394657),
];

test('a file of the reference is read with the parts of each request and the requests that ran together', () => {
  const rows = readTritonTrace(JSON.stringify(REFERENCE));
  expect(
    rows.map(({ model, version, requestId, protocol }) => [model, version, requestId, protocol]),
  ).toEqual(Array(3).fill(['batch_mlp', '1', 'theirs', 'http']));
  const [first, second, third] = rows.map(({ execution }) => execution?.id);
  expect(first).toBe(second);
  expect(third).not.toBe(first);
  for (const row of rows) {
    expect(partsOf(row, false).map(({ name }) => name)).toEqual([
      ...['receive', 'parse', 'queue', 'input', 'infer', 'output', 'answer', 'send'],
    ]);
  }
});

test('waiting for a request of gRPC, which the reference counts, is no part of one', () => {
  const [row] = readTritonTrace(
    JSON.stringify([
      { id: 1, model_name: 'm', model_version: 1 },
      stamp(1, 'GRPC_WAITREAD_START', 1000),
      stamp(1, 'GRPC_WAITREAD_END', 5_000_000),
      stamp(1, 'GRPC_SEND_END', 5_002_000),
    ]),
  );
  expect(row).toMatchObject({ protocol: 'grpc' });
  expect(row === undefined ? 0 : totalNs(row)).toBe(2000);
});

test('in a file of another server requests with the same moments of a run ran together, and no more is made up', () => {
  const request = (id: number, queued: number) => [
    { id, model_name: 'm', model_version: 2 },
    stamp(id, 'HTTP_RECV_START', queued - 10),
    stamp(id, 'QUEUE_START', queued),
    stamp(id, 'COMPUTE_START', 1000),
    stamp(id, 'COMPUTE_END', 2000),
    stamp(id, 'CUSTOM_ACTIVITY', 1500),
    { id, activity: 'TENSOR_QUEUE_INPUT', tensor: { name: 'X', data: '1', shape: '1', dtype: 'FP32' } },
  ];
  const rows = readTritonTrace(JSON.stringify([...request(1, 500), ...request(2, 600)]));
  expect(rows[0]).toMatchObject({
    ...{ id: 1, model: 'm', version: '2', protocol: 'http', atMs: undefined, runCount: 1 },
    execution: { instance: '', requestCount: 0, batchSize: 0, closeReason: undefined },
    stamps: { receiveStart: 490, queueStart: 500, computeStart: 1000, computeEnd: 2000 },
  });
  expect(rows[1]?.execution?.id).toBe(rows[0]?.execution?.id);
});

test('what was run for a request that is not in the file counts as a request', () => {
  const text = JSON.stringify([
    { id: 5, model_name: 'm', model_version: -1, parent_id: 4 },
    stamp(5, 'QUEUE_START', 9),
  ]);
  expect(readTritonTrace(text)).toMatchObject([{ parentId: 0, version: undefined }]);
});

test.each([
  ['{', 'it is no JSON'],
  ['{"events":[]}', 'it is no list of trace records'],
  [chromeTraceText(fakeTraces()), "it is in the format of Chrome's traces"],
  ['[{"name":"a","ph":"X","pid":1,"tid":1,"ts":0,"dur":5}]', "it is in the format of Chrome's traces"],
  ['[{"a":1}]', 'record 1 is no trace record'],
  ['[{"id":1,"timestamps":[{"name":1}]}]', 'record 1 is no trace record'],
  ['[{"id":1,"model_name":"m","conch":{"execution":{"id":1}}}]', 'record 1 is no trace record'],
  ['[]', 'it has no times'],
  ['[{"id":1,"activity":"TENSOR_QUEUE_INPUT"}]', 'it has no times'],
])('what is no file of traces is refused: %s', (text, reason) => {
  expect(() => readTritonTrace(text)).toThrow(TraceFileError);
  expect(() => readTritonTrace(text)).toThrow(reason);
});

test('for Perfetto models are processes, instances threads, and spans of a request open and close', () => {
  const { traceEvents } = JSON.parse(chromeTraceText([...fakeTraces(), ...fakeEnsemble()])) as {
    readonly traceEvents: readonly {
      readonly name: string;
      readonly ph: string;
      readonly id?: number;
      readonly ts?: number;
      readonly dur?: number;
      readonly args: Record<string, unknown>;
    }[];
  };
  const of = (phase: string) => traceEvents.filter(({ ph }) => ph === phase);
  expect(of('M').map(({ args }) => args['name'])).toEqual(
    expect.arrayContaining(['resnet', 'both', 'left', 'resnet_0', 'resnet_1']),
  );
  expect(of('X').find(({ name }) => name === 'batch of 6')).toMatchObject({
    ts: 200,
    dur: 1000,
    args: { closed: 'delay', requests: [1, 2, 3] },
  });
  expect(of('b').length).toBe(of('e').length);
  for (const id of [1, 4, 10]) {
    const open: string[] = [];
    for (const { name, ph } of traceEvents.filter((event) => event.id === id)) {
      if (ph === 'b') open.push(name);
      else expect(open.pop()).toBe(name);
    }
    expect(open).toEqual([]);
  }
  expect(traceEvents.every(({ ts = 0 }) => ts >= 0)).toBe(true);
});

// Files of traces: ours come back as they were, those of the reference are read as they are, others are refused with a
// reason; and the form that Perfetto opens.

import { expect, test } from 'vitest';

import { fakeEnsemble, fakeTraces, stampsOf, traceRow } from '../../testing/fake-traces.ts';
import { chromeTraceText } from './chrome-trace.ts';
import { readTritonTrace, TraceFileError, tritonTraceText } from './trace-file.ts';

test('what is exported is read again, but for the wall clock and the moment that gRPC does not have', () => {
  const rows = [...fakeTraces(), ...fakeEnsemble()];
  const back = readTritonTrace(tritonTraceText(rows));
  expect(back).toEqual(
    rows.map((row) => {
      const { receiveEnd, ...others } = row.stamps;
      const stamps = row.protocol === 'grpc' ? others : row.stamps;
      void receiveEnd;
      return { ...row, atMs: undefined, stamps, protocol: row.protocol };
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

const stamp = (id: number, name: string, ns: number) => ({ id, timestamps: [{ name, ns }] });

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
  ['{"traceEvents":[]}', 'it is no list of trace records'],
  ['[{"a":1}]', 'record 1 is no trace record'],
  ['[{"id":1,"timestamps":[{"name":1}]}]', 'record 1 is no trace record'],
  ['[{"id":1,"conch":{"execution":{"id":1}}}]', 'record 1 is no trace record'],
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

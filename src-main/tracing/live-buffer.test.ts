// The ring of traced requests: what is kept, what goes, and that a row comes back as it was, through the message too.

import { expect, test } from 'vitest';

import { TracePacker, unpackTraces } from '../../src-shared/contract/trace-pack.ts';
import type { TraceRow } from '../../src-shared/contract/trace-row.ts';
import { LiveBuffer } from './live-buffer.ts';

function row(id: number, changes: Partial<TraceRow> = {}): TraceRow {
  return {
    id,
    parentId: 0,
    model: 'resnet',
    version: '1',
    requestId: undefined,
    protocol: 'http',
    atMs: 1_700_000_000_000,
    stamps: { receiveStart: 5_000_000_000, queueStart: 5_000_001_000 },
    isFailed: false,
    error: undefined,
    execution: undefined,
    runCount: 0,
    ...changes,
  };
}

const FULL = row(7, {
  parentId: 3,
  version: '12',
  requestId: 'req "7"',
  protocol: 'grpc',
  isFailed: true,
  error: 'the model said no',
  runCount: 2,
  stamps: {
    receiveStart: 9_007_199_254_740_001,
    requestStart: 9_007_199_254_740_002,
    queueStart: 9_007_199_254_740_003,
    computeStart: 9_007_199_254_740_010,
    computeEnd: 9_007_199_254_740_990,
  },
  execution: { id: 41, instance: 'resnet_1', requestCount: 3, batchSize: 24, closeReason: 'delay' },
});
const REFUSED = row(8, { version: undefined, protocol: undefined, stamps: {} });

test('a row comes back as it was added', () => {
  const buffer = new LiveBuffer(4);
  buffer.add(FULL);
  buffer.add(REFUSED);
  expect(buffer.at(0)).toEqual(FULL);
  expect(buffer.at(1)).toEqual(REFUSED);
  expect(buffer.at(2)).toBeUndefined();
});

test('a message carries rows unchanged, with texts that they share once', () => {
  const packer = new TracePacker();
  for (const one of [FULL, row(9), row(10), REFUSED]) packer.add(one);
  expect(packer.texts.filter((text) => text === 'resnet')).toHaveLength(1);
  const message = { fromRow: 0, nextRow: 4, generation: 0, texts: packer.texts, rows: packer.rows };
  const sent = JSON.parse(JSON.stringify(message)) as typeof message;
  expect(unpackTraces(sent)).toEqual([FULL, row(9), row(10), REFUSED]);
  expect(JSON.stringify(message).length).toBeGreaterThanOrEqual(packer.charCount);
  expect(JSON.stringify(message).length).toBeLessThan(packer.charCount + 200);
});

test('the oldest go when it is full, with their texts', () => {
  const buffer = new LiveBuffer(3);
  for (let id = 1; id <= 5; id += 1) buffer.add(row(id, { requestId: `r${id}` }));
  expect([buffer.firstRow, buffer.nextRow]).toEqual([2, 5]);
  expect(buffer.at(1)).toBeUndefined();
  expect([2, 3, 4].map((number) => buffer.at(number)?.requestId)).toEqual(['r3', 'r4', 'r5']);
});

test('ids and errors are bounded by their length, so that clients cannot fill the memory', () => {
  const buffer = new LiveBuffer(50_000);
  const long = 'x'.repeat(100_000);
  for (let id = 1; id <= 10_000; id += 1)
    buffer.add(row(id, { requestId: long, error: long, isFailed: true }));
  const last = buffer.at(9_999);
  expect(last?.requestId?.length).toBeLessThanOrEqual(256);
  expect(last?.error?.length).toBeLessThanOrEqual(1000);
  expect(buffer.firstRow).toBeGreaterThan(0);
  expect((buffer.nextRow - buffer.firstRow) * (256 + 1000)).toBeLessThanOrEqual(8 * 1024 * 1024);
});

test('clearing forgets rows and counts from 0', () => {
  const buffer = new LiveBuffer(2);
  buffer.add(row(1));
  buffer.clear();
  expect([buffer.firstRow, buffer.nextRow, buffer.at(0)]).toEqual([0, 0, undefined]);
  buffer.add(row(2, { model: 'other' }));
  expect(buffer.at(0)?.model).toBe('other');
});

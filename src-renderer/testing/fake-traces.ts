// Traced requests from memory: one batch of requests on an instance, and an ensemble with its steps.

import type { TraceState } from '../../src-shared/contract/trace-calls.ts';
import { TracePacker } from '../../src-shared/contract/trace-pack.ts';
import type { PackedTraces } from '../../src-shared/contract/trace-pack.ts';
import type { TraceRow } from '../../src-shared/contract/trace-row.ts';

/** A request through HTTP whose moments lie so many nanoseconds behind 1 s; further ones change it. */
export function traceRow(id: number, changes: Partial<TraceRow> = {}): TraceRow {
  return {
    id,
    parentId: 0,
    model: 'resnet',
    version: '1',
    requestId: undefined,
    protocol: 'http',
    atMs: 1_700_000_000_000 + id,
    stamps: {},
    isFailed: false,
    error: undefined,
    execution: undefined,
    runCount: 1,
    ...changes,
  };
}

const SECOND = 1_000_000_000;

/** Moments of a whole request: received at `at`, queued until `computeAt`, computed for `took`; microseconds behind 1 s. */
export function stampsOf(at: number, computeAt: number, took: number): TraceRow['stamps'] {
  const ns = (us: number): number => SECOND + us * 1000;
  return {
    receiveStart: ns(at),
    receiveEnd: ns(at + 10),
    requestStart: ns(at + 20),
    queueStart: ns(at + 30),
    computeStart: ns(computeAt),
    inputEnd: ns(computeAt + 5),
    outputStart: ns(computeAt + took - 5),
    computeEnd: ns(computeAt + took),
    requestEnd: ns(computeAt + took + 5),
    sendStart: ns(computeAt + took + 10),
    sendEnd: ns(computeAt + took + 20),
  };
}

/** Four requests on two instances: three ran together, one of another execution failed. */
export function fakeTraces(): readonly TraceRow[] {
  const batch = { id: 1, instance: 'resnet_0', requestCount: 3, batchSize: 6, closeReason: 'delay' } as const;
  const lone = { id: 2, instance: 'resnet_1', requestCount: 2, batchSize: 2, closeReason: 'idle' } as const;
  return [
    traceRow(1, { stamps: stampsOf(0, 200, 1000), execution: batch, requestId: 'first' }),
    traceRow(2, { stamps: stampsOf(50, 200, 1000), execution: batch }),
    traceRow(3, { stamps: stampsOf(100, 200, 1000), execution: batch, protocol: 'grpc' }),
    traceRow(4, {
      stamps: stampsOf(300, 340, 400),
      execution: lone,
      isFailed: true,
      error: 'the model said no',
    }),
  ];
}

/** An ensemble of three steps: `left` and `right` at the same time, `last` behind the slower of them. */
export function fakeEnsemble(): readonly TraceRow[] {
  const step = (id: number, model: string, at: number, took: number): TraceRow => {
    const {
      receiveStart: _a,
      receiveEnd: _b,
      sendStart: _c,
      sendEnd: _d,
      ...stamps
    } = stampsOf(at, at + 40, took);
    return traceRow(id, {
      model,
      parentId: 10,
      protocol: undefined,
      stamps,
      execution: { id, instance: `${model}_0`, requestCount: 1, batchSize: 1, closeReason: 'direct' },
    });
  };
  const whole = stampsOf(0, 0, 1200);
  return [
    step(11, 'left', 40, 200),
    step(12, 'right', 40, 500),
    step(13, 'last', 600, 500),
    traceRow(10, {
      model: 'both',
      stamps: {
        receiveStart: whole.receiveStart ?? 0,
        receiveEnd: whole.receiveEnd ?? 0,
        requestStart: whole.requestStart ?? 0,
        queueStart: whole.queueStart ?? 0,
        requestEnd: whole.requestEnd ?? 0,
        sendStart: whole.sendStart ?? 0,
        sendEnd: whole.sendEnd ?? 0,
      },
      runCount: 0,
    }),
  ];
}

/** Off, with so many rows. */
export function fakeTraceState(rowCount: number, changes: Partial<TraceState> = {}): TraceState {
  return {
    mode: undefined,
    remainingCount: 0,
    endsAtMs: 0,
    openCount: 0,
    firstRow: 0,
    nextRow: rowCount,
    droppedCount: 0,
    capacity: 50_000,
    generation: 1,
    ...changes,
  };
}

/** The rows from this number on as one message. */
export function packed(rows: readonly TraceRow[], fromRow: number, generation = 1): PackedTraces {
  const packer = new TracePacker();
  for (const row of rows.slice(fromRow)) packer.add(row);
  return { fromRow, nextRow: rows.length, generation, texts: packer.texts, rows: packer.rows };
}

import { describe, expect, test } from 'vitest';
import { AnswerBook } from '../testing/tensors.ts';
import { batchRules, collect } from './batch-policy.ts';
import { DEFAULT_QUEUE_POLICY } from './queue-policy.ts';
import { RequestQueue } from './request-queue.ts';

const MS = 1e6;
const NOW_NS = 1_000_000 * MS;

/** `12` = 12 rows; `{ rows, kind, ageMs, leftMs }` = inputs of a kind, age, time to its deadline. */
type Waiting =
  | number
  | { readonly rows: number; readonly kind?: string; readonly ageMs?: number; readonly leftMs?: number };

function queueOf(waiting: readonly Waiting[]): RequestQueue {
  const book = new AnswerBook();
  const queue = new RequestQueue({
    defaultPolicy: { ...DEFAULT_QUEUE_POLICY, allowTimeoutOverride: true, defaultTimeoutNs: 1e6 * MS },
    levelPolicies: new Map(),
    onCancelled: () => undefined,
  });
  for (const one of waiting) {
    const { rows, kind = 'a', ageMs = 0, leftMs = 0 } = typeof one === 'number' ? { rows: one } : one;
    const request = book.request({ id: kind, timeoutUs: leftMs * 1000 });
    request.batchSize = rows;
    request.times.batcherStartNs = NOW_NS - ageMs * MS;
    queue.enqueue(request, NOW_NS);
  }
  return queue;
}

interface Row {
  readonly case: string;
  readonly waiting: readonly Waiting[];
  readonly open?: number;
  readonly preferred?: readonly number[];
  readonly delayMs?: number;
  readonly count: number;
  readonly waitMs?: number;
  readonly isSaturated?: boolean;
  readonly reason?: string;
  readonly isMergeable?: boolean;
}

const kinds = { isNeeded: true, same: (a: { id: string }, b: { id: string }) => a.id === b.id };

function decide(row: Row) {
  const rules = batchRules({
    preferredBatchSize: row.preferred ?? [2, 6],
    maxBatchSize: 8,
    delayNs: (row.delayMs ?? 10) * MS,
    comparison: kinds,
  });
  const reference = row.open === undefined ? undefined : new AnswerBook().request({ id: 'a' });
  return collect(queueOf(row.waiting), rules, { batchSize: row.open ?? 0, reference }, NOW_NS);
}

describe('max 8, delay 10 ms, preferred [2, 6] unless said', () => {
  const rows: Row[] = [
    { case: 'nothing waits', waiting: [], count: 0 },
    { case: 'below every preferred size', waiting: [1], count: 0, waitMs: 10 },
    { case: 'the age counts', waiting: [{ rows: 1, ageMs: 4 }], count: 0, waitMs: 6 },
    { case: 'a deadline comes first', waiting: [{ rows: 1, leftMs: 3 }], count: 0, waitMs: 3 },
    {
      case: 'the small preferred size, when the large one is out of reach',
      waiting: [1, 1, 1],
      count: 2,
      reason: 'preferred',
    },
    {
      case: 'the largest preferred size wins',
      waiting: [2, 2, 2, 1],
      count: 3,
      reason: 'preferred',
      isSaturated: false,
    },
    {
      case: 'passing the largest releases what came before',
      waiting: [3, 4],
      count: 1,
      isSaturated: true,
      reason: 'preferred',
    },
    {
      case: 'larger than every preferred size',
      waiting: [7],
      count: 1,
      isSaturated: true,
      reason: 'preferred',
    },
    { case: 'full', waiting: [8, 1], count: 1, isSaturated: true, reason: 'full' },
    {
      case: 'too old: grows to the maximum',
      waiting: [{ rows: 3, ageMs: 10 }, 4, 1, 1],
      count: 3,
      isSaturated: true,
      reason: 'full',
    },
    {
      case: 'too old, alone',
      waiting: [{ rows: 1, ageMs: 10 }],
      count: 1,
      isSaturated: false,
      reason: 'delay',
    },
    {
      case: 'other inputs end the batch',
      waiting: [1, { rows: 1, kind: 'b' }],
      count: 1,
      isSaturated: true,
      reason: 'shape',
      isMergeable: false,
    },
    {
      case: 'other inputs behind a preferred size',
      waiting: [2, { rows: 1, kind: 'b' }],
      count: 1,
      reason: 'preferred',
      isMergeable: false,
    },
    {
      case: 'delay 0 takes what there is',
      waiting: [1],
      delayMs: 0,
      count: 1,
      isSaturated: false,
      reason: 'idle',
    },
    {
      case: 'delay 0 with a preferred size',
      waiting: [1, 1, 1],
      delayMs: 0,
      count: 2,
      isSaturated: true,
      reason: 'preferred',
    },
    {
      case: 'an open batch below preferred sizes is topped up',
      waiting: [1],
      open: 3,
      count: 1,
      isSaturated: false,
      reason: 'idle',
    },
    { case: 'an open batch of a preferred size waits', waiting: [1], open: 2, count: 0, waitMs: 10 },
    {
      case: 'an open batch grows to the next preferred size',
      waiting: [2, 2, 1],
      open: 2,
      count: 2,
      reason: 'preferred',
    },
    {
      case: 'an open batch past its preferred size is filled',
      waiting: [3],
      open: 4,
      count: 1,
      isSaturated: true,
      reason: 'preferred',
    },
    {
      case: 'an open batch that the next request would overfill',
      waiting: [5],
      open: 4,
      count: 0,
      isSaturated: true,
      reason: 'full',
    },
    {
      case: 'an open batch of other inputs',
      waiting: [{ rows: 1, kind: 'b' }],
      open: 3,
      count: 0,
      isSaturated: true,
      isMergeable: false,
      reason: 'shape',
    },
    {
      case: 'no preferred sizes: one at a time',
      waiting: [1, 1],
      preferred: [],
      delayMs: 0,
      count: 1,
      isSaturated: true,
      reason: 'preferred',
    },
  ];

  test.each(rows)('$case', (row) => {
    const decision = decide(row);
    expect(decision.count).toBe(row.count);
    expect(decision.waitNs / MS).toBe(row.waitMs ?? 0);
    if (row.isSaturated !== undefined) expect(decision.isSaturated).toBe(row.isSaturated);
    if (row.reason !== undefined) expect(decision.closeReason).toBe(row.reason);
    expect(decision.isMergeable).toBe(row.isMergeable ?? true);
  });

  test('going on from a cursor decides as starting over does', () => {
    const rules = batchRules({
      preferredBatchSize: [6],
      maxBatchSize: 8,
      delayNs: 10 * MS,
      comparison: kinds,
    });
    const open = { batchSize: 0, reference: undefined };
    for (const later of [[1], [3], [4], [2, 2], [9 - 3], [{ rows: 1, kind: 'b' }]] as Waiting[][]) {
      const queue = queueOf([1, 2]);
      const { cursor } = collect(queue, rules, open, NOW_NS);
      expect(cursor?.count).toBe(2);
      const requests = queueOf(later).drain();
      for (const request of requests) queue.enqueue(request, NOW_NS);
      expect(collect(queue, rules, open, NOW_NS, cursor)).toEqual(collect(queue, rules, open, NOW_NS));
    }
  });
});

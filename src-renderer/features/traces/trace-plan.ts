// Which requests the next tracing takes, as it stands in the toolbar.

import { createStore } from 'zustand/vanilla';

import type { TraceMode } from '../../../src-shared/contract/trace-calls.ts';

/** `amounts`: requests, one in so many, seconds. */
export interface TracePlan {
  readonly kind: TraceMode['kind'];
  readonly amounts: Readonly<Record<TraceMode['kind'], number>>;
}

/** Amounts are kept for each kind, so that switching loses none. */
export const tracePlan = createStore<TracePlan>(() => ({
  kind: 'next',
  amounts: { next: 100, sampled: 100, all: 30 },
}));

/** Largest amounts that the engine takes. */
export const MOST: Readonly<Record<TraceMode['kind'], number>> = {
  next: 50_000,
  sampled: 1_000_000,
  all: 600,
};

/** The plan as the engine is told it. */
export function modeOf({ kind, amounts }: TracePlan): TraceMode {
  if (kind === 'next') return { kind, count: amounts.next };
  return kind === 'sampled' ? { kind, rate: amounts.sampled } : { kind, seconds: amounts.all };
}

// What was run on behalf of a request, as a tree, and which of it the request waited for.

import type { TraceRow } from '../../../src-shared/contract/trace-row.ts';
import { rangeOf } from './trace-parts.ts';

/** One step, with what it ran itself. */
export interface TraceStep {
  readonly row: TraceRow;
  /** Below the request: 1 for its own steps. */
  readonly depth: number;
  /** On the longest chain: the request would have been faster, had this been. */
  readonly isCritical: boolean;
}

/** Rows by the id of what they were run for. */
export function childrenByParent(rows: readonly TraceRow[]): ReadonlyMap<number, readonly TraceRow[]> {
  const children = new Map<number, TraceRow[]>();
  for (const row of rows) {
    if (row.parentId === 0) continue;
    const known = children.get(row.parentId);
    if (known === undefined) children.set(row.parentId, [row]);
    else known.push(row);
  }
  return children;
}

/** All that was run for a request, in the order of their beginnings, each before what it ran itself. */
export function stepsOf(
  root: TraceRow,
  children: ReadonlyMap<number, readonly TraceRow[]>,
): readonly TraceStep[] {
  const steps: TraceStep[] = [];
  const seen = new Set<number>([root.id]);
  const add = (parent: TraceRow, depth: number, isParentCritical: boolean): void => {
    const own = (children.get(parent.id) ?? []).filter(({ id }) => !seen.has(id));
    const critical = criticalOf(own);
    for (const row of own.toSorted((a, b) => startOf(a) - startOf(b))) {
      seen.add(row.id);
      const isCritical = isParentCritical && critical.has(row);
      steps.push({ row, depth, isCritical });
      add(row, depth + 1, isCritical);
    }
  };
  add(root, 1, true);
  return steps;
}

/** From the step that ended last backwards: each time the one that ended last before the beginning of the one behind it. */
function criticalOf(steps: readonly TraceRow[]): ReadonlySet<TraceRow> {
  const critical = new Set<TraceRow>();
  let before = Infinity;
  for (const step of steps.toSorted((a, b) => endOf(b) - endOf(a))) {
    if (endOf(step) > before) continue;
    critical.add(step);
    before = startOf(step);
  }
  return critical;
}

function startOf(row: TraceRow): number {
  return rangeOf(row)?.[0] ?? 0;
}

/** When its answer was there: releasing it may come later than the step behind it begins. */
function endOf(row: TraceRow): number {
  return row.stamps.computeEnd ?? rangeOf(row)?.[1] ?? 0;
}

// What the parts of the screen show, worked out once for all of them.

import { useMemo } from 'react';

import type { TraceRow } from '../../../src-shared/contract/trace-row.ts';
import type { TimelineLayout } from './timeline-layout.ts';
import { layOutTimeline } from './timeline-layout.ts';
import { filteredRows } from './trace-filter.ts';
import type { TraceChoice } from './trace-store.ts';
import { shownRows, useTraces } from './trace-store.ts';
import { childrenByParent, stepsOf } from './trace-steps.ts';

/** Of the engine or of a file. */
export interface TraceViewData {
  /** All rows, steps among them. */
  readonly rows: readonly TraceRow[];
  readonly byId: ReadonlyMap<number, TraceRow>;
  readonly children: ReadonlyMap<number, readonly TraceRow[]>;
  /** Requests that the filter lets through. */
  readonly listed: readonly TraceRow[];
  readonly layout: TimelineLayout;
  readonly choice: TraceChoice;
  /** What the choice lights up. */
  readonly lit: Highlight;
}

/** Ids of requests and of executions; undefined = nothing is chosen, and all look the same. */
export interface Highlight {
  readonly rows: ReadonlySet<number>;
  readonly blocks: ReadonlySet<number>;
}

/** Changes when rows, filter or choice do. */
export function useTraceView(): TraceViewData {
  const rows = useTraces(shownRows);
  const filter = useTraces((state) => state.filter);
  const choice = useTraces((state) => state.choice);
  const facts = useMemo(
    () => ({
      byId: new Map(rows.map((row) => [row.id, row])),
      children: childrenByParent(rows),
    }),
    [rows],
  );
  const listed = useMemo(() => filteredRows(rows, filter), [rows, filter]);
  const layout = useMemo(
    () =>
      layOutTimeline(filter.model === undefined ? rows : rows.filter(({ model }) => model === filter.model)),
    [rows, filter.model],
  );
  const lit = useMemo(() => highlight(choice, layout, facts), [choice, layout, facts]);
  return { rows, ...facts, listed, layout, choice, lit };
}

function highlight(
  choice: TraceChoice,
  layout: TimelineLayout,
  { byId, children }: Pick<TraceViewData, 'byId' | 'children'>,
): Highlight {
  if (choice === undefined) return { rows: new Set(), blocks: new Set() };
  if (choice.kind === 'execution') {
    const own = layout.blockById.get(choice.id)?.rows ?? [];
    return { rows: new Set(own.map(({ id }) => id)), blocks: new Set([choice.id]) };
  }
  const row = byId.get(choice.id);
  const all = row === undefined ? [] : [row, ...stepsOf(row, children).map((step) => step.row)];
  return {
    rows: new Set(all.map(({ id }) => id)),
    blocks: new Set(all.flatMap(({ execution }) => (execution === undefined ? [] : [execution.id]))),
  };
}

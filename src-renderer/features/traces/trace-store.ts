// The traces that this window has: those of the engine as far as they were fetched, or those of a file; and what of them is
// looked at. Outside React, so that they are there when the tab is shown again.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

import type { TraceState } from '../../../src-shared/contract/trace-calls.ts';
import type { TraceRow } from '../../../src-shared/contract/trace-row.ts';
import type { TraceFilter } from './trace-filter.ts';
import { NO_FILTER } from './trace-filter.ts';

/** Traces that were read from a file. */
export interface TraceFile {
  readonly name: string;
  readonly rows: readonly TraceRow[];
  /** What is said of rows that come from elsewhere; undefined = they are of a file. */
  readonly banner?: string;
}

/** What is chosen: one request, or one execution. */
export type TraceChoice =
  | { readonly kind: 'request'; readonly id: number }
  | { readonly kind: 'execution'; readonly id: number }
  | undefined;

interface Traces {
  /** As the engine told it last; undefined until then. */
  readonly state: TraceState | undefined;
  /** Of the engine, oldest first, without a gap. */
  readonly rows: readonly TraceRow[];
  /** Generation that they are of. */
  readonly generation: number | undefined;
  /** Shown in place of the engine's. */
  readonly file: TraceFile | undefined;
  /** The file that is being read; undefined = none. */
  readonly reading: { readonly name: string; readonly cancel: () => void } | undefined;
  readonly filter: TraceFilter;
  readonly choice: TraceChoice;
}

/** Changed by the functions below, and by what follows the engine. */
export const traces = createStore<Traces>(() => ({
  state: undefined,
  rows: [],
  generation: undefined,
  file: undefined,
  reading: undefined,
  filter: NO_FILTER,
  choice: undefined,
}));

/** `select` must return something that is stable while it means the same. */
export function useTraces<T>(select: (state: Traces) => T): T {
  return useStore(traces, select);
}

/** What is looked at: the file, where there is one, else the engine's. */
export function shownRows({ file, rows }: Traces): readonly TraceRow[] {
  return file?.rows ?? rows;
}

/** Narrows the rows further, or less. */
export function changeFilter(change: Partial<TraceFilter>): void {
  traces.setState(({ filter }) => ({ filter: { ...filter, ...change } }));
}

/** Shows one request or execution in full. */
export function choose(choice: TraceChoice): void {
  traces.setState({ choice });
}

/** Shows a file, or with undefined the engine's traces again. */
export function showFile(file: TraceFile | undefined): void {
  traces.setState({ file, choice: undefined, filter: NO_FILTER });
}

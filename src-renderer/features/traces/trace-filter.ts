// Which traced requests are shown.

import type { TraceRow } from '../../../src-shared/contract/trace-row.ts';
import { totalNs } from './trace-parts.ts';

/** What the toolbar narrows the rows to. */
export interface TraceFilter {
  /** undefined = all. */
  readonly model: string | undefined;
  readonly errorsOnly: boolean;
  /** Milliseconds of the whole request; undefined = any. */
  readonly slowerThanMs: number | undefined;
}

/** Shows every request. */
export const NO_FILTER: TraceFilter = { model: undefined, errorsOnly: false, slowerThanMs: undefined };

/** Requests of clients, the one that ended last first. Steps of ensembles are shown where their model is asked for. */
export function filteredRows(rows: readonly TraceRow[], filter: TraceFilter): readonly TraceRow[] {
  const { model, errorsOnly, slowerThanMs } = filter;
  const kept = rows.filter((row) => {
    if (model === undefined ? row.parentId !== 0 : row.model !== model) return false;
    if (errorsOnly && !row.isFailed) return false;
    return slowerThanMs === undefined || (totalNs(row) ?? 0) > slowerThanMs * 1e6;
  });
  return kept.reverse();
}

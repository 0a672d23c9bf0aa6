// The lines that pass a filter, followed as new ones come.

import { useEffect, useState } from 'react';

import type { LogLine } from '../../../src-shared/contract/observe-views.ts';
import { useEngine } from '../../engine/engine-context.tsx';
import type { LogFilter } from './log-filter.ts';
import { FilteredLog } from './log-filter.ts';

/** What is shown of the log, and whether the filter is obeyed. */
export interface FilteredLines {
  /** Oldest first; grows in place, each time with another object around it. While the expression cannot be read: what passes the last one that could. */
  readonly lines: readonly LogLine[];
  /** Why the filter's expression cannot be read; undefined = it can. */
  readonly fault: string | undefined;
}

/** The lines that pass, at most once per frame; `filter` must stay the same object while it means the same. */
export function useFilteredLog(filter: LogFilter): FilteredLines {
  const { logs } = useEngine().state;
  const [filtered] = useState(() => new FilteredLog());
  const [result, setResult] = useState<FilteredLines>({ lines: [], fault: undefined });
  useEffect(() => {
    let fault: string | undefined;
    const apply = (): void => {
      try {
        setResult({ lines: filtered.setFilter(filter, logs.lines()), fault: undefined });
      } catch (thrown) {
        fault = thrown instanceof Error ? thrown.message : String(thrown);
        setResult(({ lines }) => ({ lines, fault }));
      }
    };
    const follow = (): void => setResult({ lines: filtered.update(logs.lines()), fault });
    let frame = requestAnimationFrame(() => {
      frame = 0;
      apply();
    });
    const off = logs.store.subscribe(() => {
      if (frame !== 0) return;
      frame = requestAnimationFrame(() => {
        frame = 0;
        follow();
      });
    });
    return () => {
      cancelAnimationFrame(frame);
      off();
    };
  }, [filter, filtered, logs]);
  return result;
}

// The lines that pass a filter, followed as new ones come.

import { useEffect, useState } from 'react';

import type { LogLine } from '../../../src-shared/contract/observe-views.ts';
import { useEngine } from '../../engine/engine-context.tsx';
import type { LogFilter } from './log-filter.ts';
import { FilteredLog } from './log-filter.ts';

export interface FilteredLines {
  readonly lines: readonly LogLine[];
  /** Why the filter's expression cannot be read; "" = it can. */
  readonly fault: string;
}

/** The lines that pass, at most once per frame; `filter` must stay the same object while it means the same. */
export function useFilteredLog(filter: LogFilter): FilteredLines {
  const { logs } = useEngine().state;
  const [result, setResult] = useState<FilteredLines>({ lines: [], fault: '' });
  useEffect(() => {
    const filtered = new FilteredLog();
    let frame = 0;
    const show = (read: () => readonly LogLine[]): void => {
      try {
        setResult({ lines: read(), fault: '' });
      } catch (thrown) {
        setResult((before) => ({
          ...before,
          fault: thrown instanceof Error ? thrown.message : String(thrown),
        }));
      }
    };
    frame = requestAnimationFrame(() => {
      frame = 0;
      show(() => filtered.setFilter(filter, logs.lines()));
    });
    const off = logs.store.subscribe(() => {
      if (frame !== 0) return;
      frame = requestAnimationFrame(() => {
        frame = 0;
        show(() => filtered.update(logs.lines()));
      });
    });
    return () => {
      cancelAnimationFrame(frame);
      off();
    };
  }, [filter, logs]);
  return result;
}

// Log lines the window keeps: a capped array outside React. `version` in the store grows with each batch; whoever
// shows lines reads them from here. After a connection was made lines come by two ways, as they are written and as what
// was written before, and either may be first.

import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';

import type { LogLine } from '../../src-shared/contract/observe-views.ts';

const MAX_LOG_LINES = 200_000;

/** The newest lines of the log, for those who draw them. */
export interface LogBuffer {
  readonly store: StoreApi<{ readonly version: number }>;
  /** All kept lines, oldest first. Grows in place; another array when lines were dropped or came late. */
  lines(): readonly LogLine[];
  /** Of the newest line that is kept; 0 = there is none. */
  lastSequence(): number;
  /** Lines that are here already are left out; late ones go to their place by sequence. */
  append(lines: readonly LogLine[]): void;
}

/** `capacity`: lines that are kept; when there are more, a tenth of them goes at once. */
export function createLogBuffer(capacity = MAX_LOG_LINES): LogBuffer {
  let kept: LogLine[] = [];
  const store = createStore(() => ({ version: 0 }));
  let droppedUpTo = 0;
  const lastSequence = (): number => kept.at(-1)?.sequence ?? 0;
  return {
    store,
    lines: () => kept,
    lastSequence,
    append: (lines) => {
      const last = lastSequence();
      const newer = lines.filter(({ sequence }) => sequence > last);
      const late = newer.length === lines.length ? [] : lateLines(kept, lines, { last, droppedUpTo });
      if (newer.length + late.length === 0) return;
      if (late.length > 0) kept = [...kept, ...late].sort((a, b) => a.sequence - b.sequence);
      kept.push(...newer);
      if (kept.length > capacity) {
        // Dropping a tenth at once keeps the cost per line constant.
        const first = kept.length - Math.floor(capacity * 0.9);
        droppedUpTo = kept[first - 1]?.sequence ?? 0;
        kept = kept.slice(first);
      }
      store.setState({ version: store.getState().version + 1 });
    },
  };
}

/** Lines older than the last one that are not there yet, and were not dropped. */
function lateLines(
  kept: readonly LogLine[],
  lines: readonly LogLine[],
  { last, droppedUpTo }: { readonly last: number; readonly droppedUpTo: number },
): readonly LogLine[] {
  const older = lines.filter(({ sequence }) => sequence < last && sequence > droppedUpTo);
  if (older.length === 0) return [];
  const known = new Set(kept.map(({ sequence }) => sequence));
  return older.filter(({ sequence }) => !known.has(sequence));
}

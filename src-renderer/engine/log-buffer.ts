// Log lines the window keeps: a capped array outside React. `version` in the store grows with each batch; whoever
// shows lines reads them from here.

import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';

import type { LogLine } from '../../src-shared/contract/observe-views.ts';

const MAX_LOG_LINES = 200_000;

export interface LogBuffer {
  readonly store: StoreApi<{ readonly version: number }>;
  /** All kept lines, oldest first. Same array until `version` changes. */
  lines(): readonly LogLine[];
  lastSequence(): number;
  append(lines: readonly LogLine[]): void;
}

/** `capacity`: lines that are kept; when there are more, a tenth of them goes at once. */
export function createLogBuffer(capacity = MAX_LOG_LINES): LogBuffer {
  let kept: LogLine[] = [];
  const store = createStore(() => ({ version: 0 }));
  const lastSequence = (): number => kept.at(-1)?.sequence ?? 0;
  return {
    store,
    lines: () => kept,
    lastSequence,
    append: (lines) => {
      const last = lastSequence();
      const fresh = lines.filter(({ sequence }) => sequence > last);
      if (fresh.length === 0) return;
      kept.push(...fresh);
      // Dropping a tenth at once keeps the cost per line constant.
      if (kept.length > capacity) kept = kept.slice(kept.length - Math.floor(capacity * 0.9));
      store.setState({ version: store.getState().version + 1 });
    },
  };
}

// Log lines the window keeps: a capped array outside React. `version` in the store grows with each batch; whoever
// shows lines reads them from here. After a connection was made lines come by two ways, as they are written and as what
// was written before, and either may be first.

import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';

import type { LogLine } from '../../src-shared/contract/observe-views.ts';

const MAX_LOG_LINES = 200_000;
/** Of all lines: a model may print lines of many kilobytes. */
const MAX_LOG_CHARACTERS = 64 * 1024 * 1024;

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

/** How much is kept; of what is too much a tenth goes at once. */
interface LogCapacity {
  readonly lines: number;
  readonly characters: number;
}

/** `capacity`: by default so much that a page gets by with it. */
export function createLogBuffer({
  lines: maxLines = MAX_LOG_LINES,
  characters: maxCharacters = MAX_LOG_CHARACTERS,
}: Partial<LogCapacity> = {}): LogBuffer {
  let kept: LogLine[] = [];
  let characters = 0;
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
      characters += charactersOf(newer) + charactersOf(late);
      if (kept.length > maxLines || characters > maxCharacters) {
        // Dropping a tenth at once keeps the cost per line constant.
        const first = firstKept(kept, characters, { lines: maxLines * 0.9, characters: maxCharacters * 0.9 });
        characters -= charactersOf(kept.slice(0, first));
        droppedUpTo = kept[first - 1]?.sequence ?? 0;
        kept = kept.slice(first);
      }
      store.setState({ version: store.getState().version + 1 });
    },
  };
}

function charactersOf(lines: readonly LogLine[]): number {
  return lines.reduce((sum, { message }) => sum + message.length, 0);
}

/** From where on lines fit; `characters`: of all of them. */
function firstKept(lines: readonly LogLine[], characters: number, room: LogCapacity): number {
  let first = Math.max(0, lines.length - Math.floor(room.lines));
  let rest = characters - charactersOf(lines.slice(0, first));
  for (; rest > room.characters; first += 1) rest -= lines[first]?.message.length ?? rest;
  return first;
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

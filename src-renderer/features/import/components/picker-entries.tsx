// What a folder of the picker holds: walked with the arrow keys or by its letters, chosen with one click, opened with two.

import { File as FileIcon, Folder } from 'lucide-react';
import type { KeyboardEvent, RefObject } from 'react';
import { useState } from 'react';

import type { FolderListing } from '../../../../src-shared/contract/repository-calls.ts';
import { formatBytes } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { cx } from '../../../ui/cx.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { movedIndex } from '../../../ui/table-model.ts';

type Entry = FolderListing['entries'][number];

/** The list's test id. */
export const ENTRIES = 'picker-entries';

/** `first` is given the button of the first entry; `onUp` leaves the folder. */
export function Entries({
  first,
  entries,
  chosen,
  pathOf,
  onChoose,
  onGo,
  onAnswer,
  onUp,
}: {
  readonly first: RefObject<HTMLButtonElement | null>;
  readonly entries: readonly Entry[];
  readonly chosen: string | undefined;
  readonly pathOf: (entry: Entry) => string;
  readonly onChoose: (path: string) => void;
  readonly onGo: (path: string) => void;
  readonly onAnswer: (path: string) => void;
  readonly onUp: () => void;
}) {
  // Tab goes through the list in one step, however long it is.
  const [stop, setStop] = useState(0);
  if (entries.length === 0) return <EmptyState title={t('picker.empty')} />;
  return (
    <ul className="min-h-0 flex-1 overflow-auto py-1" data-testid={ENTRIES}>
      {entries.map((entry, at) => {
        const path = pathOf(entry);
        return (
          <li key={entry.name}>
            <button
              ref={at === 0 ? first : undefined}
              type="button"
              tabIndex={at === Math.min(stop, entries.length - 1) ? 0 : -1}
              aria-pressed={chosen === path}
              data-testid={`picker-entry-${entry.name}`}
              onFocus={() => setStop(at)}
              onClick={() => onChoose(path)}
              onDoubleClick={() => (entry.isFolder ? onGo(path) : onAnswer(path))}
              onKeyDown={(event) => {
                // The second Enter on a folder looks into it, on a file it answers: as a double click does.
                const isAgain = event.key === 'Enter' && chosen === path;
                if (isAgain && !entry.isFolder) onAnswer(path);
                else if ((isAgain || event.key === 'ArrowRight') && entry.isFolder) onGo(path);
                else if (event.key === 'ArrowLeft') onUp();
                else if (!moveAmong(event)) return;
                event.preventDefault();
              }}
              className={cx(
                'focus-inset flex h-7 w-full items-center gap-2 px-4 text-left',
                chosen === path ? 'bg-selected text-strong' : 'text-strong hover:bg-hover',
              )}
            >
              <Icon of={entry.isFolder ? Folder : FileIcon} size={14} className="shrink-0 text-faint" />
              <span className="min-w-0 flex-1 truncate">{entry.name}</span>
              {(entry.looksLike === 'model' ||
                entry.looksLike === 'repository' ||
                entry.looksLike === 'onnx') && (
                <Badge tone="info">{t(`import.kind.${entry.looksLike}`)}</Badge>
              )}
              {!entry.isFolder && <span className="text-sm text-faint">{formatBytes(entry.byteSize)}</span>}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** Arrow keys walk the list; a letter goes to the next name that begins with it. */
function moveAmong(event: KeyboardEvent<HTMLElement>): boolean {
  const { key, currentTarget } = event;
  const rows = [...(currentTarget.closest('ul')?.querySelectorAll<HTMLElement>('button') ?? [])];
  const from = rows.indexOf(currentTarget);
  const isTyped = key.length === 1 && key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;
  const at = isTyped ? nextNamed(rows, from, key) : movedIndex(key, from, rows.length, 8);
  if (at === undefined) return false;
  rows[at]?.focus();
  return true;
}

function nextNamed(rows: readonly HTMLElement[], from: number, letter: string): number | undefined {
  const order = rows.map((_, step) => (from + 1 + step) % rows.length);
  const begins = (at: number): boolean =>
    rows[at]?.textContent.toLowerCase().startsWith(letter.toLowerCase()) === true;
  return order.find(begins);
}

// Every command with its shortcut: press new keys to change it. A shortcut that is taken is refused before it is kept.

import { RotateCcw, Search, X } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { useState } from 'react';
import { useStore } from 'zustand';

import type { CommandDefinition } from '../../../lib/command-table.ts';
import { COMMANDS } from '../../../lib/command-table.ts';
import {
  conflictOf,
  defaultShortcut,
  keymap,
  remap,
  resetShortcut,
  shortcutFor,
} from '../../../lib/keymap.ts';
import { displayShortcut, shortcutOf } from '../../../lib/keys.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { matchingCommands } from '../settings-selectors.ts';

/** A search above the list. */
export function ShortcutEditor() {
  const [search, setSearch] = useState('');
  return (
    <div>
      <TextInput
        icon={Search}
        value={search}
        onChange={setSearch}
        placeholder={t('shortcut.search')}
        aria-label={t('shortcut.search')}
        className="mb-3 w-72"
      />
      <ShortcutList commands={matchingCommands(search)} />
    </div>
  );
}

/** One row for each command that is given. */
export function ShortcutList({ commands }: { readonly commands: readonly CommandDefinition[] }) {
  return (
    <ul>
      {commands.map(({ id }) => (
        <Shortcut key={id} id={id} />
      ))}
    </ul>
  );
}

function Shortcut({ id }: { readonly id: string }) {
  const overrides = useStore(keymap, (state) => state.overrides);
  const [isWaiting, setIsWaiting] = useState(false);
  const [conflict, setConflict] = useState('');
  const keys = shortcutFor(id, overrides);
  const name = nameOf(id);
  const shown = isWaiting
    ? t('shortcut.press')
    : keys === undefined
      ? t('shortcut.none')
      : displayShortcut(keys);
  const stop = (): void => {
    setIsWaiting(false);
    setConflict('');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isWaiting || event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') {
      stop();
      return;
    }
    const pressed = shortcutOf(event.nativeEvent);
    if (pressed === undefined) return;
    const taken = conflictOf(id, pressed, overrides);
    if (taken === undefined) {
      remap(id, pressed);
      stop();
    } else setConflict(t('shortcut.conflict', { keys: displayShortcut(pressed), command: nameOf(taken) }));
  };
  const reset = (): void => {
    const own = defaultShortcut(id);
    const taken = own === undefined ? undefined : conflictOf(id, own, { ...overrides, [id]: '' });
    if (taken === undefined) {
      resetShortcut(id);
      stop();
    } else setConflict(t('shortcut.taken', { keys: displayShortcut(own), command: nameOf(taken) }));
  };
  return (
    <li
      data-testid={`shortcut-${id}`}
      className="flex min-h-9 flex-wrap items-center gap-2 border-b border-line/70"
    >
      <span className="min-w-0 flex-1 text-strong">{name}</span>
      {overrides[id] !== undefined && <Badge tone="info">{t('settings.changed')}</Badge>}
      <button
        type="button"
        aria-label={t('shortcut.change', { command: name, keys: shown })}
        onClick={() => setIsWaiting(true)}
        onBlur={stop}
        onKeyDown={onKeyDown}
        className="h-7 w-44 rounded border border-line-strong/80 bg-surface px-2 font-mono text-sm text-strong hover:bg-hover"
      >
        {shown}
      </button>
      <IconButton
        label={t('shortcut.remove', { command: name })}
        icon={X}
        disabledReason={keys === undefined ? t('shortcut.none') : undefined}
        onClick={() => remap(id, undefined)}
      />
      <span className="w-7">
        {overrides[id] !== undefined && (
          <IconButton label={t('shortcut.reset', { command: name })} icon={RotateCcw} onClick={reset} />
        )}
      </span>
      {conflict !== '' && (
        <p role="alert" aria-live="assertive" className="w-full pb-2 text-sm text-bad">
          {conflict}
        </p>
      )}
    </li>
  );
}

function nameOf(id: string): string {
  const command = COMMANDS.find((known) => known.id === id);
  return command === undefined ? id : t(command.title);
}

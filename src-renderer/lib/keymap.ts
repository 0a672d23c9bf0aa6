// Which shortcut runs which command: the defaults of the table and what the user changed. Conflicts are found before a
// change is kept.

import { createStore } from 'zustand/vanilla';

import { COMMANDS } from './command-table.ts';
import { normaliseShortcut } from './keys.ts';

/** Command to shortcut; "" = none. Only what differs from the defaults. */
export type KeymapOverrides = Readonly<Record<string, string>>;

export const keymap = createStore<{ readonly overrides: KeymapOverrides }>(() => ({ overrides: {} }));

export function shortcutFor(id: string, overrides: KeymapOverrides = keymap.getState().overrides): string {
  return overrides[id] ?? COMMANDS.find((command) => command.id === id)?.keys ?? '';
}

/** Command that a shortcut runs; undefined when none does. */
export function commandFor(
  shortcut: string,
  overrides: KeymapOverrides = keymap.getState().overrides,
): string | undefined {
  const wanted = normaliseShortcut(shortcut);
  const byMain = COMMANDS.find(({ id }) => {
    const keys = shortcutFor(id, overrides);
    return keys !== '' && normaliseShortcut(keys) === wanted;
  });
  const byAlternate = COMMANDS.find(({ alternateKeys = [] }) =>
    alternateKeys.some((keys) => normaliseShortcut(keys) === wanted),
  );
  return (byMain ?? byAlternate)?.id;
}

/** The other command that already has this shortcut; undefined when it is free. */
export function conflictOf(id: string, shortcut: string, overrides: KeymapOverrides): string | undefined {
  const other = shortcut === '' ? undefined : commandFor(shortcut, overrides);
  return other === id ? undefined : other;
}

/** "" removes the shortcut, undefined goes back to the default. */
export function remap(id: string, shortcut: string | undefined): void {
  const { [id]: _previous, ...rest } = keymap.getState().overrides;
  const isDefault =
    shortcut === undefined || shortcut === COMMANDS.find((command) => command.id === id)?.keys;
  keymap.setState({ overrides: isDefault ? rest : { ...rest, [id]: shortcut } });
}

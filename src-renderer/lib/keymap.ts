// Which shortcut runs which command: the defaults of the table and what the user changed. Conflicts are found before a
// change is kept.

import { createStore } from 'zustand/vanilla';

import type { KeyScope } from './command-table.ts';
import { COMMANDS } from './command-table.ts';
import { normaliseShortcut } from './keys.ts';

/** Command to shortcut, as it is kept: "" where the user took it away. Only what differs from the defaults. */
export type KeymapOverrides = Readonly<Record<string, string>>;

/** The shortcuts that the user changed. */
export const keymap = createStore<{ readonly overrides: KeymapOverrides }>(() => ({ overrides: {} }));

/** Undefined = none: taken away by the user, or never there. */
export function shortcutFor(
  id: string,
  overrides: KeymapOverrides = keymap.getState().overrides,
): string | undefined {
  const own = overrides[id];
  return own === '' ? undefined : (own ?? defaultShortcut(id));
}

/** As the table has it; undefined = none. */
export function defaultShortcut(id: string): string | undefined {
  return COMMANDS.find((command) => command.id === id)?.keys;
}

/** Command that a shortcut runs where `scope` has the focus; undefined when none does. */
export function commandFor(
  shortcut: string | undefined,
  overrides: KeymapOverrides = keymap.getState().overrides,
  scope: KeyScope = 'window',
): string | undefined {
  if (shortcut === undefined) return undefined;
  const wanted = normaliseShortcut(shortcut);
  const there = COMMANDS.filter((command) => command.scope === scope);
  const byMain = there.find(({ id }) => {
    const keys = shortcutFor(id, overrides);
    return keys !== undefined && normaliseShortcut(keys) === wanted;
  });
  const byAlternate = there.find(({ alternateKeys = [] }) =>
    alternateKeys.some((keys) => normaliseShortcut(keys) === wanted),
  );
  return (byMain ?? byAlternate)?.id;
}

const SCOPES: readonly KeyScope[] = ['window', 'list', 'chart'];

/** The other command that already has this shortcut where both would work; undefined when it is free. */
export function conflictOf(id: string, shortcut: string, overrides: KeymapOverrides): string | undefined {
  const own = COMMANDS.find((command) => command.id === id)?.scope ?? 'window';
  return SCOPES.filter((scope) => own === 'window' || scope === 'window' || scope === own)
    .map((scope) => commandFor(shortcut, overrides, scope))
    .find((other) => other !== undefined && other !== id);
}

/** From now on `shortcut` runs the command; undefined = none does. */
export function remap(id: string, shortcut: string | undefined): void {
  const isDefault = shortcut === defaultShortcut(id);
  if (isDefault) resetShortcut(id);
  else keymap.setState({ overrides: { ...keymap.getState().overrides, [id]: shortcut ?? '' } });
}

/** Goes back to the shortcut of the table. */
export function resetShortcut(id: string): void {
  const { [id]: _previous, ...rest } = keymap.getState().overrides;
  keymap.setState({ overrides: rest });
}

// What the palette lists for a text: which kind of thing its prefix asks for, the items, and their order. Pure; the
// palette draws at most fifty of them.

import type { CommandDefinition } from '../lib/command-table.ts';

/** What the palette lists. */
export type PaletteMode = 'commands' | 'goto' | 'models' | 'help' | 'runs' | 'line';

/** One line of the palette. */
export interface PaletteItem {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  /** Grey text after the title. */
  readonly detail: string;
  readonly keys: string;
  readonly disabledReason: string | undefined;
  /** It is about the model that is looked at; such an entry is as recent as its command is for any model. */
  readonly isOfShown?: boolean;
  /** Called when the line was chosen. */
  readonly run: () => void;
}

/** Lines that the palette draws at most. */
export const MAX_PALETTE_ITEMS = 50;

/** `>` commands, `@` models, `#` runs, `:` line, `?` help; anything else is what the palette was opened for. */
export function readPrefix(
  text: string,
  fallback: PaletteMode,
): { readonly mode: PaletteMode; readonly query: string } {
  const modes: Readonly<Record<string, PaletteMode>> = {
    '>': 'commands',
    '@': 'models',
    '#': 'runs',
    ':': 'line',
    '?': 'help',
  };
  const mode = modes[text.charAt(0)];
  return mode === undefined ? { mode: fallback, query: text.trim() } : { mode, query: text.slice(1).trim() };
}

/** Higher is better, 0 = no match. Whole words at the start beat words inside beat letters in order. */
export function score(query: string, text: string): number {
  if (query === '') return 1;
  const wanted = query.toLowerCase();
  const given = text.toLowerCase();
  const at = given.indexOf(wanted);
  if (at === 0) return 4;
  if (at > 0) return /[\s_\-.:]/.test(given[at - 1] ?? '') ? 3 : 2;
  let next = 0;
  for (const letter of given) if (letter === wanted[next]) next += 1;
  if (next === wanted.length) return 1;
  const words = wanted.split(/\s+/);
  return words.length > 1 && words.every((word) => given.includes(word)) ? 1.5 : 0;
}

/** Best first; recently used ones first among equals; items that cannot run come last. */
export function rank(
  items: readonly PaletteItem[],
  query: string,
  recent: readonly string[],
): readonly PaletteItem[] {
  const place = ({ id, isOfShown }: PaletteItem): number => {
    const command = id.split(' ')[0] ?? id;
    const index = recent.findIndex(
      (used) => used === id || (isOfShown === true && used.split(' ')[0] === command),
    );
    return index < 0 ? 0 : (recent.length - index) / (recent.length + 1);
  };
  return items
    .map((item) => ({ item, value: score(query, `${item.title} ${item.detail}`) }))
    .filter(({ value }) => value > 0)
    .map(({ item, value }) => ({
      item,
      value: value + place(item) - (item.disabledReason === undefined ? 0 : 0.5),
    }))
    .toSorted((a, b) => b.value - a.value)
    .map(({ item }) => item);
}

/** A command that takes a model becomes one entry per model; without models it is shown once, with its reason. */
export function commandTargets(
  command: CommandDefinition,
  models: readonly string[],
): readonly (string | undefined)[] {
  return command.takesModel === true && models.length > 0 ? models : [undefined];
}

// Whether the palette is open and for what; and what was used lately, so that an empty palette is useful.

import { createStore } from 'zustand/vanilla';

const MAX_RECENT = 12;

/** Outside of React, since commands open it too. */
export const palette = createStore<{
  readonly isOpen: boolean;
  readonly mode: 'commands' | 'goto';
  /** What is typed into its field. */
  readonly text: string;
  /** Ids of palette items, latest first. */
  readonly recent: readonly string[];
  /** True when the entry chosen last opened another place. */
  readonly hasLedElsewhere: boolean;
}>(() => ({ isOpen: false, mode: 'commands', text: '', recent: [], hasLedElsewhere: false }));

/** "commands" lists what can be done, "goto" places to go to. */
export function openPalette(mode: 'commands' | 'goto'): void {
  const { isOpen, text } = palette.getState();
  palette.setState({ isOpen: true, mode, text: isOpen ? text : '' });
}

/** Replaces what is typed. */
export function setPaletteText(text: string): void {
  palette.setState({ text });
}

/** `hasLedElsewhere`: the focus belongs to what was opened and is not given back. */
export function closePalette(hasLedElsewhere = false): void {
  palette.setState({ isOpen: false, hasLedElsewhere });
}

/** Puts a palette item first among those used lately. */
export function remember(id: string): void {
  const { recent } = palette.getState();
  palette.setState({ recent: [id, ...recent.filter((other) => other !== id)].slice(0, MAX_RECENT) });
}

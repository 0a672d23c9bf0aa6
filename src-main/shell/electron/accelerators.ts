// Shortcuts as the page writes them ("Mod+Shift+P", "?") in the words of Electron's menu.

const NAMES: Readonly<Record<string, string>> = {
  Mod: 'CmdOrCtrl',
  Ctrl: 'Control',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  ' ': 'Space',
};

/** Undefined for no shortcut, and for what a menu cannot show. */
export function acceleratorOf(shortcut: string): string | undefined {
  if (shortcut === '') return undefined;
  const isPlus = shortcut === '+' || shortcut.endsWith('++');
  const parts = isPlus ? [...shortcut.slice(0, -1).split('+').filter(Boolean), 'Plus'] : shortcut.split('+');
  const words = parts.map((part) => NAMES[part] ?? part);
  return words.every((word) => /^[\x21-\x7e]+$/.test(word)) ? words.join('+') : undefined;
}

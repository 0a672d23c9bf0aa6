// Shortcuts as text ("Mod+Shift+P"): read from a key event, compared, and shown in the words of this keyboard. Mod is
// Command on macOS and Control elsewhere.

/** The part of a KeyboardEvent that shortcuts look at, React's and the DOM's alike. */
export interface KeyLike {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

function isMac(): boolean {
  return typeof navigator !== 'undefined' && /mac/i.test(navigator.platform);
}

/** Canonical text of what was pressed; undefined for a modifier alone. */
export function shortcutOf(event: KeyLike, onMac = isMac()): string | undefined {
  const key = keyName(event);
  if (key === undefined) return undefined;
  const isMod = onMac ? event.metaKey : event.ctrlKey;
  const parts: string[] = [];
  if (isMod) parts.push('Mod');
  if (onMac && event.ctrlKey) parts.push('Ctrl');
  if (event.altKey) parts.push('Alt');
  // The Shift that makes a sign ("?") is part of the sign.
  if (event.shiftKey && !isSign(key)) parts.push('Shift');
  return [...parts, key].join('+');
}

function keyName({ key, code }: KeyLike): string | undefined {
  if (['Control', 'Meta', 'Alt', 'Shift', 'AltGraph', 'Dead'].includes(key)) return undefined;
  if (key === ' ') return 'Space';
  if (key.length > 1) return key;
  if (/^[a-z0-9]$/i.test(key)) return key.toUpperCase();
  // Option and Shift change the sign a letter or digit key gives; its place on the keyboard does not change.
  const place = /^(?:Key|Digit)([A-Z0-9])$/.exec(code);
  return place?.[1] !== undefined && (key.charCodeAt(0) > 126 || place[0].startsWith('Key')) ? place[1] : key;
}

function isSign(key: string): boolean {
  return key.length === 1 && !/[A-Z0-9]/.test(key);
}

/** Same modifiers in the same order, so that texts can be compared. */
export function normaliseShortcut(text: string): string {
  const parts = text.split('+').map((part) => part.trim());
  const key = parts.at(-1) === '' ? '+' : (parts.at(-1) ?? '');
  const held = new Set(parts.slice(0, -1).map((part) => part.toLowerCase()));
  const order = ['Mod', 'Ctrl', 'Alt', 'Shift'].filter((name) => held.has(name.toLowerCase()));
  return [...order, key.length === 1 ? key.toUpperCase() : key].join('+');
}

const MAC_SIGNS: Readonly<Record<string, string>> = { Mod: '⌘', Ctrl: '⌃', Alt: '⌥', Shift: '⇧' };
const KEY_SIGNS: Readonly<Record<string, string>> = {
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Delete: 'Del',
};

/** As the keyboard of the system has it: "Ctrl+S", on a Mac with its signs. "" for none. */
export function displayShortcut(shortcut: string | undefined, onMac = isMac()): string {
  if (shortcut === undefined) return '';
  const parts = shortcut.split('+').map((part) => KEY_SIGNS[part] ?? part);
  if (onMac) return parts.map((part) => MAC_SIGNS[part] ?? part).join('');
  return parts.map((part) => (part === 'Mod' ? 'Ctrl' : part)).join('+');
}

const SPOKEN: Readonly<Record<string, string>> = {
  Ctrl: 'Control',
  '⌃': 'Control',
  '⌘': 'Meta',
  '⌥': 'Alt',
  '⇧': 'Shift',
  Esc: 'Escape',
  Del: 'Delete',
  '↑': 'ArrowUp',
  '↓': 'ArrowDown',
  '←': 'ArrowLeft',
  '→': 'ArrowRight',
};

/** What `displayShortcut` gave, as `aria-keyshortcuts` has it: "Control+S", "Meta+Shift+P". undefined for none. */
export function spokenShortcut(shown: string): string | undefined {
  if (shown === '') return undefined;
  const parts = shown.split(/\+(?=.)|(?<=[⌃⌘⌥⇧])/u);
  return parts.map((part) => SPOKEN[part] ?? part).join('+');
}

/** True for places where a plain letter is text and not a command. */
export function isEditable(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select, [role="textbox"]') !== null)
  );
}

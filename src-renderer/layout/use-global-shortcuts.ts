// Key presses that no control has used: looked up in the keymap and carried out as commands. Plain letters and signs
// are left alone in text fields, and Mod+K in the code editor, which has its own use for it.

import { useEffect } from 'react';

import { runCommand } from '../lib/command-registry.ts';
import { commandFor } from '../lib/keymap.ts';
import { isEditable, shortcutOf } from '../lib/keys.ts';

/** Mounted once. Keys that a control has used before are left to it. */
export function useGlobalShortcuts(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      const shortcut = shortcutOf(event);
      if (shortcut === undefined || isText(event, shortcut)) return;
      if (shortcut === 'Mod+K' && isInEditor(event.target)) return;
      const command = commandFor(shortcut);
      if (command === undefined) return;
      // Also for a command that cannot run now: the browser's own use of the key would be a surprise.
      if (shortcut.includes('Mod') || runCommandKeys.test(shortcut)) event.preventDefault();
      runCommand(command);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

const runCommandKeys = /(^|\+)F\d+$/;

function isText(event: KeyboardEvent, shortcut: string): boolean {
  return isEditable(event.target) && !shortcut.includes('Mod') && event.key.length === 1 && !event.altKey;
}

function isInEditor(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('.monaco-editor') !== null;
}

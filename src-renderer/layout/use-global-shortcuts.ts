// Key presses that no control has used: looked up in the keymap and carried out as commands. Plain letters and signs
// are left alone in text fields, and Mod+K in the code editor, which has its own use for it.

import { useEffect } from 'react';

import { address } from '../lib/address.ts';
import { runCommand } from '../lib/command-registry.ts';
import { RAIL_KEYS } from '../lib/command-table.ts';
import type { FeatureDefinition } from '../lib/feature.ts';
import { commandFor } from '../lib/keymap.ts';
import { isEditable, shortcutOf } from '../lib/keys.ts';
import { open } from '../lib/workspace-store.ts';
import { railFeatures } from './rail.tsx';

export function useGlobalShortcuts(features: readonly FeatureDefinition[]): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      const shortcut = shortcutOf(event);
      if (shortcut === '' || isText(event, shortcut)) return;
      if (shortcut === 'Mod+K' && isInEditor(event.target)) return;
      const rail = (RAIL_KEYS as readonly string[]).indexOf(shortcut);
      const feature = rail < 0 ? undefined : railFeatures(features)[rail];
      if (feature !== undefined) {
        event.preventDefault();
        open(address(feature.area));
        return;
      }
      const command = commandFor(shortcut);
      if (command === undefined) return;
      // Also for a command that cannot run now: the browser's own use of the key would be a surprise.
      if (shortcut.includes('Mod') || runCommandKeys.test(shortcut)) event.preventDefault();
      runCommand(command);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [features]);
}

const runCommandKeys = /(^|\+)F\d+$/;

function isText(event: KeyboardEvent, shortcut: string): boolean {
  return isEditable(event.target) && !shortcut.includes('Mod') && event.key.length === 1 && !event.altKey;
}

function isInEditor(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('.monaco-editor') !== null;
}

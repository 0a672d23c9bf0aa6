// Whether the app starts, without a window, when the user logs in. macOS and Windows keep such a list themselves; on
// Linux it is a folder of desktop files.

import type { App } from 'electron';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { makeFolderSync } from '../../base/make-folder.ts';
import { getLogger } from '../../base/log.ts';
import { HIDDEN_SWITCH } from './own-arguments.ts';

const log = getLogger('shell');

/** What the system starts when the user logs in. */
export interface Starter {
  readonly platform: NodeJS.Platform;
  /** What starts the app: the executable, and for one that is not packaged its folder. */
  readonly command: readonly string[];
  /** The user's folder of settings. */
  readonly configFolder: string;
  /** Puts the app on the list of macOS or Windows, or takes it off. */
  readonly setLoginItem: App['setLoginItemSettings'];
}

/** As the desktop-entry specification quotes an argument of `Exec`. */
function quoted(argument: string): string {
  return `"${argument.replaceAll('%', '%%').replace(/[\\"`$]/g, String.raw`\$&`)}"`;
}

/** The text of a desktop entry (freedesktop.org, Autostart) that starts the app without a window. */
export function autostartEntry({ command }: Pick<Starter, 'command'>): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Conch',
    'Comment=Serves models in the background',
    `Exec=${[...command, HIDDEN_SWITCH].map(quoted).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

function setAutostart(isWanted: boolean, starter: Starter): void {
  const file = path.join(starter.configFolder, 'autostart', 'conch.desktop');
  if (!isWanted) {
    rmSync(file, { force: true });
    return;
  }
  makeFolderSync(path.dirname(file));
  writeFileSync(file, autostartEntry(starter));
}

/** Adds the app to what starts at log-in, or takes it off. A system that refuses costs a warning. */
export function setLoginStart(isWanted: boolean, starter: Starter): void {
  try {
    if (starter.platform === 'linux') {
      setAutostart(isWanted, starter);
      return;
    }
    const [program = process.execPath, ...args] = starter.command;
    starter.setLoginItem({ openAtLogin: isWanted, path: program, args: [...args, HIDDEN_SWITCH] });
  } catch (thrown) {
    log.warn(`starting at log-in could not be set: ${String(thrown)}`);
  }
}

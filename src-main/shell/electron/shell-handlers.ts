// What each shell call of the page does.

import { app, nativeTheme, shell } from 'electron';
import type { BrowserWindow } from 'electron';
import { existsSync } from 'node:fs';

import type { ShellCallHandlers } from '../../../src-shared/contract/shell-calls.ts';
import { pickFiles, pickFolders, saveText } from './dialogs.ts';
import { dragOut } from './drag-out.ts';
import { openExternal } from './security.ts';
import { shellErrors } from './shell-errors.ts';

/** What the answers to the page's shell calls work with. */
export interface ShellParts {
  readonly windows: { readonly current: BrowserWindow | undefined };
  readonly iconFile: string;
  /** Shows these keys in the menu. */
  readonly onKeys: (keys: Readonly<Record<string, string>>) => void;
}

/** One handler for each shell call of the contract. */
export function createShellHandlers({ windows, iconFile, onKeys }: ShellParts): ShellCallHandlers {
  return {
    'shell/facts': () => ({
      appVersion: app.getVersion(),
      electronVersion: process.versions['electron'] ?? '',
      platform: process.platform,
    }),
    'shell/pickFolders': (options) => pickFolders(windows.current, options),
    'shell/pickFiles': (options) => pickFiles(windows.current, options),
    'shell/saveText': (options) => saveText(windows.current, options),
    'shell/reveal': ({ path }) => {
      if (!existsSync(path)) throw shellErrors.missing({ path });
      shell.showItemInFolder(path);
    },
    'shell/openExternal': ({ url }) => openExternal(url),
    'shell/setTheme': ({ theme }) => {
      nativeTheme.themeSource = theme;
    },
    'shell/setKeys': ({ keys }) => onKeys(keys),
    'shell/dragOut': (dragged) => dragOut(windows.current?.webContents, iconFile, dragged),
  };
}

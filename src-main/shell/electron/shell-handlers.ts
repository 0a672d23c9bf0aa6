// Answers the page's shell calls. Sender, name and arguments are checked here, once for all calls.

import { app, ipcMain, nativeTheme, Notification, shell } from 'electron';
import type { WebContents } from 'electron';
import { existsSync } from 'node:fs';

import type { ShellCallHandlers } from '../../../src-shared/contract/shell-calls.ts';
import { shellCalls } from '../../../src-shared/contract/shell-calls.ts';
import { SHELL_CHANNELS } from '../../../src-shared/contract/shell-channels.ts';
import { invalidArg, notFound } from '../../../src-shared/errors.ts';
import { pickFiles, pickFolders, saveText } from './dialogs.ts';
import { openExternal } from './security.ts';
import type { Windows } from './windows.ts';

export function createShellHandlers(windows: Pick<Windows, 'current'>): ShellCallHandlers {
  return {
    'shell/facts': () => ({
      appVersion: app.getVersion(),
      electronVersion: process.versions['electron'] ?? '',
      platform: process.platform,
    }),
    'shell/pickFolders': (options) => pickFolders(windows.current, options),
    'shell/pickFiles': (options) => pickFiles(windows.current, options),
    'shell/saveText': async (options) => ({ path: await saveText(windows.current, options) }),
    'shell/reveal': ({ path }) => {
      if (!existsSync(path)) throw notFound(`'${path}' does not exist`);
      shell.showItemInFolder(path);
    },
    'shell/openExternal': ({ url }) => openExternal(url),
    'shell/setTheme': ({ theme }) => {
      nativeTheme.themeSource = theme;
    },
    'shell/setProgress': ({ fraction }) => windows.current?.setProgressBar(fraction),
    'shell/notify': ({ title, body }) => {
      if (Notification.isSupported()) new Notification({ title, body }).show();
    },
  };
}

/** Starts answering; `isOurs` tells whether a sender is one of our windows. */
export function setupShellHandlers(
  handlers: ShellCallHandlers,
  isOurs: (contents: WebContents) => boolean,
): void {
  ipcMain.handle(SHELL_CHANNELS.call, (event, name: unknown, args: unknown) => {
    if (!isOurs(event.sender)) throw invalidArg('only the window of this app may call');
    const call = shellCalls.find((candidate) => candidate.name === name);
    if (call === undefined) throw notFound(`unknown call '${String(name)}'`);
    const parsed = call.args.safeParse(args);
    if (!parsed.success) throw invalidArg(`call '${call.name}': ${parsed.error.issues[0]?.message ?? ''}`);
    const handler = handlers[call.name] as (checked: unknown) => unknown;
    return handler(parsed.data);
  });
}

// Answers the page's shell calls. Sender, name and arguments are checked here, once for all calls; an error is an answer
// too, since what is thrown would lose its code on the way.

import { app, ipcMain, nativeTheme, shell } from 'electron';
import type { BrowserWindow, IpcMainInvokeEvent } from 'electron';
import { existsSync } from 'node:fs';

import type {
  ShellAnswer,
  ShellCallHandlers,
  ShellCallName,
} from '../../../src-shared/contract/shell-calls.ts';
import { shellCalls } from '../../../src-shared/contract/shell-calls.ts';
import { SHELL_CHANNELS } from '../../../src-shared/contract/shell-channels.ts';
import { errorToWire } from '../../../src-shared/errors.ts';
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
    'shell/saveText': async (options) => ({ path: await saveText(windows.current, options) }),
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

async function answer(handlers: ShellCallHandlers, name: unknown, args: unknown): Promise<unknown> {
  const call = shellCalls.find((candidate) => candidate.name === name);
  if (call === undefined) throw shellErrors.call({ name: String(name) });
  const parsed = call.args.safeParse(args);
  if (!parsed.success) {
    const [{ message = 'bad arguments' } = {}] = parsed.error.issues;
    throw shellErrors.arguments({ name: call.name, reason: message });
  }
  const handler = handlers[call.name] as (checked: unknown) => unknown;
  return handler(parsed.data);
}

/** Starts answering; `isOurs` tells whether a message is one of our own page. */
export function setupShellHandlers(
  handlers: ShellCallHandlers,
  isOurs: (event: IpcMainInvokeEvent) => boolean,
): void {
  ipcMain.handle(
    SHELL_CHANNELS.call,
    async (event, name: unknown, args: unknown): Promise<ShellAnswer<ShellCallName>> => {
      try {
        if (!isOurs(event)) throw shellErrors.foreign();
        return { value: (await answer(handlers, name, args)) as never };
      } catch (thrown) {
        return { error: errorToWire(thrown) };
      }
    },
  );
}

// Native dialogs. Each belongs to the window when there is one. None of them blocks the process: signals, the server and
// the end of the session are answered while one is open.

import type {
  BrowserWindow,
  FileFilter,
  MessageBoxOptions,
  OpenDialogOptions,
  SaveDialogOptions,
} from 'electron';
import { dialog } from 'electron';

import { writeFileAtomic } from '../../base/atomic-file.ts';

interface PickOptions {
  readonly title: string;
  readonly multiple: boolean;
}

async function open(window: BrowserWindow | undefined, options: OpenDialogOptions): Promise<string[]> {
  const result =
    window === undefined
      ? await dialog.showOpenDialog(options)
      : await dialog.showOpenDialog(window, options);
  return result.canceled ? [] : result.filePaths;
}

/** Absolute paths; none when the user closed the dialog. */
export function pickFolders(window: BrowserWindow | undefined, options: PickOptions): Promise<string[]> {
  return open(window, {
    title: options.title,
    properties: [
      'openDirectory',
      'createDirectory',
      ...(options.multiple ? ['multiSelections' as const] : []),
    ],
  });
}

/** Absolute paths of files that pass a filter; none when the user closed the dialog. */
export function pickFiles(
  window: BrowserWindow | undefined,
  options: PickOptions & { readonly filters: readonly FileFilter[] },
): Promise<string[]> {
  return open(window, {
    title: options.title,
    filters: [...options.filters],
    properties: ['openFile', ...(options.multiple ? ['multiSelections' as const] : [])],
  });
}

/** Writes the file that the user chooses; nothing when that is cancelled. */
export async function saveText(
  window: BrowserWindow | undefined,
  options: { readonly title: string; readonly defaultName: string; readonly text: string },
): Promise<void> {
  const save: SaveDialogOptions = { title: options.title, defaultPath: options.defaultName };
  const result =
    window === undefined ? await dialog.showSaveDialog(save) : await dialog.showSaveDialog(window, save);
  if (!result.canceled && result.filePath !== '') await writeFileAtomic(result.filePath, options.text);
}

/** A box with buttons. */
export interface Question {
  readonly message: string;
  readonly detail: string;
  /** The first is the safe one, which loses nothing: Enter takes it, and so does whoever only closes the box. */
  readonly buttons: readonly string[];
  readonly type?: MessageBoxOptions['type'];
}

/** The chosen button; the first one when the box or its window is closed. */
export async function choose(window: BrowserWindow | undefined, question: Question): Promise<string> {
  const buttons = [...question.buttons];
  const options: MessageBoxOptions = {
    type: question.type ?? 'warning',
    title: 'Conch',
    message: question.message,
    detail: question.detail,
    buttons,
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  };
  const { response } =
    window === undefined || window.isDestroyed()
      ? await dialog.showMessageBox(options)
      : await dialog.showMessageBox(window, options);
  return buttons[response] ?? buttons[0] ?? '';
}

/** Whether work that is under way may end with the app. */
export async function askToEndWork(
  window: BrowserWindow | undefined,
  titles: readonly string[],
): Promise<boolean> {
  const answer = await choose(window, {
    type: 'question',
    message:
      titles.length === 1
        ? 'Work is still under way.'
        : `${titles.length} pieces of work are still under way.`,
    detail: `${titles.join('\n')}\n\nIt is cancelled when Conch ends.`,
    buttons: ['Keep it running', 'Quit'],
  });
  return answer === 'Quit';
}

// Native dialogs. Each belongs to the window when there is one.

import type { BrowserWindow, FileFilter, OpenDialogOptions } from 'electron';
import { dialog } from 'electron';

import { writeFileAtomic } from '../../base/atomic-file.ts';

export interface PickOptions {
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

/** Path written, "" when cancelled. */
export async function saveText(
  window: BrowserWindow | undefined,
  options: { readonly title: string; readonly defaultName: string; readonly text: string },
): Promise<string> {
  const save = { title: options.title, defaultPath: options.defaultName };
  const result =
    window === undefined ? await dialog.showSaveDialog(save) : await dialog.showSaveDialog(window, save);
  if (result.canceled || result.filePath === '') return '';
  await writeFileAtomic(result.filePath, options.text);
  return result.filePath;
}

/** Says why the app cannot go on. */
export function showFatal(message: string, detail: string): void {
  dialog.showErrorBox(message, detail);
}

// Files that the page offers as a download: asked for with their own name, not with the address of the page's memory.

import { app, session } from 'electron';
import type { DownloadItem } from 'electron';
import path from 'node:path';

function askWhere(item: DownloadItem): void {
  // Somebody else has said where already.
  if (item.getSavePath() !== '') return;
  const name = item.getFilename();
  item.setSaveDialogOptions({
    title: `Save ${name}`,
    defaultPath: path.join(app.getPath('downloads'), name),
  });
}

/** Call once, before the first window. The user chooses the place; a dialog that is cancelled cancels the download. */
export function setupDownloads(): void {
  session.defaultSession.on('will-download', (_event, item) => askWhere(item));
}

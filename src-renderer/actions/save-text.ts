// Hands a text to the user as a file: a native dialog in the desktop app, a download in a browser.

import { nativeShell } from '../engine/native-shell.ts';

/** Resolves when the desktop app has written the file, or the user thought better of it; in a browser at once. */
export async function saveText(name: string, text: string, mimeType = 'application/json'): Promise<void> {
  const shell = nativeShell();
  if (shell !== undefined) {
    await shell.call('shell/saveText', { title: name, defaultName: name, text });
    return;
  }
  saveBlob(name, new Blob([text], { type: mimeType }));
}

/** Bytes as a download; the desktop app asks where to. */
export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

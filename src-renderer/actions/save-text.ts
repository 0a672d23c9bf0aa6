// Hands a text to the user as a file: a native dialog in the desktop app, a download in a browser.

import { nativeShell } from '../engine/native-shell.ts';

export async function saveText(name: string, text: string, mimeType = 'application/json'): Promise<void> {
  const shell = nativeShell();
  if (shell !== undefined) {
    await shell.call('shell/saveText', { title: name, defaultName: name, text });
    return;
  }
  const url = URL.createObjectURL(new Blob([text], { type: mimeType }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

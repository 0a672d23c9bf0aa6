// Shows a path in the system's file manager; a browser page cannot, so there the path is copied instead.

import { nativeShell } from '../engine/native-shell.ts';
import { t } from '../texts/translate.ts';
import { copyText } from '../ui/copy-button.tsx';
import { toastInfo } from '../ui/toast.tsx';
import { toastThrown } from '../engine/toast-thrown.ts';

/** Never rejects: what went wrong is told as a message. */
export async function revealPath(path: string): Promise<void> {
  const shell = nativeShell();
  if (shell === undefined) {
    if (await copyText(path, { isShown: true })) toastInfo(t('model.pathCopied', { path }));
    return;
  }
  try {
    await shell.call('shell/reveal', { path });
  } catch (thrown) {
    toastThrown(thrown);
  }
}

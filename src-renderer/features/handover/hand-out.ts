// Hands the files of a hand-over to the user: into a folder in the desktop app, as a download in a browser.

import type { HandoverPlan } from '../../../src-shared/contract/handover-calls.ts';
import { ServerError } from '../../../src-shared/errors.ts';
import { readBlob, releaseBlob } from '../../actions/blobs.ts';
import { revealPath } from '../../actions/reveal.ts';
import { saveBytes } from '../../actions/save-bytes.ts';
import type { EngineClient } from '../../engine/engine-client.ts';
import { nativeShell } from '../../engine/native-shell.ts';
import { t } from '../../texts/translate.ts';
import { ask } from '../../ui/confirm.tsx';
import { toastSuccess } from '../../ui/toast.tsx';

interface HandedOut {
  readonly plan: HandoverPlan;
  /** Although there are errors. */
  readonly isForced: boolean;
}

/**
 * Asks for the folder, and before files in it are replaced that no export wrote; nothing happens when the user thinks
 * better of it. False = it did not come to that.
 */
export async function saveToFolder(client: EngineClient, { plan, isForced }: HandedOut): Promise<boolean> {
  const picked = await nativeShell()?.call('shell/pickFolders', {
    title: t('handover.saveTitle'),
    multiple: false,
  });
  const folder = picked?.[0];
  if (folder === undefined) return false;
  const save = (mayReplace: boolean) => client.call('handover/save', { plan, folder, isForced, mayReplace });
  const saved = await save(false).catch(async (thrown: unknown) => {
    if (!(thrown instanceof ServerError && thrown.code === 'ALREADY_EXISTS')) throw thrown;
    return (await isReplacing(thrown)) ? await save(true) : undefined;
  });
  if (saved === undefined) return false;
  toastSuccess(t('handover.saved', { count: saved.fileCount, folder: saved.folder }), {
    label: t('handover.reveal'),
    onClick: () => void revealPath(saved.folder),
  });
  return true;
}

async function isReplacing({ message }: ServerError): Promise<boolean> {
  const answer = await ask({
    title: t('handover.replaceTitle'),
    text: message,
    choices: [{ value: 'replace', label: t('handover.replace'), isDanger: true }],
  });
  return answer === 'replace';
}

/** Fetches the packed files and gives them to the browser. Rejects with what the engine says against it. */
export async function downloadZip(client: EngineClient, { plan, isForced }: HandedOut): Promise<boolean> {
  const { blob, byteSize } = await client.call('handover/pack', { plan, isForced });
  const name = `${plan.name}-${plan.target}.zip`;
  try {
    saveBytes(name, await readBlob(client, blob, { offset: 0, byteSize }));
  } finally {
    releaseBlob(client, blob);
  }
  toastSuccess(t('handover.downloaded', { name }));
  return true;
}

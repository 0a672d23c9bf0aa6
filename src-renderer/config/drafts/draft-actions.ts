// What happens between a text in this window and its file: read, save, save and reload. Results are
// reported here, so that buttons, keys and every view that changes the text behave the same.

import { configFileOf } from '../../../src-shared/config/config-file.ts';
import type { ConfigFile } from '../../../src-shared/contract/config-calls.ts';
import { ServerError } from '../../../src-shared/errors.ts';
import { loadModel, reloadModel } from '../../actions/model-actions.ts';
import { isAbort } from '../../engine/engine-client.ts';
import type { Engine } from '../../engine/engine-context.tsx';
import { liveIssuesOf } from '../../lib/live-problems.ts';
import { t } from '../../texts/translate.ts';
import { toastSuccess, toastWarning } from '../../ui/toast.tsx';
import type { Draft } from './config-drafts.ts';
import {
  changeDraft,
  codeDocument,
  documentKey,
  documentOfDraft,
  draftOf,
  editable,
  isDirty,
  newDraft,
  putDraft,
  withDisk,
  withSaved,
} from './config-drafts.ts';
import { toastThrown } from '../../engine/toast-thrown.ts';

/** Reads the file again and lets it meet the draft; opens the draft when there is none. */
export async function readDraft(
  { client }: Engine,
  model: string,
  profile: string | undefined,
  signal?: AbortSignal,
): Promise<void> {
  const document = documentKey(model, profile);
  const file =
    profile === undefined
      ? await client.call('config/read', { model }, { signal })
      : profileFile(
          model,
          profile,
          (await client.call('config/readProfile', { model, profile }, { signal })).text,
        );
  const disk = editable(file);
  const known = draftOf(document);
  putDraft(known === undefined ? newDraft(model, disk, { profile }) : withDisk(known, disk));
}

/** Like `readDraft`, for a source file of the model. */
export async function readCodeDraft(
  { client }: Engine,
  model: string,
  file: string,
  signal?: AbortSignal,
): Promise<void> {
  const read = await client.call('code/read', { model, file }, { signal });
  const disk = editable(read);
  const known = draftOf(codeDocument(model, file));
  putDraft(known === undefined ? newDraft(model, disk, { code: file }) : withDisk(known, disk));
}

/** A profile has no hash of its own; its text takes that place. */
function profileFile(model: string, profile: string, text: string): ConfigFile {
  const path = `${model}/${configFileOf(profile)}`;
  return { exists: true, text, hash: text, path, readOnlyReason: undefined, refusal: undefined };
}

/** False when nothing was written; the reason has been shown. */
export async function saveDraft(engine: Engine, document: string): Promise<boolean> {
  const draft = draftOf(document);
  if (draft === undefined) return false;
  return writeText(engine, draft, draft.text);
}

/**
 * True when the file has the text now. A file that changed meanwhile is read again and becomes a conflict; any
 * failure is told in a toast.
 */
export async function writeText(engine: Engine, draft: Draft, text: string): Promise<boolean> {
  const document = documentOfDraft(draft);
  try {
    const written = await write(engine, draft, text);
    changeDraft(document, (current) => withSaved(current, written));
    const errors = liveIssuesOf(document).filter(({ severity }) => severity === 'error').length;
    if (errors > 0) toastWarning(t('config.savedWithErrors', { file: fileName(draft), count: errors }));
    else toastSuccess(t('config.saved', { file: fileName(draft), name: draft.model }));
    return true;
  } catch (thrown) {
    if (thrown instanceof ServerError && thrown.code === 'ALREADY_EXISTS') {
      const { model, profile, code } = draft;
      const reading =
        code === undefined ? readDraft(engine, model, profile) : readCodeDraft(engine, model, code);
      await reading.catch(reportFailure);
      toastWarning(t('config.notSavedChanged', { file: fileName(draft) }));
    } else {
      reportFailure(thrown);
    }
    return false;
  }
}

async function write({ client }: Engine, draft: Draft, text: string): Promise<ConfigFile> {
  const { model, profile, code, disk } = draft;
  const expectedHash = disk.hash;
  if (code !== undefined) return client.call('code/write', { model, file: code, text, expectedHash });
  if (profile === undefined) return client.call('config/write', { model, text, expectedHash });
  await client.call('config/writeProfile', { model, profile, text });
  return profileFile(model, profile, text);
}

/** Relative to the model's folder, as messages name it. */
export function fileName({ profile, code }: Pick<Draft, 'profile' | 'code'>): string {
  if (code !== undefined) return code;
  return configFileOf(profile);
}

/** A toast with the message; nothing for a call that was aborted. */
export function reportFailure(thrown: unknown): void {
  if (!isAbort(thrown)) toastThrown(thrown);
}

/** Loads nothing when saving failed. A draft without changes is not written, unless its file is not there. */
export async function saveAndReload(engine: Engine, document: string): Promise<void> {
  const draft = draftOf(document);
  if (draft === undefined) return;
  if ((isDirty(draft) || !draft.disk.exists) && !(await saveDraft(engine, document))) return;
  await loadFromDisk(engine, draft.model);
}

/** Reloads a model that is ready, loads any other; a text that was tried without saving is forgotten. */
export async function loadFromDisk(engine: Engine, name: string): Promise<void> {
  const model = engine.state.models.getState().byName.get(name);
  changeDraft(name, (draft) => ({ ...draft, triedText: undefined }));
  if (model?.state === 'ready') await reloadModel(engine, name);
  else await loadModel(engine, name);
}

// What the user does with a configuration text: save, save and reload, try without saving, settle a conflict. Results
// are reported here, so that buttons, keys and palette entries behave the same.

import type { ConfigFile } from '../../../src-shared/contract/config-calls.ts';
import { ServerError } from '../../../src-shared/errors.ts';
import { loadModel, reloadModel } from '../../actions/model-actions.ts';
import { isAbort, messageOf } from '../../engine/engine-client.ts';
import type { Engine } from '../../engine/engine-context.tsx';
import { liveIssuesOf } from '../../lib/live-problems.ts';
import { t } from '../../texts/translate.ts';
import { toastError, toastInfo, toastSuccess, toastWarning } from '../../ui/toast.tsx';
import type { Draft } from './config-drafts.ts';
import {
  changeDraft,
  documentKey,
  draftOf,
  editableText,
  isDirty,
  keepMine,
  newDraft,
  putDraft,
  setDraftText,
  takeDisk,
  withDisk,
  withSaved,
} from './config-drafts.ts';
import { compareWith, showProfile } from './config-panes.ts';

/** Reads the file again and lets it meet the draft; opens the draft when there is none. */
export async function readDraft(
  { client }: Engine,
  model: string,
  profile: string,
  signal?: AbortSignal,
): Promise<void> {
  const document = documentKey(model, profile);
  const file =
    profile === ''
      ? await client.call('config/read', { model }, { signal })
      : profileFile(
          model,
          profile,
          (await client.call('config/readProfile', { model, profile }, { signal })).text,
        );
  const disk = { ...file, text: editableText(file.text) };
  const known = draftOf(document);
  putDraft(known === undefined ? newDraft(model, profile, disk) : withDisk(known, disk));
}

/** A profile has no hash of its own; its text takes that place. */
function profileFile(model: string, profile: string, text: string): ConfigFile {
  const path = `${model}/configs/${profile}.pbtxt`;
  return { exists: true, text, hash: text, path, readOnlyReason: '', refusal: '' };
}

/** False when nothing was written; the reason has been shown. */
export async function saveDraft(engine: Engine, document: string): Promise<boolean> {
  const draft = draftOf(document);
  if (draft === undefined) return false;
  return writeText(engine, draft, draft.text);
}

async function writeText(engine: Engine, draft: Draft, text: string): Promise<boolean> {
  const document = documentKey(draft.model, draft.profile);
  try {
    const written = await write(engine, draft, text);
    changeDraft(document, (current) => withSaved(current, written));
    const errors = liveIssuesOf(document).filter(({ severity }) => severity === 'error').length;
    if (errors > 0) toastWarning(t('config.savedWithErrors', { file: fileName(draft), count: errors }));
    else toastSuccess(t('config.saved', { file: fileName(draft), name: draft.model }));
    return true;
  } catch (thrown) {
    if (thrown instanceof ServerError && thrown.code === 'ALREADY_EXISTS') {
      await readDraft(engine, draft.model, draft.profile).catch(report);
      toastWarning(t('config.notSavedChanged', { file: fileName(draft) }));
    } else {
      report(thrown);
    }
    return false;
  }
}

async function write({ client }: Engine, draft: Draft, text: string): Promise<ConfigFile> {
  const { model, profile, disk } = draft;
  if (profile === '') {
    return client.call('config/write', { model, text, expectedHash: disk.exists ? disk.hash : '' });
  }
  await client.call('config/writeProfile', { model, profile, text });
  return profileFile(model, profile, text);
}

export function fileName({ profile }: Pick<Draft, 'profile'>): string {
  return profile === '' ? 'config.pbtxt' : `configs/${profile}.pbtxt`;
}

function report(thrown: unknown): void {
  if (!isAbort(thrown)) toastError(messageOf(thrown));
}

export async function saveAndReload(engine: Engine, document: string): Promise<void> {
  const draft = draftOf(document);
  if (draft === undefined) return;
  if ((isDirty(draft) || !draft.disk.exists) && !(await saveDraft(engine, document))) return;
  await loadFromDisk(engine, draft.model);
}

async function loadFromDisk(engine: Engine, name: string): Promise<void> {
  const model = engine.state.models.getState().byName.get(name);
  changeDraft(name, (draft) => ({ ...draft, triedText: undefined }));
  if (model?.state === 'ready') await reloadModel(engine, name);
  else await loadModel(engine, name);
}

/** Loads the model with the text in place of its file; nothing is written. */
export async function tryDraft({ client }: Engine, document: string, signal?: AbortSignal): Promise<void> {
  const draft = draftOf(document);
  if (draft === undefined) return;
  const { model, text } = draft;
  try {
    await client.call('repository/load', { model, configText: text }, { signal });
    changeDraft(model, (current) => ({ ...current, triedText: text }));
    toastInfo(t('config.trying', { name: model }));
  } catch (thrown) {
    if (!isAbort(thrown)) toastError(t('config.tryFailed', { name: model, reason: messageOf(thrown) }));
  }
}

/** Writes the text the model runs with into its file and lets go of the override. */
export async function saveOverride(engine: Engine, model: string): Promise<void> {
  const draft = draftOf(model);
  if (draft === undefined) return;
  try {
    const running = draft.triedText ?? (await engine.client.call('config/effective', { model })).text;
    if (!(await writeText(engine, draft, running))) return;
    changeDraft(model, (current) =>
      current.text === draft.disk.text ? { ...current, text: running } : current,
    );
    await loadFromDisk(engine, model);
  } catch (thrown) {
    report(thrown);
  }
}

/** Back to what is on disk; the text in the editor stays. */
export async function revertOverride(engine: Engine, model: string): Promise<void> {
  await loadFromDisk(engine, model);
}

/** "Create file from it": writes what the server completed. */
export async function createFromEffective(engine: Engine, model: string): Promise<void> {
  const draft = draftOf(model);
  if (draft === undefined) return;
  try {
    const { text, error } = await engine.client.call('config/effective', { model });
    if (error !== '') toastWarning(error);
    const complete = text.endsWith('\n') || text === '' ? text : `${text}\n`;
    setDraftText(model, complete);
    await saveDraft(engine, model);
  } catch (thrown) {
    report(thrown);
  }
}

export function startEmpty(model: string): void {
  changeDraft(model, (draft) => ({ ...draft, isNew: true, text: `name: ${JSON.stringify(model)}\n` }));
}

export async function createProfile(engine: Engine, model: string, profile: string): Promise<boolean> {
  const text = draftOf(model)?.text ?? '';
  try {
    await engine.client.call('config/writeProfile', { model, profile, text });
    await readDraft(engine, model, profile);
    showProfile(model, profile);
    toastSuccess(t('config.profileMade', { profile }));
    return true;
  } catch (thrown) {
    report(thrown);
    return false;
  }
}

export type ConflictAnswer = 'mine' | 'disk' | 'compare';

export function settleConflict(document: string, answer: ConflictAnswer): void {
  switch (answer) {
    case 'mine':
      changeDraft(document, keepMine);
      break;
    case 'disk':
      changeDraft(document, takeDisk);
      break;
    case 'compare':
      compareWith('disk');
      break;
  }
}

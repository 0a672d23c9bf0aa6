// What the user does with a configuration text beside saving it: try without saving, settle a conflict, create files.
// Results are reported here, so that buttons, keys and palette entries behave the same.

import { changeDraft, draftOf, keepMine, setDraftText, takeDisk } from '../../config/drafts/config-drafts.ts';
import {
  loadFromDisk,
  readDraft,
  reportFailure,
  saveDraft,
  writeText,
} from '../../config/drafts/draft-actions.ts';
import { isAbort, explainedMessage } from '../../engine/engine-client.ts';
import type { Engine } from '../../engine/engine-context.tsx';
import { t } from '../../texts/translate.ts';
import { toastError, toastInfo, toastSuccess, toastWarning } from '../../ui/toast.tsx';
import { compareWith, showProfile } from './config-panes.ts';

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
    if (!isAbort(thrown))
      toastError(t('config.tryFailed', { name: model, reason: explainedMessage(thrown) }));
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
    reportFailure(thrown);
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
    if (error !== undefined && text.trim() === '') {
      // An empty file would be worse than none.
      toastError(error);
      return;
    }
    if (error !== undefined) toastWarning(error);
    const complete = text.endsWith('\n') || text === '' ? text : `${text}\n`;
    setDraftText(model, complete);
    await saveDraft(engine, model);
  } catch (thrown) {
    reportFailure(thrown);
  }
}

/** Opens the editor on a text with the model's name alone; no file is written. */
export function startEmpty(model: string): void {
  changeDraft(model, (draft) => ({ ...draft, isNew: true, text: `name: ${JSON.stringify(model)}\n` }));
}

/** Writes the text in the editor as a new profile and shows it. False when it was not written, which is told. */
export async function createProfile(engine: Engine, model: string, profile: string): Promise<boolean> {
  const text = draftOf(model)?.text ?? '';
  try {
    await engine.client.call('config/writeProfile', { model, profile, text });
    await readDraft(engine, model, profile);
    showProfile(model, profile);
    toastSuccess(t('config.profileMade', { profile }));
    return true;
  } catch (thrown) {
    reportFailure(thrown);
    return false;
  }
}

/** Which of two changes stays: the one in the window, the one on disk, or a look at both first. */
export type ConflictAnswer = 'mine' | 'disk' | 'compare';

/** Keeps the unsaved text, takes the file's, or shows both beside each other. */
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

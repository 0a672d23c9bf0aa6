// What the user does to folders of models and versions: to the bin and back, into a zip. Asked about where it cannot be
// taken back.

import type { Binned } from '../../src-shared/contract/folder-calls.ts';
import type { ModelView } from '../../src-shared/contract/model-view.ts';
import { createStore } from 'zustand/vanilla';
import type { Engine } from '../engine/engine-context.tsx';
import { runCommand } from '../lib/command-registry.ts';
import { t } from '../texts/translate.ts';
import { ask } from '../ui/confirm.tsx';
import { toastSuccess } from '../ui/toast.tsx';
import { toastThrown } from '../engine/toast-thrown.ts';

/** The model whose new name is being asked for. */
export const naming = createStore<{
  readonly asked: { readonly model: string; readonly verb: 'rename' | 'duplicate' } | undefined;
}>(() => ({ asked: undefined }));

/** Opens the dialog that asks for the new name of `model`; what is done with it follows `verb`. */
export function askName(model: string, verb: 'rename' | 'duplicate'): void {
  naming.setState({ asked: { model, verb } });
}

/** Asks where to, then writes one zip of all of them. */
export function exportModels(names: readonly string[]): void {
  runCommand('model.export', names.join('\n'));
}

/**
 * Moves the folder of a model to the bin after a question. The message has an Undo where the engine can bring
 * it back.
 */
export async function trashModel(engine: Engine, { name, path }: ModelView): Promise<void> {
  const answer = await ask({
    title: t('models.trashTitle', { name }),
    text: t('models.trashText', { path }),
    choices: [{ value: 'trash', label: t('models.trash'), isDanger: true }],
  });
  if (answer === undefined) return;
  await toBin(engine, name, () => engine.client.call('repository/trashModel', { model: name }));
}

/** As `trashModel`, for one version folder. */
export async function trashVersion(engine: Engine, name: string, version: string): Promise<void> {
  const answer = await ask({
    title: t('model.versions.trashTitle', { version, name }),
    text: t('model.versions.trashText'),
    choices: [{ value: 'trash', label: t('model.versions.trash'), isDanger: true }],
  });
  if (answer === undefined) return;
  const what = t('model.versions.one', { name, version });
  await toBin(engine, what, () => engine.client.call('repository/trashVersion', { model: name, version }));
}

async function toBin({ client }: Engine, what: string, take: () => Promise<Binned>): Promise<void> {
  const report = toastThrown;
  const bringBack = async (undo: string): Promise<void> => {
    await client.call('repository/restore', { undo });
    toastSuccess(t('models.restored', { name: what }));
  };
  try {
    const { movedTo, undo } = await take();
    const action =
      undo === undefined
        ? undefined
        : { label: t('common.undo'), onClick: () => void bringBack(undo).catch(report) };
    toastSuccess(t('models.trashed', { name: what, path: movedTo }), action);
  } catch (thrown) {
    report(thrown);
  }
}

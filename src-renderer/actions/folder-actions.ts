// What the user does to folders of models and versions: to the bin and back, into a zip. Asked about where it cannot be
// taken back.

import type { Binned } from '../../src-shared/contract/folder-calls.ts';
import type { ModelView } from '../../src-shared/contract/model-view.ts';
import { createStore } from 'zustand/vanilla';
import type { Engine } from '../engine/engine-context.tsx';
import { runCommand } from '../lib/command-registry.ts';
import { t } from '../texts/translate.ts';
import { outermostFirst } from './model-actions.ts';
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

/** How many models a question names. */
const NAMED_AT_MOST = 12;

/**
 * As `trashModel`, for several with one question, which names them, and one Undo. Those that cannot be moved stay, and
 * the reason of the first is told. Nothing happens for none.
 */
export async function trashModels(engine: Engine, models: readonly ModelView[]): Promise<void> {
  const [first] = models;
  if (first === undefined) return;
  if (models.length === 1) return trashModel(engine, first);
  const { client, state } = engine;
  const answer = await ask({
    title: t('models.trashManyTitle', { count: models.length }),
    text: t('models.trashManyText', { names: namesOf(models) }),
    choices: [{ value: 'trash', label: t('models.trash'), isDanger: true }],
  });
  if (answer === undefined) return;
  const names = outermostFirst(
    state.models.getState().byName,
    models.map(({ name }) => name),
  );
  const { done, failures } = await eachInTurn(names, (model) =>
    client.call('repository/trashModel', { model }),
  );
  const undos = done.flatMap(({ undo }) => (undo === undefined ? [] : [undo]));
  const bringBack = async (): Promise<void> => {
    // What an ensemble uses is there before it.
    const back = await eachInTurn(undos.toReversed(), (undo) => client.call('repository/restore', { undo }));
    if (back.done.length > 0) toastSuccess(t('models.restoredMany', { count: back.done.length }));
    if (back.failures.length > 0) toastThrown(back.failures[0]);
  };
  if (done.length > 0) {
    toastSuccess(
      t('models.trashedMany', { count: done.length, path: commonPlace(done) }),
      undos.length === 0 ? undefined : { label: t('common.undo'), onClick: () => void bringBack() },
    );
  }
  if (failures.length > 0) toastThrown(failures[0]);
}

function namesOf(models: readonly ModelView[]): string {
  const names = models.map(({ name }) => name);
  if (names.length <= NAMED_AT_MOST) return names.join(', ');
  const shown = names.slice(0, NAMED_AT_MOST - 1);
  return t('models.namesAndMore', { names: shown.join(', '), count: names.length - shown.length });
}

/** One after the other, because each of them has the repository read again. */
async function eachInTurn<In, Out>(
  all: readonly In[],
  act: (one: In) => Promise<Out>,
): Promise<{ readonly done: readonly Out[]; readonly failures: readonly unknown[] }> {
  const done: Out[] = [];
  const failures: unknown[] = [];
  for (const one of all) {
    try {
      done.push(await act(one));
    } catch (thrown) {
      failures.push(thrown);
    }
  }
  return { done, failures };
}

/** The system's bin, or the folder that all of them are in now. */
function commonPlace(binned: readonly Binned[]): string {
  const places = new Set(binned.map(({ movedTo }) => movedTo));
  const folders =
    places.size === 1 ? places : new Set([...places].map((place) => place.replace(/[\\/][^\\/]*$/, '')));
  return [...folders].join(', ');
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

// Changes config.pbtxt of a model from outside its editor: read, changed, written with a way back, loaded again. Text
// that is unsaved in the editor stays there and meets the changed file as it would meet anybody's change.

import type { Engine } from '../engine/engine-context.tsx';
import { t } from '../texts/translate.ts';
import { toastInfo } from '../ui/toast.tsx';
import { loadModel, reloadModel } from './model-actions.ts';
import { toastThrown } from '../engine/toast-thrown.ts';

/** One change of a file, with the sentence that tells of it. */
export interface ConfigChange {
  /** What is done, for the message. */
  readonly title: string;
  /** Makes the new text of the one in the file; undefined = that needs no change. */
  readonly apply: (text: string) => string | undefined | Promise<string | undefined>;
  /** Loads a model that is not loaded as well. */
  readonly load: boolean;
}

/** False = nothing was to be changed. Rejects when the file cannot be written; the load reports by itself. */
export async function editConfig(engine: Engine, name: string, change: ConfigChange): Promise<boolean> {
  const { client } = engine;
  const before = await client.call('config/read', { model: name });
  const text = await change.apply(before.text);
  if (text === undefined) return false;
  const after = await client.call('config/write', { model: name, text, expectedHash: before.hash });
  const undo = async (): Promise<void> => {
    await client.call('config/write', { model: name, text: before.text, expectedHash: after.hash });
    await loadAgain(engine, name, false);
    toastInfo(t('model.failure.restored', { name }));
  };
  const action = {
    label: t('common.undo'),
    onClick: () => void undo().catch(toastThrown),
  };
  toastInfo(t('model.failure.fixed', { name, fix: change.title }), before.exists ? action : undefined);
  await loadAgain(engine, name, change.load);
  return true;
}

async function loadAgain(engine: Engine, name: string, isWanted: boolean): Promise<void> {
  const isLoaded = engine.state.models.getState().byName.get(name)?.state === 'ready';
  if (isLoaded) await reloadModel(engine, name);
  else if (isWanted) await loadModel(engine, name);
}

// Models the user took off the list. Their folders stay as they are, and so does what Triton would do with them; only
// this window does not show them. Kept with the app's own data, by folder.

import { createStore } from 'zustand/vanilla';

import type { ModelView } from '../../src-shared/contract/model-view.ts';
import type { EngineClient } from '../engine/engine-client.ts';
import type { Engine } from '../engine/engine-context.tsx';
import { t } from '../texts/translate.ts';
import { toastInfo } from '../ui/toast.tsx';
import { isBusy, runningActions, unloadModel } from './model-actions.ts';
import { toastThrown } from '../engine/toast-thrown.ts';

const LAYOUT_KEY = 'hidden models';

/** Folders of models that the user took off the list, and whether they are shown all the same. */
export const hiddenModels = createStore<{ readonly paths: ReadonlySet<string>; readonly isShowing: boolean }>(
  () => ({ paths: new Set(), isShowing: false }),
);

/**
 * Fills `hiddenModels` with what was kept. A text that is no list of paths hides nothing; rejects when it
 * cannot be asked for.
 */
export async function readHiddenModels(client: EngineClient): Promise<void> {
  const { json } = await client.call('settings/readLayout', { key: LAYOUT_KEY });
  hiddenModels.setState({ paths: new Set(pathsOf(json)) });
}

function pathsOf(json: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(json === '' ? '[]' : json);
    return Array.isArray(value) ? value.filter((path) => typeof path === 'string') : [];
  } catch {
    return [];
  }
}

/** Unloads it first, also one that is just loading, so that nothing serves unseen. It stays where that fails. */
export async function removeFromList(engine: Engine, model: ModelView): Promise<void> {
  const { name, path } = model;
  const isIdle = model.state !== 'ready' && !isBusy(model) && !runningActions.getState().byModel.has(name);
  if (!isIdle && !(await unloadModel(engine, name))) return;
  setHidden(engine.client, path, true);
  toastInfo(t('models.removed', { name }), {
    label: t('common.undo'),
    onClick: () => setHidden(engine.client, path, false),
  });
}

/** Changes the list at once and keeps it; that it could not be kept is told as a message. */
export function setHidden(client: EngineClient, path: string, isHidden: boolean): void {
  const paths = new Set(hiddenModels.getState().paths);
  if (isHidden) paths.add(path);
  else paths.delete(path);
  hiddenModels.setState({ paths, ...(paths.size === 0 ? { isShowing: false } : {}) });
  client
    .call('settings/writeLayout', { key: LAYOUT_KEY, json: JSON.stringify([...paths]) })
    .catch(toastThrown);
}

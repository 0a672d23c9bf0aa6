// A model file that cannot be read: the user shows a better one, a copy takes its place, and the model loads.

import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { loadModel } from '../../actions/model-actions.ts';
import { isCancelled } from '../../engine/engine-client.ts';
import type { Engine } from '../../engine/engine-context.tsx';
import { toastThrown } from '../../engine/toast-thrown.ts';
import { t } from '../../texts/translate.ts';
import { toastInfo } from '../../ui/toast.tsx';
import { newTaskId } from './import-flow.ts';
import { locateFile } from './start-import.ts';

/** Ends without a change when the question is cancelled; what fails is told. */
export async function replaceModelFile(engine: Engine, name: string): Promise<void> {
  const { client } = engine;
  const model = engine.state.models.getState().byName.get(name);
  if (model === undefined) return;
  try {
    const source = await locateFile(t('picker.replace', { name }));
    if (source === undefined) return;
    const args = { model: name, version: failedVersion(model), source, taskId: newTaskId() };
    const { movedTo } = await client.call('repository/replaceModelFile', args);
    toastInfo(t('replace.done', { name, path: movedTo }));
    await loadModel(engine, name);
  } catch (thrown) {
    if (!isCancelled(thrown)) toastThrown(thrown);
  }
}

/** The version whose file the failure names; the newest where it names none. */
function failedVersion({ failure, versions }: ModelView): string {
  const named = /[\\/](\d+)[\\/][^\\/]+\.onnx/.exec(failure?.original ?? '')?.[1];
  const found = versions.find(({ version }) => version === named) ?? versions.at(-1);
  return found?.version ?? '';
}

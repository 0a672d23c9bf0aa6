// Files that a model's folder lacks, the model itself or its weights: the user shows where each is, copies go into the
// version's folder, and the model loads.

import { loadModel } from '../../actions/model-actions.ts';
import { isCancelled } from '../../engine/engine-client.ts';
import type { Engine } from '../../engine/engine-context.tsx';
import { t } from '../../texts/translate.ts';
import { toastInfo } from '../../ui/toast.tsx';
import { newTaskId } from './import-flow.ts';
import { locateFile } from './start-import.ts';
import { toastThrown } from '../../engine/toast-thrown.ts';

const MODEL_FILE = 'model.onnx';

/**
 * Asks for each file that the model's newest version lacks, copies it there, and loads the model. Ends without a change when
 * a question is cancelled; what fails is told.
 */
export async function locateData(engine: Engine, name: string): Promise<void> {
  const { client } = engine;
  try {
    const model = engine.state.models.getState().byName.get(name);
    const version = model?.versions.at(-1)?.version ?? '';
    const files = await client.call('repository/files', { model: name });
    const onnx = files.find(({ path }) => path.startsWith(`${version}/`) && path.endsWith('.onnx'));
    if (model === undefined) return;
    if (onnx === undefined) {
      const source = await locateFile(t('picker.locate', { name: MODEL_FILE }));
      if (source === undefined) return;
      const args = { model: name, version, name: MODEL_FILE, source, taskId: newTaskId() };
      await client.call('repository/addDataFile', args);
      await loadModel(engine, name);
      return;
    }
    const { externalData } = await client.call('config/inspectOnnx', { path: `${model.path}/${onnx.path}` });
    const missing = externalData.filter(({ isFound }) => !isFound);
    if (missing.length === 0) toastInfo(t('locate.nothing', { name }));
    for (const data of missing) {
      const source = await locateFile(t('picker.locate', { name: data.name }));
      if (source === undefined) return;
      const args = { model: name, version, name: data.name, source, taskId: newTaskId() };
      await client.call('repository/addDataFile', args);
    }
    await loadModel(engine, name);
  } catch (thrown) {
    if (!isCancelled(thrown)) toastThrown(thrown);
  }
}

// The batch probe of a model in a repository: the newest version's file at several batch sizes. Where only a first
// dimension of 1 is in the way, a version that declares it as dynamic is offered.

import type { BatchProbeResult } from '../../src-shared/contract/config-calls.ts';
import type { ModelView } from '../../src-shared/contract/model-view.ts';
import { isAbort } from '../engine/engine-client.ts';
import type { Engine } from '../engine/engine-context.tsx';
import { t } from '../texts/translate.ts';
import { ask } from '../ui/confirm.tsx';
import { toastInfo, toastSuccess, toastWarning } from '../ui/toast.tsx';
import { loadModel, reloadModel } from './model-actions.ts';
import { toastThrown } from '../engine/toast-thrown.ts';

/**
 * Probes the newest version and tells the verdict; where a dynamic first dimension would help, asks before it
 * adds one. Never rejects.
 */
export async function probeModel(engine: Engine, model: ModelView): Promise<void> {
  const { client } = engine;
  const version = model.versions.at(-1)?.version ?? '';
  try {
    const files = await client.call('repository/files', { model: model.name });
    const file = files.find(({ path }) => path.startsWith(`${version}/`) && path.endsWith('.onnx'));
    if (file === undefined) {
      toastInfo(t('probe.noFile', { name: model.name }));
      return;
    }
    const result = await client.call('config/batchProbe', { path: `${model.path}/${file.path}` });
    if (!result.canMakeDynamic) tell(result);
    else if (await isDynamicWanted(model.name, result)) await addDynamic(engine, model, version);
  } catch (thrown) {
    if (!isAbort(thrown)) toastThrown(thrown);
  }
}

function tell({ verdict, message }: BatchProbeResult): void {
  if (verdict === 'safe') toastSuccess(message);
  else if (verdict === 'unsafe') toastWarning(message);
  else toastInfo(t('probe.cannotRun', { message }));
}

async function isDynamicWanted(name: string, { message }: BatchProbeResult): Promise<boolean> {
  const answer = await ask({
    title: t('probe.title', { name }),
    text: t('probe.fixed', { message }),
    choices: [{ value: 'dynamic', label: t('probe.makeDynamic'), isPrimary: true }],
    testId: 'probe-dialog',
  });
  return answer === 'dynamic';
}

async function addDynamic(engine: Engine, { name, state }: ModelView, version: string): Promise<void> {
  const taskId = `dynamic-${name}-${version}`;
  const added = await engine.client.call('repository/addDynamicVersion', { model: name, version, taskId });
  if (added.version === undefined) {
    toastWarning(t('probe.notAdded', { name, message: added.probe.message }));
    return;
  }
  toastSuccess(t('probe.added', { name, version: added.version, message: added.probe.message }));
  if (state === 'ready') await reloadModel(engine, name);
  else await loadModel(engine, name);
}

// What follows when a model on a GPU was compared with the CPU: the window is told, and a model whose GPU answers wrongly
// is loaded again without it.

import type { OnnxruntimeBackend } from './backends/onnxruntime/onnxruntime-backend.ts';
import { trialText } from './backends/onnxruntime/gpu-trial/gpu-trials.ts';
import { getLogger } from './base/log.ts';
import type { GpuPolicy } from './options/engine-options.ts';
import type { ModelRepository } from './repository/model-repository.ts';

const log = getLogger('server');

/** With the policy "strict" a model stays where its configuration puts it, as in the reference. */
export function useGpuTrials(
  policy: GpuPolicy,
  backend: Pick<OnnxruntimeBackend, 'trials' | 'leaveOut'>,
  repository: Pick<ModelRepository, 'events' | 'load' | 'isFromFile'>,
): void {
  backend.trials.watch((name, trial) => {
    repository.events.publish('modelChanged', { id: { namespace: '', name } });
    const reason = trialText(trial);
    if (trial.verdict !== 'wrong' || reason === undefined || policy === 'strict') return;
    backend.leaveOut(name, trial.provider, reason);
    // What was given with a load call cannot be loaded again without the call.
    if (!repository.isFromFile(name)) return;
    repository.load(name, { isForced: true }).catch((thrown: unknown) => {
      log.error(`failed to load it again on the CPU: ${(thrown as Error).message}`, { model: name });
    });
  });
}

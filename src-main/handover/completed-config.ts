// A configuration as the server completed it, to be given to another one that is to do the same.

import { modelConfigToText } from '../../src-shared/config/config-encoder.ts';
import { validateModelConfig } from '../../src-shared/config/config-validator.ts';
import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type { HandoverPlan } from '../../src-shared/contract/handover-calls.ts';
import type { CheckedModel } from '../check/check-model.ts';

/** Folder of the export that holds them; laid over the repository it gives each model its file. */
export const COMPLETED_FOLDER = 'completed';

/**
 * Without the instance groups that were completed where a GPU is: they would keep the model on the CPU, and how many
 * there are is for the other server to say.
 */
function completedConfig(
  { config, written }: Pick<CheckedModel, 'config' | 'written'>,
  device: HandoverPlan['device'],
): ModelConfig {
  const isOpen = device === 'gpu' && written.instanceGroup.length === 0;
  return isOpen ? { ...config, instanceGroup: [] } : config;
}

/** The text, or undefined when a server that completes nothing would not know the tensors of the model. */
export function completedText(model: CheckedModel, device: HandoverPlan['device']): string | undefined {
  const { config } = model;
  if (config.input.length === 0 || config.output.length === 0) return undefined;
  const faults = validateModelConfig(config, {
    stage: 'all',
    isStrict: true,
    directoryName: model.name,
    availableVersions: model.versions,
  });
  if (faults.some(({ severity }) => severity === 'error')) return undefined;
  return modelConfigToText(completedConfig(model, device));
}

/** Another server might complete it otherwise: batches, scheduler, tensors, backend. */
export function isCompleted({ config, written }: Pick<CheckedModel, 'config' | 'written'>): boolean {
  if (config.ensembleScheduling !== undefined) return false;
  return (
    (written.backend === '' && written.platform === '') ||
    written.input.length !== config.input.length ||
    written.output.length !== config.output.length ||
    written.maxBatchSize !== config.maxBatchSize ||
    (written.dynamicBatching === undefined) !== (config.dynamicBatching === undefined)
  );
}

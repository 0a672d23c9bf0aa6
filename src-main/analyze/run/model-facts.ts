// What the served configuration of a model says of its instances and batches.

import { modelConfigToJson } from '../../../src-shared/config/config-json.ts';
import { isEnsemble, type ModelConfig } from '../../../src-shared/config/model-config.ts';
import type { ProfileSettings, ModelSettings } from '../options/profile-settings.ts';
import type { VariantRecord } from '../results/measurement.ts';
import type { SearchSpace } from '../search/search-space.ts';

type Facts = Omit<VariantRecord, 'name' | 'text' | 'measurements' | 'failure'>;

/** `gpuCount`: instances on GPUs without a list of them are made on each. */
export function variantFacts(config: ModelConfig, gpuCount: number): Facts {
  const counts = new Map<string, number>();
  for (const { kind, count, gpus } of config.instanceGroup) {
    const isGpu = kind === 'KIND_GPU';
    const devices = isGpu ? Math.max(1, gpus.length === 0 ? gpuCount : gpus.length) : 1;
    const name = isGpu ? 'GPU' : kind === 'KIND_MODEL' ? 'MODEL' : 'CPU';
    counts.set(name, (counts.get(name) ?? 0) + count * devices);
  }
  const parameters = Object.entries(config.parameters).map(([key, { stringValue }]) => [key, stringValue]);
  return {
    instanceGroup: [...counts].map(([name, count]) => `${count}:${name}`).join(' + '),
    instanceCount: [...counts.values()].reduce((total, count) => total + count, 0),
    maxBatchSize: config.maxBatchSize,
    hasDynamicBatching: config.dynamicBatching !== undefined,
    parameters: Object.fromEntries(parameters) as Readonly<Record<string, string>>,
  };
}

/** `served` is the configuration that the server loaded by default. */
export function searchSpace(
  model: ModelSettings,
  settings: ProfileSettings,
  { served, gpuCount }: { readonly served: ModelConfig; readonly gpuCount: number },
): SearchSpace {
  const { search } = settings;
  const isBare = search.isDisabled && model.loads === undefined;
  return {
    unit: model.unit,
    loads: model.unit === 'concurrency' ? search.concurrency : search.requestRate,
    givenLoads: isBare ? [1] : model.loads,
    batchSizes: model.batchSizes,
    instanceCounts: search.instanceCounts,
    maxBatchSizes: search.maxBatchSizes,
    isBounded: search.isBounded,
    exitsEarly: search.exitsEarly,
    usesFormula: search.usesFormula && model.unit === 'concurrency',
    instanceKind: model.isCpuOnly || gpuCount === 0 ? 'KIND_CPU' : 'KIND_GPU',
    model: {
      maxBatchSize: served.maxBatchSize,
      instanceCount: Math.max(1, variantFacts(served, gpuCount).instanceCount),
      takesDynamicBatching:
        served.maxBatchSize > 0 &&
        !isEnsemble(served) &&
        served.sequenceBatching === undefined &&
        served.dynamicBatching === undefined,
      dynamicBatching: served.dynamicBatching === undefined ? undefined : jsonOf(served)['dynamic_batching'],
    },
  };
}

type Json = Readonly<Record<string, unknown>>;

function jsonOf(config: ModelConfig): Readonly<Record<string, Json>> {
  return JSON.parse(modelConfigToJson(config)) as Readonly<Record<string, Json>>;
}

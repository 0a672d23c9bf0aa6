// ConfigRules over the configuration language of src-shared/config: the first error of a list of findings becomes the
// error of the operation, and carries the finding for those who want to show its place and remedy.

import { isDeepStrictEqual } from 'node:util';

import type { BackendDescription } from '../../src-shared/config/backend-description.ts';
import { completeAtLoad, completeAtPoll } from '../../src-shared/config/complete-model-config.ts';
import { mergeBackendCompletion } from '../../src-shared/config/config-auto-complete.ts';
import { emptyModelConfig } from '../../src-shared/config/config-defaults.ts';
import type { InstanceMachine } from '../../src-shared/config/config-normalize.ts';
import { normalizeInstanceGroups, normalizeModelConfig } from '../../src-shared/config/config-normalize.ts';
import { mergeOrigins } from '../../src-shared/config/config-origins.ts';
import { validateModelConfig } from '../../src-shared/config/config-validator.ts';
import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import { checkBatchInputTypes } from '../../src-shared/config/rules/batch-io-rules.ts';
import { checkEnsembleInterfaces } from '../../src-shared/config/rules/ensemble-interface-rules.ts';
import { checkInstanceGroups } from '../../src-shared/config/rules/instance-rules.ts';
import { usableGpus } from '../../src-shared/config/usable-gpus.ts';
import type { GpuDevice, ValidationContext } from '../../src-shared/config/validation-context.ts';
import { throwFirstError, warningTexts } from './config-reading.ts';
import type { ConfigRules, ExplainedConfig } from './config-rules.ts';
import { readConfig } from './config-thread.ts';

/** What the machine and the server's options offer to configurations. Read at each use: GPUs may be found later. */
export interface ConfigMachine {
  /** Usable GPUs, ascending by id. */
  readonly gpuInventory: readonly GpuDevice[];
  readonly minComputeCapability: number;
  readonly gpuPolicy: 'fallback' | 'strict';
  /** The backends of the server. Absent: each prefers one instance of KIND_AUTO and takes optional inputs. */
  readonly backends?: readonly BackendDescription[];
}

/** The rules of Triton's configuration language for this machine. Errors are INVALID_ARG in the reference's words. */
export function tritonConfigRules(machine: ConfigMachine): ConfigRules {
  const context = (): Pick<
    ValidationContext,
    'gpuInventory' | 'minComputeCapability' | 'gpuPolicy' | 'backends'
  > => ({
    backends: machine.backends,
    gpuInventory: machine.gpuInventory,
    minComputeCapability: machine.minComputeCapability,
    gpuPolicy: machine.gpuPolicy,
  });
  const instanceMachine = (): InstanceMachine => ({
    gpuInventory: machine.gpuInventory,
    backends: machine.backends,
  });
  return {
    empty: () => ({ config: emptyModelConfig(), origins: new Map() }),
    parseText: (content) => readConfig({ form: 'text', content }),
    parseJson: (content) => readConfig({ form: 'json', content }),
    completePolled: (read, modelName, firstFolder) => {
      const completed = completeAtPoll(read.config, {
        directoryName: modelName,
        entries: firstFolder.map(({ name, isFolder }) => ({ name, isDirectory: isFolder })),
        origins: read.origins,
      });
      throwFirstError(completed.issues);
      return completed;
    },
    checkPolled: (config, { isStrict }) =>
      throwFirstError(validateModelConfig(config, { ...context(), stage: 'poll', isStrict })),
    completeInstanceGroups: ({ config, origins }) => {
      const normalized = normalizeInstanceGroups(config, instanceMachine());
      throwFirstError(checkInstanceGroups(normalized.config, context()));
      return { config: normalized.config, origins: mergeOrigins(origins, normalized.origins) };
    },
    hasGpu: ({ backend }) => usableGpus(machine, backend).length > 0,
    checkReadable: (config) => throwFirstError(checkBatchInputTypes(config)),
    mergeCompletion,
    checkComplete: (config) => throwFirstError(validateModelConfig(config, { ...context(), stage: 'load' })),
    warnings: (config) => warningTexts(validateModelConfig(config, { ...context(), stage: 'all' })),
    needsRebuild: (before, now) => !isDeepStrictEqual(comparable(before), comparable(now)),
    completeEnsemble,
  };
}

function comparable(config: ModelConfig): ModelConfig {
  return { ...config, instanceGroup: [], versionPolicy: undefined };
}

function mergeCompletion(
  before: ExplainedConfig,
  completed: ModelConfig,
  reasons: ReadonlyMap<string, string>,
): ExplainedConfig {
  const merged = mergeBackendCompletion(before.config, completed);
  throwFirstError(merged.issues);
  const normalized = normalizeModelConfig(merged.config);
  const completion = new Map(
    [...reasons].map(([path, reason]) => [path, { kind: 'auto-complete' as const, reason }]),
  );
  return {
    config: normalized.config,
    origins: mergeOrigins(mergeOrigins(before.origins, completion), normalized.origins),
  };
}

function completeEnsemble(
  { config, origins }: ExplainedConfig,
  composing: ReadonlyMap<string, ModelConfig>,
): ExplainedConfig {
  const isAnyStepDecoupled = [...composing.values()].some(
    (model) => model.modelTransactionPolicy?.decoupled === true,
  );
  const completed = completeAtLoad(config, { isAnyStepDecoupled, origins });
  throwFirstError(completed.issues);
  const lookup = (name: string): { config: ModelConfig; readyVersions: readonly number[] } | undefined => {
    const found = composing.get(name);
    return found === undefined ? undefined : { config: found, readyVersions: [] };
  };
  throwFirstError(checkEnsembleInterfaces(completed.config, lookup));
  return completed;
}

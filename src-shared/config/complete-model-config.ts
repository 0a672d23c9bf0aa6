// From what is written to what the server uses, step by step as the reference does it: backend fields and defaults when
// the model is read, instance groups and the model file's own facts when a version is created.

import type { BackendDescription } from './backend-description.ts';
import { completeBackendFields, type DirectoryEntry } from './backend-completion.ts';
import { autoCompleteOnnx, type AutoCompletion } from './config-auto-complete.ts';
import type { ConfigIssue } from './config-issue.ts';
import { normalizeInstanceGroups, normalizeModelConfig } from './config-normalize.ts';
import { mergeOrigins, type ConfigOrigin, type ConfigOrigins } from './config-origins.ts';
import type { ModelConfig } from './model-config.ts';
import type { ModelDescription } from './model-description.ts';
import type { GpuDevice } from './validation-context.ts';

interface CompletedModelConfig {
  readonly config: ModelConfig;
  readonly origins: ConfigOrigins;
  readonly issues: readonly ConfigIssue[];
  readonly notes: AutoCompletion['notes'];
}

/** What is known when a folder is read, before a load. */
export interface PollFacts {
  readonly directoryName: string;
  /** Listing of the folder that folderToInspect names. */
  readonly entries?: readonly DirectoryEntry[];
  /** Origins known so far, such as those of the file. */
  readonly origins?: ConfigOrigins;
}

/** What is known when a model is loaded. */
export interface LoadFacts {
  readonly gpuInventory?: readonly GpuDevice[];
  readonly backends?: readonly BackendDescription[] | undefined;
  /** What the model file says; leave out in strict mode and for backends that do not complete from it. */
  readonly description?: ModelDescription | undefined;
  readonly defaultMaxBatchSize?: number;
  /** Ensembles: whether a composing model is decoupled. */
  readonly isAnyStepDecoupled?: boolean;
  readonly origins?: ConfigOrigins;
}

/** The steps taken when the repository reads the model; strict mode included. */
export function completeAtPoll(
  config: ModelConfig,
  { directoryName, entries = [], origins = new Map() }: PollFacts,
): CompletedModelConfig {
  const backend = completeBackendFields(config, { directoryName, entries });
  const normalized = normalizeModelConfig(backend.config);
  return {
    config: normalized.config,
    origins: mergeOrigins(mergeOrigins(origins, backend.origins), normalized.origins),
    issues: backend.issues,
    notes: [],
  };
}

/** The steps taken when a version is created, on the result of completeAtPoll. */
export function completeAtLoad(config: ModelConfig, facts: LoadFacts): CompletedModelConfig {
  const instances = normalizeInstanceGroups(config, {
    gpuInventory: facts.gpuInventory ?? [],
    backends: facts.backends,
  });
  const completed =
    facts.description === undefined || config.ensembleScheduling !== undefined
      ? { config: instances.config, origins: new Map<string, ConfigOrigin>(), issues: [], notes: [] }
      : autoCompleteOnnx(
          instances.config,
          facts.description,
          facts.defaultMaxBatchSize === undefined ? {} : { defaultMaxBatchSize: facts.defaultMaxBatchSize },
        );
  const normalized = normalizeModelConfig(completed.config);
  const origins = [instances.origins, completed.origins, normalized.origins].reduce<ConfigOrigins>(
    mergeOrigins,
    facts.origins ?? new Map<string, ConfigOrigin>(),
  );
  const result = { issues: completed.issues, notes: completed.notes };
  if (config.ensembleScheduling === undefined) return { ...result, config: normalized.config, origins };
  const decoupled = facts.isAnyStepDecoupled ?? false;
  const reason = decoupled ? 'a composing model is decoupled' : 'no composing model is decoupled';
  return {
    ...result,
    config: { ...normalized.config, modelTransactionPolicy: { decoupled } },
    origins: mergeOrigins(
      origins,
      new Map([['model_transaction_policy', { kind: 'auto-complete', reason }]]),
    ),
  };
}

/** Both stages in one go, for editors, checks and tests. Issues of the first stage end it. */
export function completeModelConfig(config: ModelConfig, facts: PollFacts & LoadFacts): CompletedModelConfig {
  const polled = completeAtPoll(config, facts);
  if (polled.issues.length > 0) return polled;
  return completeAtLoad(polled.config, { ...facts, origins: polled.origins });
}

// The complete configuration of a model that its backend may load: instance groups, what the backend reads from the
// model's files, and all checks of the result.

import type { Disposer } from '../base/disposer.ts';
import type { Backend, CompletionHandover } from '../inference/backend.ts';
import type { ModelFiles } from '../inference/model-files.ts';
import { defaultMaxBatchSize } from './backend-defaults.ts';
import type { ConfigRules, ExplainedConfig } from './config-rules.ts';
import { loadErrors } from './load-errors.ts';
import type { PolledModel } from './polled-model.ts';

/** `autoComplete`: whether backends may complete. `backendSettings`: those of the command line, by backend. */
export interface CompletionRules {
  readonly rules: ConfigRules;
  readonly autoComplete: boolean;
  /** By the name of the backend; those for all backends are among them. */
  readonly backendSettings: (backend: string) => ReadonlyMap<string, string>;
}

/** A configuration after the backend completed it, with what the load can use again. */
export interface CompletedConfig extends ExplainedConfig {
  /** For the load that follows. */
  readonly handover?: CompletionHandover | undefined;
}

/** What is completed, and what the completion has to leave clean. */
export interface Completion {
  readonly backend: Backend;
  readonly polled: PolledModel;
  readonly files: ModelFiles;
  readonly signal: AbortSignal;
  /** Gets what undoes what the backend made on the way. */
  readonly undo: Disposer;
}

/** Throws INVALID_ARG where file and configuration contradict, NOT_FOUND where there is none to complete. */
export async function completeConfig(
  options: CompletionRules,
  completion: Completion,
): Promise<CompletedConfig> {
  const completed = await complete(options, completion);
  options.rules.checkComplete(completed.config);
  return completed;
}

async function complete(
  { rules, autoComplete, backendSettings }: CompletionRules,
  { backend, polled, files, signal, undo }: Completion,
): Promise<CompletedConfig> {
  const settings = backendSettings(backend.description.name);
  const grouped = rules.completeInstanceGroups(polled);
  const asWritten = (): ExplainedConfig => {
    if (!polled.hasConfig) throw loadErrors.withoutConfig({ name: polled.id.name });
    return grouped;
  };
  rules.checkReadable(grouped.config);
  if (backend.autoComplete === undefined) return asWritten();
  if (!autoComplete) return grouped;
  const { config, origins, handover } = await backend.autoComplete(files, grouped.config, {
    defaultMaxBatchSize: defaultMaxBatchSize(settings),
    backendConfig: settings,
    signal,
  });
  if (handover !== undefined) undo.add(handover);
  const completed = config === undefined ? asWritten() : rules.mergeCompletion(grouped, config, origins);
  return { ...completed, handover };
}

// The complete configuration of a model that its backend may load: instance groups, what the backend reads from the
// model's files, and all checks of the result.

import type { Backend } from '../inference/backend.ts';
import type { ModelFiles } from '../inference/model-files.ts';
import { defaultMaxBatchSize } from './backend-defaults.ts';
import type { ConfigRules, ExplainedConfig } from './config-rules.ts';
import { loadErrors } from './load-errors.ts';
import type { PolledModel } from './polled-model.ts';

export interface CompletionRules {
  readonly rules: ConfigRules;
  readonly autoComplete: boolean;
  readonly backendSettings: (backend: string) => ReadonlyMap<string, string>;
}

/** Throws INVALID_ARG where file and configuration contradict, NOT_FOUND where there is none to complete. */
export async function completeConfig(
  options: CompletionRules,
  backend: Backend,
  polled: PolledModel,
  files: ModelFiles,
  signal: AbortSignal,
): Promise<ExplainedConfig> {
  const completed = await complete(options, backend, polled, files, signal);
  options.rules.checkComplete(completed.config);
  return completed;
}

async function complete(
  { rules, autoComplete, backendSettings }: CompletionRules,
  backend: Backend,
  polled: PolledModel,
  files: ModelFiles,
  signal: AbortSignal,
): Promise<ExplainedConfig> {
  const settings = backendSettings(backend.description.name);
  const grouped = rules.completeInstanceGroups(polled);
  rules.checkReadable(grouped.config);
  if (!autoComplete || backend.autoComplete === undefined) {
    if (!polled.hasConfig && backend.autoComplete === undefined) {
      throw loadErrors.withoutConfig({ name: polled.id.name });
    }
    return grouped;
  }
  const completion = await backend.autoComplete(files, grouped.config, {
    defaultMaxBatchSize: defaultMaxBatchSize(settings),
    backendConfig: settings,
    signal,
  });
  return rules.mergeCompletion(grouped, completion.config, completion.origins);
}

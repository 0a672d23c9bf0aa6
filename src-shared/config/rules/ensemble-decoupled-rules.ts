// Responses of different decoupled models come at different times and cannot be joined: the inputs of a step, and the
// outputs of the ensemble, must all stem from the same decoupled step or from none.

import { configIssue, type ConfigIssue } from '../config-issue.ts';
import type { EnsembleStep, ModelConfig } from '../model-config.ts';

type ConfigOf = (modelName: string) => ModelConfig | undefined;

const isDecoupled = (config: ModelConfig | undefined): boolean =>
  config?.modelTransactionPolicy?.decoupled === true;

/** Whether the ensemble counts as decoupled: at least one step is. */
export function isEnsembleDecoupled(config: ModelConfig, configOf: ConfigOf): boolean {
  return (config.ensembleScheduling?.step ?? []).some((step) => isDecoupled(configOf(step.modelName)));
}

export function checkDecoupledOrigins(config: ModelConfig, configOf: ConfigOf): ConfigIssue[] {
  const labels = new Map<string, number>(config.input.map((input) => [input.name, 0]));
  const issues: ConfigIssue[] = [];
  let nextLabel = 1;
  let waiting = [...(config.ensembleScheduling?.step ?? []).entries()];
  for (;;) {
    const ready = waiting.filter(([, step]) =>
      Object.values(step.inputMap).every((tensor) => labels.has(tensor)),
    );
    if (ready.length === 0) break;
    waiting = waiting.filter((entry) => !ready.includes(entry));
    for (const [index, step] of ready) {
      const sources = inputLabels(step, labels);
      if (sources.size > 1) issues.push(mixedStep(config.name, step, index));
      const inherited = Math.max(0, ...sources);
      const label = isDecoupled(configOf(step.modelName)) ? nextLabel++ : inherited;
      for (const tensor of Object.values(step.outputMap)) labels.set(tensor, label);
    }
  }
  const outputs = new Set(config.output.flatMap((output) => labels.get(output.name) ?? []));
  if (outputs.size > 1 && issues.length === 0) {
    const message = `in ensemble ${config.name}, outputs of the ensemble originated from different decoupled models`;
    issues.push(configIssue('D50', message, { path: 'output', hint: 'Their responses cannot be paired.' }));
  }
  return issues;
}

function inputLabels(step: EnsembleStep, labels: ReadonlyMap<string, number>): Set<number> {
  return new Set(Object.values(step.inputMap).flatMap((tensor) => labels.get(tensor) ?? []));
}

function mixedStep(ensemble: string, step: EnsembleStep, index: number): ConfigIssue {
  const message = `in ensemble ${ensemble}, step of model '${step.modelName}' receives inputs originated from different decoupled models`;
  const hint = 'Feed the step from one decoupled model only.';
  return configIssue('D50', message, { path: `ensemble_scheduling.step[${index}]`, hint });
}

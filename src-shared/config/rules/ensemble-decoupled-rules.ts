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

/**
 * Findings about steps whose inputs come from different decoupled models; `configOf` gives those of the
 * steps.
 */
export function checkDecoupledOrigins(config: ModelConfig, configOf: ConfigOf): ConfigIssue[] {
  const steps = config.ensembleScheduling?.step ?? [];
  const labels = new Map<string, number>(config.input.map((input) => [input.name, 0]));
  const issues: ConfigIssue[] = [];
  let nextLabel = 1;
  const ready = new StepQueue(steps, labels.keys());
  for (let round = ready.next(); round.length > 0; round = ready.next()) {
    for (const index of round) {
      const step = steps[index];
      if (step === undefined) continue;
      const sources = inputLabels(step, labels);
      if (sources.size > 1) issues.push(mixedStep(config.name, step, index));
      const inherited = [...sources].reduce((a, b) => Math.max(a, b), 0);
      const label = isDecoupled(configOf(step.modelName)) ? nextLabel++ : inherited;
      for (const tensor of Object.values(step.outputMap)) {
        labels.set(tensor, label);
        ready.arrived(tensor);
      }
    }
  }
  const outputs = new Set(config.output.flatMap((output) => labels.get(output.name) ?? []));
  if (outputs.size > 1 && issues.length === 0) {
    const message = `in ensemble ${config.name}, outputs of the ensemble originated from different decoupled models`;
    issues.push(configIssue('D50', message, { path: 'output', hint: 'Their responses cannot be paired.' }));
  }
  return issues;
}

/** Steps in rounds: those whose inputs are all there, then those that these make possible, and so on. */
class StepQueue {
  readonly #readers = new Map<string, number[]>();
  readonly #missing: number[];
  readonly #arrived = new Set<string>();
  #round: number[] = [];

  constructor(steps: readonly EnsembleStep[], tensors: Iterable<string>) {
    this.#missing = steps.map((step, index) => {
      const inputs = new Set(Object.values(step.inputMap));
      for (const tensor of inputs) {
        const readers = this.#readers.get(tensor);
        if (readers === undefined) this.#readers.set(tensor, [index]);
        else readers.push(index);
      }
      if (inputs.size === 0) this.#round.push(index);
      return inputs.size;
    });
    for (const tensor of tensors) this.arrived(tensor);
  }

  /** `tensor` has a value from the next round on. */
  arrived(tensor: string): void {
    if (this.#arrived.has(tensor)) return;
    this.#arrived.add(tensor);
    for (const step of this.#readers.get(tensor) ?? []) {
      const left = (this.#missing[step] ?? 0) - 1;
      this.#missing[step] = left;
      if (left === 0) this.#round.push(step);
    }
  }

  /** Indices of the steps of the next round, ascending; none when no further step can run. */
  next(): readonly number[] {
    const round = this.#round.toSorted((a, b) => a - b);
    this.#round = [];
    return round;
  }
}

function inputLabels(step: EnsembleStep, labels: ReadonlyMap<string, number>): Set<number> {
  return new Set(Object.values(step.inputMap).flatMap((tensor) => labels.get(tensor) ?? []));
}

function mixedStep(ensemble: string, step: EnsembleStep, index: number): ConfigIssue {
  const message = `in ensemble ${ensemble}, step of model '${step.modelName}' receives inputs originated from different decoupled models`;
  const hint = 'Feed the step from one decoupled model only.';
  return configIssue('D50', message, { path: `ensemble_scheduling.step[${index}]`, hint });
}

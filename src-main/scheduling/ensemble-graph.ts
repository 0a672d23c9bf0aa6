// The data flow of an ensemble: which steps a request needs, and which become ready as tensors arrive. Pure; starting
// steps and sending responses belong to the ensemble scheduler.
// Invariant: every (step, iteration) is handed out exactly once, when the last tensor it reads is there; a value is
// kept only while somebody still has to read it. (docs/reference/ensembles.md#execution)

import type { ModelEnsembling } from '../../src-shared/config/model-config.ts';

/** A composing model's tensor and the ensemble tensor it is mapped to. */
export interface TensorMapping {
  readonly modelTensor: string;
  readonly ensembleTensor: string;
}

export interface GraphStep {
  /** Position in the configuration. */
  readonly index: number;
  readonly modelName: string;
  /** -1 = newest ready version. */
  readonly modelVersion: number;
  readonly inputs: readonly TensorMapping[];
  readonly outputs: readonly TensorMapping[];
}

/** What one set of requested outputs needs. */
export interface EnsemblePlan {
  readonly steps: readonly GraphStep[];
  readonly requestedOutputs: readonly string[];
  /** Needed steps that read an ensemble tensor. */
  readonly readersOf: ReadonlyMap<string, readonly GraphStep[]>;
}

export class EnsembleGraph {
  readonly steps: readonly GraphStep[];
  readonly #producerOf = new Map<string, GraphStep>();
  readonly #plans = new Map<string, EnsemblePlan>();

  constructor(ensembling: ModelEnsembling) {
    this.steps = ensembling.step.map((step, index) => ({
      index,
      modelName: step.modelName,
      modelVersion: step.modelVersion,
      inputs: mappings(step.inputMap),
      outputs: mappings(step.outputMap),
    }));
    for (const step of this.steps) {
      for (const { ensembleTensor } of step.outputs) this.#producerOf.set(ensembleTensor, step);
    }
  }

  /** The steps that lead to these ensemble outputs; branches that feed only other outputs are left out. */
  plan(requestedOutputs: readonly string[]): EnsemblePlan {
    const key = JSON.stringify(requestedOutputs);
    const known = this.#plans.get(key);
    if (known !== undefined) return known;
    const plan = this.#makePlan(requestedOutputs);
    this.#plans.set(key, plan);
    return plan;
  }

  #makePlan(requestedOutputs: readonly string[]): EnsemblePlan {
    const needed = new Set<GraphStep>();
    const wanted = [...requestedOutputs];
    for (let tensor = wanted.pop(); tensor !== undefined; tensor = wanted.pop()) {
      const step = this.#producerOf.get(tensor);
      if (step === undefined || needed.has(step)) continue;
      needed.add(step);
      wanted.push(...step.inputs.map(({ ensembleTensor }) => ensembleTensor));
    }
    const steps = this.steps.filter((step) => needed.has(step));
    const readersOf = new Map<string, GraphStep[]>();
    for (const step of steps) {
      for (const tensor of new Set(step.inputs.map(({ ensembleTensor }) => ensembleTensor))) {
        const readers = readersOf.get(tensor);
        if (readers === undefined) readersOf.set(tensor, [step]);
        else readers.push(step);
      }
    }
    return { steps, requestedOutputs, readersOf };
  }
}

/** One execution of a step. A value of undefined stands for a tensor that was left out. */
export interface ReadyStep<V> {
  readonly step: GraphStep;
  readonly iteration: number;
  readonly inputs: readonly { readonly modelTensor: string; readonly value: V | undefined }[];
}

export interface EnsembleProgress<V> {
  readonly ready: readonly ReadyStep<V>[];
  /** Present when this arrival completed the requested outputs of its iteration. */
  readonly outputs: readonly { readonly ensembleTensor: string; readonly value: V | undefined }[] | undefined;
}

interface Cell<V> {
  readonly value: V | undefined;
  remainingReaders: number;
}

/** The ensemble tensors of one request. */
export class EnsembleTensors<V> {
  readonly #plan: EnsemblePlan;
  readonly #outputs: ReadonlySet<string>;
  /** Tensor -> iteration -> value. */
  readonly #cells = new Map<string, Map<number, Cell<V>>>();

  constructor(plan: EnsemblePlan) {
    this.#plan = plan;
    this.#outputs = new Set(plan.requestedOutputs);
  }

  /** Values held for readers that have not come yet. */
  get heldCount(): number {
    let count = 0;
    for (const cells of this.#cells.values()) count += cells.size;
    return count;
  }

  /**
   * Puts the tensors of one iteration that arrived together; undefined = left out (it makes readers ready but is not
   * given to them). A tensor arrives once per iteration.
   */
  put(
    iteration: number,
    arrived: readonly (readonly [tensor: string, value: V | undefined])[],
  ): EnsembleProgress<V> {
    const candidates = new Set<GraphStep>();
    let touchesOutput = false;
    for (const [tensor, value] of arrived) {
      const readers = this.#plan.readersOf.get(tensor) ?? [];
      const isOutput = this.#outputs.has(tensor);
      const remainingReaders = readers.length + (isOutput ? 1 : 0);
      if (remainingReaders === 0) continue;
      let cells = this.#cells.get(tensor);
      if (cells === undefined) this.#cells.set(tensor, (cells = new Map()));
      cells.set(iteration, { value, remainingReaders });
      touchesOutput ||= isOutput;
      for (const reader of readers) candidates.add(reader);
    }
    const ready: ReadyStep<V>[] = [];
    for (const step of candidates) {
      const inputs = this.#take(
        step.inputs.map(({ ensembleTensor }) => ensembleTensor),
        iteration,
      );
      if (inputs === undefined) continue;
      ready.push({
        step,
        iteration,
        inputs: step.inputs.map(({ modelTensor, ensembleTensor }) => ({
          modelTensor,
          value: inputs.get(ensembleTensor),
        })),
      });
    }
    const outputs = touchesOutput ? this.#take(this.#plan.requestedOutputs, iteration) : undefined;
    return {
      ready,
      outputs: outputs && [...outputs].map(([ensembleTensor, value]) => ({ ensembleTensor, value })),
    };
  }

  /** The values of these tensors, each counted as read once, or undefined while one is missing. */
  #take(tensors: readonly string[], iteration: number): Map<string, V | undefined> | undefined {
    const values = new Map<string, V | undefined>();
    for (const tensor of tensors) {
      const cell = this.#cells.get(tensor)?.get(iteration);
      if (cell === undefined) return undefined;
      values.set(tensor, cell.value);
    }
    for (const tensor of values.keys()) {
      const cells = this.#cells.get(tensor);
      const cell = cells?.get(iteration);
      if (cells === undefined || cell === undefined) continue;
      cell.remainingReaders -= 1;
      if (cell.remainingReaders === 0) cells.delete(iteration);
    }
    return values;
  }
}

function mappings(map: Readonly<Record<string, string>>): TensorMapping[] {
  return Object.entries(map).map(([modelTensor, ensembleTensor]) => ({ modelTensor, ensembleTensor }));
}

// The data flow of an ensemble: which steps a request needs, and which become ready as tensors arrive. Pure; starting
// steps and sending responses belong to the ensemble scheduler.
// Invariant: every (step, iteration) is handed out exactly once, when the last tensor it reads is there; a value is
// kept only while somebody still has to read it. (docs/reference/ensembles.md#execution)

import type { ModelEnsembling } from '../../src-shared/config/model-config.ts';
import { hashTableOrder } from '../../src-shared/hash-table-order.ts';

/** A composing model's tensor and the ensemble tensor it is mapped to. */
export interface TensorMapping {
  readonly modelTensor: string;
  readonly ensembleTensor: string;
}

/** One step of `ensemble_scheduling`, with the names that tensors have on either side of it. */
export interface GraphStep {
  /** Position in the configuration. */
  readonly index: number;
  readonly modelName: string;
  /** -1 = newest ready version. */
  readonly modelVersion: number;
  readonly inputs: readonly TensorMapping[];
  readonly outputs: readonly TensorMapping[];
  /** The composing model's names of `outputs`. */
  readonly outputNames: readonly string[];
}

/** A tensor that somebody reads. */
interface PlannedTensor {
  /** Its place among the tensors of the plan. */
  readonly index: number;
  /** Needed steps that read it. */
  readonly readers: readonly GraphStep[];
  readonly isOutput: boolean;
}

/** What a step reads: the place of each input's tensor, and each place once. */
interface PlannedReads {
  readonly inputs: readonly { readonly modelTensor: string; readonly index: number }[];
  readonly indices: readonly number[];
}

/** What one set of requested outputs needs, worked out once. */
export interface EnsemblePlan {
  readonly steps: readonly GraphStep[];
  readonly requestedOutputs: readonly string[];
  /** The same, in the order in which an answer lists them. */
  readonly answeredOutputs: readonly string[];
  readonly tensors: ReadonlyMap<string, PlannedTensor>;
  /** By step index. */
  readonly reads: readonly (PlannedReads | undefined)[];
  readonly outputIndices: readonly number[];
  /** By step index: how many tensors the step waits for. */
  readonly missing: readonly number[];
}

/** Made once per model; a plan for a set of wanted outputs is made once, too. */
export class EnsembleGraph {
  readonly steps: readonly GraphStep[];
  readonly #producerOf = new Map<string, GraphStep>();
  readonly #plans = new Map<string, EnsemblePlan>();
  /** All outputs, in the order in which an answer lists them. */
  readonly #outputOrder: readonly string[];
  #latest: EnsemblePlan | undefined;

  /** `outputNames`: those of the ensemble, in the order of its configuration. */
  constructor(ensembling: ModelEnsembling, outputNames: readonly string[]) {
    this.#outputOrder = hashTableOrder(outputNames);
    this.steps = ensembling.step.map((step, index) => {
      const outputs = mappings(step.outputMap);
      return {
        index,
        modelName: step.modelName,
        modelVersion: step.modelVersion,
        inputs: mappings(step.inputMap),
        outputs,
        outputNames: outputs.map(({ modelTensor }) => modelTensor),
      };
    });
    for (const step of this.steps) {
      for (const { ensembleTensor } of step.outputs) this.#producerOf.set(ensembleTensor, step);
    }
  }

  /** The steps that lead to these ensemble outputs; branches that feed only other outputs are left out. */
  plan(requestedOutputs: readonly string[]): EnsemblePlan {
    // Requests that name no output all come with one and the same list.
    if (this.#latest?.requestedOutputs === requestedOutputs) return this.#latest;
    const key = JSON.stringify(requestedOutputs);
    const plan = this.#plans.get(key) ?? this.#makePlan(requestedOutputs);
    this.#plans.set(key, plan);
    this.#latest = plan;
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
    const requested = new Set(requestedOutputs);
    const answeredOutputs = this.#outputOrder.filter((name) => requested.has(name));
    return { steps, requestedOutputs, answeredOutputs, ...planTensors(steps, answeredOutputs) };
  }
}

function planTensors(
  steps: readonly GraphStep[],
  answeredOutputs: readonly string[],
): Pick<EnsemblePlan, 'tensors' | 'reads' | 'outputIndices' | 'missing'> {
  const tensors = new Map<string, PlannedTensor & { readonly readers: GraphStep[] }>();
  const outputs = new Set(answeredOutputs);
  const tensor = (name: string): PlannedTensor & { readonly readers: GraphStep[] } => {
    const known = tensors.get(name);
    if (known !== undefined) return known;
    const added = { index: tensors.size, readers: [], isOutput: outputs.has(name) };
    tensors.set(name, added);
    return added;
  };
  const outputIndices = answeredOutputs.map((name) => tensor(name).index);
  const reads: PlannedReads[] = [];
  for (const step of steps) {
    const inputs = step.inputs.map(({ modelTensor, ensembleTensor }) => {
      const { index, readers } = tensor(ensembleTensor);
      if (!readers.includes(step)) readers.push(step);
      return { modelTensor, index };
    });
    reads[step.index] = { inputs, indices: [...new Set(inputs.map(({ index }) => index))] };
  }
  const missing = Array.from(reads, (read) => read?.indices.length ?? 0);
  return { tensors, reads, outputIndices, missing };
}

/** One execution of a step. A value of undefined stands for a tensor that was left out. */
export interface ReadyStep<V> {
  readonly step: GraphStep;
  /** From 0; each further answer of a decoupled step begins another one. */
  readonly iteration: number;
  readonly inputs: readonly { readonly modelTensor: string; readonly value: V | undefined }[];
}

/** What the arrival of a tensor sets going. */
export interface EnsembleProgress<V> {
  readonly ready: readonly ReadyStep<V>[];
  /** Present when this arrival completed the requested outputs of its iteration. */
  readonly outputs: readonly { readonly ensembleTensor: string; readonly value: V | undefined }[] | undefined;
}

// Never changed: most arrivals start no step, or one.
const NO_STEPS: GraphStep[] = [];
const NOTHING_READY: never[] = [];

/** The tensors of one iteration. */
interface Cells<V> {
  /** By place in the plan; undefined once everybody has read it. */
  readonly values: (V | undefined)[];
  /** By place in the plan: how many still have to read it. */
  readonly unread: number[];
  /** By step index: tensors that the step waits for. */
  readonly missing: number[];
  missingOutputs: number;
  heldCount: number;
}

/** The ensemble tensors of one request. */
export class EnsembleTensors<V> {
  readonly #plan: EnsemblePlan;
  readonly #first: Cells<V>;
  /** Iterations behind decoupled steps. */
  #later: Map<number, Cells<V>> | undefined;

  constructor(plan: EnsemblePlan) {
    this.#plan = plan;
    this.#first = emptyCells(plan);
  }

  /** Values held for readers that have not come yet. */
  get heldCount(): number {
    let count = this.#first.heldCount;
    for (const cells of this.#later?.values() ?? []) count += cells.heldCount;
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
    const { tensors, reads, answeredOutputs, outputIndices } = this.#plan;
    const cells = this.#cells(iteration);
    let candidates: GraphStep[] = NO_STEPS;
    let touchesOutput = false;
    for (const entry of arrived) {
      const value = entry[1];
      const tensor = tensors.get(entry[0]);
      if (tensor === undefined) continue;
      cells.values[tensor.index] = value;
      cells.unread[tensor.index] = tensor.readers.length + (tensor.isOutput ? 1 : 0);
      cells.heldCount += 1;
      if (tensor.isOutput) {
        touchesOutput = true;
        cells.missingOutputs -= 1;
      }
      for (const reader of tensor.readers) {
        cells.missing[reader.index] = (cells.missing[reader.index] ?? 0) - 1;
        if (candidates.length === 0) candidates = [reader];
        else if (!candidates.includes(reader)) candidates.push(reader);
      }
    }
    let ready: ReadyStep<V>[] = NOTHING_READY;
    for (const step of candidates) {
      const stepReads = reads[step.index];
      if (stepReads === undefined || cells.missing[step.index] !== 0) continue;
      const inputs = stepReads.inputs.map(({ modelTensor, index }) => ({
        modelTensor,
        value: cells.values[index],
      }));
      const started = { step, iteration, inputs };
      if (ready.length === 0) ready = [started];
      else ready.push(started);
      for (const index of stepReads.indices) countRead(cells, index);
    }
    let outputs: EnsembleProgress<V>['outputs'];
    if (touchesOutput && cells.missingOutputs === 0) {
      outputs = answeredOutputs.map((ensembleTensor, at) => ({
        ensembleTensor,
        value: cells.values[outputIndices[at] ?? 0],
      }));
      for (const index of outputIndices) countRead(cells, index);
    }
    if (iteration > 0 && cells.heldCount === 0) this.#later?.delete(iteration);
    return { ready, outputs };
  }

  #cells(iteration: number): Cells<V> {
    if (iteration === 0) return this.#first;
    const later = (this.#later ??= new Map());
    let cells = later.get(iteration);
    if (cells === undefined) later.set(iteration, (cells = emptyCells(this.#plan)));
    return cells;
  }
}

function emptyCells<V>(plan: EnsemblePlan): Cells<V> {
  const { size } = plan.tensors;
  return {
    values: new Array<V | undefined>(size).fill(undefined),
    unread: new Array<number>(size).fill(0),
    missing: plan.missing.slice(),
    missingOutputs: plan.outputIndices.length,
    heldCount: 0,
  };
}

function countRead<V>(cells: Cells<V>, index: number): void {
  const unread = (cells.unread[index] ?? 0) - 1;
  cells.unread[index] = unread;
  if (unread > 0) return;
  cells.values[index] = undefined;
  cells.heldCount -= 1;
}

function mappings(map: Readonly<Record<string, string>>): TensorMapping[] {
  return Object.entries(map).map(([modelTensor, ensembleTensor]) => ({ modelTensor, ensembleTensor }));
}

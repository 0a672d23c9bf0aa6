// The data flow of an ensemble: which steps write and read each tensor, which tensors can be computed, and why one
// cannot. Edges go through the steps, so that size and time are linear in what is written, however wide a step is.

import type { EnsembleStep } from '../model-config.ts';

/** A tensor of an ensemble, with who writes and who reads it. */
export interface TensorNode {
  /** First place that names the tensor. */
  readonly path: string;
  /** The step output that writes it; undefined when none does. */
  writer?: { readonly step: number; readonly output: string };
  /** All steps that write it, and all that read it, in order. */
  readonly writers: number[];
  readonly readers: number[];
}

/**
 * Steps are numbers, counted from 0 in the order of the file; an ensemble tensor is its name. Steps may form
 * circles and write one tensor twice: the graph holds what is written, the rules say what is wrong with it.
 */
export class EnsembleGraph {
  readonly tensors: ReadonlyMap<string, TensorNode>;
  readonly #inputs: readonly (readonly string[])[];
  readonly #outputs: readonly (readonly string[])[];
  /** Per step: its first input that a walk may still have to look at. */
  readonly #cursors = new Map<number, number>();

  /** `path`: that of the list of steps. */
  constructor(steps: readonly EnsembleStep[], path: string) {
    this.#inputs = steps.map((step) => [...new Set(Object.values(step.inputMap))]);
    this.#outputs = steps.map((step) => [...new Set(Object.values(step.outputMap))]);
    const tensors = new Map<string, TensorNode>();
    const node = (tensor: string, place: string): TensorNode => {
      const known = tensors.get(tensor) ?? { path: place, writers: [], readers: [] };
      tensors.set(tensor, known);
      return known;
    };
    for (const [index, step] of steps.entries()) {
      for (const [input, tensor] of Object.entries(step.inputMap)) {
        add(node(tensor, `${path}[${index}].input_map[${JSON.stringify(input)}]`).readers, index);
      }
      for (const [output, tensor] of Object.entries(step.outputMap)) {
        const written = node(tensor, `${path}[${index}].output_map[${JSON.stringify(output)}]`);
        written.writer ??= { step: index, output };
        add(written.writers, index);
      }
    }
    this.tensors = tensors;
  }

  /**
   * The tensors of each step, what it writes before what it reads: the order in which the reference puts them into the hash table
   * that it tells the first unused one of. Within one map its order is any (asked 573 times, it changed its answer 187 times,
   * and was never against this order).
   */
  *namedTensors(): Generator<string> {
    for (const [step, outputs] of this.#outputs.entries()) {
      yield* outputs;
      yield* this.#inputs[step] ?? [];
    }
  }

  /** Tensors that can be computed: ensemble inputs, and whatever only steps write that get all of their inputs. */
  ready(inputs: readonly string[]): Set<string> {
    const ready = new Set(inputs.filter((name) => this.tensors.has(name)));
    const missing = this.#inputs.map((tensors) => tensors.length);
    const unwritten = new Map<string, number>();
    const waiting = [...ready];
    const makeReady = (tensor: string): void => {
      if (ready.has(tensor)) return;
      ready.add(tensor);
      waiting.push(tensor);
    };
    for (let next = 0; next < waiting.length; next += 1) {
      for (const step of this.tensors.get(waiting[next] ?? '')?.readers ?? []) {
        missing[step] = (missing[step] ?? 0) - 1;
        if (missing[step] !== 0) continue;
        for (const output of this.#outputs[step] ?? []) {
          const left = (unwritten.get(output) ?? this.#writersOf(output).length) - 1;
          unwritten.set(output, left);
          if (left === 0) makeReady(output);
        }
      }
    }
    return ready;
  }

  /** Whether a step that reads `tensor` writes anything. */
  isUsed(tensor: string): boolean {
    const readers = this.tensors.get(tensor)?.readers ?? [];
    return readers.some((step) => (this.#outputs[step]?.length ?? 0) > 0);
  }

  /** The tensor farthest back on a way from `output` over tensors that are not `ready`; `output` itself when none is. */
  sourceOf(output: string, ready: ReadonlySet<string>): string {
    this.#cursors.clear();
    const visited = new Set([output]);
    let source = output;
    for (;;) {
      const previous = this.#nextBefore(source, ready, visited);
      if (previous === undefined) return source;
      source = previous;
      visited.add(previous);
    }
  }

  /** Whether `tensor` is needed to compute itself. */
  leadsToItself(tensor: string): boolean {
    const seen = new Set<number>();
    const waiting = [...(this.tensors.get(tensor)?.readers ?? [])];
    for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
      if (seen.has(step)) continue;
      seen.add(step);
      for (const output of this.#outputs[step] ?? []) {
        if (output === tensor) return true;
        for (const reader of this.tensors.get(output)?.readers ?? []) waiting.push(reader);
      }
    }
    return false;
  }

  #writersOf(tensor: string): readonly number[] {
    return this.tensors.get(tensor)?.writers ?? [];
  }

  #nextBefore(tensor: string, ready: ReadonlySet<string>, visited: ReadonlySet<string>): string | undefined {
    for (const step of this.#writersOf(tensor)) {
      const inputs = this.#inputs[step] ?? [];
      let at = this.#cursors.get(step) ?? 0;
      while (at < inputs.length && (ready.has(inputs[at] ?? '') || visited.has(inputs[at] ?? ''))) at += 1;
      this.#cursors.set(step, at);
      if (at < inputs.length) return inputs[at];
    }
    return undefined;
  }
}

/** Steps come in order, so a repetition is the last one. */
function add(steps: number[], step: number): void {
  if (steps.at(-1) !== step) steps.push(step);
}

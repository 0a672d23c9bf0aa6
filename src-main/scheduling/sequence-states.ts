// Implicit state of the sequences in one slot: what the next request of the slot gets as state inputs, and what the
// backend stored for it. A START begins from the initial value, so nothing passes from one sequence to the next.
// State never leaves the instance that owns the slot. (docs/reference/sequences.md#state)

import { InferInput, SEQUENCE_START, type InferenceRequest } from '../inference/inference-request.ts';
import type { OutputTensor } from '../inference/inference-response.ts';
import { bytesOf, copied } from '../inference/tensor-bytes.ts';
import type { StateSpec } from './sequence-initial-states.ts';
import { stateErrors } from './state-errors.ts';
import { elementByteSize } from '../../src-shared/datatypes.ts';

interface StateValue {
  readonly spec: StateSpec;
  /** Without batch dimension. */
  shape: readonly number[];
  bytes: Uint8Array;
}

/**
 * One for each slot. A state that the backend did not store keeps its last value; shapes may change from request
 * to request where the configuration leaves them open.
 */
export class SequenceStates {
  readonly #specs: readonly StateSpec[];
  readonly #batches: boolean;
  readonly #modelName: string;
  readonly #outputNames: readonly string[];
  readonly #isKept: boolean;
  #values: StateValue[] = [];

  constructor(options: {
    readonly specs: readonly StateSpec[];
    /** Outputs of the model renew them; else each request finds the first value. */
    readonly isKept: boolean;
    readonly batches: boolean;
    readonly modelName: string;
  }) {
    this.#specs = options.specs;
    this.#batches = options.batches;
    this.#modelName = options.modelName;
    this.#isKept = options.isKept;
    this.#outputNames = options.isKept ? options.specs.map((spec) => spec.outputName) : [];
  }

  /**
   * Adds the current state as inputs of a request about to execute and takes its updates. Call once the previous
   * request of the slot was released.
   */
  bind(request: InferenceRequest): void {
    if ((request.flags & SEQUENCE_START) !== 0 || this.#values.length === 0) {
      this.#values = this.#specs.map(initialValue);
    }
    // The values of this run: an update that arrives after a later START must not reach the new sequence.
    const values = this.#values;
    for (const { spec, shape, bytes } of values) {
      request.overrideInputs.push(this.#input(spec, shape, bytes));
    }
    request.stateOutputs = this.#outputNames;
    request.onStateOutput = this.#isKept ? (output) => this.#update(values, output) : () => undefined;
  }

  /** State inputs of a filler row: zeros in the shapes of the representative's state; updates are dropped. */
  bindNull(request: InferenceRequest, representative: InferenceRequest): void {
    for (const spec of this.#specs) {
      const like = representative.overrideInputs.find((input) => input.name === spec.inputName);
      if (like === undefined) continue;
      const byteSize =
        spec.datatype === 'BYTES'
          ? 4 * like.shape.reduce((product, dim) => product * dim, 1)
          : like.bytes.byteSize;
      request.overrideInputs.push(this.#input(spec, like.shape, new Uint8Array(byteSize)));
    }
    request.stateOutputs = this.#outputNames;
    request.onStateOutput = () => undefined;
  }

  #input(spec: StateSpec, shape: readonly number[], bytes: Uint8Array): InferInput {
    const full = this.#batches ? [1, ...shape] : shape;
    const input = new InferInput(spec.inputName, spec.datatype, full, bytesOf(fitting(bytes, spec, shape)));
    input.shape = shape;
    return input;
  }

  #update(values: readonly StateValue[], output: OutputTensor): void {
    if (this.#specs.length === 0) {
      throw stateErrors.notConfigured({ output: output.name, model: this.#modelName });
    }
    const value = values.find(({ spec }) => spec.outputName === output.name);
    if (value === undefined) throw stateErrors.unknownOutput({ output: output.name });
    if (value.spec.usesSameBuffer) {
      if (value.bytes.byteLength !== output.bytes.byteLength) value.bytes = ownedBytes(output.bytes);
      else if (value.bytes !== output.bytes) value.bytes.set(output.bytes);
      return;
    }
    value.shape = this.#batches ? output.shape.slice(1) : output.shape;
    value.bytes = ownedBytes(output.bytes);
  }
}

function initialValue(spec: StateSpec): StateValue {
  return { spec, shape: spec.initialShape, bytes: copied(spec.initialBytes) };
}

/** Where the shape stays and a larger value was written: the beginning of it, but of texts all. */
function fitting(
  bytes: Uint8Array,
  { datatype, usesSameBuffer }: StateSpec,
  shape: readonly number[],
): Uint8Array {
  if (!usesSameBuffer || datatype === 'BYTES') return bytes;
  return bytes.subarray(
    0,
    shape.reduce((product, dim) => product * dim, elementByteSize(datatype)),
  );
}

/** A view of a batch's output would keep the whole batch alive; a view of most of its buffer is kept as it is. */
function ownedBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength * 2 < bytes.buffer.byteLength ? copied(bytes) : bytes;
}

// From the outputs of one run to the outputs of each request, as views of the run's buffers.

import { elementByteSize } from '../../../src-shared/datatypes.ts';
import { concreteCount, mapReshape } from '../../../src-shared/tensor/shape.ts';
import type { InferenceRequest } from '../../inference/inference-request.ts';
import type { OutputTensor } from '../../inference/inference-response.ts';
import type { InterfacePlan, OutputPlan } from './interface-plan.ts';
import type { RunOutput } from './job-layout.ts';
import { onnxruntimeErrors } from './onnxruntime-errors.ts';
import { findInput, rowsOf } from './request-inputs.ts';

/** Cuts one output of a run into one piece per request; call piece() once for each request, in batch order. */
export class OutputCutter {
  readonly plan: OutputPlan;
  readonly #maxBatchSize: number;
  readonly #output: RunOutput;
  readonly #isWhole: boolean;
  #row = 0;
  #byte = 0;

  constructor(plan: OutputPlan, interfacePlan: InterfacePlan, output: RunOutput, requestCount: number) {
    this.plan = plan;
    this.#maxBatchSize = interfacePlan.maxBatchSize;
    this.#output = output;
    this.#isWhole = requestCount === 1 && plan.scatterSource === undefined;
  }

  /** Model-side shape and bytes of the next request. Throws UNSUPPORTED when the output has too few rows. */
  piece(request: InferenceRequest): RunOutput {
    if (this.plan.scatterSource !== undefined) return this.#scatter(request, this.plan.scatterSource);
    if (this.#maxBatchSize === 0) return this.#output;
    const rows = rowsOf(request);
    const available = this.#output.dims[0] ?? 0;
    const wanted = this.#row + rows;
    if (available < wanted) {
      throw onnxruntimeErrors.outputRows({
        prefix: request.logPrefix,
        output: this.plan.name,
        wanted,
        got: available,
      });
    }
    this.#row = wanted;
    if (this.#isWhole && available === rows) return this.#output;
    const dims = [rows, ...this.#output.dims.slice(1)];
    return { dims, bytes: this.#take(concreteCount(dims)) };
  }

  #scatter(request: InferenceRequest, source: string): RunOutput {
    const config = this.plan.config;
    const itemShape = config?.reshape?.shape ?? config?.dims ?? [];
    const pattern = this.#maxBatchSize > 0 ? [-1, ...itemShape] : itemShape;
    const sourceShape = findInput(request, source)?.shapeWithBatch ?? [];
    const dims = pattern.map((dim, axis) => (dim < 0 ? (sourceShape[axis] ?? 1) : dim));
    return { dims, bytes: this.#take(concreteCount(dims)) };
  }

  #take(count: number): Uint8Array {
    const { bytes } = this.#output;
    const start = this.#byte;
    const end =
      this.plan.datatype === 'BYTES'
        ? skipStrings(bytes, start, count)
        : start + count * elementByteSize(this.plan.datatype);
    if (end > bytes.byteLength) {
      throw onnxruntimeErrors.outputByteSize({ output: this.plan.name, got: bytes.byteLength, needed: end });
    }
    this.#byte = end;
    return bytes.subarray(start, end);
  }
}

function skipStrings(bytes: Uint8Array, start: number, count: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = start;
  for (let element = 0; element < count; element++) {
    if (at + 4 > bytes.byteLength) return at + 4;
    at += 4 + view.getUint32(at, true);
  }
  return at;
}

/** A piece as the client sees it: reshape undone, scalars with the configured dims. */
export function clientOutput(plan: OutputPlan, maxBatchSize: number, piece: RunOutput): OutputTensor {
  return {
    name: plan.name,
    datatype: plan.datatype,
    shape: clientShape(plan, maxBatchSize, piece.dims),
    bytes: piece.bytes,
  };
}

function clientShape(plan: OutputPlan, maxBatchSize: number, dims: readonly number[]): readonly number[] {
  const config = plan.config;
  if (config === undefined) return dims;
  if (plan.isScalar) return config.dims;
  if (config.reshape === undefined) return dims;
  const batch = maxBatchSize > 0 ? dims.slice(0, 1) : [];
  return [...batch, ...mapReshape(dims.slice(batch.length), config.reshape.shape, config.dims)];
}

// A request made of one anonymous blob: the model must have exactly one input, whose shape is deduced from the
// configuration and, for one wildcard, from the byte count.

import { invalidArg } from '../../src-shared/errors.ts';
import type { InferenceRequest } from './inference-request.ts';
import { InferInput } from './inference-request.ts';
import type { InputPlan } from './input-plan.ts';
import type { TensorBytes } from './tensor-bytes.ts';

export interface RawInputModel {
  readonly modelName: string;
  readonly maxBatchSize: number;
  readonly inputs: ReadonlyMap<string, InputPlan>;
}

/** Throws INVALID_ARG when the shape cannot be deduced. BYTES: the blob becomes one element. */
export function inputFromRaw(model: RawInputModel, request: InferenceRequest, raw: TensorBytes): InferInput {
  const plans = [...model.inputs.values()];
  const [plan] = plans;
  if (plans.length !== 1 || plan === undefined || plan.datatype === 'INVALID') {
    throw invalidArg(
      `${request.logPrefix}Raw request must only have 1 input (found 1) to be deduced but got ${plans.length} inputs in '${model.modelName}' model configuration`,
    );
  }
  const batch = model.maxBatchSize > 0 ? [1] : [];
  if (plan.datatype === 'BYTES') {
    if (!plan.dims.every((dim) => dim === 1)) {
      throw invalidArg(
        `${request.logPrefix}For BYTE datatype raw input '${plan.name}', the model must have input shape [1]`,
      );
    }
    return new InferInput(plan.name, 'BYTES', [...batch, ...plan.dims], withLengthPrefix(raw));
  }
  return new InferInput(plan.name, plan.datatype, [...batch, ...deduceDims(plan, request, raw)], raw);
}

function deduceDims(plan: InputPlan, request: InferenceRequest, raw: TensorBytes): number[] {
  const wildcards = plan.dims.filter((dim) => dim === -1).length;
  if (wildcards > 1) {
    throw invalidArg(
      `${request.logPrefix}The shape of the raw input '${plan.name}' can not be deduced because there are more than one variable-sized dimension`,
    );
  }
  const fixed = plan.dims.reduce((product, dim) => (dim === -1 ? product : product * dim), 1);
  const deduced = Math.floor(raw.byteSize / (fixed * plan.elementByteSize));
  return plan.dims.map((dim) => (dim === -1 ? deduced : dim));
}

function withLengthPrefix(raw: TensorBytes): TensorBytes {
  const prefix = new Uint8Array(4);
  new DataView(prefix.buffer).setUint32(0, raw.byteSize, true);
  return { chunks: [prefix, ...raw.chunks], byteSize: raw.byteSize + 4 };
}

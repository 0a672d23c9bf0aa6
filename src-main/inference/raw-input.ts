// A request made of one anonymous blob: the model must have exactly one input, whose shape is deduced from the
// configuration and, for one wildcard, from the byte count.

import type { InferenceRequest } from './inference-request.ts';
import { InferInput } from './inference-request.ts';
import { inputErrors } from './input-errors.ts';
import type { InputPlan } from './input-plan.ts';
import type { TensorBytes } from './tensor-bytes.ts';

interface RawInputModel {
  readonly modelName: string;
  readonly maxBatchSize: number;
  readonly inputs: ReadonlyMap<string, InputPlan>;
}

/** Throws INVALID_ARG when the shape cannot be deduced. BYTES: the blob becomes one element. */
export function inputFromRaw(model: RawInputModel, request: InferenceRequest, raw: TensorBytes): InferInput {
  const { logPrefix: prefix } = request;
  const plans = [...model.inputs.values()];
  const [plan] = plans;
  if (plans.length !== 1 || plan === undefined || plan.datatype === 'INVALID') {
    throw inputErrors.rawInputCount({ prefix, count: plans.length, model: model.modelName });
  }
  const batch = model.maxBatchSize > 0 ? [1] : [];
  if (plan.datatype === 'BYTES') {
    if (!plan.dims.every((dim) => dim === 1)) throw inputErrors.rawTextShape({ prefix, name: plan.name });
    return new InferInput(plan.name, 'BYTES', [...batch, ...plan.dims], withLengthPrefix(raw));
  }
  const dims = deduceDims(plan, request, raw);
  const expected = dims.reduce((product, dim) => product * dim, plan.elementByteSize);
  if (expected !== raw.byteSize) {
    const counts = { expected, seen: raw.byteSize };
    throw inputErrors.byteSize({ prefix, name: 'raw_input', model: model.modelName, ...counts });
  }
  return new InferInput(plan.name, plan.datatype, [...batch, ...dims], raw);
}

function deduceDims(plan: InputPlan, request: InferenceRequest, raw: TensorBytes): number[] {
  const wildcards = plan.dims.filter((dim) => dim === -1).length;
  if (wildcards > 1) throw inputErrors.rawShape({ prefix: request.logPrefix, name: plan.name });
  const fixed = plan.dims.reduce((product, dim) => (dim === -1 ? product : product * dim), 1);
  const deduced = Math.floor(raw.byteSize / (fixed * plan.elementByteSize));
  return plan.dims.map((dim) => (dim === -1 ? deduced : dim));
}

function withLengthPrefix(raw: TensorBytes): TensorBytes {
  const prefix = new Uint8Array(4);
  new DataView(prefix.buffer).setUint32(0, raw.byteSize, true);
  return { chunks: [prefix, ...raw.chunks], byteSize: raw.byteSize + 4 };
}

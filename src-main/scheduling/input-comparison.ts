// Which requests may share a batch by their inputs: shapes of inputs with variable dims (unless ragged), contents of
// shape tensors, and, where a model has optional inputs, the set of inputs given.

import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type { InferenceRequest, InferInput } from '../inference/inference-request.ts';
import { contiguous } from '../inference/tensor-bytes.ts';

/** Which requests may share a batch: those whose inputs have equal shapes and, for shape tensors, equal values. */
export interface InputComparison {
  /** False: every pair of requests matches, nothing needs comparing. */
  readonly isNeeded: boolean;
  /** True when the two normalised requests may be in one batch. */
  same(a: InferenceRequest, b: InferenceRequest): boolean;
}

const ALWAYS_SAME: InputComparison = { isNeeded: false, same: () => true };

/** `isNeeded` is false when any two requests may share a batch; then `same` is always true and need not be called. */
export function createInputComparison(config: ModelConfig): InputComparison {
  const shapes = new Set<string>();
  const contents = new Set<string>();
  for (const input of config.input) {
    if (input.isShapeTensor) contents.add(input.name);
    else if (!input.allowRaggedBatch && input.dims.includes(-1)) shapes.add(input.name);
  }
  const hasOptional = config.input.some((input) => input.optional);
  if (!hasOptional && shapes.size === 0 && contents.size === 0) return ALWAYS_SAME;
  return {
    isNeeded: true,
    same: (a, b) => {
      if (hasOptional && a.inputs.length !== b.inputs.length) return false;
      for (let at = 0; at < a.inputs.length; at += 1) {
        const left = a.inputs[at] as InferInput;
        const right = findInput(b, left.name, at);
        if (right === undefined) {
          if (hasOptional) return false;
          continue;
        }
        if (shapes.has(left.name) && !sameShape(left.shape, right.shape)) return false;
        if (contents.has(left.name) && !sameContent(left, right)) return false;
      }
      return true;
    },
  };
}

function findInput(request: InferenceRequest, name: string, likelyAt: number): InferInput | undefined {
  const likely = request.inputs[likelyAt];
  if (likely?.name === name) return likely;
  return request.inputs.find((input) => input.name === name);
}

function sameShape(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return false;
  return true;
}

function sameContent(a: InferInput, b: InferInput): boolean {
  if (!sameShape(a.shape, b.shape) || a.bytes.byteSize !== b.bytes.byteSize) return false;
  return Buffer.compare(contiguous(a.bytes), contiguous(b.bytes)) === 0;
}

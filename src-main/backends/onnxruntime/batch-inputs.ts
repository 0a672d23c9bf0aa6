// Inputs the server computes for a batch: element counts and item shapes of another input (batch_input).

import type { BatchInput } from '../../../src-shared/config/model-config.ts';
import { concreteCount } from '../../../src-shared/tensor/shape.ts';
import type { InferenceRequest } from '../../inference/inference-request.ts';
import { onnxruntimeErrors } from './onnxruntime-errors.ts';
import type { GatheredFeed } from './request-inputs.ts';
import { findInput, rowsOf } from './request-inputs.ts';

/** The generated tensor for these requests, INT32 or FP32 as configured. */
export function generateBatchInput(
  batchInput: BatchInput,
  requests: readonly InferenceRequest[],
): GatheredFeed {
  const { dims, numbers } = contents(batchInput, requests);
  const values = batchInput.dataType === 'TYPE_FP32' ? Float32Array.from(numbers) : Int32Array.from(numbers);
  const bytes = new Uint8Array(values.buffer);
  return {
    dims,
    byteSize: bytes.byteLength,
    segments: [],
    sources: [{ chunks: [bytes], byteSize: bytes.byteLength }],
  };
}

function contents(
  batchInput: BatchInput,
  requests: readonly InferenceRequest[],
): { readonly dims: readonly number[]; readonly numbers: readonly number[] } {
  const shapes = requests.map((request) => sourceShape(batchInput, request));
  const counts = shapes.map((shape) => concreteCount(shape));
  switch (batchInput.kind) {
    case 'BATCH_ELEMENT_COUNT':
      return { dims: [counts.length], numbers: counts };
    case 'BATCH_ACCUMULATED_ELEMENT_COUNT':
      return { dims: [counts.length], numbers: runningSums(counts) };
    case 'BATCH_ACCUMULATED_ELEMENT_COUNT_WITH_ZERO':
      return { dims: [counts.length + 1], numbers: [0, ...runningSums(counts)] };
    case 'BATCH_MAX_ELEMENT_COUNT_AS_SHAPE': {
      const most = Math.max(0, ...counts);
      return { dims: [most], numbers: new Array<number>(most).fill(0) };
    }
    case 'BATCH_ITEM_SHAPE':
    case 'BATCH_ITEM_SHAPE_FLATTEN': {
      const items = requests.flatMap((request, index) => {
        const item = (shapes[index] ?? []).slice(1);
        return Array.from({ length: rowsOf(request) }, () => item);
      });
      const numbers = items.flat();
      const isFlat = batchInput.kind === 'BATCH_ITEM_SHAPE_FLATTEN';
      return { dims: isFlat ? [numbers.length] : [items.length, items[0]?.length ?? 0], numbers };
    }
  }
}

function sourceShape(batchInput: BatchInput, request: InferenceRequest): readonly number[] {
  const name = batchInput.sourceInput[0] ?? '';
  const input = findInput(request, name);
  if (input !== undefined) return input.shapeWithBatch;
  if (request.isNull) return [rowsOf(request)];
  throw onnxruntimeErrors.batchInputSource({ prefix: request.logPrefix, name });
}

function runningSums(counts: readonly number[]): number[] {
  let sum = 0;
  return counts.map((count) => (sum += count));
}

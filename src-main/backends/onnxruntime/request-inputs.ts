// What the gathering of a batch and the inputs computed for it share: one fed input, and how requests are looked at.

import type { InferInput, InferenceRequest } from '../../inference/inference-request.ts';
import type { TensorBytes } from '../../inference/tensor-bytes.ts';
import type { FeedLayout } from './job-layout.ts';

/** `sources` are joined in this order: one for each request of the batch, in the order of their rows. */
export interface GatheredFeed extends FeedLayout {
  readonly sources: readonly TensorBytes[];
}

/** Rows of the batch that a request takes: its batch size, and one where the model does not batch. */
export const rowsOf = (request: InferenceRequest): number => Math.max(1, request.batchSize);

/** What schedulers added comes first: sequence controls and implicit state have the last word. */
export function findInput(request: InferenceRequest, name: string): InferInput | undefined {
  for (const input of request.overrideInputs) if (input.name === name) return input;
  for (const input of request.inputs) if (input.name === name) return input;
  return undefined;
}

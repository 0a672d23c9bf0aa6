// Hooks of a pluggable batching strategy. They run after the built-in rules and can only make batches smaller; a
// typical strategy limits the byte volume of a batch.

import type { InferenceRequest } from '../inference/inference-request.ts';

export interface CustomBatching {
  /** A new batch, or collecting starts over. Returns the state handed to the other hooks. */
  startBatch(): unknown;
  /** False ends the batch before this request. A throw is logged and counts as false. */
  include(request: InferenceRequest, batch: unknown): boolean;
  /** The batch was handed over, or collecting starts over. */
  endBatch(batch: unknown): void;
  /** The model is gone. */
  close(): Promise<void>;
}

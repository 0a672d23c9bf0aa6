// Inference by model name from inside the server: ensembles and JavaScript models use it. Implemented by the
// repository, which is the only part that knows which versions are ready.

import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type { InferenceRequest } from './inference-request.ts';

/** Counted use of one loaded version; holding it keeps the version from being unloaded. */
export interface ModelUse {
  readonly name: string;
  readonly version: string;
  readonly config: ModelConfig;
  /** True when requests get 0..n responses (own setting, or an ensemble over a decoupled model). */
  readonly isDecoupled: boolean;
  /** Normalises and enqueues. Throws ServerError synchronously on refusal. */
  infer(request: InferenceRequest): void;
  /** The version may be closed from here on, once what was enqueued is answered. */
  release(): void;
}

/** How code inside the server (ensembles, models that call models) finds a model. Whoever gets a use releases it. */
export interface ModelInvoker {
  /**
   * Throws NOT_FOUND or UNAVAILABLE with the messages of docs/reference/management.md#finding-a-model. `version` -1 =
   * newest ready.
   */
  use(name: string, version: number): ModelUse;
}

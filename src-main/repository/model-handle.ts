// Counted use of one loaded version by one caller. While a handle is held, or a request made through it is unfinished,
// the version is not closed. Releasing twice does nothing.

import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type { InferenceRequest } from '../inference/inference-request.ts';
import type { ModelUse } from '../inference/model-invoker.ts';
import type { Model } from './model.ts';

/** Releasing it does not cancel requests that were made through it; they hold the version themselves. */
export class ModelHandle implements ModelUse {
  readonly model: Model;
  readonly #endUse: () => void;
  #isReleased = false;

  constructor(model: Model) {
    this.model = model;
    this.#endUse = model.beginUse();
  }

  get name(): string {
    return this.model.id.name;
  }

  get version(): string {
    return this.model.version;
  }

  get config(): ModelConfig {
    return this.model.config;
  }

  get isDecoupled(): boolean {
    return this.model.isDecoupled;
  }

  infer(request: InferenceRequest): void {
    this.model.infer(request);
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#endUse();
  }

  [Symbol.dispose](): void {
    this.release();
  }
}

// Keeps the promise every backend makes about responses: 0..n and then one final flag for decoupled models, exactly
// one response otherwise. The response of a model that is not decoupled is held until its final flag, so that a
// second one, or none, becomes an error instead of a broken reply. (docs/reference/requests.md#responses)

import { internal, type ServerError } from '../../src-shared/errors.ts';
import type { InferenceRequest } from './inference-request.ts';
import { NO_PARAMETERS, type OutputTensor, type ParameterValue } from './inference-response.ts';

interface HeldResponse {
  readonly outputs: readonly OutputTensor[];
  readonly parameters: ReadonlyMap<string, ParameterValue>;
  readonly error: ServerError | undefined;
}

export interface SendOptions {
  readonly isFinal: boolean;
  readonly parameters?: ReadonlyMap<string, ParameterValue>;
}

export class ResponseSender {
  readonly #request: InferenceRequest;
  readonly #isDecoupled: boolean;
  #held: HeldResponse | undefined;
  #count = 0;
  #isEnded = false;

  constructor(request: InferenceRequest, options: { readonly isDecoupled: boolean }) {
    this.#request = request;
    this.#isDecoupled = options.isDecoupled;
  }

  /** Responses sent so far, errors included, flags-only messages left out. */
  get count(): number {
    return this.#count;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Sends outputs. The promise, if any, asks to wait before the next response. Throws INTERNAL after the final flag. */
  send(outputs: readonly OutputTensor[], options: SendOptions): void | Promise<void> {
    return this.#add(
      { outputs, parameters: options.parameters ?? NO_PARAMETERS, error: undefined },
      options.isFinal,
    );
  }

  /** Sends an error as one response. */
  fail(error: ServerError, options: SendOptions = { isFinal: true }): void | Promise<void> {
    return this.#add(
      { outputs: [], parameters: options.parameters ?? NO_PARAMETERS, error },
      options.isFinal,
    );
  }

  /** Sends the final flag alone. */
  end(): void | Promise<void> {
    return this.#add(undefined, true);
  }

  #add(response: HeldResponse | undefined, isFinal: boolean): void | Promise<void> {
    if (this.#isEnded) {
      throw internal(`${this.#request.logPrefix}response sent after the final flag of the request`);
    }
    this.#isEnded = isFinal;
    if (response !== undefined) this.#count += 1;
    if (this.#isDecoupled) return this.#forward(response, isFinal);
    this.#held ??= response;
    if (!isFinal) return undefined;
    if (this.#count === 1) return this.#forward(this.#held, true);
    return this.#request.respondError(internal(`expected a single response, got ${this.#count}`));
  }

  #forward(response: HeldResponse | undefined, isFinal: boolean): void | Promise<void> {
    if (response === undefined) return this.#request.respond(undefined, isFinal);
    const { modelName, actualVersion, id } = this.#request;
    return this.#request.respond({ modelName, modelVersion: actualVersion, id, ...response }, isFinal);
  }
}

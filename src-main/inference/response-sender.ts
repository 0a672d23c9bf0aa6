// How a backend answers one request: 0..n responses and one final flag, which may come with the last response. They go
// on as they come; that a model which is not decoupled owes exactly one is the business of who receives them.
// (docs/reference/requests.md#responses)

import { type ServerError } from '../../src-shared/errors.ts';
import { backendErrors } from './backend-errors.ts';
import type { InferenceRequest } from './inference-request.ts';
import { NO_PARAMETERS, type OutputTensor, type ParameterValue } from './inference-response.ts';

interface SentResponse {
  readonly outputs: readonly OutputTensor[];
  readonly parameters: ReadonlyMap<string, ParameterValue>;
  readonly error: ServerError | undefined;
}

/** `isFinal`: nothing follows; the request is released with it. `parameters`: of this response alone. */
export interface SendOptions {
  readonly isFinal: boolean;
  readonly parameters?: ReadonlyMap<string, ParameterValue>;
}

/**
 * One per request and execution. Not sending a final flag keeps the request, and the version that serves it, in
 * use for ever.
 */
export class ResponseSender {
  readonly #request: InferenceRequest;
  #count = 0;
  #isEnded = false;

  constructor(request: InferenceRequest) {
    this.#request = request;
  }

  /** Responses sent so far, errors included, flags-only messages left out. */
  get count(): number {
    return this.#count;
  }

  /** The final flag was sent; `send` throws from now on. */
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

  #add(response: SentResponse | undefined, isFinal: boolean): void | Promise<void> {
    if (this.#isEnded) {
      throw backendErrors.sentAfterFinal({ prefix: this.#request.logPrefix });
    }
    this.#isEnded = isFinal;
    if (response === undefined) return this.#request.respond(undefined, isFinal);
    this.#count += 1;
    const { modelName, actualVersion, id } = this.#request;
    return this.#request.respond({ modelName, modelVersion: actualVersion, id, ...response }, isFinal);
  }
}

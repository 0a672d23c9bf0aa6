// Where somebody can look at every request that loaded models take, steps of ensembles included. Nobody looks most of
// the time: then a request pays one comparison.

import type { ServerError } from '../../src-shared/errors.ts';
import type { InferenceRequest } from './inference-request.ts';

/** One request that is being looked at. Its inputs may be read during these calls, and not later. */
export interface TappedRequest {
  /** It was checked and completed, and is about to be queued. */
  accepted(): void;
  /** The model did not take it: the check failed, or after `accepted` the queue refused. No response follows. */
  refused(error: ServerError): void;
}

/** Somebody who looks at requests and their answers without changing them, such as the capture of the window. */
export interface RequestTap {
  /** Called before a request is checked. undefined = this one is not looked at. Must not throw. */
  take(
    request: InferenceRequest,
    model: { readonly name: string; readonly version: string },
  ): TappedRequest | undefined;
}

/** One for all models of a server. */
export class RequestTapPoint {
  tap: RequestTap | undefined = undefined;
}

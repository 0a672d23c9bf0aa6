// For receivers that can use exactly one response: it is held until the final flag, so that a second one, or none, becomes
// an error.

import { backendErrors } from './backend-errors.ts';
import type { ResponseCallback } from './inference-request.ts';
import { NO_PARAMETERS, type InferenceResponse } from './inference-response.ts';

/** The error of a model that is not decoupled and did not answer exactly once. */
export function notSingle(count: number): InferenceResponse {
  const error = backendErrors.notSingle({ count });
  return { modelName: '', modelVersion: '', id: '', parameters: NO_PARAMETERS, outputs: [], error };
}

/** `allowsNone`: the final flag alone goes on as it is. */
export function singleResponse(next: ResponseCallback, { allowsNone = false } = {}): ResponseCallback {
  let first: InferenceResponse | undefined;
  let count = 0;
  return (response, isFinal) => {
    if (response !== undefined) count += 1;
    first ??= response;
    if (!isFinal) return undefined;
    const isFit = count === 1 || (count === 0 && allowsNone);
    return next(isFit ? first : notSingle(count), true);
  };
}

// The part of a trace that every model run has in common: the request's start and end, what it failed with, and its
// outputs when the level asks for tensors. Used when a loaded model takes a request.

import type { Clock } from '../base/clock.ts';
import type { InferenceRequest } from '../inference/inference-request.ts';

/** Records REQUEST_START now and REQUEST_END at release; `request.times.requestStartNs` is set before. */
export function traceRequest(
  request: InferenceRequest,
  model: { readonly name: string; readonly version: string },
  clock: Clock,
): void {
  const { trace } = request;
  if (trace === undefined) return;
  trace.setModel(model.name, model.version, request.id);
  trace.activity('REQUEST_START', request.times.requestStartNs);
  request.onRelease(() => trace.activity('REQUEST_END', clock.nowNs()));
  const record = trace.tensors;
  if (record === undefined && trace.failed === undefined) return;
  request.interceptResponses((next) => (response, isFinal) => {
    if (response?.error !== undefined) trace.failed?.(response.error);
    if (record !== undefined) {
      for (const output of response?.outputs ?? []) record('TENSOR_BACKEND_OUTPUT', output, clock.nowNs());
    }
    return next(response, isFinal);
  });
}

// Ends an accepted request with an error: gauge, failure statistic, one final response, release.

import type { FailureReason } from '../metrics/model-source.ts';
import type { ServerError } from '../../src-shared/errors.ts';
import type { InferenceRequest } from '../inference/inference-request.ts';
import type { StatisticsCollector } from '../inference/statistics-collector.ts';
import { queueErrors } from './queue-errors.ts';

/** `reason` is the label under which the failure is counted in the metrics. */
export function failRequest(
  statistics: StatisticsCollector,
  request: InferenceRequest,
  error: ServerError,
  reason: FailureReason,
): void {
  request.cancelObserver = undefined;
  statistics.leavePending(request);
  statistics.failed(request, reason);
  void request.respondError(error);
  request.release();
}

/** Refusal of a scheduler that is being stopped; sequence batchers leave out the request id. */
export function stoppingError(prefix: string): ServerError {
  return queueErrors.stopping({ prefix });
}

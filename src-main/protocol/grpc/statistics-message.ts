// Model statistics as a gRPC message; the same numbers as HTTP's (docs/reference/statistics.md#what-is-counted).

import type { ModelStatisticsSnapshot } from '../../metrics/infer-statistics.ts';
import type { PlainMessage } from '../../grpc-wire/messages.ts';

/** A message of `inference.ModelStatistics`: durations in nanoseconds, `last_inference` in milliseconds since 1970. */
export function statisticsMessage(stats: ModelStatisticsSnapshot): PlainMessage {
  const { inference } = stats;
  return {
    name: stats.name,
    version: stats.version,
    last_inference: stats.lastInferenceMs,
    inference_count: stats.inferenceCount,
    execution_count: stats.executionCount,
    inference_stats: {
      success: inference.success,
      fail: inference.fail,
      queue: inference.queue,
      compute_input: inference.computeInput,
      compute_infer: inference.computeInfer,
      compute_output: inference.computeOutput,
      cache_hit: inference.cacheHit,
      cache_miss: inference.cacheMiss,
    },
    batch_stats: stats.batches.map((batch) => ({
      batch_size: batch.batchSize,
      compute_input: batch.computeInput,
      compute_infer: batch.computeInfer,
      compute_output: batch.computeOutput,
    })),
    memory_usage: stats.memoryUsage.map(({ type, id, byteSize }) => ({ type, id, byte_size: byteSize })),
    response_stats: Object.fromEntries(
      Object.entries(stats.responses).map(([index, response]) => [
        index,
        {
          compute_infer: response.computeInfer,
          compute_output: response.computeOutput,
          success: response.success,
          fail: response.fail,
          empty_response: response.emptyResponse,
          cancel: response.cancel,
        },
      ]),
    ),
  };
}

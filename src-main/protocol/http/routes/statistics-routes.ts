// The statistics extension over HTTP.

import type {
  BatchStatisticsSnapshot,
  InferStatisticsSnapshot,
  ModelStatisticsSnapshot,
  ResponseStatisticsSnapshot,
  StatisticDuration,
} from '../../../metrics/infer-statistics.ts';
import type { Exchange } from '../exchange.ts';
import type { Route } from './route-handler.ts';
import { modelPaths } from './route-handler.ts';

const duration = ({ count, ns }: StatisticDuration): object => ({ count, ns });

const inferStats = (stats: InferStatisticsSnapshot): object => ({
  success: duration(stats.success),
  fail: duration(stats.fail),
  queue: duration(stats.queue),
  compute_input: duration(stats.computeInput),
  compute_infer: duration(stats.computeInfer),
  compute_output: duration(stats.computeOutput),
  cache_hit: duration(stats.cacheHit),
  cache_miss: duration(stats.cacheMiss),
});

const responseStats = (stats: ResponseStatisticsSnapshot): object => ({
  compute_infer: duration(stats.computeInfer),
  compute_output: duration(stats.computeOutput),
  success: duration(stats.success),
  fail: duration(stats.fail),
  empty_response: duration(stats.emptyResponse),
  cancel: duration(stats.cancel),
});

const batchStats = (stats: BatchStatisticsSnapshot): object => ({
  batch_size: stats.batchSize,
  compute_input: duration(stats.computeInput),
  compute_infer: duration(stats.computeInfer),
  compute_output: duration(stats.computeOutput),
});

/** One entry of `model_stats`. */
const modelStats = (stats: ModelStatisticsSnapshot): object => ({
  name: stats.name,
  version: stats.version,
  last_inference: stats.lastInferenceMs,
  inference_count: stats.inferenceCount,
  execution_count: stats.executionCount,
  inference_stats: inferStats(stats.inference),
  response_stats: Object.fromEntries(
    Object.entries(stats.responses).map(([index, response]) => [index, responseStats(response)]),
  ),
  batch_stats: stats.batches.map(batchStats),
  memory_usage: stats.memoryUsage.map(({ type, id, byteSize }) => ({ type, id, byte_size: byteSize })),
});

function statistics(exchange: Exchange): void {
  const { context, match } = exchange;
  const all = context.service.statistics(match.model, match.version);
  exchange.json(JSON.stringify({ model_stats: all.map(modelStats) }));
}

/** Of all models, of all versions of one, or of one version. */
export const statisticsRoutes: readonly Route[] = [
  {
    paths: ['/models/stats', ...modelPaths('/stats')],
    category: 'statistics',
    methods: ['GET'],
    handler: statistics,
  },
];

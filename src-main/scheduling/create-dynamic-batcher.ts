// A dynamic batcher from a model's `dynamic_batching` block.

import type { ModelDynamicBatching } from '../../src-shared/config/model-config.ts';
import { getLogger } from '../base/log.ts';
import { batchRules } from './batch-policy.ts';
import { DynamicBatcher } from './dynamic-batcher.ts';
import { createInputComparison } from './input-comparison.ts';
import type { QueuePolicy } from './queue-policy.ts';
import { allowsPrefetch, queuePolicyFrom } from './queue-policy.ts';
import type { SchedulerDeps } from './scheduler-deps.ts';

const log = getLogger('scheduling');

/**
 * Without preferred sizes max_batch_size is preferred, as Triton completes it. `max_queue_delay_microseconds`
 * becomes nanoseconds; a model that cannot batch still gets queue policies and priorities.
 */
export function createDynamicBatcher(deps: SchedulerDeps, batching: ModelDynamicBatching): DynamicBatcher {
  const { config } = deps;
  const preferred = batching.preferredBatchSize;
  const hasDefaultPreferred = preferred.length === 0 && config.maxBatchSize > 0;
  const levelPolicies = new Map<bigint, QueuePolicy>(
    Object.entries(batching.priorityQueuePolicy).map(([level, policy]) => [
      BigInt(level),
      queuePolicyFrom(policy),
    ]),
  );
  // The words are Triton's, for whoever looks for them in a log. Here it is no thread but work of the event loop.
  log.verbose(1, `Starting dynamic-batcher thread for ${config.name} at nice 0...`);
  return new DynamicBatcher({
    clock: deps.clock,
    statistics: deps.statistics,
    instances: deps.instances,
    rules: batchRules({
      preferredBatchSize: hasDefaultPreferred ? [config.maxBatchSize] : preferred,
      maxBatchSize: config.maxBatchSize,
      delayNs: Number(batching.maxQueueDelayMicroseconds) * 1000,
      comparison: createInputComparison(config),
    }),
    preserveOrdering: batching.preserveOrdering,
    defaultPolicy: queuePolicyFrom(batching.defaultQueuePolicy),
    levelPolicies,
    canPrefetch: allowsPrefetch(batching),
    cache: deps.cache,
    delayUntilQueuedCount: deps.hooks.delayUntilQueuedCount,
  });
}

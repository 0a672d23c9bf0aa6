// Late merging: when an instance takes a payload, the payloads right behind it join as long as they waited longer
// than the queue delay, fit into max_batch_size, and have the same inputs.

import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type { Fifo } from '../base/fifo.ts';
import type { BatchPayload } from './batch-payload.ts';
import { createInputComparison } from './input-comparison.ts';

/** Joins further payloads of the queue to the one that is about to execute, where that keeps their order and size. */
export type LateMerge = (payload: BatchPayload, queue: Fifo<BatchPayload>, nowNs: number) => void;

/**
 * Does nothing without a queue delay or with a max_batch_size of 1 at most. Takes followers from the front of
 * the queue and stops at the first that may not join, so order is kept.
 */
export function createLateMerge(config: ModelConfig): LateMerge {
  const delayNs = 1000 * Number(queueDelayUs(config));
  if (delayNs === 0 || config.maxBatchSize <= 1) return () => undefined;
  const comparison = createInputComparison(config);
  return (payload, queue, nowNs) => {
    while (payload.isMergeable) {
      const follower = queue.peek();
      if (follower === undefined || !follower.isMergeable) return;
      if (nowNs - follower.oldestBatcherStartNs < delayNs) return;
      if (payload.batchSize + follower.batchSize > config.maxBatchSize) return;
      const [first] = payload.requests;
      const [other] = follower.requests;
      if (comparison.isNeeded && first !== undefined && other !== undefined) {
        if (!comparison.same(first, other)) return;
      }
      queue.shift();
      payload.absorb(follower);
    }
  };
}

function queueDelayUs(config: ModelConfig): bigint {
  return (
    config.dynamicBatching?.maxQueueDelayMicroseconds ??
    config.sequenceBatching?.oldest?.maxQueueDelayMicroseconds ??
    0n
  );
}

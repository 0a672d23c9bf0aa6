// The queue policy of one priority level: how many may wait, for how long, and what happens then. Pure.

import type { ModelDynamicBatching, ModelQueuePolicy } from '../../src-shared/config/model-config.ts';

/** A `ModelQueuePolicy` of a configuration. Times are nanoseconds. */
export interface QueuePolicy {
  readonly timeoutAction: 'REJECT' | 'DELAY';
  /** 0 = no timeout. */
  readonly defaultTimeoutNs: number;
  readonly allowTimeoutOverride: boolean;
  /** 0 = unlimited. */
  readonly maxQueueSize: number;
}

/** Of a model whose configuration has none: no limit and no timeout. */
export const DEFAULT_QUEUE_POLICY: QueuePolicy = {
  timeoutAction: 'REJECT',
  defaultTimeoutNs: 0,
  allowTimeoutOverride: false,
  maxQueueSize: 0,
};

/**
 * The policy as nanoseconds and counts; without one in the configuration, that of the reference: no limit,
 * no timeout.
 */
export function queuePolicyFrom(config: ModelQueuePolicy | undefined): QueuePolicy {
  if (config === undefined) return DEFAULT_QUEUE_POLICY;
  return {
    timeoutAction: config.timeoutAction,
    defaultTimeoutNs: Number(config.defaultTimeoutMicroseconds) * 1000,
    allowTimeoutOverride: config.allowTimeoutOverride,
    maxQueueSize: config.maxQueueSize,
  };
}

/**
 * When a request queued now expires; Infinity = never. A client's timeout can only shorten a configured one: with a
 * default of 0 it has no effect.
 */
export function deadlineNs(policy: QueuePolicy, timeoutUs: number, nowNs: number): number {
  let timeoutNs = policy.defaultTimeoutNs;
  if (policy.allowTimeoutOverride && timeoutUs !== 0 && timeoutUs * 1000 < timeoutNs) {
    timeoutNs = timeoutUs * 1000;
  }
  return timeoutNs === 0 ? Number.POSITIVE_INFINITY : nowNs + timeoutNs;
}

/**
 * True when formed batches may wait outside the queue: nothing in the policies depends on requests staying in it.
 */
export function allowsPrefetch(batching: ModelDynamicBatching): boolean {
  const policy = queuePolicyFrom(batching.defaultQueuePolicy);
  return (
    batching.priorityLevels === 0n &&
    policy.defaultTimeoutNs === 0 &&
    !policy.allowTimeoutOverride &&
    policy.maxQueueSize === 0
  );
}

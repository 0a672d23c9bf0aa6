// A sequence batcher from a model's `sequence_batching` block: slots per instance, strategy, controls and states.

import type { ModelSequenceBatching } from '../../src-shared/config/model-config.ts';
import { batchRules } from './batch-policy.ts';
import { DirectLane } from './direct-lane.ts';
import { DynamicBatcher } from './dynamic-batcher.ts';
import { createInputComparison } from './input-comparison.ts';
import type { InstanceSlot } from './instance-slot.ts';
import { OldestLane } from './oldest-lane.ts';
import { queuePolicyFrom } from './queue-policy.ts';
import type { SchedulerDeps } from './scheduler-deps.ts';
import { SequenceBatcher } from './sequence-batcher.ts';
import { SequenceControls } from './sequence-controls.ts';
import type { RequestSlot } from './sequence-lane.ts';
import { SequenceStates } from './sequence-states.ts';

const DEFAULT_IDLE_US = 1_000_000n;

/**
 * Without a strategy in the block the direct one is taken. A `max_sequence_idle_microseconds` of 0 means one
 * second.
 */
export function createSequenceBatcher(deps: SchedulerDeps, batching: ModelSequenceBatching): SequenceBatcher {
  const { config, clock, statistics, instances, hooks, initialStates: specs, keepsStates } = deps;
  const controls = new SequenceControls(config);
  const statesOf = (slots: readonly RequestSlot[]): SequenceStates[] =>
    slots.map(
      () =>
        new SequenceStates({
          specs,
          isKept: keepsStates !== false,
          batches: config.maxBatchSize > 0,
          modelName: config.name,
        }),
    );
  const idleUs = batching.maxSequenceIdleMicroseconds;
  return new SequenceBatcher({
    config,
    clock,
    statistics,
    instances,
    hooks,
    slotsPerInstance: slotCount(deps, batching),
    idleNs: Number(idleUs > 0n ? idleUs : DEFAULT_IDLE_US) * 1000,
    createLane: (instance, slots, owner) => {
      const states = statesOf(slots);
      if (batching.oldest === undefined) {
        return new DirectLane({ config, clock, instances, instance, slots, owner, controls, states });
      }
      const batcher = innerBatcher(deps, batching.oldest, instance);
      return new OldestLane({ instance, slots, owner, statistics, controls, states, batcher });
    },
  });
}

function slotCount({ config }: SchedulerDeps, { oldest }: ModelSequenceBatching): number {
  const candidates = oldest?.maxCandidateSequences ?? 0;
  return candidates > 0 ? candidates : Math.max(1, config.maxBatchSize);
}

function innerBatcher(
  { config, clock, statistics, instances }: SchedulerDeps,
  oldest: NonNullable<ModelSequenceBatching['oldest']>,
  slot: InstanceSlot,
): DynamicBatcher {
  const hasDefaultPreferred = oldest.preferredBatchSize.length === 0 && config.maxBatchSize > 0;
  return new DynamicBatcher({
    clock,
    statistics,
    instances,
    slot,
    rules: batchRules({
      preferredBatchSize: hasDefaultPreferred ? [config.maxBatchSize] : oldest.preferredBatchSize,
      maxBatchSize: config.maxBatchSize,
      delayNs: Number(oldest.maxQueueDelayMicroseconds) * 1000,
      comparison: createInputComparison(config),
    }),
    preserveOrdering: oldest.preserveOrdering,
    defaultPolicy: queuePolicyFrom(undefined),
    levelPolicies: new Map(),
    canPrefetch: true,
  });
}

// When an instance may be given the next payload although runs are still on their way to it and back.

import type { ModelConfig } from '../../src-shared/config/model-config.ts';

/**
 * Only where nobody can tell: batching schedulers fill batches while an instance is busy, sequences need the state of
 * the run before, and rate limits count running instances.
 */
export function mayOverlap(
  config: Pick<ModelConfig, 'dynamicBatching' | 'sequenceBatching' | 'instanceGroup'>,
): boolean {
  return (
    config.dynamicBatching === undefined &&
    config.sequenceBatching === undefined &&
    config.instanceGroup.every((group) => group.rateLimiter === undefined)
  );
}

// What happens to an instance before it takes work: resources are claimed, then it is warmed up.

import type { ModelRateLimiter } from '../../src-shared/config/model-config.ts';
import type { ModelInstance } from '../inference/backend.ts';
import type { ExecutionLimiter } from './execution-limiter.ts';
import { InstanceSlot } from './instance-slot.ts';

/** Initialisation and warm-up count as one execution each, however many samples there are, also none. */
const PREPARATIONS = 2;

/** What is done with an instance before it gets its first request. */
export interface InstancePreparation {
  readonly rateLimiter?: ModelRateLimiter | undefined;
  /** Warm-up. */
  readonly prepare?: (instance: ModelInstance) => Promise<void>;
}

/** Throws what `prepare` throws, and INVALID_ARG when the limiter could never schedule it; nothing is claimed then. */
export async function prepareInstance(
  instance: ModelInstance,
  limiter: ExecutionLimiter | undefined,
  options: InstancePreparation,
): Promise<InstanceSlot> {
  const slot = new InstanceSlot(instance, options.rateLimiter);
  limiter?.register(slot);
  try {
    await options.prepare?.(instance);
    slot.startCounting(PREPARATIONS);
  } catch (thrown) {
    limiter?.unregister(slot);
    throw thrown;
  }
  return slot;
}

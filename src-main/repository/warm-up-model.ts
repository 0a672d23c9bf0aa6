// Warm-up of a model that serves: the same samples and rules as at load, on its own instances, with the latency of each
// iteration. Requests of clients go on meanwhile.

import type { ModelWarmup } from '../../src-shared/config/model-config.ts';
import type { Clock } from '../base/clock.ts';
import { systemClock } from '../base/clock.ts';
import type { Model } from './model.ts';
import type { WarmupIteration } from './model-warmup.ts';
import { runWarmup } from './model-warmup.ts';

/** How a model that serves is warmed up. */
export interface WarmupOptions {
  /** -1 or absent = newest ready version. */
  readonly version?: number;
  /** Instead of those of the configuration. */
  readonly samples?: readonly ModelWarmup[];
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  /** Told after each execution of a sample that succeeded. */
  readonly onIteration?: (iteration: WarmupIteration) => void;
}

/**
 * Runs the samples on every instance that takes requests, at the same time. Rejects with the error of the first instance
 * that fails, after all of them have ended; INVALID_ARG for a sample that does not fit the model.
 */
export async function warmUpModel(model: Model, options: WarmupOptions): Promise<void> {
  const samples = options.samples ?? model.config.modelWarmup;
  const subject = {
    name: model.id.name,
    version: model.version,
    modelDir: model.modelDir,
    config: model.config,
    normalize: model.runtime.normalize,
    clock: options.clock ?? systemClock,
  };
  const active = model.instances.filter(({ spec }) => !spec.isPassive);
  const runs = await Promise.allSettled(
    active.map((instance) =>
      runWarmup(subject, instance, samples, {
        signal: options.signal,
        onIteration: options.onIteration,
        namesUnprepared: true,
        execute: (target, payload) => model.runtime.executeOn(target, payload),
      }),
    ),
  );
  const failed = runs.find((run) => run.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

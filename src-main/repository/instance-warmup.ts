// The warm-up of a load: every instance of a version, with progress over all of them.

import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type { Clock } from '../base/clock.ts';
import type { ModelFiles } from '../inference/model-files.ts';
import type { ModelRuntime, PlannedInstance, PrepareInstance } from './model-runtime.ts';
import type { WarmupSubject } from './model-warmup.ts';
import { runWarmup, warmupRunCount } from './model-warmup.ts';

/** What stops a warm-up, and whom it tells how far it is. */
export interface InstanceWarmupOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** A clause for the progress of the load, for each sample. */
  readonly onPhase: (text: string) => void;
}

/** Warms up one instance after the other, as it is called for each; does nothing without samples. */
export function warmUpper(
  runtime: ModelRuntime,
  instances: readonly PlannedInstance[],
  model: ModelFiles & { readonly config: ModelConfig },
  options: InstanceWarmupOptions,
): PrepareInstance {
  const samples = model.config.modelWarmup;
  const perInstance = warmupRunCount(samples);
  const total = perInstance * instances.filter(({ instance }) => !instance.spec.isPassive).length;
  let done = 0;
  const showProgress = (): void => {
    if (done < total) options.onPhase(`warmup ${done + 1} of ${total}`);
  };
  const subject: WarmupSubject = {
    name: model.modelName,
    version: model.version,
    modelDir: model.modelDir,
    config: model.config,
    normalize: (request) => runtime.normalize(request),
    clock: options.clock,
  };
  return async (instance) => {
    if (instance.spec.isPassive) return;
    showProgress();
    await runWarmup(subject, instance, samples, {
      signal: options.signal,
      execute: (target, payload) => target.execute(payload),
      onIteration: () => {
        done += 1;
        showProgress();
      },
    });
  };
}

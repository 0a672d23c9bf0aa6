// Creates the instances of a model, as many at a time as the machine has cores, or one after the other.

import os from 'node:os';
import { toServerError } from '../../src-shared/errors.ts';
import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type { Disposer } from '../base/disposer.ts';
import { getLogger } from '../base/log.ts';
import type { BackendModel } from '../inference/backend.ts';
import type { InstancePlan } from './instance-plan.ts';
import { tellInstanceBegins, tellInstanceEnds, tellInstanceServes } from './life-records.ts';
import type { PlannedInstance } from './model-runtime.ts';

const log = getLogger('repository');

/** Which instances are made, and how. On failure `undo` takes back those that were made. */
export interface InstanceCreation {
  readonly config: ModelConfig;
  readonly plans: readonly InstancePlan[];
  readonly isParallel: boolean;
  readonly signal: AbortSignal;
  /** A clause for the progress of the load, as instances come. */
  readonly onPhase: (text: string) => void;
  /** Gets what undoes each instance that was made. */
  readonly undo: Disposer;
}

/** In the order of their plans. Rejects with the reason of the first one that fails. */
export async function createInstances(
  backendModel: BackendModel,
  { config, plans, isParallel, signal, onPhase, undo }: InstanceCreation,
): Promise<PlannedInstance[]> {
  let done = 0;
  const step = backendModel.creation === undefined ? '' : `: ${backendModel.creation}`;
  const showProgress = (): void =>
    onPhase(`instance ${Math.min(done + 1, plans.length)} of ${plans.length}${step}`);
  const create = async ({ spec, rateLimiter }: InstancePlan): Promise<PlannedInstance> => {
    signal.throwIfAborted();
    tellInstanceBegins(spec, config.defaultModelFilename);
    const instance = undo.add(await backendModel.createInstance(spec, { signal }));
    undo.defer(() => tellInstanceEnds(config.backend, spec));
    done += 1;
    if (done < plans.length) showProgress();
    return { instance, rateLimiter };
  };
  if (plans.length > 0) showProgress();
  const lanes = isParallel ? Math.max(2, os.availableParallelism()) : 1;
  const instances: PlannedInstance[] = [];
  for (let at = 0; at < plans.length; at += lanes) {
    const settled = await Promise.allSettled(plans.slice(at, at + lanes).map(create));
    for (const result of settled) {
      if (result.status === 'rejected') throw failedInstance(result.reason, signal);
      tellInstanceServes(result.value.instance.spec);
      instances.push(result.value);
    }
  }
  return instances;
}

/** Says why an instance could not be made, in the reference's words; returns the reason. */
function failedInstance(thrown: unknown, signal: AbortSignal): unknown {
  if (!signal.aborted) log.error(`ERROR: Failed to create instance: ${toServerError(thrown).message}`);
  return thrown;
}

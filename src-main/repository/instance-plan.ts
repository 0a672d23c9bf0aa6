// From normalised instance groups to the instances of a version, and which of them an in-place update keeps.
// Pure. An instance's signature is its group without name and count, plus the device; equal signatures are reused.

import { planInstances } from '../../src-shared/config/config-normalize.ts';
import type {
  ModelConfig,
  ModelInstanceGroup,
  ModelRateLimiter,
} from '../../src-shared/config/model-config.ts';
import { internal } from '../../src-shared/errors.ts';
import type { InstanceSpec } from '../inference/backend.ts';

const NO_DEVICE = -1;

/** One instance to be made. Two of the same signature are interchangeable. */
export interface InstancePlan {
  readonly spec: InstanceSpec;
  readonly rateLimiter: ModelRateLimiter | undefined;
  readonly signature: string;
}

/** Instances in the order of the groups. Without `hasGpu` those that name a GPU are told that none is there. */
export function planModelInstances(config: ModelConfig, hasGpu: boolean): InstancePlan[] {
  return planInstances(config.instanceGroup).map(
    ({ name, group, deviceId = NO_DEVICE, hostPolicy }, ordinal) => {
      if (group.kind === 'KIND_AUTO') {
        throw internal(`instance group ${group.name} of model ${config.name} has unexpected kind KIND_AUTO`);
      }
      return {
        spec: {
          name,
          kind: group.kind,
          deviceId,
          lacksGpu: group.kind === 'KIND_GPU' && !hasGpu,
          ordinal,
          isPassive: group.passive,
          hostPolicy,
        },
        rateLimiter: group.rateLimiter,
        signature: signatureOf(group, deviceId),
      };
    },
  );
}

function signatureOf(group: ModelInstanceGroup, deviceId: number): string {
  const { kind, rateLimiter, secondaryDevices, profile, passive, hostPolicy } = group;
  return JSON.stringify({ kind, rateLimiter, secondaryDevices, profile, passive, hostPolicy, deviceId });
}

/** Which instances stay, come and go when a configuration changes. */
export interface InstanceExchange {
  /** Indices into the instances that exist, kept, in the order of the new plan. */
  readonly kept: readonly { readonly existing: number; readonly planned: number }[];
  /** Indices into the new plan that must be created. */
  readonly created: readonly number[];
  /** Indices into the instances that exist and are no longer wanted. */
  readonly removed: readonly number[];
}

/** From the signatures of the instances that exist and of those planned; of equal ones the last is kept first. */
export function planExchange(before: readonly string[], after: readonly string[]): InstanceExchange {
  const free = new Map<string, number[]>();
  before.forEach((signature, at) => free.set(signature, [...(free.get(signature) ?? []), at]));
  const kept: { existing: number; planned: number }[] = [];
  const created: number[] = [];
  after.forEach((signature, planned) => {
    const existing = free.get(signature)?.pop();
    if (existing === undefined) created.push(planned);
    else kept.push({ existing, planned });
  });
  return { kept, created, removed: [...free.values()].flat().sort((a, b) => a - b) };
}

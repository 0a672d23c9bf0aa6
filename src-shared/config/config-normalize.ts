// Values that hold wherever a configuration is silent: version policy, preferred sizes, idle time, pinned memory; and
// instance groups with explicit kinds, counts and devices. Each function returns a new config and what it filled in.

import { findBackend, type BackendDescription, type InstanceDefaults } from './backend-description.ts';
import { DEFAULT_MAX_SEQUENCE_IDLE_US, emptyPart, instanceGroup } from './config-defaults.ts';
import type { ConfigOrigin } from './config-origins.ts';
import type { ModelConfig, ModelInstanceGroup, ModelOptimizationPolicy } from './model-config.ts';
import { isEnsemble } from './model-config.ts';
import { usableGpus } from './usable-gpus.ts';
import type { GpuDevice } from './validation-context.ts';

interface Normalized {
  readonly config: ModelConfig;
  readonly origins: ReadonlyMap<string, ConfigOrigin>;
}

/** Fills in everything but instance groups. Idempotent. */
export function normalizeModelConfig(config: ModelConfig): Normalized {
  const origins = new Map<string, ConfigOrigin>();
  let result = config;
  if (result.versionPolicy === undefined) {
    const latest = { numVersions: 1 };
    result = { ...result, versionPolicy: { latest, all: undefined, specific: undefined } };
    origins.set('version_policy', { kind: 'default', reason: 'the highest version is served' });
  }
  result = normalizeBatching(result, origins);
  return { config: isEnsemble(result) ? result : normalizePinnedMemory(result, origins), origins };
}

function normalizeBatching(config: ModelConfig, origins: Map<string, ConfigOrigin>): ModelConfig {
  const { maxBatchSize, dynamicBatching } = config;
  const isPreferred: ConfigOrigin = { kind: 'default', reason: `max_batch_size is ${maxBatchSize}` };
  let result = config;
  if (dynamicBatching?.preferredBatchSize.length === 0 && maxBatchSize > 0) {
    result = { ...result, dynamicBatching: { ...dynamicBatching, preferredBatchSize: [maxBatchSize] } };
    origins.set('dynamic_batching.preferred_batch_size', isPreferred);
  }
  if (result.sequenceBatching?.maxSequenceIdleMicroseconds === 0n) {
    const maxSequenceIdleMicroseconds = DEFAULT_MAX_SEQUENCE_IDLE_US;
    result = { ...result, sequenceBatching: { ...result.sequenceBatching, maxSequenceIdleMicroseconds } };
    origins.set('sequence_batching.max_sequence_idle_microseconds', {
      kind: 'default',
      reason: 'one second',
    });
  }
  const { sequenceBatching } = result;
  if (sequenceBatching?.oldest?.preferredBatchSize.length === 0 && maxBatchSize > 0) {
    const oldest = { ...sequenceBatching.oldest, preferredBatchSize: [maxBatchSize] };
    result = { ...result, sequenceBatching: { ...sequenceBatching, oldest } };
    origins.set('sequence_batching.oldest.preferred_batch_size', isPreferred);
  }
  return result;
}

function normalizePinnedMemory(config: ModelConfig, origins: Map<string, ConfigOrigin>): ModelConfig {
  const base: ModelOptimizationPolicy = config.optimization ?? emptyPart('optimization');
  if (base.inputPinnedMemory !== undefined && base.outputPinnedMemory !== undefined) return config;
  const origin: ConfigOrigin = { kind: 'default', reason: 'page-locked memory is used where it helps' };
  if (config.optimization === undefined) origins.set('optimization', origin);
  if (base.inputPinnedMemory === undefined) origins.set('optimization.input_pinned_memory', origin);
  if (base.outputPinnedMemory === undefined) origins.set('optimization.output_pinned_memory', origin);
  const optimization: ModelOptimizationPolicy = {
    ...base,
    inputPinnedMemory: base.inputPinnedMemory ?? { enable: true },
    outputPinnedMemory: base.outputPinnedMemory ?? { enable: true },
  };
  return { ...config, optimization };
}

/** The machine that instance groups are spread over. */
export interface InstanceMachine {
  readonly gpuInventory: readonly GpuDevice[];
  /** Those that are known; a backend that is not among them prefers one instance of KIND_AUTO. */
  readonly backends?: readonly BackendDescription[] | undefined;
}

/** Explicit name, kind, count and devices for every group. Ensembles have none. Idempotent. */
export function normalizeInstanceGroups(config: ModelConfig, machine: InstanceMachine): Normalized {
  const origins = new Map<string, ConfigOrigin>();
  if (isEnsemble(config)) return { config, origins };
  const defaults = findBackend(machine.backends ?? [], config.backend)?.instances ?? {};
  let groups = config.instanceGroup;
  if (groups.length === 0) {
    const hasGpu = usableGpus(machine, config.backend).length > 0;
    const preferred = defaults.preferredGroups?.find((group) => group.kind !== 'KIND_GPU' || hasGpu);
    groups = [instanceGroup({ ...preferred, name: config.name })];
    origins.set('instance_group', { kind: 'default', reason: 'no group is written' });
  }
  const ids = usableGpus(machine, config.backend).map((gpu) => gpu.id);
  const normalized = groups.map((group, index) =>
    normalizeGroup(group, `${config.name}_${index}`, ids, defaults),
  );
  for (const [index, group] of normalized.entries()) explain(groups[index], group, index, origins);
  return { config: { ...config, instanceGroup: normalized }, origins };
}

function normalizeGroup(
  group: ModelInstanceGroup,
  defaultName: string,
  ids: readonly number[],
  defaults: InstanceDefaults,
): ModelInstanceGroup {
  const hasGpu = ids.length > 0 && group.gpus.every((id) => ids.includes(id));
  const kind = group.kind === 'KIND_AUTO' ? (hasGpu ? 'KIND_GPU' : 'KIND_CPU') : group.kind;
  const preferredCount = defaults.preferredGroups?.find((preferred) => preferred.kind === kind)?.count ?? 0;
  const defaultCount = kind === 'KIND_CPU' ? (defaults.cpuInstanceCount ?? 1) : 1;
  return {
    ...group,
    name: group.name === '' ? defaultName : group.name,
    kind,
    count: group.count >= 1 ? group.count : preferredCount >= 1 ? preferredCount : defaultCount,
    gpus: kind === 'KIND_GPU' && group.gpus.length === 0 ? ids : group.gpus,
  };
}

function explain(
  before: ModelInstanceGroup | undefined,
  after: ModelInstanceGroup,
  index: number,
  origins: Map<string, ConfigOrigin>,
): void {
  const path = `instance_group[${index}]`;
  const note = (field: keyof ModelInstanceGroup, name: string, reason: string): void => {
    if (before?.[field] !== after[field]) origins.set(`${path}.${name}`, { kind: 'default', reason });
  };
  const onGpu = after.kind === 'KIND_GPU';
  note('name', 'name', 'model name and index of the group');
  note('kind', 'kind', onGpu ? 'a usable GPU was found' : 'no usable GPU was found');
  note('count', 'count', `usual number of instances for ${after.kind}`);
  note('gpus', 'gpus', 'all usable GPUs');
}

/** One instance that a group asks for. */
export interface PlannedInstance {
  /** `<group name>_<c>`; c starts again for every device. */
  readonly name: string;
  readonly group: ModelInstanceGroup;
  /** GPU id for KIND_GPU with devices; undefined otherwise. */
  readonly deviceId: number | undefined;
  /** The group's host policy or the default of its kind. */
  readonly hostPolicy: string;
}

/** The devices on which `group` makes its instances; undefined where it names none. */
export function devicesOf(group: ModelInstanceGroup): readonly (number | undefined)[] {
  return group.kind === 'KIND_GPU' && group.gpus.length > 0 ? group.gpus : [undefined];
}

/** How many instances normalised `groups` ask for. */
export function countInstances(groups: readonly ModelInstanceGroup[]): number {
  return groups.reduce((sum, group) => sum + group.count * devicesOf(group).length, 0);
}

/** The instances that normalised `groups` ask for, in order. A KIND_GPU group without any device counts as one. */
export function planInstances(groups: readonly ModelInstanceGroup[]): readonly PlannedInstance[] {
  return groups.flatMap((group) => {
    return devicesOf(group).flatMap((deviceId) =>
      Array.from({ length: group.count }, (_, c) => ({
        name: `${group.name}_${c}`,
        group,
        deviceId,
        hostPolicy: group.hostPolicy === '' ? defaultHostPolicy(group, deviceId) : group.hostPolicy,
      })),
    );
  });
}

function defaultHostPolicy(group: ModelInstanceGroup, deviceId: number | undefined): string {
  if (group.kind === 'KIND_MODEL') return 'model';
  return group.kind === 'KIND_GPU' && deviceId !== undefined ? `gpu_${deviceId}` : 'cpu';
}

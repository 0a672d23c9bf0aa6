// Instance groups after normalisation: devices that exist, kinds and GPU lists that agree, profiles.

import { configFileOf } from '../config-file.ts';
import {
  configIssue,
  explainedIssue,
  removeAt,
  setTo,
  type ConfigChange,
  type ConfigIssue,
} from '../config-issue.ts';
import type { ModelConfig, ModelInstanceGroup } from '../model-config.ts';
import { usableGpus } from '../usable-gpus.ts';
import type { ValidationContext } from '../validation-context.ts';
import { TENSORRT_PLATFORM } from './identity-rules.ts';
import { checkInstanceCount } from './limit-rules.ts';

/** Profile that the repair for a machine without GPU writes. */
const CPU_PROFILE = 'cpu';

type Machine = Pick<ValidationContext, 'gpuInventory' | 'minComputeCapability' | 'gpuPolicy' | 'backends'>;

/** Not for ensembles, which have no instances. */
export function checkInstanceGroups(config: ModelConfig, machine: Machine): ConfigIssue[] {
  if (config.instanceGroup.length === 0) {
    return [
      configIssue('D42', `must specify one or more 'instance group's for ${config.name}`, {
        path: 'instance_group',
      }),
    ];
  }
  const tooMany = checkInstanceCount(config);
  if (tooMany.length > 0) return tooMany;
  return config.instanceGroup.flatMap((group, index) => {
    const path = `instance_group[${index}]`;
    return [...checkDevice(config, group, path, machine), ...checkProfiles(config, group, path)];
  });
}

function checkDevice(
  config: ModelConfig,
  group: ModelInstanceGroup,
  path: string,
  machine: Machine,
): ConfigIssue[] {
  const prefix = `instance group ${group.name} of model ${config.name}`;
  const gpusIssue = (kind: string): ConfigIssue[] =>
    group.gpus.length === 0
      ? []
      : [
          configIssue('D40', `${prefix} has kind ${kind} but specifies one or more GPUs`, {
            path: `${path}.gpus`,
            hint: 'Remove gpus, or use KIND_GPU.',
            changes: [removeAt(`${path}.gpus`), setTo(`${path}.kind`, 'KIND_GPU')],
          }),
        ];
  switch (group.kind) {
    case 'KIND_MODEL':
      return gpusIssue('KIND_MODEL');
    case 'KIND_CPU':
      return gpusIssue('KIND_CPU');
    case 'KIND_GPU':
      return checkGpus(config, group, path, machine);
    case 'KIND_AUTO':
      return [
        configIssue('D42', `${prefix} has unexpected kind KIND_AUTO`, {
          path: `${path}.kind`,
          statusCode: 'INTERNAL',
        }),
      ];
  }
}

/** Every group on the CPU, as a file of its own, so that the one for production stays as it is. */
function cpuHere(config: ModelConfig): ConfigChange {
  const sets = config.instanceGroup.flatMap((group, index) =>
    group.kind === 'KIND_GPU'
      ? [
          { path: `instance_group[${index}].kind`, value: 'KIND_CPU' },
          { path: `instance_group[${index}].gpus`, value: undefined },
        ]
      : [],
  );
  const title = `Use CPU here only (writes ${configFileOf(CPU_PROFILE)})`;
  return { title, sets, action: 'cpu-profile', target: CPU_PROFILE };
}

function checkGpus(
  config: ModelConfig,
  group: ModelInstanceGroup,
  path: string,
  machine: Machine,
): ConfigIssue[] {
  const { minComputeCapability, gpuPolicy } = machine;
  const prefix = `instance group ${group.name} of model ${config.name}`;
  const usable = usableGpus(machine, config.backend).map((gpu) => gpu.id);
  if (usable.length === 0) {
    const isFallback = gpuPolicy === 'fallback';
    const hint = isFallback
      ? 'It runs on the CPU here; the config is kept as it is for production.'
      : 'Use KIND_CPU, or start with --gpu-policy=fallback.';
    const options = { path: `${path}.kind`, severity: isFallback ? 'warning' : 'error' } as const;
    return [
      explainedIssue('D40', `${prefix} has kind KIND_GPU but no GPUs are available`, options, () => ({
        hint,
        changes: [
          cpuHere(config),
          {
            title: 'Set kind to KIND_CPU',
            sets: [
              { path: `${path}.kind`, value: 'KIND_CPU' },
              { path: `${path}.gpus`, value: undefined },
            ],
          },
        ],
      })),
    ];
  }
  if (group.gpus.length === 0) {
    const changes = [setTo(`${path}.gpus`, usable)];
    return [configIssue('D40', `${prefix} has kind KIND_GPU but specifies no GPUs`, { path, changes })];
  }
  return group.gpus.flatMap((id, index) =>
    usable.includes(id)
      ? []
      : [
          explainedIssue(
            'D40',
            `${prefix} specifies invalid or unsupported gpu id ${id}. GPUs with at least the minimum required CUDA compute compatibility of ${minComputeCapability.toFixed(6)} are: ${usable.join(', ')}`,
            { path: `${path}.gpus[${index}]` },
            () => ({
              hint: `Usable here: ${usable.join(', ')}.`,
              changes: [setTo(`${path}.gpus`, usable), cpuHere(config)],
            }),
          ),
        ],
  );
}

function checkProfiles(config: ModelConfig, group: ModelInstanceGroup, path: string): ConfigIssue[] {
  if (group.profile.length === 0) return [];
  const prefix = `instance group ${group.name} of model ${config.name} and platform ${config.platform}`;
  if (config.platform !== TENSORRT_PLATFORM) {
    return [
      configIssue('D27', `${prefix}specifies profile field which is only supported for TensorRT models`, {
        path: `${path}.profile`,
        hint: 'Remove the field.',
        changes: [removeAt(`${path}.profile`)],
      }),
    ];
  }
  return group.profile.flatMap((profile, index) =>
    /^\d+$/.test(profile)
      ? []
      : [
          configIssue(
            'D42',
            `${prefix} specifies invalid profile ${profile}. The field should contain the string representation of a non-negative integer.`,
            { path: `${path}.profile[${index}]`, hint: 'Write profile: [ "0" ].' },
          ),
        ],
  );
}

// Fields of a configuration that mean something else where the model is to run, or nothing.

import type { Finding } from '../../../src-shared/contract/finding.ts';
import { isCompleted } from '../completed-config.ts';
import type { Release } from '../release-table.ts';
import { compareVersions } from '../release-table.ts';
import type { ModelUnderCheck } from './model-under-check.ts';
import { fieldFinding } from './model-under-check.ts';

/** H09: what the server fills in. */
export function completionRule(checked: ModelUnderCheck): readonly Finding[] {
  const { model, plan } = checked;
  const isBroken = model.findings.some(({ severity }) => severity === 'error');
  if (plan.completedConfigs || isBroken || !isCompleted(model)) return [];
  return [
    fieldFinding(checked, '', 'info', {
      code: 'H09',
      message: 'the server completes its configuration, and another one may complete it otherwise',
      hint: 'Have the completed configurations written as well, so that both servers agree.',
    }),
  ];
}

/** H10. */
export function instanceRule(checked: ModelUnderCheck): readonly Finding[] {
  const { model, plan } = checked;
  const groups = model.written.instanceGroup;
  const isGpu = plan.device === 'gpu';
  const findings = groups.flatMap(({ kind, gpus }, at) => {
    const field = `instance_group[${at}]`;
    if (kind === 'KIND_GPU' && !isGpu) {
      return [
        fieldFinding(checked, `${field}.kind`, 'error', {
          code: 'H10',
          message: 'an instance group of KIND_GPU does not load without a GPU',
          hint: 'Choose a target with GPUs, or make it KIND_CPU.',
        }),
      ];
    }
    const absent = gpus.filter((id) => id >= plan.gpuCount);
    if (isGpu && absent.length > 0) {
      return [
        fieldFinding(checked, `${field}.gpus`, 'error', {
          code: 'H10',
          message: `GPU ${absent.join(', ')} will not be there: the target has ${plan.gpuCount}, numbered from 0`,
          hint: 'Leave the numbers out, or ask for as many GPUs.',
        }),
      ];
    }
    if (kind !== 'KIND_CPU' || !isGpu) return [];
    return [
      fieldFinding(checked, `${field}.kind`, 'info', {
        code: 'H10',
        message: 'an instance group of KIND_CPU stays on the CPU, also where a GPU is',
        hint: 'Remove the group, or make it KIND_GPU, to have the model on the GPU.',
      }),
    ];
  });
  if (groups.length > 0 || !isGpu || model.config.ensembleScheduling !== undefined) return findings;
  return [
    fieldFinding(checked, '', 'info', {
      code: 'H10',
      message: 'without an instance group the model moves to the GPU, with one instance on each',
      hint: 'Write an instance group where it has to stay on the CPU.',
    }),
  ];
}

interface Newcomer {
  readonly since: Release['name'];
  readonly field: string;
  readonly what: string;
  readonly isUsed: (checked: ModelUnderCheck) => boolean;
}

const NEWCOMERS: readonly Newcomer[] = [
  {
    since: '25.11',
    field: 'ensemble_scheduling.max_inflight_requests',
    what: 'ensemble_scheduling { max_inflight_requests }',
    isUsed: ({ model }) => (model.written.ensembleScheduling?.maxInflightRequests ?? 0) > 0,
  },
  {
    since: '26.03',
    field: 'platform',
    what: 'the platform torch_aoti',
    isUsed: ({ model }) => model.config.platform === 'torch_aoti',
  },
  {
    since: '26.06',
    field: '',
    what: 'batching and sequences of the platform torch_aoti',
    isUsed: ({ model: { config } }) =>
      config.platform === 'torch_aoti' && (config.maxBatchSize > 0 || config.sequenceBatching !== undefined),
  },
];

/** H11: the newest thing that the release does not know. */
export function newcomerRule(checked: ModelUnderCheck): readonly Finding[] {
  const { release } = checked;
  const newest = NEWCOMERS.filter(
    ({ since, isUsed }) => compareVersions(release.name, since) < 0 && isUsed(checked),
  );
  return newest.map(({ since, field, what }) =>
    fieldFinding(checked, field, 'error', {
      code: 'H11',
      message: `release ${release.name} does not know ${what}; ${since} is the first that does`,
      hint: `Take release ${since} or a newer one, or do without.`,
    }),
  );
}

/** H15: state that one pod has and another has not. */
export function sequenceRule(checked: ModelUnderCheck): readonly Finding[] {
  const { model, plan } = checked;
  const isScaled = plan.replicas > 1 || plan.autoscaling !== 'none';
  if (model.config.sequenceBatching === undefined || !isScaled) return [];
  return [
    fieldFinding(checked, 'sequence_batching', 'warning', {
      code: 'H15',
      message: 'a sequence lives in one pod, and with several its requests may reach another one',
      hint: 'Route by the correlation id (session affinity), or run one replica.',
    }),
  ];
}

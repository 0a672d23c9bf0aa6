// Dynamic batching: preferred sizes, priorities, queue policies; and the response cache, which excludes schedulers.

import { configIssue, removeAt, setTo, type ConfigIssue } from '../config-issue.ts';
import type { ModelConfig, ModelDynamicBatching, ModelQueuePolicy } from '../model-config.ts';

const PATH = 'dynamic_batching';

/** Findings about dynamic_batching; none where the configuration has none. */
export function checkDynamicBatching(config: ModelConfig): ConfigIssue[] {
  const batching = config.dynamicBatching;
  if (batching === undefined) return [];
  return [
    ...checkPreferredSizes(config, batching.preferredBatchSize, {
      path: `${PATH}.preferred_batch_size`,
      subject: 'dynamic batching preferred size',
      code: 'D30',
    }),
    ...checkPriorities(config.name, batching),
    ...checkOrdering(config.name, batching),
  ];
}

/** Things that work but are rarely meant. */
export function adviseDynamicBatching(config: ModelConfig): ConfigIssue[] {
  const batching = config.dynamicBatching;
  if (batching === undefined || config.maxBatchSize < 0) return [];
  if (config.maxBatchSize === 0) {
    return [
      configIssue('D30', 'dynamic_batching has no effect while max_batch_size is 0', {
        path: PATH,
        severity: 'warning',
        hint: 'Set max_batch_size, or remove dynamic_batching.',
        changes: [setTo('max_batch_size', 8), removeAt(PATH)],
      }),
    ];
  }
  const sizes = batching.preferredBatchSize;
  if (sizes.length === 0 || (sizes.length === 1 && sizes[0] === config.maxBatchSize)) return [];
  return [
    configIssue('D31', 'preferred_batch_size is given; the default, max_batch_size, is usually better', {
      path: `${PATH}.preferred_batch_size`,
      severity: 'info',
      hint: 'Remove it unless the model is much faster at certain sizes.',
      changes: [removeAt(`${PATH}.preferred_batch_size`)],
    }),
  ];
}

interface SizeRule {
  readonly path: string;
  readonly subject: string;
  readonly code: 'D30' | 'D35';
}

/** Sizes from 1 to max_batch_size; the first wrong one of each kind is named. */
export function checkPreferredSizes(
  config: ModelConfig,
  sizes: readonly number[],
  { path, subject, code }: SizeRule,
): ConfigIssue[] {
  const { name, maxBatchSize } = config;
  const issues: ConfigIssue[] = [];
  const negative = sizes.findIndex((size) => size <= 0);
  if (negative >= 0) {
    issues.push(
      configIssue(code, `${subject} must be positive for ${name}`, {
        path: `${path}[${negative}]`,
        hint: `${sizes[negative]} is not a batch size.`,
        changes: [removeAt(`${path}[${negative}]`)],
      }),
    );
  }
  // A limit that is itself wrong says nothing of the sizes.
  const tooLarge = maxBatchSize < 0 ? -1 : sizes.findIndex((size) => size > maxBatchSize);
  if (tooLarge >= 0) {
    issues.push(
      configIssue(code, `${subject} must be <= max batch size for ${name}`, {
        path: `${path}[${tooLarge}]`,
        hint: `${sizes[tooLarge]} is above max_batch_size ${maxBatchSize}: raise that or remove the size.`,
        changes: [setTo('max_batch_size', largestOf(sizes)), removeAt(`${path}[${tooLarge}]`)],
      }),
    );
  }
  return issues;
}

const largestOf = (sizes: readonly number[]): number => sizes.reduce((a, b) => Math.max(a, b), 0);

function checkPriorities(name: string, batching: ModelDynamicBatching): ConfigIssue[] {
  const levels = batching.priorityLevels;
  if (levels === 0n) return [];
  const issues: ConfigIssue[] = [];
  const level = batching.defaultPriorityLevel;
  if (level === 0n || level > levels) {
    issues.push(
      configIssue('D32', `default priority level must be in range [1, ${levels}] for ${name}`, {
        path: `${PATH}.default_priority_level`,
        hint: `It is ${level}; with priority_levels ${levels} it must be given.`,
        changes: [setTo(`${PATH}.default_priority_level`, 1)],
      }),
    );
  }
  for (const key of Object.keys(batching.priorityQueuePolicy)) {
    const keyLevel = BigInt(key);
    if (keyLevel !== 0n && keyLevel <= levels) continue;
    issues.push(
      configIssue(
        'D32',
        `priority queue policy must have priority level in range [1, ${levels}] for ${name}`,
        {
          path: `${PATH}.priority_queue_policy["${key}"]`,
          hint: `Level ${key} does not exist.`,
          changes: [removeAt(`${PATH}.priority_queue_policy["${key}"]`)],
        },
      ),
    );
  }
  return issues;
}

function checkOrdering(name: string, batching: ModelDynamicBatching): ConfigIssue[] {
  if (!batching.preserveOrdering) return [];
  const issues: ConfigIssue[] = [];
  if (batching.priorityLevels > 1n) {
    issues.push(
      configIssue('D32', `Only one priority level is allowed when 'preserve_ordering' is true for ${name}`, {
        path: `${PATH}.preserve_ordering`,
        hint: 'Priorities change the order: keep one of the two.',
        changes: [removeAt(`${PATH}.preserve_ordering`)],
      }),
    );
  }
  const policies: [string, ModelQueuePolicy | undefined][] = [
    ['default_queue_policy', batching.defaultQueuePolicy],
    ...Object.entries(batching.priorityQueuePolicy).map(([key, policy]): [string, ModelQueuePolicy] => [
      `priority_queue_policy["${key}"]`,
      policy,
    ]),
  ];
  for (const [path, policy] of policies) {
    if (policy?.timeoutAction !== 'DELAY' || policy.defaultTimeoutMicroseconds === 0n) continue;
    issues.push(
      configIssue(
        'D32',
        `Queue policy can not have DELAY as timeout action when 'preserve_ordering' is true for ${name}`,
        {
          path: `${PATH}.${path}.timeout_action`,
          hint: 'Use REJECT, or drop preserve_ordering.',
          changes: [setTo(`${PATH}.${path}.timeout_action`, 'REJECT')],
        },
      ),
    );
  }
  return issues;
}

/** The cache cannot hold several responses to one request. */
export function checkCache(config: ModelConfig): ConfigIssue[] {
  if (config.responseCache?.enable !== true || config.modelTransactionPolicy?.decoupled !== true) return [];
  return [
    configIssue(
      'D65',
      `Response Cache does not currently support model ${config.name} with 'decoupled' transaction policy. Please disable the response cache.`,
      {
        path: 'response_cache.enable',
        hint: 'Remove response_cache.',
        changes: [removeAt('response_cache')],
      },
    ),
  ];
}

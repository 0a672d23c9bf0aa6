// The form beside the editor: reads its few values from the text and turns one changed value into edits of that text.
// Everything the form does not know stays as it is written. Pure.

import { editConfigValue } from '../../../src-shared/config/config-edit.ts';
import { locatePath } from '../../../src-shared/config/config-path.ts';
import type { ModelConfig, ModelInstanceGroup } from '../../../src-shared/config/model-config.ts';
import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import { firstError } from '../../../src-shared/config/config-issue.ts';
import { applyTextEdits } from '../../../src-shared/config/text-format/ast.ts';
import { policyOf, withPolicy, type PolicyKind } from '../../lib/version-policy.ts';
import { parseText } from '../../../src-shared/config/text-format/parser.ts';

/** What the form shows of a text. */
export interface FormValues {
  /** First mistake in the text: the form waits until it is gone. undefined = none. */
  readonly error: string | undefined;
  readonly isEnsemble: boolean;
  readonly isSequence: boolean;
  /** Undefined = not written. */
  readonly maxBatchSize: number | undefined;
  readonly isBatching: boolean;
  readonly queueDelayUs: number;
  readonly preferredBatchSizes: readonly number[];
  readonly instanceCount: number | undefined;
  readonly instanceKind: ModelInstanceGroup['kind'];
  /** More than one group: counts are edited in the text. */
  readonly hasManyGroups: boolean;
  readonly versionPolicy: PolicyKind;
  readonly latestCount: number;
  readonly versions: readonly number[];
  readonly intraOpThreads: number | undefined;
  readonly interOpThreads: number | undefined;
  /** -1 basic, 0 all, 1 extended and so on; undefined = not written. */
  readonly graphLevel: number | undefined;
}

/** What the text says, field by field; `error` is the first reason why it cannot be read. */
export function readForm(text: string): FormValues {
  const { config, issues, tree } = parseModelConfig(text);
  const isWritten = (path: string): boolean => locatePath(tree.root, path) !== undefined;
  const group = config.instanceGroup[0];
  const { dynamicBatching } = config;
  const policy = policyOf(config);
  return {
    error: firstError(issues)?.message,
    isEnsemble: config.ensembleScheduling !== undefined,
    isSequence: config.sequenceBatching !== undefined,
    maxBatchSize: isWritten('max_batch_size') ? config.maxBatchSize : undefined,
    isBatching: dynamicBatching !== undefined,
    queueDelayUs: Number(dynamicBatching?.maxQueueDelayMicroseconds ?? 0n),
    preferredBatchSizes: dynamicBatching?.preferredBatchSize ?? [],
    instanceCount: isWritten('instance_group[0].count') ? group?.count : undefined,
    instanceKind: group?.kind ?? 'KIND_AUTO',
    hasManyGroups: config.instanceGroup.length > 1,
    versionPolicy: policy.kind,
    latestCount: policy.latestCount,
    versions: policy.versions,
    intraOpThreads: parameter(config, 'intra_op_thread_count'),
    interOpThreads: parameter(config, 'inter_op_thread_count'),
    graphLevel: config.optimization?.graph?.level,
  };
}

function parameter({ parameters }: ModelConfig, key: string): number | undefined {
  if (!Object.hasOwn(parameters, key)) return undefined;
  const value = Number(parameters[key]?.stringValue);
  return Number.isInteger(value) ? value : undefined;
}

/** One change of the form; a value of undefined takes the field out of the text. */
export type FormChange =
  | { readonly field: 'maxBatchSize'; readonly value: number | undefined }
  | { readonly field: 'batching'; readonly value: boolean }
  | { readonly field: 'queueDelayUs'; readonly value: number | undefined }
  | { readonly field: 'preferredBatchSizes'; readonly value: readonly number[] }
  | { readonly field: 'instanceCount'; readonly value: number | undefined }
  | { readonly field: 'instanceKind'; readonly value: ModelInstanceGroup['kind'] }
  | { readonly field: 'versionPolicy'; readonly value: PolicyKind; readonly available: readonly number[] }
  | { readonly field: 'latestCount'; readonly value: number | undefined }
  | { readonly field: 'versions'; readonly value: readonly number[] }
  | { readonly field: 'intraOpThreads'; readonly value: number | undefined }
  | { readonly field: 'interOpThreads'; readonly value: number | undefined }
  | { readonly field: 'graphLevel'; readonly value: number | undefined };

/** The text with the change made. */
export function changeForm(text: string, change: FormChange): string {
  switch (change.field) {
    case 'maxBatchSize':
      return set(text, 'max_batch_size', change.value);
    case 'batching':
      return set(text, 'dynamic_batching', change.value ? {} : undefined);
    case 'queueDelayUs':
      return set(
        text,
        'dynamic_batching.max_queue_delay_microseconds',
        change.value === undefined || change.value === 0 ? undefined : BigInt(Math.round(change.value)),
      );
    case 'preferredBatchSizes':
      return set(text, 'dynamic_batching.preferred_batch_size', orNothing(change.value));
    case 'instanceCount':
      return set(text, 'instance_group[0].count', change.value);
    case 'instanceKind':
      return set(text, 'instance_group[0].kind', change.value === 'KIND_AUTO' ? undefined : change.value);
    case 'versionPolicy':
      return withPolicy(text, {
        kind: change.value,
        latestCount: 1,
        versions: change.available.length === 0 ? [1] : change.available,
      });
    case 'latestCount':
      return set(text, 'version_policy.latest.num_versions', change.value ?? 1);
    case 'versions':
      return set(text, 'version_policy.specific.versions', change.value);
    case 'intraOpThreads':
      return setParameter(text, 'intra_op_thread_count', change.value);
    case 'interOpThreads':
      return setParameter(text, 'inter_op_thread_count', change.value);
    case 'graphLevel':
      return setGraphLevel(text, change.value);
  }
}

function set(text: string, path: string, value: unknown): string {
  return applyTextEdits(text, editConfigValue(parseText(text), path, value));
}

function orNothing(values: readonly number[]): readonly number[] | undefined {
  return values.length === 0 ? undefined : values;
}

function setParameter(text: string, key: string, value: number | undefined): string {
  const path = `parameters[${JSON.stringify(key)}]`;
  if (value === undefined) return set(text, path, undefined);
  return set(text, `${path}.string_value`, String(value));
}

/** An optimization block that only held the level goes with it. */
function setGraphLevel(text: string, level: number | undefined): string {
  if (level !== undefined) return set(text, 'optimization.graph.level', level);
  const without = set(text, 'optimization.graph', undefined);
  const block = locatePath(parseText(without).root, 'optimization')?.value;
  const isEmpty = block?.kind === 'message' && block.fields.length === 0;
  return isEmpty ? set(without, 'optimization', undefined) : without;
}

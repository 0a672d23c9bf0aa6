// The configuration that is written for a model file of another framework, from what the file says and what the user
// added. Pure.

import type { FrameworkInspection } from '../../../src-shared/contract/framework-calls.ts';
import { t } from '../../texts/translate.ts';

export interface TensorDraft {
  readonly name: string;
  /** "FP32"; "" = not said yet. */
  readonly datatype: string;
  /** "3, 224, 224" without the batch, "-1" for any size; "" = not said yet. */
  readonly dims: string;
}

export interface FrameworkDraft {
  readonly name: string;
  /** A whole number above 0, as typed. */
  readonly version: string;
  /** 0 = it does not batch. */
  readonly maxBatchSize: number;
  readonly inputs: readonly TensorDraft[];
  readonly outputs: readonly TensorDraft[];
}

export const FRAMEWORK_TYPES = [
  'BOOL',
  'UINT8',
  'INT8',
  'INT16',
  'INT32',
  'INT64',
  'FP16',
  'FP32',
  'FP64',
  'BYTES',
] as const;

const DEFAULT_MAX_BATCH = 4;
const NOTHING: TensorDraft = { name: '', datatype: '', dims: '' };

/** Batches when every tensor of the file has a first dimension of any size. */
export function draftOfInspection({ inputs, outputs, suggestedName }: FrameworkInspection): FrameworkDraft {
  const all = [...inputs, ...outputs];
  const isBatched = all.length > 0 && all.every(({ shape }) => shape !== null && shape[0] === -1);
  const tensors = (list: FrameworkInspection['inputs']): readonly TensorDraft[] =>
    list.length === 0
      ? [NOTHING]
      : list.map(({ name, datatype, shape }) => ({
          name,
          datatype: datatype ?? '',
          dims: shape === null ? '' : (isBatched ? shape.slice(1) : shape).join(', '),
        }));
  return {
    name: suggestedName,
    version: '1',
    maxBatchSize: isBatched ? DEFAULT_MAX_BATCH : 0,
    inputs: tensors(inputs),
    outputs: tensors(outputs),
  };
}

/** What is still missing, as a sentence; undefined = nothing. */
export function draftFault(draft: FrameworkDraft): string | undefined {
  const { inputs, outputs, version, maxBatchSize } = draft;
  if (!/^[1-9]\d*$/.test(version)) return t('wizard.problem.version');
  for (const { name, datatype, dims } of [...inputs, ...outputs]) {
    if (name.trim() === '') return t('framework.fault.name');
    if (datatype === '') return t('framework.fault.type', { name });
    if (dimsOf(dims) === undefined) return t('framework.fault.dims', { name });
    if (maxBatchSize === 0 && dims.trim() === '') return t('framework.fault.dims', { name });
  }
  const input = firstTwice(inputs);
  if (input !== undefined) return t('framework.fault.twice.inputs', { name: input });
  const output = firstTwice(outputs);
  return output === undefined ? undefined : t('framework.fault.twice.outputs', { name: output });
}

/** An input and an output may share a name, two of one side may not. */
function firstTwice(tensors: readonly TensorDraft[]): string | undefined {
  const names = tensors.map(({ name }) => name);
  return names.find((name, index) => names.indexOf(name) !== index);
}

/** Text of config.pbtxt. What is still missing shows as TYPE_INVALID and a scalar: ask `draftFault` before. */
export function frameworkConfig(
  { backend, platform }: Pick<FrameworkInspection, 'backend' | 'platform'>,
  { name, maxBatchSize, inputs, outputs }: FrameworkDraft,
): string {
  const lines = [
    `name: ${quoted(name)}`,
    `backend: ${quoted(backend)}`,
    ...(platform === '' ? [] : [`platform: ${quoted(platform)}`]),
    `max_batch_size: ${maxBatchSize}`,
    ...inputs.map((tensor) => block('input', tensor)),
    ...outputs.map((tensor) => block('output', tensor)),
    ...(maxBatchSize > 0 ? ['dynamic_batching {', '}'] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function block(kind: string, { name, datatype, dims }: TensorDraft): string {
  const type = datatype === '' ? 'TYPE_INVALID' : datatype === 'BYTES' ? 'TYPE_STRING' : `TYPE_${datatype}`;
  const sizes = dimsOf(dims) ?? [];
  const shape = sizes.length === 0 ? [1] : sizes;
  return [
    `${kind} {`,
    `  name: ${quoted(name)}`,
    `  data_type: ${type}`,
    `  dims: [${shape.join(', ')}]`,
    ...(sizes.length === 0 ? ['  reshape { shape: [] }'] : []),
    '}',
  ].join('\n');
}

/** undefined when the text is no list of sizes. */
function dimsOf(text: string): readonly number[] | undefined {
  const words = text.split(/[\s,x×]+/).filter((word) => word !== '');
  return words.every((word) => /^(?:-1|[1-9]\d{0,8})$/.test(word)) ? words.map(Number) : undefined;
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

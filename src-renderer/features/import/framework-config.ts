// The configuration that is written for a model file of another framework, from what the file says and what the user
// added. Pure.

import { DEFAULT_MAX_BATCH_SIZE } from '../../../src-shared/config/config-defaults.ts';
import type { FrameworkInspection } from '../../../src-shared/contract/framework-calls.ts';
import { t } from '../../texts/translate.ts';

/** One input or output as it is typed. */
export interface TensorDraft {
  readonly name: string;
  /** "FP32"; "" = not said yet. */
  readonly datatype: string;
  /** "3, 224, 224" without the batch, "-1" for any size; "" = not said yet. */
  readonly dims: string;
}

/** The new model as it is typed. */
export interface FrameworkDraft {
  readonly name: string;
  /** A whole number above 0, as typed. */
  readonly version: string;
  /** 0 = it does not batch. */
  readonly maxBatchSize: number;
  readonly inputs: readonly TensorDraft[];
  readonly outputs: readonly TensorDraft[];
}

/** What a tensor may be declared as, without the prefix `TYPE_`. */
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

/** OpenVINO refuses batches that are not full unless they are filled up. */
const PADDING = ['parameters {', '  key: "ENABLE_BATCH_PADDING"', '  value { string_value: "YES" }', '}'];
const NOTHING: TensorDraft = { name: '', datatype: '', dims: '' };

/**
 * Batches when every tensor of the file has a first dimension of any size; of one that names a batch, every known one.
 * OpenVINO compiles a model for batches of one size, so that a request of another would fail: there any size is a dimension.
 */
export function draftOfInspection({
  backend,
  inputs,
  outputs,
  suggestedName,
  maxBatchSize,
}: FrameworkInspection): FrameworkDraft {
  const all = [...inputs, ...outputs];
  // What the code of a Python model declares are the dims of a configuration, which have no batch. The lists of texts of
  // a TorchScript module, the only tensors of it that have a shape, are no rows of a batch.
  const isBatched =
    backend !== 'python' &&
    backend !== 'openvino' &&
    backend !== 'pytorch' &&
    all.length > 0 &&
    all.every(({ shape }) => (shape === null ? maxBatchSize !== undefined : shape[0] === -1));
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
    maxBatchSize: isBatched ? (maxBatchSize ?? DEFAULT_MAX_BATCH_SIZE) : 0,
    inputs: tensors(inputs),
    outputs: tensors(outputs),
  };
}

/** Whether nothing is said of a tensor. */
function isBlank({ name, datatype, dims }: TensorDraft): boolean {
  return name.trim() === '' && datatype === '' && dims.trim() === '';
}

/** Whether a load is left to find out something. */
export function leavesOpen({ completes }: FrameworkInspection, { inputs, outputs }: FrameworkDraft): boolean {
  return completes && [...inputs, ...outputs].some(isBlank);
}

/** Why no model can be made of it yet, as a sentence; undefined = it can. */
export function draftFault(
  { completes, isServable, problem }: FrameworkInspection,
  draft: FrameworkDraft,
): string | undefined {
  const { inputs, outputs, version, maxBatchSize } = draft;
  if (!isServable) return problem;
  if (!/^[1-9]\d*$/.test(version)) return t('wizard.problem.version');
  for (const tensor of [...inputs, ...outputs]) {
    const { name, datatype, dims } = tensor;
    if (completes && isBlank(tensor)) continue;
    if (name.trim() === '') return t('framework.fault.name');
    if (datatype === '') return t('framework.fault.type', { name });
    if (dimsOf(dims) === undefined) return t('framework.fault.dims', { name });
    if (maxBatchSize === 0 && dims.trim() === '') return t('framework.fault.dims', { name });
  }
  const input = firstTwice(inputs.filter((tensor) => !isBlank(tensor)));
  if (input !== undefined) return t('framework.fault.twice.inputs', { name: input });
  const output = firstTwice(outputs.filter((tensor) => !isBlank(tensor)));
  return output === undefined ? undefined : t('framework.fault.twice.outputs', { name: output });
}

/** An input and an output may share a name, two of one side may not. */
function firstTwice(tensors: readonly TensorDraft[]): string | undefined {
  const names = tensors.map(({ name }) => name);
  return names.find((name, index) => names.indexOf(name) !== index);
}

/**
 * Text of config.pbtxt. What is left to the load is not written; what is still missing is a comment: ask `draftFault`
 * before.
 */
export function frameworkConfig(
  inspection: FrameworkInspection,
  { name, maxBatchSize, inputs, outputs }: FrameworkDraft,
): string {
  const { backend, platform, completes } = inspection;
  const written = (tensors: readonly TensorDraft[]): readonly TensorDraft[] =>
    completes ? tensors.filter((tensor) => !isBlank(tensor)) : tensors;
  // A written 0 would say that there are no batches, where the load is to find that out.
  const isOpen = completes && [...inputs, ...outputs].every(isBlank) && maxBatchSize === 0;
  const lines = [
    `name: ${quoted(name)}`,
    `backend: ${quoted(backend)}`,
    ...(platform === undefined ? [] : [`platform: ${quoted(platform)}`]),
    ...(isOpen ? [] : [`max_batch_size: ${maxBatchSize}`]),
    ...written(inputs).map((tensor) => block('input', tensor, maxBatchSize > 0)),
    ...written(outputs).map((tensor) => block('output', tensor, maxBatchSize > 0)),
    ...(maxBatchSize > 0 ? ['dynamic_batching {', '}'] : []),
    ...(maxBatchSize > 0 && backend === 'openvino' ? PADDING : []),
  ];
  return `${lines.join('\n')}\n`;
}

function block(kind: string, { name, datatype, dims }: TensorDraft, isBatched: boolean): string {
  const type = datatype === 'BYTES' ? 'TYPE_STRING' : `TYPE_${datatype}`;
  return [
    `${kind} {`,
    name.trim() === '' ? missing('name') : `  name: ${quoted(name)}`,
    datatype === '' ? missing('data_type') : `  data_type: ${type}`,
    ...dimsLines(dimsOf(dims), isBatched && datatype !== ''),
    '}',
  ].join('\n');
}

function missing(field: string): string {
  return `  # ${t('framework.missing', { field })}`;
}

/** Without sizes, a tensor of a batch is a number for each row; one without a batch is not described yet. */
function dimsLines(sizes: readonly number[] | undefined, isBatched: boolean): readonly string[] {
  if (sizes === undefined || (sizes.length === 0 && !isBatched)) return [missing('dims')];
  return sizes.length === 0 ? ['  dims: [1]', '  reshape { shape: [] }'] : [`  dims: [${sizes.join(', ')}]`];
}

/** undefined when the text is no list of sizes. */
function dimsOf(text: string): readonly number[] | undefined {
  const words = text.split(/[\s,x×]+/).filter((word) => word !== '');
  return words.every((word) => /^(?:-1|[1-9]\d{0,8})$/.test(word)) ? words.map(Number) : undefined;
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

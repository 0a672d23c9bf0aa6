// The configuration that the import wizard writes, from what the user chose. Pure: options and inspection in, text out.

import { isNewModelName } from '../../../src-shared/config/new-model-name.ts';
import { DEFAULT_MAX_BATCH_SIZE } from '../../../src-shared/config/config-defaults.ts';
import type { OnnxInspection } from '../../../src-shared/contract/config-calls.ts';
import type { TensorDescription } from '../../../src-shared/config/model-description.ts';

/** What was decided about a new model. */
export interface WizardOptions {
  readonly name: string;
  readonly isBatched: boolean;
  readonly maxBatchSize: number;
  readonly queueDelayUs: number;
  readonly instanceCount: number;
  readonly device: 'auto' | 'cpu' | 'gpu';
  readonly hasWarmup: boolean;
  readonly write: 'full' | 'minimal' | 'none';
  /** Output -> file with one label a line. */
  readonly labels: Readonly<Record<string, string>>;
}

/** What the wizard begins with: batching where every tensor allows it, at most 4 rows; the whole file is written. */
export function defaultOptions(inspection: OnnxInspection): WizardOptions {
  return {
    name: inspection.suggestedName,
    isBatched: batchingObstacle(inspection) === undefined,
    maxBatchSize: DEFAULT_MAX_BATCH_SIZE,
    queueDelayUs: 0,
    instanceCount: 1,
    device: 'auto',
    hasWarmup: false,
    write: 'full',
    labels: {},
  };
}

/** Nothing of the file could be read: there is nothing to configure. */
export function isUnreadable({ problem, operatorCount, description }: OnnxInspection): boolean {
  return problem !== undefined && operatorCount === 0 && description.outputs.length === 0;
}

/**
 * What is wrong with the file, by its own name: where an upload was put means nothing to whoever dropped it. Undefined =
 * nothing is.
 */
export function problemText({ problem, path }: Pick<OnnxInspection, 'problem' | 'path'>): string | undefined {
  return problem?.replaceAll(path, path.split(/[\\/]/).at(-1) ?? path);
}

/** First tensor that keeps the model from batching; undefined = it can batch. */
export function batchingObstacle({ description }: OnnxInspection): TensorDescription | undefined {
  return [...description.inputs.filter(({ isOptional }) => !isOptional), ...description.outputs].find(
    ({ shape }) => shape[0] !== -1,
  );
}

/** The file as it would be with a dynamic first dimension: what was 1 becomes the batch. */
export function withDynamicFirst(inspection: OnnxInspection): OnnxInspection {
  const { inputs, outputs } = inspection.description;
  const opened = (tensor: TensorDescription): TensorDescription =>
    tensor.shape[0] === 1 && !tensor.isOptional
      ? { ...tensor, shape: [-1, ...tensor.shape.slice(1)] }
      : tensor;
  const description = { inputs: inputs.map(opened), outputs: outputs.map(opened) };
  return { ...inspection, description };
}

/** `dims` of a tensor, and whether a scalar has to be reshaped to one element. */
export function dimsOf(
  shape: readonly number[],
  isBatched: boolean,
): { readonly dims: readonly number[]; readonly isReshaped: boolean } {
  const dims = isBatched ? shape.slice(1) : shape;
  return dims.length === 0 ? { dims: [1], isReshaped: true } : { dims, isReshaped: false };
}

/** Undefined when no file is to be written. */
export function wizardConfig(inspection: OnnxInspection, options: WizardOptions): string | undefined {
  if (options.write === 'none') return undefined;
  const { inputs, outputs } = inspection.description;
  const isFull = options.write === 'full';
  const blocks = [
    `name: ${quoted(options.name)}`,
    ...(isFull ? ['platform: "onnxruntime_onnx"'] : []),
    'backend: "onnxruntime"',
    `max_batch_size: ${options.isBatched ? options.maxBatchSize : 0}`,
    ...(isFull ? inputs.map((tensor) => tensorBlock('input', tensor, options.isBatched)) : []),
    ...outputs
      .filter(({ name }) => isFull || options.labels[name] !== undefined)
      .map((tensor) => tensorBlock('output', tensor, options.isBatched, options.labels[tensor.name])),
    ...batchingBlock(options),
    ...instanceBlock(options, isFull),
    ...(options.hasWarmup ? [warmupBlock(inputs, options)] : []),
  ];
  return `${blocks.join('\n')}\n`;
}

/** Name of an output's label file in the model folder. */
function labelFile(output: string): string {
  return `${output.replaceAll(/[^\w-]+/g, '_')}_labels.txt`;
}

/** Label files to copy: name in the model folder -> where it is. Without a configuration nothing would read them. */
export function labelFiles({ labels, write }: WizardOptions): Readonly<Record<string, string>> {
  if (write === 'none') return {};
  return Object.fromEntries(Object.entries(labels).map(([output, path]) => [labelFile(output), path]));
}

function tensorBlock(
  kind: 'input' | 'output',
  tensor: TensorDescription,
  isBatched: boolean,
  labels?: string,
): string {
  const { dims, isReshaped } = dimsOf(tensor.shape, isBatched);
  return block(kind, [
    `name: ${quoted(tensor.name)}`,
    `data_type: ${configType(tensor)}`,
    `dims: [${dims.join(', ')}]`,
    ...(isReshaped ? ['reshape { shape: [] }'] : []),
    ...(labels === undefined ? [] : [`label_filename: ${quoted(labelFile(tensor.name))}`]),
    ...(kind === 'input' && tensor.isOptional ? ['optional: true'] : []),
  ]);
}

function batchingBlock({ isBatched, queueDelayUs }: WizardOptions): readonly string[] {
  if (!isBatched) return [];
  return [
    block('dynamic_batching', queueDelayUs > 0 ? [`max_queue_delay_microseconds: ${queueDelayUs}`] : []),
  ];
}

/** A single instance on whatever is there is what completion gives anyway. */
function instanceBlock({ instanceCount, device }: WizardOptions, isFull: boolean): readonly string[] {
  if (!isFull && instanceCount === 1 && device === 'auto') return [];
  const kinds = { auto: 'KIND_AUTO', cpu: 'KIND_CPU', gpu: 'KIND_GPU' } as const;
  return [block('instance_group', [`count: ${instanceCount}`, `kind: ${kinds[device]}`])];
}

function warmupBlock(
  inputs: readonly TensorDescription[],
  { isBatched, maxBatchSize }: WizardOptions,
): string {
  return block('model_warmup', [
    `name: ${quoted('random at max batch size')}`,
    `batch_size: ${isBatched ? maxBatchSize : 0}`,
    ...inputs
      .filter(({ isOptional }) => !isOptional)
      .flatMap((tensor) => [
        'inputs {',
        `  key: ${quoted(tensor.name)}`,
        '  value {',
        `    data_type: ${configType(tensor)}`,
        `    dims: [${dimsOf(tensor.shape, isBatched)
          .dims.map((size) => (size === -1 ? 1 : size))
          .join(', ')}]`,
        `    ${tensor.datatype === 'BYTES' ? 'zero_data: true' : 'random_data: true'}`,
        '  }',
        '}',
      ]),
  ]);
}

function configType({ datatype }: TensorDescription): string {
  return datatype === undefined ? 'TYPE_INVALID' : datatype === 'BYTES' ? 'TYPE_STRING' : `TYPE_${datatype}`;
}

function block(name: string, lines: readonly string[]): string {
  return lines.length === 0 ? `${name} {\n}` : `${name} {\n${lines.map((line) => `  ${line}`).join('\n')}\n}`;
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** What is wrong with a name, as the key of its sentence. */
export type WizardNameFault = 'wizard.nameEmpty' | 'wizard.nameBad' | 'wizard.nameTaken';

/** Key of the sentence that says why no model can have this name; undefined = it can. `taken` is by name. */
export function wizardNameFault(
  name: string,
  taken: ReadonlyMap<string, unknown>,
): WizardNameFault | undefined {
  if (name === '') return 'wizard.nameEmpty';
  if (!isNewModelName(name)) return 'wizard.nameBad';
  return taken.has(name) ? 'wizard.nameTaken' : undefined;
}

/** "resnet", "resnet_2", "resnet_3" ...: the first that is free. */
export function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let candidate = name;
  for (let number = 2; taken.has(candidate); number += 1) candidate = `${name}_${number}`;
  return candidate;
}

/** Paths that will be written, relative to the repository. */
export function writtenFiles(
  inspection: OnnxInspection,
  options: WizardOptions,
  versions: readonly string[],
): readonly string[] {
  const { name, write } = options;
  return [
    ...(write === 'none' ? [] : [`${name}/config.pbtxt`]),
    ...Object.keys(labelFiles(options)).map((file) => `${name}/${file}`),
    ...versions.flatMap((version) => [
      `${name}/${version}/model.onnx`,
      ...inspection.externalData.map((data) => `${name}/${version}/${data.name}`),
    ]),
  ];
}

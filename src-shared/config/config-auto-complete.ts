// Completion of a configuration from the model file: batch size, scheduler, inputs and outputs, by the reference's
// ONNX rules; and how a backend's own completion (a Python model's, say) is merged.

import { DEFAULT_MAX_BATCH_SIZE, emptyPart, modelInput, modelOutput } from './config-defaults.ts';
import { configIssue, type ConfigIssue } from './config-issue.ts';
import type { ConfigOrigin } from './config-origins.ts';
import type { ModelConfig, TensorReshape } from './model-config.ts';
import {
  supportsBatching,
  UNDEFINED_TYPE,
  type ModelDescription,
  type TensorDescription,
} from './model-description.ts';
import { withoutBatching } from './rules/without-batching.ts';
import { hashTableOrder } from '../hash-table-order.ts';
import { dataTypeToConfig, type ConfigDataType } from '../datatypes.ts';

/** A configuration completed from its model file, with a reason for each field that was set. */
export interface AutoCompletion {
  readonly config: ModelConfig;
  readonly origins: ReadonlyMap<string, ConfigOrigin>;
  readonly issues: readonly ConfigIssue[];
  /** Lines for the log. */
  readonly notes: readonly { readonly level: 'info' | 'warn'; readonly text: string }[];
}

/** Whether inputs and outputs are written: such a configuration is served as it is, and its file is not asked. */
export function isInterfaceListed({ input, batchInput, output }: ModelConfig): boolean {
  return input.length + batchInput.length > 0 && output.length > 0;
}

/** The line of the log about a configuration whose interface is listed. */
export function notCompleted({ name }: ModelConfig): string {
  return `skipping model configuration auto-complete for '${name}': inputs and outputs already specified`;
}

/** Completes `config` from an ONNX file. On an error issue the config is returned as it came. */
export function autoCompleteOnnx(
  config: ModelConfig,
  description: ModelDescription,
  { defaultMaxBatchSize = DEFAULT_MAX_BATCH_SIZE }: { readonly defaultMaxBatchSize?: number } = {},
): AutoCompletion {
  const origins = new Map<string, ConfigOrigin>();
  if (isInterfaceListed(config)) {
    return { config, origins, issues: [], notes: [{ level: 'info', text: notCompleted(config) }] };
  }
  const unsupported = [...checkTensorKinds(description), ...checkElementTypes(config.name, description)];
  if (unsupported.length > 0) return { config, origins, issues: unsupported, notes: [] };
  const isBatchable = supportsBatching(description);
  if (!isBatchable && config.maxBatchSize !== 0) {
    const message = `autofill failed for model '${config.name}': model does not support batching while non-zero max_batch_size is specified`;
    const issue = configIssue('D20', message, {
      path: 'max_batch_size',
      hint: fixedDimHint(description),
      changes: [withoutBatching(config, description)],
    });
    return { config, origins, issues: [issue], notes: [] };
  }
  const notes: AutoCompletion['notes'][number][] = [];
  let result = config;
  if (isBatchable && config.maxBatchSize === 0 && defaultMaxBatchSize > 0) {
    result = { ...result, maxBatchSize: defaultMaxBatchSize };
    const reason = `all inputs and outputs start with -1, default maximum is ${defaultMaxBatchSize}`;
    origins.set('max_batch_size', { kind: 'auto-complete', reason });
    const text = `model '${config.name}' supports batching and names no max_batch_size: using the default ${defaultMaxBatchSize}`;
    notes.push({ level: 'warn', text });
  }
  const hasScheduler = result.dynamicBatching !== undefined || result.sequenceBatching !== undefined;
  if (isBatchable && result.maxBatchSize > 1 && !hasScheduler) {
    result = { ...result, dynamicBatching: emptyPart('dynamicBatching') };
    const reason = `max_batch_size is ${result.maxBatchSize} and no scheduler is written`;
    origins.set('dynamic_batching', { kind: 'auto-complete', reason });
  }
  return { config: fillTensors(result, description, origins), origins, issues: [], notes };
}

/** As the reference calls them; it has no name for optional values. */
const ONNX_TYPES: Readonly<Partial<Record<TensorDescription['kind'], string>>> = {
  sequence: 'ONNX_TYPE_SEQUENCE',
  map: 'ONNX_TYPE_MAP',
  sparse: 'ONNX_TYPE_SPARSETENSOR',
};

/** Inputs and outputs that are no tensors cannot be served at all. */
export function checkTensorKinds(description: ModelDescription): ConfigIssue[] {
  return [...description.inputs, ...description.outputs]
    .filter((tensor) => tensor.kind !== 'tensor')
    .map((tensor) => {
      const type = ONNX_TYPES[tensor.kind] ?? 'ONNX_TYPE_UNKNOWN';
      const message = `Unsupported ONNX Type '${type}' for I/O '${tensor.name}', expected 'ONNX_TYPE_TENSOR'.`;
      return configIssue('D10', message, {
        statusCode: 'UNSUPPORTED',
        hint: 'Export the model with plain tensors (for classifiers: without the ZipMap step).',
      });
    });
}

/** Nothing can be written for tensors whose elements no request can carry: to the reference their type is missing. */
function checkElementTypes(model: string, { inputs, outputs }: ModelDescription): ConfigIssue[] {
  const told = (direction: string, { name, sourceType }: TensorDescription): ConfigIssue =>
    configIssue('D25', `model ${direction} '${name}' must specify 'data_type' for ${model}`, {
      hint: `Its elements are ${sourceType} in the model file, which no request can carry. Export the model with a Cast to FP32, FP16 or an integer of 8 bits or more at this place.`,
    });
  return [
    ...inOrder(inputs.filter(({ isOptional }) => !isOptional))
      .filter(isUnnamed)
      .map((input) => told('input', input)),
    ...inOrder(outputs)
      .filter(isUnnamed)
      .map((output) => told('output', output)),
  ];
}

/** An element type that the file names and the protocol does not, such as float8e4m3fn or int4. */
function isUnnamed({ kind, datatype, sourceType }: TensorDescription): boolean {
  return kind === 'tensor' && datatype === undefined && sourceType !== UNDEFINED_TYPE;
}

function fixedDimHint(description: ModelDescription): string {
  const fixed = [...description.inputs, ...description.outputs].find((tensor) => tensor.shape[0] !== -1);
  if (fixed === undefined) return '';
  return `The first dimension of '${fixed.name}' is not dynamic (shape [${fixed.shape.join(',')}]): set max_batch_size: 0.`;
}

function fillTensors(
  config: ModelConfig,
  description: ModelDescription,
  origins: Map<string, ConfigOrigin>,
): ModelConfig {
  const origin: ConfigOrigin = { kind: 'auto-complete', reason: 'read from the model file' };
  let result = config;
  // A tensor made of the batch counts as an input that is written.
  if (result.input.length + result.batchInput.length === 0) {
    const tensors = inOrder(description.inputs.filter((input) => !input.isOptional));
    result = {
      ...result,
      input: tensors.map((tensor) => modelInput(completeTensor(tensor, config.maxBatchSize))),
    };
    origins.set('input', origin);
  }
  if (result.output.length === 0) {
    const output = inOrder(description.outputs).map((tensor) =>
      modelOutput(completeTensor(tensor, config.maxBatchSize)),
    );
    result = { ...result, output };
    origins.set('output', origin);
  }
  return result;
}

/** Not that of the file: the reference goes through a hash table of them. */
function inOrder(tensors: readonly TensorDescription[]): readonly TensorDescription[] {
  const byName = new Map(tensors.map((tensor) => [tensor.name, tensor]));
  return hashTableOrder(byName.keys()).flatMap((name) => byName.get(name) ?? []);
}

interface CompletedTensor {
  readonly name: string;
  readonly dataType: ConfigDataType;
  readonly dims: readonly number[];
  readonly reshape: TensorReshape | undefined;
}

function completeTensor(tensor: TensorDescription, maxBatchSize: number): CompletedTensor {
  const dims = maxBatchSize > 0 ? tensor.shape.slice(1) : tensor.shape;
  const dataType = tensor.datatype === undefined ? 'TYPE_INVALID' : dataTypeToConfig(tensor.datatype);
  if (dims.length > 0) return { name: tensor.name, dataType, dims, reshape: undefined };
  return { name: tensor.name, dataType, dims: [1], reshape: maxBatchSize > 0 ? { shape: [] } : undefined };
}

const SCHEDULERS = {
  dynamicBatching: 11,
  sequenceBatching: 13,
  ensembleScheduling: 15,
} as const;

/**
 * What a backend may change of a configuration: batch size, inputs, outputs, the scheduler where there is none, and
 * whether the model is decoupled. Everything else of `completed` is ignored.
 */
export function mergeBackendCompletion(
  config: ModelConfig,
  completed: ModelConfig,
): { readonly config: ModelConfig; readonly issues: readonly ConfigIssue[] } {
  const choice = (each: ModelConfig): keyof typeof SCHEDULERS | undefined =>
    (Object.keys(SCHEDULERS) as (keyof typeof SCHEDULERS)[]).find((name) => each[name] !== undefined);
  const before = choice(config);
  const after = choice(completed);
  if (before !== undefined && after !== undefined && before !== after) {
    const number = SCHEDULERS[before];
    const message = `Cannot update scheduling choice from ${number} to ${number} when auto-completing.`;
    const hint = `The config has ${before}, the backend returned ${after}.`;
    return { config, issues: [configIssue('D30', message, { statusCode: 'INTERNAL', hint })] };
  }
  const scheduler = before === undefined && after !== undefined ? { [after]: completed[after] } : {};
  const merged: ModelConfig = {
    ...config,
    ...scheduler,
    maxBatchSize: completed.maxBatchSize,
    input: completed.input,
    output: completed.output,
    modelTransactionPolicy: completed.modelTransactionPolicy ?? config.modelTransactionPolicy,
  };
  return { config: merged, issues: [] };
}

// Compares a configuration with what the model file really offers, in the order and words of Triton's ONNX Runtime
// backend. Runs in every mode, also for configurations nobody completed automatically.

import type { ModelConfig, ModelInput, ModelOutput } from '../../../src-shared/config/model-config.ts';
import type { ModelDescription, TensorDescription } from '../../../src-shared/config/model-description.ts';
import { dataTypeFromConfig } from '../../../src-shared/datatypes.ts';
import type { ConfigDataType } from '../../../src-shared/datatypes.ts';
import { internal, invalidArg, unsupported } from '../../../src-shared/errors.ts';
import { checkControls, datatypeText, shapeText } from './control-check.ts';
import { ortTypeOf } from './ort-datatypes.ts';

/**
 * Throws at the first contradiction: INVALID_ARG, INTERNAL for tensors without a datatype, UNSUPPORTED for inputs and
 * outputs that are no tensors or that this runtime cannot exchange.
 */
export function checkInterface(config: ModelConfig, description: ModelDescription): void {
  for (const tensor of [...description.inputs, ...description.outputs]) checkIsTensor(config, tensor);
  const required = description.inputs.filter((input) => !input.isOptional);
  const presentControls = checkControls(config, description);
  checkInputCount(config, required.length, presentControls);
  for (const input of config.input) checkInput(config, description, input);
  for (const output of config.output) checkOutput(config, description, output);
  for (const tensor of [...required, ...description.outputs]) checkExchangeable(config, tensor);
}

function checkIsTensor(config: ModelConfig, tensor: TensorDescription): void {
  if (tensor.kind === 'tensor') return;
  const type = `ONNX_TYPE_${tensor.kind === 'sparse' ? 'SPARSETENSOR' : tensor.kind.toUpperCase()}`;
  throw unsupported(
    `Unsupported ONNX Type '${type}' for I/O '${tensor.name}', expected 'ONNX_TYPE_TENSOR'.`,
    { details: { model: config.name } },
  );
}

/** BF16 has a name in the protocol but no tensor in the JavaScript library. */
function checkExchangeable(config: ModelConfig, tensor: TensorDescription): void {
  if (tensor.datatype === undefined || ortTypeOf(tensor.datatype) !== undefined) return;
  throw unsupported(
    `unable to load model '${config.name}', tensor '${tensor.name}' has datatype ${tensor.datatype}: onnxruntime-node offers no tensors of that type`,
  );
}

function checkInputCount(config: ModelConfig, provided: number, controlCount: number): void {
  const listed = config.input.filter((input) => !input.optional).length;
  const generated = config.batchInput.reduce((count, entry) => count + entry.targetName.length, 0);
  const states = config.sequenceBatching?.state.length ?? 0;
  const expected = listed + generated + controlCount + states;
  if (expected === provided) return;
  throw invalidArg(
    `unable to load model '${config.name}', configuration expects ${expected} inputs, model provides ${provided}`,
  );
}

function checkInput(config: ModelConfig, description: ModelDescription, input: ModelInput): void {
  const { name } = input;
  if (input.optional && config.maxBatchSize > 0) {
    throw invalidArg(
      `unable to load model '${config.name}', optional input '${name}' is not supported for models that support batching`,
    );
  }
  const tensor = description.inputs.find((entry) => entry.name === name);
  if (tensor === undefined) throw unexpectedName('input', name, description.inputs);
  if (tensor.isOptional) {
    throw unsupported(
      `unable to load model '${config.name}', input '${name}' has a default value in the model file: onnxruntime-node would ignore the value given by a request. Export the model with '${name}' as an input without initialiser, or leave it out of the configuration.`,
    );
  }
  checkType(config, 'input', name, input.dataType, tensor);
  if (input.allowRaggedBatch) {
    checkRagged(config, input, tensor);
    return;
  }
  checkDims(config, name, input.reshape?.shape ?? input.dims, tensor, false);
}

function checkOutput(config: ModelConfig, description: ModelDescription, output: ModelOutput): void {
  const { name } = output;
  const tensor = description.outputs.find((entry) => entry.name === name);
  if (tensor === undefined) throw unexpectedName('output', name, description.outputs);
  checkType(config, 'output', name, output.dataType, tensor);
  if (config.batchOutput.some((entry) => entry.targetName.includes(name))) return;
  checkDims(config, name, output.reshape?.shape ?? output.dims, tensor, true);
}

function unexpectedName(what: 'input' | 'output', name: string, known: readonly TensorDescription[]): Error {
  const allowed = known
    .map((entry) => entry.name)
    .sort()
    .join(', ');
  return invalidArg(`unexpected inference ${what} '${name}', allowed ${what}s are: ${allowed}`);
}

function checkType(
  config: ModelConfig,
  what: 'input' | 'output',
  name: string,
  dataType: ConfigDataType,
  tensor: TensorDescription,
): void {
  const wanted = dataTypeFromConfig(dataType);
  if (wanted === undefined) {
    throw internal(`unsupported datatype ${dataType} for ${what} '${name}' for model '${config.name}'`);
  }
  if (wanted === tensor.datatype) return;
  throw invalidArg(
    `unable to load model '${config.name}', configuration expects datatype ${dataType} for ${what} '${name}', model provides TYPE_${datatypeText(tensor)}`,
  );
}

function checkRagged(config: ModelConfig, input: ModelInput, tensor: TensorDescription): void {
  const start = `unable to load model '${config.name}', configuration expects model provides input with shape [-1]`;
  if (input.optional) {
    throw invalidArg(`${start} for ragged input '${input.name}', which is not supported for optional input`);
  }
  if (tensor.shape.length === 1 && tensor.shape[0] === -1) return;
  throw invalidArg(`${start}  for ragged input '${input.name}', model provides ${shapeText(tensor.shape)}`);
}

function checkDims(
  config: ModelConfig,
  name: string,
  dims: readonly number[],
  tensor: TensorDescription,
  isExact: boolean,
): void {
  const { shape } = tensor;
  const batches = config.maxBatchSize > 0;
  if (batches && shape[0] !== -1) {
    throw invalidArg(
      `model '${config.name}', tensor '${name}': for the model to support batching the shape should have at least 1 dimension and the first dimension must be -1; but shape expected by the model is ${shapeText(shape)}`,
    );
  }
  if (shape.length === 0) {
    if (dims.every((dim) => dim === 1)) return;
    throw invalidArg(
      `unable to load model '${config.name}', scalar tensor '${name}', should only provide 1 in the model configuration when the model doesn't support batching. Model configuration provided: ${shapeText(dims)}.`,
    );
  }
  const full = batches ? [-1, ...dims] : dims;
  const matches =
    full.length === shape.length &&
    full.every((dim, axis) => dim === shape[axis] || (!isExact && shape[axis] === -1));
  if (matches) return;
  const model = `model '${config.name}', tensor '${name}': the model expects ${shape.length} dimensions (shape ${shapeText(shape)}) but the model configuration specifies ${full.length} dimensions`;
  throw invalidArg(
    batches
      ? `${model} (an initial batch dimension because max_batch_size > 0 followed by the explicit tensor shape, making complete shape ${shapeText(full)})`
      : `${model} (shape ${shapeText(full)})`,
  );
}

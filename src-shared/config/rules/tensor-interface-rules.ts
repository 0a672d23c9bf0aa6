// One configured input or output against the tensor of the same name in the model file.

import { dataTypeFromConfig, dataTypeToConfig } from '../../datatypes.ts';
import { formatShape, withBatchDim } from '../../tensor/shape.ts';
import { actionFix, configIssue, removeAt, setTo, type ConfigIssue } from '../config-issue.ts';
import type { ModelConfig, ModelInput, ModelOutput } from '../model-config.ts';
import type { ModelDescription, TensorDescription } from '../model-description.ts';
import { withoutBatching } from './without-batching.ts';
import { nearestName } from '../nearest-name.ts';

type Direction = 'input' | 'output';
/** Whether the model can be batched after all shows only when it runs. */
const PROBE = actionFix('batch-probe', 'Run batch probe');

type Tensors = readonly TensorDescription[];

export function checkInputTensor(
  config: ModelConfig,
  input: ModelInput,
  index: number,
  description: ModelDescription,
): ConfigIssue[] {
  const path = `input[${index}]`;
  const tensors = description.inputs;
  const issues: ConfigIssue[] = [];
  if (input.optional && config.maxBatchSize > 0) {
    const message = `unable to load model '${config.name}', optional input '${input.name}' is not supported for models that support batching`;
    issues.push(
      configIssue('D20', message, {
        path: `${path}.optional`,
        hint: 'Set max_batch_size: 0.',
        changes: [setTo('max_batch_size', 0), removeAt(`${path}.optional`)],
      }),
    );
  }
  const tensor = tensors.find((each) => each.name === input.name);
  if (tensor === undefined) {
    const free = freeTensors(config.input, tensors);
    return [...issues, unknownTensor(input.name, 'input', path, tensors, free)];
  }
  issues.push(...checkType(config, input, tensor, 'input', path));
  if (input.allowRaggedBatch) return [...issues, ...checkRagged(config, input, tensor, path)];
  return [...issues, ...checkShape(config, input, tensor, { direction: 'input', path, description })];
}

export function checkOutputTensor(
  config: ModelConfig,
  output: ModelOutput,
  index: number,
  description: ModelDescription,
): ConfigIssue[] {
  const path = `output[${index}]`;
  const tensors = description.outputs;
  const tensor = tensors.find((each) => each.name === output.name);
  if (tensor === undefined) {
    return [unknownTensor(output.name, 'output', path, tensors, freeTensors(config.output, tensors))];
  }
  const issues = checkType(config, output, tensor, 'output', path);
  const isScattered = config.batchOutput.some((batch) => batch.targetName.includes(output.name));
  return isScattered
    ? issues
    : [...issues, ...checkShape(config, output, tensor, { direction: 'output', path, description })];
}

/** Names of the model that the configuration does not use yet. */
function freeTensors(written: readonly (ModelInput | ModelOutput)[], tensors: Tensors): readonly string[] {
  return tensors.map(({ name }) => name).filter((name) => !written.some((each) => each.name === name));
}

function unknownTensor(
  name: string,
  direction: Direction,
  path: string,
  tensors: Tensors,
  free: readonly string[],
): ConfigIssue {
  const allowed = tensors.map((tensor) => tensor.name).toSorted();
  const nearest = nearestName(name, free) ?? (free.length === 1 ? free[0] : nearestName(name, allowed));
  const message = `unexpected inference ${direction} '${name}', allowed ${direction}s are: ${allowed.join(', ')}`;
  return configIssue('D10', message, {
    path: `${path}.name`,
    hint: nearest === undefined ? `The model has no such ${direction}.` : `Did you mean "${nearest}"?`,
    changes: [
      ...(nearest === undefined ? [] : [setTo(`${path}.name`, nearest, `Rename to ${nearest}`)]),
      removeAt(path, `Remove ${direction} ${name}`),
    ],
  });
}

function checkType(
  config: ModelConfig,
  tensor: ModelInput | ModelOutput,
  provided: TensorDescription,
  direction: Direction,
  path: string,
): ConfigIssue[] {
  const wanted = dataTypeFromConfig(tensor.dataType);
  const at = `${path}.data_type`;
  if (wanted === undefined) {
    const message = `unsupported datatype ${tensor.dataType} for ${direction} '${tensor.name}' for model '${config.name}'`;
    return [
      configIssue('D11', message, {
        path: at,
        statusCode: 'INTERNAL',
        hint: `The model has ${provided.sourceType}.`,
      }),
    ];
  }
  if (wanted === provided.datatype) return [];
  const message = `unable to load model '${config.name}', configuration expects datatype ${tensor.dataType} for ${direction} '${tensor.name}', model provides TYPE_${provided.datatype ?? '<invalid>'}`;
  const hint =
    provided.datatype === undefined
      ? `The element type ${provided.sourceType} cannot be served.`
      : `Write data_type: TYPE_${provided.datatype === 'BYTES' ? 'STRING' : provided.datatype}.`;
  const changes = provided.datatype === undefined ? [] : [setTo(at, dataTypeToConfig(provided.datatype))];
  return [configIssue('D11', message, { path: at, hint, changes })];
}

function checkRagged(
  config: ModelConfig,
  input: ModelInput,
  tensor: TensorDescription,
  path: string,
): ConfigIssue[] {
  const prefix = `unable to load model '${config.name}', configuration expects model provides input with shape [-1]`;
  const at = `${path}.allow_ragged_batch`;
  const issues: ConfigIssue[] = [];
  if (input.optional) {
    const message = `${prefix} for ragged input '${input.name}', which is not supported for optional input`;
    issues.push(
      configIssue('D23', message, {
        path: at,
        hint: 'An input is either ragged or optional.',
        changes: [removeAt(at)],
      }),
    );
  }
  if (tensor.shape.length !== 1 || tensor.shape[0] !== -1) {
    const message = `${prefix}  for ragged input '${input.name}', model provides ${formatShape(tensor.shape)}`;
    issues.push(
      configIssue('D23', message, {
        path: at,
        hint: 'A ragged input arrives as one flat tensor.',
        changes: [removeAt(at)],
      }),
    );
  }
  return issues;
}

interface ShapePlace {
  readonly direction: Direction;
  readonly path: string;
  readonly description: ModelDescription;
}

function checkShape(
  config: ModelConfig,
  tensor: ModelInput | ModelOutput,
  provided: TensorDescription,
  { direction, path, description }: ShapePlace,
): ConfigIssue[] {
  const { maxBatchSize } = config;
  const dims = tensor.reshape?.shape ?? tensor.dims;
  if (provided.shape.length === 0 && maxBatchSize === 0) return checkScalar(config, tensor, dims, path);
  const prefix = `model '${config.name}', tensor '${tensor.name}': `;
  const expected = formatShape(provided.shape);
  if (maxBatchSize > 0 && provided.shape[0] !== -1) {
    const message = `${prefix}for the model to support batching the shape should have at least 1 dimension and the first dimension must be -1; but shape expected by the model is ${expected}`;
    const hint =
      'Set max_batch_size: 0 and write the complete shape in dims, or export with a dynamic first dimension.';
    const changes = [withoutBatching(config, description), PROBE];
    return [configIssue('D20', message, { path: 'max_batch_size', hint, changes })];
  }
  const complete = withBatchDim(dims, maxBatchSize);
  if (fits(complete, provided.shape, direction)) return [];
  const counts = `the model expects ${provided.shape.length} dimensions (shape ${expected}) but the model configuration specifies ${complete.length} dimensions`;
  const detail =
    maxBatchSize > 0
      ? ` (an initial batch dimension because max_batch_size > 0 followed by the explicit tensor shape, making complete shape ${formatShape(complete)})`
      : ` (shape ${formatShape(complete)})`;
  const includesBatch = maxBatchSize > 0 && fits(dims, provided.shape, direction);
  const right = maxBatchSize > 0 ? provided.shape.slice(1) : provided.shape;
  const field = tensor.reshape === undefined ? 'dims' : 'reshape.shape';
  return [
    configIssue(includesBatch ? 'D21' : 'D23', prefix + counts + detail, {
      path: `${path}.${field}`,
      hint: includesBatch
        ? `Leave the batch dimension out: ${field} [ ${right.join(', ')} ].`
        : `The model has ${field} [ ${right.join(', ')} ].`,
      changes: [setTo(`${path}.${field}`, right)],
    }),
  ];
}

/** Inputs: a dynamic dimension of the model takes anything. Outputs: all dims are equal, -1 included. */
function fits(config: readonly number[], model: readonly number[], direction: Direction): boolean {
  return (
    config.length === model.length &&
    model.every((dim, index) => dim === config[index] || (direction === 'input' && dim === -1))
  );
}

function checkScalar(
  config: ModelConfig,
  tensor: ModelInput | ModelOutput,
  dims: readonly number[],
  path: string,
): ConfigIssue[] {
  if (dims.every((dim) => dim === 1)) return [];
  const message = `unable to load model '${config.name}', scalar tensor '${tensor.name}', should only provide 1 in the model configuration when the model doesn't support batching. Model configuration provided: ${formatShape(dims)}.`;
  return [
    configIssue('D23', message, {
      path: `${path}.dims`,
      hint: 'Write dims: [ 1 ].',
      changes: [setTo(`${path}.dims`, [1])],
    }),
  ];
}

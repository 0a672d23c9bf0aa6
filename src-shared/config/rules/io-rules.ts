// Inputs and outputs: complete descriptions, legal dims, reshapes that keep the element count.

import {
  configIssue,
  removeAt,
  setTo,
  type ConfigChange,
  type ConfigIssue,
  type IssueCode,
} from '../config-issue.ts';
import type { ModelConfig, ModelInput, ModelOutput } from '../model-config.ts';
import { elementCount, reshapeProblem } from '../../tensor/shape.ts';
import { checkBatchTensors } from './batch-io-rules.ts';
import { TENSORRT_PLATFORM } from './identity-rules.ts';

const MAX_ELEMENT_COUNT = 2n ** 63n - 1n;
const DIMS_HINT = 'Write the size, or -1 where it may vary.';

type Direction = 'input' | 'output';

/**
 * Issues in the order of the file: inputs, outputs, then what is derived from a batch. `supportsOptionalInputs`
 * is false for backends that refuse `optional: true`.
 */
export function checkInputsAndOutputs(config: ModelConfig, supportsOptionalInputs: boolean): ConfigIssue[] {
  return [
    ...config.input.flatMap((input, index) => [
      ...checkTensor(config, input, 'input', `input[${index}]`),
      ...checkOptional(input, supportsOptionalInputs, `input[${index}]`),
    ]),
    ...config.output.flatMap((output, index) => checkTensor(config, output, 'output', `output[${index}]`)),
    ...checkBatchTensors(config),
  ];
}

function checkOptional(input: ModelInput, isSupported: boolean, path: string): ConfigIssue[] {
  if (!input.optional || isSupported) return [];
  return [
    configIssue(
      'D25',
      `'optional' is set to true for input '${input.name}' while the backend model doesn't support optional input`,
      { path: `${path}.optional`, hint: 'Remove the field.', changes: [removeAt(`${path}.optional`)] },
    ),
  ];
}

/** `at`: below the path of the tensor; absent = the tensor itself. */
interface TensorFinding {
  readonly at?: string;
  readonly hint: string;
  readonly changes?: readonly ConfigChange[];
}

function checkTensor(
  config: ModelConfig,
  tensor: ModelInput | ModelOutput,
  direction: Direction,
  path: string,
): ConfigIssue[] {
  const issues: ConfigIssue[] = [];
  const subject = `model ${direction}`;
  const add = (code: IssueCode, body: string, { at = '', ...facts }: TensorFinding): void => {
    issues.push(configIssue(code, `${subject} ${body} for ${config.name}`, { path: path + at, ...facts }));
  };
  const name = `'${tensor.name}'`;
  if (tensor.name === '') add('D25', "must specify 'name'", { hint: 'Write the name the model file uses.' });
  if (tensor.dataType === 'TYPE_INVALID') {
    add('D25', `${name} must specify 'data_type'`, {
      hint: 'Write data_type: TYPE_FP32 or another type.',
      changes: [setTo(`${path}.data_type`, 'TYPE_FP32')],
    });
  }
  if (tensor.dims.length === 0) add('D25', `${name} must specify 'dims'`, { hint: DIMS_HINT });
  if (tensor.reshape?.shape.length === 0 && config.maxBatchSize === 0) {
    const body = 'cannot have empty reshape for non-batching model as scalar tensors are not supported';
    add('D24', `${name} ${body}`, {
      at: '.reshape',
      hint: 'Remove the reshape, or write shape: [ 1 ].',
      changes: [removeAt(`${path}.reshape`)],
    });
  }
  const badDim = tensor.dims.findIndex(isIllegalDim);
  if (badDim >= 0) {
    const body = 'dimension must be integer >= 1, or -1 to indicate a variable-size dimension';
    add('D25', `${name} ${body}`, {
      at: `.dims[${badDim}]`,
      hint: `${tensor.dims[badDim]} is no size. ${DIMS_HINT}`,
      changes: [setTo(`${path}.dims[${badDim}]`, -1)],
    });
  }
  const badReshape = tensor.reshape?.shape.findIndex(isIllegalDim) ?? -1;
  if (badReshape >= 0) {
    const body = 'reshape dimensions must be integer >= 1, or -1 to indicate a variable-size dimension';
    add('D24', `${name} ${body}`, {
      at: `.reshape.shape[${badReshape}]`,
      hint: DIMS_HINT,
      changes: [removeAt(`${path}.reshape`)],
    });
  }
  if (badDim < 0 && badReshape < 0) issues.push(...checkReshape(config, tensor, subject, path));
  issues.push(...checkLayout(config, tensor, direction, path));
  return issues;
}

const isIllegalDim = (dim: number): boolean => dim < 1 && dim !== -1;

function checkReshape(
  config: ModelConfig,
  tensor: ModelInput | ModelOutput,
  subject: string,
  path: string,
): ConfigIssue[] {
  const { reshape, dims, name } = tensor;
  if (reshape === undefined || dims.length === 0) return [];
  for (const [part, shape] of [
    ['dims', dims],
    ['reshape', reshape.shape],
  ] as const) {
    if ((elementCount(shape) ?? 0n) > MAX_ELEMENT_COUNT) {
      const message = `element count for tensor '${name} ${part}' exceeds maximum size of ${MAX_ELEMENT_COUNT} for ${config.name}`;
      return [configIssue('D24', message, { path: `${path}.${part}`, hint: 'No tensor can be this large.' })];
    }
  }
  if (reshape.shape.length === 0 && config.maxBatchSize === 0) return [];
  const problem = reshapeProblem(dims, reshape.shape);
  if (problem === undefined) return [];
  const body =
    problem === 'size'
      ? 'has different size for dims and reshape'
      : 'has different number of variable-size dimensions for dims and reshape';
  return [
    configIssue('D24', `${subject} '${name}' ${body} for ${config.name}`, {
      path: `${path}.reshape`,
      hint: `dims [${dims.join(', ')}] and shape [${reshape.shape.join(', ')}] must hold equally many elements${
        problem === 'size' ? '' : ' and equally many -1'
      }.`,
      changes: [...fittingShape(tensor, path), removeAt(`${path}.reshape`, 'Remove the reshape')],
    }),
  ];
}

/** Ranks for which a fitting size is searched. */
const MAX_FITTED_RANK = 64;

/** The reshape with one size changed so that it holds as many elements as dims do; else dims that equal it. */
function fittingShape({ dims, reshape }: ModelInput | ModelOutput, path: string): ConfigChange[] {
  const shape = reshape?.shape ?? [];
  const wanted = elementCount(dims);
  const asDims = setTo(`${path}.dims`, shape);
  const isPlain = wanted !== undefined && !shape.includes(-1) && shape.length <= MAX_FITTED_RANK;
  if (!isPlain) return shape.length === 0 ? [] : [asDims];
  const index = shape.findLastIndex((_dim, at) => {
    const others = elementCount(shape.toSpliced(at, 1)) ?? 0n;
    return others > 0n && wanted % others === 0n;
  });
  if (index < 0) return [asDims];
  const others = elementCount(shape.toSpliced(index, 1)) ?? 1n;
  const fitting = shape.with(index, Number(wanted / others));
  return [setTo(`${path}.reshape.shape`, fitting)];
}

function checkLayout(
  config: ModelConfig,
  tensor: ModelInput | ModelOutput,
  direction: Direction,
  path: string,
): ConfigIssue[] {
  const issues: ConfigIssue[] = [];
  const suffix = ` for ${config.name}`;
  const rank = tensor.dims.length;
  const isTensorRt = config.platform === TENSORRT_PLATFORM;
  if ('format' in tensor && tensor.format !== 'FORMAT_NONE' && rank !== 3) {
    issues.push(
      configIssue('D25', `model input NHWC/NCHW require 3 dims${suffix}`, {
        path: `${path}.format`,
        hint: `The input has ${rank} dims: remove the format, or leave out the batch dimension.`,
        changes: [removeAt(`${path}.format`)],
      }),
    );
  }
  if (tensor.isShapeTensor && !isTensorRt) {
    issues.push(
      configIssue('D27', `shape tensors are only supported for TensorRT platform${suffix}`, {
        path: `${path}.is_shape_tensor`,
        hint: 'Remove the field.',
        changes: [removeAt(`${path}.is_shape_tensor`)],
      }),
    );
  }
  if (tensor.isNonLinearFormatIo && !isTensorRt) {
    issues.push(
      configIssue('D27', `Non-linear IO format is only supported for the TensorRT platform${suffix}`, {
        path: `${path}.is_non_linear_format_io`,
        hint: 'Remove the field.',
        changes: [removeAt(`${path}.is_non_linear_format_io`)],
      }),
    );
  }
  if (tensor.isNonLinearFormatIo && rank !== 3) {
    issues.push(
      configIssue('D27', `Non-linear IO format ${direction} requires 3 dims${suffix}`, {
        path: `${path}.is_non_linear_format_io`,
        hint: `The ${direction} has ${rank} dims.`,
      }),
    );
  }
  return issues;
}

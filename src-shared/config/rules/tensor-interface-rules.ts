// One configured input or output against the tensor of the same name in the model file.

import { dataTypeFromConfig, dataTypeToConfig } from '../../datatypes.ts';
import { formatShape, withBatchDim } from '../../tensor/shape.ts';
import {
  actionFix,
  configIssue,
  explainedIssue,
  nameList,
  removeAt,
  setTo,
  type ConfigIssue,
} from '../config-issue.ts';
import type { ModelConfig, ModelInput, ModelOutput } from '../model-config.ts';
import type { ModelDescription, TensorDescription } from '../model-description.ts';
import { withoutBatching } from './without-batching.ts';
import { nearestName } from '../nearest-name.ts';

type Direction = 'input' | 'output';
/** Whether the model can be batched after all shows only when it runs. */
const PROBE = actionFix('batch-probe', 'Run batch probe');

/** The tensors of one direction, as the model file and the configuration have them. */
class TensorNames {
  readonly direction: Direction;
  readonly #provided: ReadonlyMap<string, TensorDescription>;
  readonly #written: ReadonlySet<string>;
  #sorted: readonly string[] | undefined;
  #listed: string | undefined;

  constructor(
    direction: Direction,
    provided: readonly TensorDescription[],
    written: readonly (ModelInput | ModelOutput)[],
  ) {
    this.direction = direction;
    this.#provided = new Map(provided.map((tensor) => [tensor.name, tensor]));
    this.#written = new Set(written.map(({ name }) => name));
  }

  get(name: string): TensorDescription | undefined {
    return this.#provided.get(name);
  }

  /** Names of the model file, sorted. */
  get sorted(): readonly string[] {
    this.#sorted ??= [...this.#provided.keys()].toSorted();
    return this.#sorted;
  }

  /** The same as text for a message. */
  get listed(): string {
    this.#listed ??= nameList(this.sorted);
    return this.#listed;
  }

  /** Names of the model file that the configuration does not use yet. */
  free(): readonly string[] {
    return [...this.#provided.keys()].filter((name) => !this.#written.has(name));
  }
}

/** Every configured input and output, in order. */
export function checkTensors(config: ModelConfig, description: ModelDescription): ConfigIssue[] {
  const inputs = new TensorNames('input', description.inputs, config.input);
  const outputs = new TensorNames('output', description.outputs, config.output);
  const scattered = new Set(config.batchOutput.flatMap((batch) => batch.targetName));
  return [
    ...config.input.flatMap((input, index) =>
      checkInputTensor(config, input, `input[${index}]`, { names: inputs, description }),
    ),
    ...config.output.flatMap((output, index) =>
      checkOutputTensor(config, output, `output[${index}]`, {
        names: outputs,
        description,
        isScattered: scattered.has(output.name),
      }),
    ),
  ];
}

interface TensorFacts {
  readonly names: TensorNames;
  readonly description: ModelDescription;
}

function checkInputTensor(
  config: ModelConfig,
  input: ModelInput,
  path: string,
  { names, description }: TensorFacts,
): ConfigIssue[] {
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
  const tensor = names.get(input.name);
  if (tensor === undefined) return [...issues, unknownTensor(input.name, path, names)];
  issues.push(...checkType(config, input, tensor, { direction: 'input', path }));
  if (input.allowRaggedBatch) return [...issues, ...checkRagged(config, input, tensor, path)];
  return [...issues, ...checkShape(config, input, tensor, { direction: 'input', path, description })];
}

function checkOutputTensor(
  config: ModelConfig,
  output: ModelOutput,
  path: string,
  { names, description, isScattered }: TensorFacts & { readonly isScattered: boolean },
): ConfigIssue[] {
  const tensor = names.get(output.name);
  if (tensor === undefined) return [unknownTensor(output.name, path, names)];
  const issues = checkType(config, output, tensor, { direction: 'output', path });
  return isScattered
    ? issues
    : [...issues, ...checkShape(config, output, tensor, { direction: 'output', path, description })];
}

function unknownTensor(name: string, path: string, names: TensorNames): ConfigIssue {
  const { direction } = names;
  const message = `unexpected inference ${direction} '${name}', allowed ${direction}s are: ${names.listed}`;
  return explainedIssue('D10', message, { path: `${path}.name` }, () => {
    const free = names.free();
    const nearest =
      nearestName(name, free) ?? (free.length === 1 ? free[0] : nearestName(name, names.sorted));
    return {
      hint: nearest === undefined ? `The model has no such ${direction}.` : `Did you mean "${nearest}"?`,
      changes: [
        ...(nearest === undefined ? [] : [setTo(`${path}.name`, nearest, `Rename to ${nearest}`)]),
        removeAt(path, `Remove ${direction} ${name}`),
      ],
    };
  });
}

function checkType(
  config: ModelConfig,
  tensor: ModelInput | ModelOutput,
  provided: TensorDescription,
  { direction, path }: Pick<ShapePlace, 'direction' | 'path'>,
): ConfigIssue[] {
  const wanted = dataTypeFromConfig(tensor.dataType);
  const at = `${path}.data_type`;
  // The runtime's interface has no tensors of BF16.
  if (wanted === undefined || wanted === 'BF16') {
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
  // Refused already: what shape would be right depends on the number that should stand there.
  if (maxBatchSize < 0) return [];
  const dims = tensor.reshape?.shape ?? tensor.dims;
  if (provided.shape.length === 0 && maxBatchSize === 0) return checkScalar(config, tensor, dims, path);
  const prefix = `model '${config.name}', tensor '${tensor.name}': `;
  const expected = formatShape(provided.shape);
  if (maxBatchSize > 0 && provided.shape[0] !== -1) {
    const message = `${prefix}for the model to support batching the shape should have at least 1 dimension and the first dimension must be -1; but shape expected by the model is ${expected}`;
    const hint =
      'Set max_batch_size: 0 and write the complete shape in dims, or export with a dynamic first dimension.';
    return [
      explainedIssue('D20', message, { path: 'max_batch_size' }, () => ({
        hint,
        changes: [withoutBatching(config, description), PROBE],
      })),
    ];
  }
  const complete = withBatchDim(dims, maxBatchSize);
  const isOpen = direction === 'input' || description.isDeclared === true;
  if (fits(complete, provided.shape, isOpen)) return [];
  const counts = `the model expects ${provided.shape.length} dimensions (shape ${expected}) but the model configuration specifies ${complete.length} dimensions`;
  const detail =
    maxBatchSize > 0
      ? ` (an initial batch dimension because max_batch_size > 0 followed by the explicit tensor shape, making complete shape ${formatShape(complete)})`
      : ` (shape ${formatShape(complete)})`;
  const includesBatch = maxBatchSize > 0 && fits(dims, provided.shape, isOpen);
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

/**
 * Inputs, and outputs as a file declares them: a dynamic dimension of the model takes anything (`isOpen`). Other outputs:
 * all dims are equal, -1 included.
 */
function fits(config: readonly number[], model: readonly number[], isOpen: boolean): boolean {
  return (
    config.length === model.length &&
    model.every((dim, index) => dim === config[index] || (isOpen && dim === -1))
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

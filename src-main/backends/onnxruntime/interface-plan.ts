// How requests become the inputs of a run, and its outputs become responses, decided once per model: which feed comes
// from which tensor, which are ragged, generated or scalar, and which outputs are fetched.

import type { BatchInput, ModelConfig, ModelOutput } from '../../../src-shared/config/model-config.ts';
import type { ModelDescription, TensorDescription } from '../../../src-shared/config/model-description.ts';
import { dataTypeFromConfig } from '../../../src-shared/datatypes.ts';
import type { DataType } from '../../../src-shared/datatypes.ts';
import { onnxruntimeErrors } from './onnxruntime-errors.ts';
import { ortTypeOf } from './ort-datatypes.ts';
import type { OrtType } from './ort-datatypes.ts';

/** One input of the model's graph, by its name in the file. `type` is what ONNX Runtime calls the datatype. */
export interface FeedPlan {
  readonly name: string;
  readonly datatype: DataType;
  readonly type: OrtType;
  /** ragged: flat concatenation; scalar: fed as rank 0; generated: computed from other inputs. */
  readonly kind: 'tensor' | 'ragged' | 'scalar' | 'generated';
  /** How a generated feed is computed; undefined for the other kinds. */
  readonly batchInput: BatchInput | undefined;
}

/** One output of the graph that each run fetches. */
export interface OutputPlan {
  readonly name: string;
  readonly datatype: DataType;
  /** Undefined for a state output that clients do not see. */
  readonly config: ModelOutput | undefined;
  readonly isScalar: boolean;
  /** Input whose shape cuts this flat output; undefined for outputs split by rows. */
  readonly scatterSource: string | undefined;
}

/** How inputs and outputs of a model become feeds and results of its session; worked out once when it loads. */
export interface InterfacePlan {
  readonly modelName: string;
  readonly maxBatchSize: number;
  readonly feeds: readonly FeedPlan[];
  /** By name, byte for byte: answers list them in this order, whatever order the configuration or a request has. */
  readonly outputs: readonly OutputPlan[];
  /** Targets of batch inputs that the file has not: no request can be run. */
  readonly unknownTargets: readonly string[];
  /** Feeds that have a value of their own in the file, for requests that give none. */
  readonly overridable: readonly string[];
  /** Rows of a batch have meaning by their position (sequence slots), so none may be left out. */
  readonly keepsRows: boolean;
  /** An operator for which no run may be given a tensor without elements. */
  readonly fatalOperator: string | undefined;
}

/** `description` must have passed the interface check against `config`. */
export function planInterface(
  config: ModelConfig,
  description: ModelDescription,
  fatalOperator?: string,
): InterfacePlan {
  const configured = new Set(config.input.map(({ name }) => name));
  const overridable = description.inputs.filter(({ name, isOptional }) => isOptional && configured.has(name));
  const feeds = description.inputs
    .filter((input) => !input.isOptional || overridable.includes(input))
    .map((input) => planFeed(config, input));
  const stateOutputs = config.sequenceBatching?.state.map((state) => state.outputName) ?? [];
  const names = [...new Set([...config.output.map((output) => output.name), ...stateOutputs])].sort(byBytes);
  return {
    modelName: config.name,
    maxBatchSize: config.maxBatchSize,
    feeds,
    outputs: names.map((name) => planOutput(config, description, name)),
    unknownTargets: config.batchInput
      .flatMap(({ targetName }) => targetName)
      .filter((target) => !description.inputs.some(({ name }) => name === target)),
    overridable: overridable.map(({ name }) => name),
    keepsRows: config.sequenceBatching !== undefined,
    fatalOperator,
  };
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function planFeed(config: ModelConfig, input: TensorDescription): FeedPlan {
  const { name } = input;
  const batchInput = config.batchInput.find((entry) => entry.targetName.includes(name));
  const configured = config.input.find((entry) => entry.name === name);
  const datatype = requireDatatype(config, input);
  const common = { name, datatype, type: requireOrtType(config, name, datatype), batchInput };
  if (batchInput !== undefined) return { ...common, kind: 'generated' };
  if (configured?.allowRaggedBatch === true) return { ...common, kind: 'ragged' };
  const isScalar = input.shape.length === 0 && config.maxBatchSize === 0;
  return { ...common, kind: isScalar ? 'scalar' : 'tensor' };
}

function planOutput(config: ModelConfig, description: ModelDescription, name: string): OutputPlan {
  const output = description.outputs.find((entry) => entry.name === name);
  if (output === undefined) throw onnxruntimeErrors.withoutOutput({ model: config.name, output: name });
  const configured = config.output.find((entry) => entry.name === name);
  const datatype =
    (configured === undefined ? undefined : dataTypeFromConfig(configured.dataType)) ??
    requireDatatype(config, output);
  return {
    name,
    datatype,
    config: configured,
    isScalar: output.shape.length === 0 && config.maxBatchSize === 0,
    scatterSource: config.batchOutput.find((entry) => entry.targetName.includes(name))?.sourceInput[0],
  };
}

function requireDatatype(config: ModelConfig, tensor: TensorDescription): DataType {
  if (tensor.datatype !== undefined) return tensor.datatype;
  throw onnxruntimeErrors.unsupportedType({
    datatype: tensor.sourceType,
    tensor: tensor.name,
    model: config.name,
  });
}

function requireOrtType(config: ModelConfig, name: string, datatype: DataType): OrtType {
  const type = ortTypeOf(datatype);
  if (type !== undefined) return type;
  throw onnxruntimeErrors.unsupportedType({ datatype, tensor: name, model: config.name });
}

// Checks a request against a model configuration and fills in what schedulers and backends rely on: batch size,
// model-side shapes, requested outputs, priority. It runs once per request on the hot path, so everything that
// depends on the configuration alone is computed once per loaded version.
// Errors are INVALID_ARG. Their order is part of the contract: the first one is what the client sees.

import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import { dataTypeFromConfig } from '../../src-shared/datatypes.ts';
import { mapReshape } from '../../src-shared/tensor/shape.ts';
import { checkByteSize } from './input-byte-size.ts';
import { inputErrors } from './input-errors.ts';
import type { InputPlan } from './input-plan.ts';
import { createInputPlan } from './input-plan.ts';
import { shapeMismatch } from './input-shape-errors.ts';
import type { InferenceRequest, InferInput } from './inference-request.ts';
import { inputsAsKept } from './input-order.ts';
import { inputFromRaw } from './raw-input.ts';
import { logPrepared, logsRequests } from './request-log.ts';
import { readBytes } from './tensor-bytes.ts';

/** What is known about a model's requests before any arrives. */
interface NormalizerPlan {
  readonly modelName: string;
  readonly maxBatchSize: number;
  readonly inputs: ReadonlyMap<string, InputPlan>;
  readonly requiredCount: number;
  readonly outputNames: readonly string[];
  readonly outputNameSet: ReadonlySet<string>;
  /** 0 = the model has no priorities. */
  readonly maxPriority: bigint;
  readonly defaultPriority: bigint;
  /** The CORRID control of a sequence model. */
  readonly correlationControl: { readonly name: string; readonly datatype: string } | undefined;
}

const MAX_UINT64 = 2n ** 64n - 1n;
const NUMERIC_CORRELATION_TYPES: ReadonlySet<string> = new Set(['UINT64', 'INT64', 'UINT32', 'INT32']);

function createNormalizerPlan(config: ModelConfig): NormalizerPlan {
  const outputNames = config.output.map((output) => output.name);
  const isEnsemble = config.ensembleScheduling !== undefined;
  return {
    modelName: config.name,
    maxBatchSize: config.maxBatchSize,
    inputs: new Map(config.input.map((input) => [input.name, createInputPlan(input)])),
    requiredCount: config.input.filter((input) => !input.optional).length,
    outputNames,
    outputNameSet: new Set(outputNames),
    maxPriority: isEnsemble ? MAX_UINT64 : (config.dynamicBatching?.priorityLevels ?? 0n),
    defaultPriority: config.dynamicBatching?.defaultPriorityLevel ?? 0n,
    correlationControl: correlationControlOf(config),
  };
}

/** The check of one model version as a function: mutates the request, throws INVALID_ARG. */
export function createNormalizer(config: ModelConfig): (request: InferenceRequest) => void {
  const plan = createNormalizerPlan(config);
  return (request) => normalizeRequest(plan, request);
}

/** Checks the request and completes it in place. Throws INVALID_ARG. */
function normalizeRequest(plan: NormalizerPlan, request: InferenceRequest): void {
  const asked = request.requestedOutputs;
  if (request.overrideInputs.length > 0) request.overrideInputs = [];
  if (request.rawInput !== undefined) request.inputs = [inputFromRaw(plan, request, request.rawInput)];
  checkOutputs(plan, request);
  refuseRepeatedInput(request);
  try {
    checkInputs(plan, request, request.inputs);
  } catch (thrown) {
    // Of two faults clients expect the one that the reference comes to first.
    checkInputs(plan, request, inputsAsKept(request.inputs));
    throw thrown;
  }
  checkCorrelationId(plan, request);
  const { priority } = request;
  if (priority === 0n || priority > plan.maxPriority) request.priority = plan.defaultPriority;
  if (logsRequests()) logPrepared(request, asked);
}

function checkInputs(plan: NormalizerPlan, request: InferenceRequest, inputs: readonly InferInput[]): void {
  const count = inputs.length;
  if (count > plan.inputs.size || count < plan.requiredCount) throw wrongInputCount(plan, request, inputs);
  request.batchSize = commonBatchSize(plan, request, inputs);
  for (const input of inputs) normalizeInput(plan, request, input);
}

function checkOutputs(plan: NormalizerPlan, request: InferenceRequest): void {
  const { requestedOutputs } = request;
  if (requestedOutputs.length === 0) {
    request.requestedOutputs = plan.outputNames;
    return;
  }
  const repeated = firstRepeated(requestedOutputs);
  if (repeated !== undefined) throw inputErrors.repeatedOutput({ name: repeated });
  if (requestedOutputs.every((name) => plan.outputNameSet.has(name))) return;
  // Of several unknown ones the first by name is told.
  const [name = ''] = requestedOutputs.filter((each) => !plan.outputNameSet.has(each)).sort();
  throw inputErrors.unknownOutput({ name, model: plan.modelName });
}

function refuseRepeatedInput(request: InferenceRequest): void {
  const { inputs } = request;
  if (inputs.length < 2 || !hasRepeatedName(inputs)) return;
  throw inputErrors.repeated({
    prefix: request.logPrefix,
    name: firstRepeated(inputs.map((input) => input.name)) ?? '',
  });
}

function wrongInputCount(
  plan: NormalizerPlan,
  request: InferenceRequest,
  inputs: readonly InferInput[],
): Error {
  const total = plan.inputs.size;
  const given = inputs.length;
  const expected =
    plan.requiredCount === total
      ? `expected ${total} inputs`
      : `expected number of inputs between ${plan.requiredCount} and ${total}`;
  const names = new Set(inputs.map((input) => input.name));
  const missing = [...plan.inputs.values()]
    .filter((input) => !input.isOptional && !names.has(input.name))
    .map((input) => `'${input.name}'`);
  const got = [...names].map((name) => `'${name}'`);
  // With nothing missing Triton prints the closing bracket alone.
  const missingText = missing.length === 0 ? ']' : `[${missing.join(',')}]`;
  return inputErrors.count({
    prefix: request.logPrefix,
    expected,
    given,
    model: plan.modelName,
    got: got.join(','),
    missing: missingText,
  });
}

/** The first dimension that all inputs (shape tensors aside) share; 0 without batches. All names are known then. */
function commonBatchSize(
  plan: NormalizerPlan,
  request: InferenceRequest,
  inputs: readonly InferInput[],
): number {
  const { modelName: model } = plan;
  const { logPrefix: prefix } = request;
  let batchSize: number | undefined;
  for (const input of inputs) {
    const known = plan.inputs.get(input.name);
    if (known === undefined) throw inputErrors.unknown({ name: input.name, model });
    if (known.isShapeTensor || plan.maxBatchSize === 0) continue;
    const rows = input.clientShape[0];
    if (rows === undefined) throw inputErrors.withoutShape({ prefix, name: input.name, model });
    if (batchSize === undefined) batchSize = rows;
    else if (batchSize !== rows) throw inputErrors.batchSizesDiffer({ prefix, name: input.name, model });
  }
  if (batchSize === undefined) return 0;
  if (batchSize > plan.maxBatchSize) {
    throw inputErrors.batchTooLarge({ prefix, limit: plan.maxBatchSize, model });
  }
  return batchSize;
}

function normalizeInput(plan: NormalizerPlan, request: InferenceRequest, input: InferInput): void {
  const inputPlan = plan.inputs.get(input.name) as InputPlan;
  if (input.datatype !== inputPlan.datatype) {
    throw inputErrors.datatype({
      prefix: request.logPrefix,
      name: input.name,
      seen: input.datatype,
      model: plan.modelName,
      expected: inputPlan.datatype,
    });
  }
  const isBatched = plan.maxBatchSize > 0 && !inputPlan.isShapeTensor;
  const { clientShape } = input;
  const offset = isBatched ? 1 : 0;
  if (!matchesDims(inputPlan.dims, clientShape, offset)) throw shapeMismatch(plan, request, input, inputPlan);
  if (isBatched && request.batchSize < 1) {
    throw inputErrors.batchTooSmall({
      prefix: request.logPrefix,
      model: plan.modelName,
      seen: request.batchSize,
    });
  }
  if (inputPlan.reshape === undefined) {
    input.shape = isBatched ? clientShape.slice(1) : clientShape;
    input.shapeWithBatch = clientShape;
  } else {
    input.shape = mapReshape(clientShape.slice(offset), inputPlan.dims, inputPlan.reshape);
    input.shapeWithBatch = isBatched ? [request.batchSize, ...input.shape] : input.shape;
  }
  if (!inputPlan.isNonLinear) checkByteSize(plan.modelName, request, input, inputPlan);
  readBytes(input.bytes);
}

/** Fixed dims are equal, wildcards get any size from 0 on. */
function matchesDims(dims: readonly number[], shape: readonly number[], offset: number): boolean {
  if (shape.length - offset !== dims.length) return false;
  for (let at = 0; at < dims.length; at += 1) {
    const dim = dims[at] as number;
    const size = shape[at + offset] as number;
    if (dim === -1 ? size < 0 : dim !== size) return false;
  }
  return true;
}

function checkCorrelationId(plan: NormalizerPlan, request: InferenceRequest): void {
  const control = plan.correlationControl;
  if (control === undefined) return;
  // Empty or 0 = no sequence; the scheduler says so.
  if (request.correlationId === '' || request.correlationId === 0n) return;
  const isText = typeof request.correlationId === 'string';
  const isAccepted = isText ? control.datatype === 'BYTES' : NUMERIC_CORRELATION_TYPES.has(control.datatype);
  if (isAccepted) return;
  throw inputErrors.sequenceIdType({
    prefix: request.logPrefix,
    name: control.name,
    seen: isText ? 'BYTES' : 'UINT64',
    model: plan.modelName,
    expected: control.datatype,
  });
}

function correlationControlOf(config: ModelConfig): NormalizerPlan['correlationControl'] {
  for (const input of config.sequenceBatching?.controlInput ?? []) {
    for (const control of input.control) {
      if (control.kind !== 'CONTROL_SEQUENCE_CORRID') continue;
      return { name: input.name, datatype: dataTypeFromConfig(control.dataType) ?? 'INVALID' };
    }
  }
  return undefined;
}

function hasRepeatedName(inputs: readonly InferInput[]): boolean {
  if (inputs.length > 8) return new Set(inputs.map((input) => input.name)).size < inputs.length;
  for (let at = 1; at < inputs.length; at += 1) {
    for (let before = 0; before < at; before += 1) {
      if (inputs[at]?.name === inputs[before]?.name) return true;
    }
  }
  return false;
}

function firstRepeated(names: readonly string[]): string | undefined {
  // Few names are compared without making anything.
  if (names.length <= 8) return names.find((name, at) => names.indexOf(name) < at);
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}

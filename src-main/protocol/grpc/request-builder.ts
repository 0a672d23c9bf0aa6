// A decoded gRPC request as an InferenceRequest: which bytes belong to which input, in the order in which faults must
// be found (docs/reference/grpc.md#tensor-data).

import { inputErrors } from '../../inference/input-errors.ts';
import { isDataType } from '../../../src-shared/datatypes.ts';
import type { HeaderPattern } from '../../inference/header-pattern.ts';
import type { ResponseCallback } from '../../inference/inference-request.ts';
import { InferenceRequest, InferInput, INVALID_DATATYPE } from '../../inference/inference-request.ts';
import type { ModelUse } from '../../inference/model-invoker.ts';
import type { RequestTrace } from '../../inference/request-trace.ts';
import type { TensorBytes } from '../../inference/tensor-bytes.ts';
import type { InferenceService } from '../../service/inference-service.ts';
import type { GrpcInferInput, GrpcInferRequest } from '../../grpc-wire/infer-message.ts';
import type { WireMessage } from '../../grpc-wire/wire-message.ts';
import { byteSizeOf } from '../../grpc-wire/wire-message.ts';
import type { InferParameters } from './infer-parameters.ts';
import { forwardHeaders, readInferParameters } from './infer-parameters.ts';
import type { OutputPlan } from './output-plan.ts';
import { checkOutputNames, planOutputs, readRegion, regionOwner } from './output-plan.ts';
import { contentsToBytes } from './tensor-contents.ts';
import { requestPrefix } from '../../inference/request-prefix.ts';
import { grpcErrors } from './grpc-errors.ts';

/**
 * `metadata` is what the client sent besides; those of its keys that `forwardPattern` matches become parameters
 * of the request (`--grpc-header-forward-pattern`).
 */
export interface BuildContext {
  readonly service: InferenceService;
  readonly use: ModelUse;
  readonly metadata: Readonly<Record<string, Buffer | string>>;
  readonly forwardPattern: HeaderPattern | undefined;
  readonly onResponse: ResponseCallback;
  /** Called once everything in the message was found right: what is refused before is not sampled. */
  readonly startTrace: () => RequestTrace | undefined;
}

/** A message that became a request, with what is needed to answer it. */
export interface BuiltRequest {
  readonly request: InferenceRequest;
  readonly plans: ReadonlyMap<string, OutputPlan>;
  readonly wantsEmptyFinal: boolean;
  /** Shared-memory regions that inputs and outputs name. */
  readonly regions: readonly string[];
}

/** Throws INVALID_ARG with the words of the protocol; nothing is kept on failure. */
export function buildRequest(message: GrpcInferRequest, context: BuildContext): BuiltRequest {
  const parameters = readInferParameters(message.parameters);
  const prefix = requestPrefix(message.id);
  checkInputNames(message.inputs, prefix);
  checkOutputNames(message.outputs, prefix);
  if (context.forwardPattern !== undefined) {
    forwardHeaders(parameters, context.metadata, context.forwardPattern);
  }
  const inputs = buildInputs(message, context);
  const plans = planOutputs(message.outputs);
  checkPlaces(plans, context.service);
  return {
    request: createRequest(message, context, parameters, inputs, [...plans.keys()]),
    plans,
    wantsEmptyFinal: parameters.wantsEmptyFinal,
    regions: namedRegions(message, plans),
  };
}

function checkInputNames(inputs: readonly GrpcInferInput[], prefix: string): void {
  if (inputs.length < 2) return;
  const names = new Set<string>();
  for (const { name } of inputs) {
    if (names.has(name)) throw inputErrors.repeated({ prefix, name });
    names.add(name);
  }
}

/** A place for an output that its region does not have is told before anything runs. */
function checkPlaces(plans: ReadonlyMap<string, OutputPlan>, service: InferenceService): void {
  for (const { region: place } of plans.values()) {
    if (place === undefined) continue;
    regionOwner(service, place.region).read(place.region, place.offset, place.byteSize);
  }
}

/** Call it when the regions of inputs and outputs have been read without fault. */
function namedRegions(message: GrpcInferRequest, plans: ReadonlyMap<string, OutputPlan>): readonly string[] {
  const names: string[] = [];
  for (const { parameters } of message.inputs) {
    const region = parameters.get('shared_memory_region');
    if (region?.choice === 'string_param') names.push(region.value);
  }
  for (const { region } of plans.values()) if (region !== undefined) names.push(region.region);
  return names;
}

function createRequest(
  message: GrpcInferRequest,
  { use, onResponse, startTrace }: BuildContext,
  parameters: InferParameters,
  inputs: readonly InferInput[],
  requestedOutputs: readonly string[],
): InferenceRequest {
  const trace = startTrace();
  return new InferenceRequest({
    modelName: use.name,
    modelVersion: message.modelVersion === '' ? -1 : Number(use.version),
    id: message.id,
    correlationId: parameters.correlationId,
    flags: parameters.flags,
    priority: parameters.priority,
    timeoutUs: parameters.timeoutUs,
    parameters: parameters.custom,
    inputs,
    requestedOutputs,
    onResponse,
    ...(message.memory.length === 0 ? {} : { inputMemory: message.memory }),
    ...(trace === undefined ? {} : { trace }),
  });
}

function buildInputs(message: GrpcInferRequest, context: BuildContext): InferInput[] {
  let nextRaw = 0;
  return message.inputs.map((input) => {
    const usesRaw = input.contents === undefined && !input.parameters.has('shared_memory_region');
    const raw = usesRaw ? message.rawInputContents[nextRaw++] : undefined;
    const bytes = dataOf(input, raw, message.rawInputContents.length > 0, context);
    return new InferInput(
      input.name,
      isDataType(input.datatype) ? input.datatype : INVALID_DATATYPE,
      input.shape,
      bytes,
    );
  });
}

function dataOf(
  input: GrpcInferInput,
  raw: WireMessage | undefined,
  hasRaw: boolean,
  context: BuildContext,
): TensorBytes {
  const { service, use } = context;
  const region = readRegion(input.name, input.parameters);
  if (region !== undefined) {
    if (input.contents !== undefined) {
      throw grpcErrors.contentsAndRegion({ input: input.name, model: use.name });
    }
    const { region: name, offset, byteSize } = region;
    return regionOwner(service, name).read(name, offset, byteSize);
  }
  if (input.contents !== undefined) {
    if (hasRaw) {
      throw grpcErrors.contentsAndRaw({ input: input.name, model: use.name });
    }
    const datatype = isDataType(input.datatype) ? input.datatype : undefined;
    return contentsToBytes(input.contents, datatype, input.name, use.name);
  }
  if (raw === undefined) {
    throw grpcErrors.withoutData({ input: input.name, model: use.name });
  }
  return { chunks: raw, byteSize: byteSizeOf(raw) };
}

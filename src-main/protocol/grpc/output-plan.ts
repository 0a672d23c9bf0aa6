// What a client wants of each output: raw in the message, as classes, or written to shared memory. Plans are read
// from the request before execution and applied to every response.

import type { OutputTensor } from '../../inference/inference-response.ts';
import type { ModelUse } from '../../inference/model-invoker.ts';
import type { InferenceService } from '../../service/inference-service.ts';
import type { SharedMemoryService } from '../../service/shared-memory.ts';
import { classify } from '../../tensor/classification.ts';
import type { GrpcOutput } from '../../grpc-wire/infer-message.ts';
import type { GrpcParameter, GrpcRequestedOutput } from '../../grpc-wire/infer-message.ts';
import { requestErrors } from '../../service/request-errors.ts';
import { grpcErrors } from './grpc-errors.ts';

interface RegionUse {
  readonly region: string;
  readonly offset: number;
  readonly byteSize: number;
}

/** In which form and where an output is wanted. */
export interface OutputPlan {
  readonly name: string;
  /** Undefined: the tensor itself. */
  readonly classCount: number | undefined;
  readonly region: RegionUse | undefined;
}

const NO_BYTES = new Uint8Array();
const NO_PLANS: ReadonlyMap<string, OutputPlan> = new Map();

/** Throws INVALID_ARG for an output that is listed twice. */
export function checkOutputNames(outputs: readonly GrpcRequestedOutput[], prefix: string): void {
  if (outputs.length < 2) return;
  const names = new Set<string>();
  for (const { name } of outputs) {
    if (names.has(name)) throw grpcErrors.repeatedOutput({ prefix, name });
    names.add(name);
  }
}

/** What is wrong with the parameters of outputs is told after what is wrong with the data of inputs: INVALID_ARG. */
export function planOutputs(outputs: readonly GrpcRequestedOutput[]): ReadonlyMap<string, OutputPlan> {
  if (outputs.length === 0) return NO_PLANS;
  const plans = new Map<string, OutputPlan>();
  for (const { name, parameters } of outputs) {
    const region = readRegion(name, parameters);
    const classCount = readClassCount(parameters.get('classification'));
    if (region !== undefined && classCount !== undefined) {
      throw grpcErrors.regionAndClasses();
    }
    plans.set(name, { name, classCount, region });
  }
  return plans;
}

/** Kept in 32 bits, as in the reference. */
function readClassCount(parameter: GrpcParameter | undefined): number | undefined {
  if (parameter === undefined) return undefined;
  if (parameter.choice !== 'int64_param') {
    throw grpcErrors.classificationType();
  }
  if (parameter.value <= 0n) throw grpcErrors.classification();
  return Number(BigInt.asUintN(32, parameter.value));
}

/** The shared-memory parameters of one input or output; undefined when it has none. */
export function readRegion(
  name: string,
  parameters: ReadonlyMap<string, GrpcParameter>,
): RegionUse | undefined {
  const region = parameters.get('shared_memory_region');
  const offset = parameters.get('shared_memory_offset');
  const byteSize = parameters.get('shared_memory_byte_size');
  if (region === undefined) {
    for (const [key, value] of [
      ['shared_memory_offset', offset],
      ['shared_memory_byte_size', byteSize],
    ] as const) {
      if (value !== undefined) {
        throw grpcErrors.withoutRegion({ key, name });
      }
    }
    return undefined;
  }
  if (region.choice !== 'string_param') throw wrongKind('shared_memory_region', name, 'string_param');
  if (byteSize === undefined) {
    throw grpcErrors.withoutRegionSize({ name });
  }
  return {
    region: region.value,
    offset: offset === undefined ? 0 : integer('shared_memory_offset', name, offset),
    byteSize: integer('shared_memory_byte_size', name, byteSize),
  };
}

/** A size, as the reference takes it: what is below 0 is far above all that a region has. */
function integer(key: string, name: string, parameter: GrpcParameter): number {
  if (parameter.choice !== 'int64_param') throw wrongKind(key, name, 'int64_param');
  return Number(BigInt.asUintN(64, parameter.value));
}

function wrongKind(key: string, name: string, expected: string): Error {
  return grpcErrors.regionParameterType({ key, name, expected });
}

/** The service that holds a region; unknown ones go to system shared memory, which says so. */
export function regionOwner(service: InferenceService, region: string): SharedMemoryService {
  return service.cudaSharedMemory.has(region) ? service.cudaSharedMemory : service.systemSharedMemory;
}

/**
 * Keeps regions usable for a model's request until the returned function is called, though they may be unregistered. Throws NOT_FOUND for an
 * unknown one, and holds none then.
 */
export function holdRegions(service: InferenceService, names: readonly string[], model: string): () => void {
  const held: (() => void)[] = [];
  const letGo = (): void => {
    for (const release of held.splice(0)) release();
  };
  try {
    for (const name of names) held.push(regionOwner(service, name).retain(name, model));
  } catch (thrown) {
    letGo();
    throw thrown;
  }
  return letGo;
}

/** Turns model outputs into message outputs; shared-memory writes are complete when this returns. */
export function applyPlans(
  service: InferenceService,
  use: ModelUse,
  plans: ReadonlyMap<string, OutputPlan>,
  outputs: readonly OutputTensor[],
): readonly GrpcOutput[] {
  return outputs.map((output) => {
    const plan = plans.get(output.name);
    if (plan === undefined) return output;
    if (plan.classCount !== undefined) {
      const isBatched = use.config.maxBatchSize > 0;
      const classes = classify(output, plan.classCount, isBatched, (index) =>
        service.label(use, output.name, index),
      );
      return { name: output.name, datatype: 'BYTES', ...classes };
    }
    return plan.region === undefined ? output : writeRegion(service, plan.region, output);
  });
}

function writeRegion(service: InferenceService, use: RegionUse, output: OutputTensor): GrpcOutput {
  if (output.bytes.byteLength > use.byteSize) {
    throw requestErrors.regionTooSmall({
      output: output.name,
      given: use.byteSize,
      needed: output.bytes.byteLength,
    });
  }
  regionOwner(service, use.region).write(use.region, use.offset, use.byteSize, output.bytes);
  return { ...output, bytes: NO_BYTES };
}

// Request-level parameters of gRPC inference: the names with a meaning, the reserved ones, and custom ones that are
// handed to the model (docs/reference/grpc.md#parameters).

import type { HeaderPattern } from '../../inference/header-pattern.ts';
import type { CorrelationId } from '../../inference/inference-request.ts';
import { checkedCorrelationId } from '../../inference/correlation-id.ts';
import { RESERVED_PARAMETERS } from '../../inference/reserved-parameters.ts';
import { SEQUENCE_END, SEQUENCE_START } from '../../inference/inference-request.ts';
import type { ParameterValue } from '../../inference/inference-response.ts';
import type { GrpcParameter } from '../../grpc-wire/infer-message.ts';
import { grpcErrors } from './grpc-errors.ts';

const EMPTY_FINAL = 'triton_enable_empty_final_response';

/** `timeoutUs` and `priority` 0 stand for the model's defaults; `custom` holds what the protocol gives no meaning. */
export interface InferParameters {
  correlationId: CorrelationId;
  flags: number;
  priority: bigint;
  timeoutUs: number;
  wantsEmptyFinal: boolean;
  custom: Map<string, ParameterValue> | undefined;
}

/** INVALID_ARG for wrong kinds and reserved names; UNSUPPORTED for a text id of more than 128 bytes. */
export function readInferParameters(parameters: ReadonlyMap<string, GrpcParameter>): InferParameters {
  const result: InferParameters = {
    correlationId: 0n,
    flags: 0,
    priority: 0n,
    timeoutUs: 0,
    wantsEmptyFinal: false,
    custom: undefined,
  };
  for (const [key, parameter] of parameters) readOne(result, key, parameter);
  return result;
}

function readOne(result: InferParameters, key: string, parameter: GrpcParameter): void {
  switch (key) {
    case 'sequence_id':
      result.correlationId = correlationId(parameter);
      return;
    case 'sequence_start':
      if (flag(key, parameter)) result.flags |= SEQUENCE_START;
      return;
    case 'sequence_end':
      if (flag(key, parameter)) result.flags |= SEQUENCE_END;
      return;
    case 'priority':
      result.priority = priority(parameter);
      return;
    case 'timeout':
      if (parameter.choice !== 'int64_param') throw wrongKind(key, 'int64_param');
      // A negative one is a very long one, as in Triton.
      result.timeoutUs = Number(BigInt.asUintN(64, parameter.value));
      return;
    case EMPTY_FINAL:
      result.wantsEmptyFinal = flag(key, parameter);
      return;
    default:
      if (key.startsWith('triton_')) {
        throw grpcErrors.reservedParameter({ key: EMPTY_FINAL });
      }
      (result.custom ??= new Map()).set(key, customValue(key, parameter));
  }
}

function correlationId(parameter: GrpcParameter): CorrelationId {
  if (parameter.choice === 'int64_param') return BigInt.asUintN(64, parameter.value);
  if (parameter.choice !== 'string_param') throw wrongKind('sequence_id', 'int64_param or string_param');
  return checkedCorrelationId(parameter.value);
}

function flag(key: string, parameter: GrpcParameter): boolean {
  if (parameter.choice !== 'bool_param') throw wrongKind(key, 'bool_param');
  return parameter.value;
}

function priority(parameter: GrpcParameter): bigint {
  if (parameter.choice !== 'int64_param' && parameter.choice !== 'uint64_param') {
    throw wrongKind('priority', 'int64_param or uint64_param');
  }
  if (parameter.value < 0n) throw grpcErrors.priority();
  return parameter.value;
}

function customValue(key: string, parameter: GrpcParameter): ParameterValue {
  if (parameter.choice === 'none' || parameter.choice === 'uint64_param') {
    throw wrongKind(key, 'int64_param, bool_param, or string_param');
  }
  return parameter.value;
}

function wrongKind(key: string, expected: string): Error {
  return grpcErrors.parameterType({ key, expected });
}

/** Adds matching metadata as text parameters. INVALID_ARG for names that mean something to the server. */
export function forwardHeaders(
  parameters: InferParameters,
  metadata: Readonly<Record<string, Buffer | string>>,
  pattern: HeaderPattern,
): void {
  for (const [key, value] of Object.entries(metadata)) {
    if (!pattern.test(key)) continue;
    if (RESERVED_PARAMETERS.has(key) || key.startsWith('triton_')) {
      throw grpcErrors.reservedHeader({ key });
    }
    (parameters.custom ??= new Map()).set(key, String(value));
  }
}

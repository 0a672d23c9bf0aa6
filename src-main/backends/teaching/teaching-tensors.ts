// Reading inputs and writing outputs of the teaching backends: INT32 values, sequence controls, client-side shapes.

import type { ModelConfig, SequenceControlKind } from '../../../src-shared/config/model-config.ts';
import type { DataType } from '../../../src-shared/datatypes.ts';
import type { CorrelationId, InferenceRequest, InferInput } from '../../inference/inference-request.ts';
import type { OutputTensor } from '../../inference/inference-response.ts';
import { contiguous, copied } from '../../inference/tensor-bytes.ts';
import { teachingErrors } from './teaching-errors.ts';

/** An input of the client or one added by the scheduler, which has the last word. */
export function findInput(request: InferenceRequest, name: string): InferInput | undefined {
  return (
    request.overrideInputs.find((input) => input.name === name) ??
    request.inputs.find((input) => input.name === name)
  );
}

/** Throws INVALID_ARG when the request lacks the input. */
export function needInput(request: InferenceRequest, name: string): InferInput {
  const input = findInput(request, name);
  if (input === undefined) {
    throw teachingErrors.inputNeeded({ prefix: request.logPrefix, model: request.modelName, name });
  }
  return input;
}

/** A copy of the values. */
export function int32Values(input: InferInput): Int32Array {
  return new Int32Array(copied(contiguous(input.bytes)).buffer);
}

/** A copy of the values of a UINT32 input. */
export function uint32Values(input: InferInput): Uint32Array {
  return new Uint32Array(copied(contiguous(input.bytes)).buffer);
}

/** An INT32 output; the count of values must be the product of the shape. */
export function int32Output(name: string, shape: readonly number[], values: ArrayLike<number>): OutputTensor {
  return { name, datatype: 'INT32', shape, bytes: new Uint8Array(Int32Array.from(values).buffer) };
}

/** Whether a boolean control tensor of the request is at its true value; `fallback` when the model has none. */
export function readControl(
  config: ModelConfig,
  request: InferenceRequest,
  kind: Exclude<SequenceControlKind, 'CONTROL_SEQUENCE_CORRID'>,
  fallback: boolean,
): boolean {
  for (const { name, control } of config.sequenceBatching?.controlInput ?? []) {
    const entry = control.find((candidate) => candidate.kind === kind);
    const input = entry && findInput(request, name);
    if (entry === undefined || input === undefined) continue;
    return readNumber(input) === Number(trueValue(entry));
  }
  return fallback;
}

/** The CORRID control tensor as an id; the request's own id when the model has no such control. */
export function readCorrelationId(config: ModelConfig, request: InferenceRequest): CorrelationId {
  for (const { name, control } of config.sequenceBatching?.controlInput ?? []) {
    if (!control.some(({ kind }) => kind === 'CONTROL_SEQUENCE_CORRID')) continue;
    const input = findInput(request, name);
    if (input === undefined) continue;
    const bytes = contiguous(input.bytes);
    if (input.datatype === 'BYTES') return new TextDecoder().decode(bytes.subarray(4));
    return readInteger(input.datatype, bytes);
  }
  return request.correlationId;
}

function trueValue(control: {
  readonly int32FalseTrue: readonly number[];
  readonly fp32FalseTrue: readonly number[];
  readonly boolFalseTrue: readonly boolean[];
}): number | boolean {
  return control.int32FalseTrue[1] ?? control.fp32FalseTrue[1] ?? control.boolFalseTrue[1] ?? true;
}

function readNumber(input: InferInput): number {
  const bytes = contiguous(input.bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (input.datatype === 'BOOL') return view.getUint8(0);
  return input.datatype === 'FP32' ? view.getFloat32(0, true) : view.getInt32(0, true);
}

function readInteger(datatype: DataType, bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (datatype) {
    case 'INT32':
      return BigInt(view.getInt32(0, true));
    case 'UINT32':
      return BigInt(view.getUint32(0, true));
    case 'INT64':
      return view.getBigInt64(0, true);
    default:
      return view.getBigUint64(0, true);
  }
}

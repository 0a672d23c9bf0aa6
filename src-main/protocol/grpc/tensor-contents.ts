// InferTensorContents to tensor bytes. One packed run of a fixed-size type is used as it lies in the message; the
// rest is converted with one pass over the encoded bytes (ten million byte strings in well under a second).

import protobuf from 'protobufjs';

import type { DataType } from '../../../src-shared/datatypes.ts';
import { elementByteSize } from '../../../src-shared/datatypes.ts';
import { invalidArg, ServerError } from '../../../src-shared/errors.ts';
import type { TensorBytes } from '../../inference/tensor-bytes.ts';
import { bytesOf, NO_BYTES } from '../../inference/tensor-bytes.ts';
import { endOf, readFields, readVarint64 } from '../../grpc-wire/infer-request-decoder.ts';

interface FieldType {
  /** Name used in messages. */
  readonly shown: string;
  readonly datatypes: readonly DataType[];
  readonly encoding: 'varint' | 'fixed32' | 'fixed64' | 'bytes';
}

const FIELDS: Readonly<Record<number, FieldType>> = {
  1: { shown: 'BOOL', datatypes: ['BOOL'], encoding: 'varint' },
  2: { shown: 'INT32', datatypes: ['INT8', 'INT16', 'INT32'], encoding: 'varint' },
  3: { shown: 'INT64', datatypes: ['INT64'], encoding: 'varint' },
  4: { shown: 'UINT32', datatypes: ['UINT8', 'UINT16', 'UINT32'], encoding: 'varint' },
  5: { shown: 'UINT64', datatypes: ['UINT64'], encoding: 'varint' },
  6: { shown: 'FP32', datatypes: ['FP32'], encoding: 'fixed32' },
  7: { shown: 'FP64', datatypes: ['FP64'], encoding: 'fixed64' },
  8: { shown: 'BYTES', datatypes: ['BYTES'], encoding: 'bytes' },
};

interface Run {
  readonly field: number;
  /** Encoded elements: packed bytes, or one element. */
  readonly bytes: Uint8Array;
}

/**
 * Tensor bytes in wire layout. `pieces` are the encoded contents messages of one input, merged as protobuf merges.
 * INVALID_ARG when the field used does not fit `datatype`, two fields are used, or the bytes are malformed.
 */
export function contentsToBytes(
  pieces: readonly Uint8Array[],
  datatype: DataType,
  inputName: string,
  modelName: string,
): TensorBytes {
  try {
    return convert(pieces, datatype, inputName, modelName);
  } catch (thrown) {
    if (thrown instanceof ServerError) throw thrown;
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw invalidArg(
      `contents of input tensor '${inputName}' for model '${modelName}' are malformed: ${reason}`,
    );
  }
}

function convert(
  pieces: readonly Uint8Array[],
  datatype: DataType,
  inputName: string,
  modelName: string,
): TensorBytes {
  const runs = pieces.flatMap(readRuns);
  const [first] = runs;
  if (first === undefined) return NO_BYTES;
  const field = FIELDS[first.field];
  const where = `for input tensor '${inputName}' for model '${modelName}'`;
  if (field === undefined || !field.datatypes.includes(datatype)) {
    throw invalidArg(
      `unexpected explicit tensor data ${where} of type '${field?.shown ?? '<invalid>'}', expected datatype '${datatype}'`,
    );
  }
  if (runs.some((run) => run.field !== first.field)) {
    throw invalidArg(`unexpected explicit tensor data ${where}, binary data was already supplied.`);
  }
  switch (field.encoding) {
    case 'fixed32':
    case 'fixed64':
      return { chunks: runs.map((run) => run.bytes), byteSize: sumOf(runs, (run) => run.bytes.byteLength) };
    case 'bytes':
      return lengthPrefixed(runs);
    case 'varint':
      return bytesOf(varints(runs, elementByteSize(datatype)));
  }
}

function readRuns(piece: Uint8Array): Run[] {
  const runs: Run[] = [];
  const reader = protobuf.Reader.create(piece);
  readFields(reader, reader.len, (field, wireType) => {
    if (FIELDS[field] === undefined) return false;
    if (wireType === 2) {
      const end = endOf(reader);
      runs.push({ field, bytes: piece.subarray(reader.pos, end) });
      reader.pos = end;
      return true;
    }
    const start = reader.pos;
    reader.skipType(wireType);
    runs.push({ field, bytes: piece.subarray(start, reader.pos) });
    return true;
  });
  return runs;
}

function lengthPrefixed(runs: readonly Run[]): TensorBytes {
  const target = Buffer.allocUnsafe(sumOf(runs, (run) => 4 + run.bytes.byteLength));
  let at = 0;
  for (const { bytes } of runs) {
    at = target.writeUInt32LE(bytes.byteLength, at);
    target.set(bytes, at);
    at += bytes.byteLength;
  }
  return bytesOf(target);
}

/** Low bytes of each element, little-endian. */
function varints(runs: readonly Run[], elementSize: number): Uint8Array {
  const count = sumOf(runs, ({ bytes }) => bytes.reduce((total, byte) => total + (byte < 0x80 ? 1 : 0), 0));
  const target = new Uint8Array(count * elementSize);
  const view = new DataView(target.buffer);
  let at = 0;
  for (const { bytes } of runs) {
    const reader = protobuf.Reader.create(bytes);
    while (reader.pos < reader.len) {
      at = elementSize === 8 ? putWide(view, at, reader) : put(view, at, elementSize, reader.int32());
    }
  }
  return target;
}

function putWide(view: DataView, at: number, reader: protobuf.Reader): number {
  view.setBigUint64(at, readVarint64(reader), true);
  return at + 8;
}

function put(view: DataView, at: number, elementSize: number, value: number): number {
  if (elementSize === 1) view.setInt8(at, value);
  else if (elementSize === 2) view.setInt16(at, value, true);
  else view.setInt32(at, value, true);
  return at + elementSize;
}

function sumOf<T>(items: readonly T[], size: (item: T) => number): number {
  let total = 0;
  for (const item of items) total += size(item);
  return total;
}

// InferTensorContents to tensor bytes. One packed run of a fixed-size type is used as it lies in the message; the
// rest is converted with one pass over the encoded bytes (ten million byte strings in well under a second).

import protobuf from 'protobufjs';

import type { DataType } from '../../../src-shared/datatypes.ts';
import { elementByteSize } from '../../../src-shared/datatypes.ts';
import { ServerError } from '../../../src-shared/errors.ts';
import type { TensorBytes } from '../../inference/tensor-bytes.ts';
import { bytesOf, NO_BYTES } from '../../inference/tensor-bytes.ts';
import { endOf, readField, readVarint64 } from '../../grpc-wire/infer-request-decoder.ts';
import { grpcErrors } from './grpc-errors.ts';

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

/** Of single elements; packed ones are of wire type 2, as texts are. */
const WIRE_TYPES: Readonly<Record<FieldType['encoding'], number>> = {
  varint: 0,
  fixed64: 1,
  bytes: 2,
  fixed32: 5,
};
/** Bytes of an element, where all have the same. */
const WIDTHS: Readonly<Record<FieldType['encoding'], number>> = {
  varint: 1,
  fixed64: 8,
  bytes: 1,
  fixed32: 4,
};

/** Encoded elements in `piece[start, end)`: packed ones, or a single one. */
type Visit = (field: number, start: number, end: number, piece: Uint8Array) => void;

/** More runs than this are put together: a view each costs far more than copying its few bytes. */
const MAX_VIEWS = 64;
/** Up to this size a loop is cheaper than a view for the copy. */
const SHORT_COPY = 32;

/**
 * Tensor bytes in wire layout. `pieces` are the encoded contents messages of one input, merged as protobuf merges.
 * INVALID_ARG when the field used does not fit `datatype`, as none fits an unknown one (undefined), two fields are used,
 * or the bytes are malformed.
 */
export function contentsToBytes(
  pieces: readonly Uint8Array[],
  datatype: DataType | undefined,
  inputName: string,
  modelName: string,
): TensorBytes {
  try {
    return convert(pieces, datatype, inputName, modelName);
  } catch (thrown) {
    if (thrown instanceof ServerError) throw thrown;
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw grpcErrors.malformedContents({ input: inputName, model: modelName, reason });
  }
}

function convert(
  pieces: readonly Uint8Array[],
  datatype: DataType | undefined,
  inputName: string,
  modelName: string,
): TensorBytes {
  const where = `for input tensor '${inputName}' for model '${modelName}'`;
  let used = 0;
  let runCount = 0;
  let byteSize = 0;
  let width = 1;
  // Elements are looked at in place: ten million of them must not become ten million objects.
  visitRuns(pieces, (field, start, end) => {
    if (field !== used) {
      checkField(field, used, datatype, where);
      used = field;
      width = WIDTHS[FIELDS[field]?.encoding ?? 'bytes'];
    }
    if ((end - start) % width !== 0) throw new RangeError(`${end - start} bytes are no elements of ${width}`);
    runCount += 1;
    byteSize += end - start;
  });
  const field = FIELDS[used];
  if (field === undefined || datatype === undefined) return NO_BYTES;
  switch (field.encoding) {
    case 'fixed32':
    case 'fixed64':
      return runCount <= MAX_VIEWS ? views(pieces, byteSize) : joined(pieces, byteSize, false);
    case 'bytes':
      return joined(pieces, byteSize + 4 * runCount, true);
    case 'varint':
      return bytesOf(varints(pieces, elementByteSize(datatype)));
  }
}

/** Refuses a field that does not fit the datatype, and a second one beside the first (0 = none yet). */
function checkField(field: number, used: number, datatype: DataType | undefined, where: string): void {
  const type = FIELDS[field];
  if (used !== 0) {
    throw grpcErrors.repeatedContents({ where });
  }
  if (datatype !== undefined && type?.datatypes.includes(datatype) === true) return;
  const shown = datatype ?? '<invalid>';
  throw grpcErrors.contentsType({ where, type: type?.shown ?? '<invalid>', datatype: shown });
}

function visitRuns(pieces: readonly Uint8Array[], visit: Visit): void {
  for (const piece of pieces) {
    const reader = protobuf.Reader.create(piece);
    const skipField = (field: number, wireType: number): boolean => {
      const type = FIELDS[field];
      // A field of another wire type than its own is one that is not known.
      if (type === undefined || (wireType !== 2 && wireType !== WIRE_TYPES[type.encoding])) return false;
      const end = wireType === 2 ? endOf(reader) : undefined;
      const start = reader.pos;
      if (end === undefined) reader.skipType(wireType);
      else reader.pos = end;
      visit(field, start, reader.pos, piece);
      return true;
    };
    while (reader.pos < reader.len) {
      const at = visitShort(piece, reader.pos, visit);
      if (at > reader.pos) reader.pos = at;
      else readField(reader, skipField);
    }
  }
}

/** Short elements, as strings mostly are, by hand: one byte of tag, one of length. Returns where they end. */
function visitShort(piece: Uint8Array, from: number, visit: Visit): number {
  const last = piece.length - 2;
  let at = from;
  while (at <= last) {
    const tag = piece[at] as number;
    const length = piece[at + 1] as number;
    const end = at + 2 + length;
    if ((tag & 0x87) !== 2 || tag > 0x42 || tag < 8 || length > 0x7f || end > piece.length) break;
    visit(tag >>> 3, at + 2, end, piece);
    at = end;
  }
  return at;
}

function views(pieces: readonly Uint8Array[], byteSize: number): TensorBytes {
  const chunks: Uint8Array[] = [];
  visitRuns(pieces, (_field, start, end, piece) => void chunks.push(piece.subarray(start, end)));
  return { chunks, byteSize };
}

/** All runs one after another, each behind its length when asked. */
function joined(pieces: readonly Uint8Array[], byteSize: number, hasLengths: boolean): TensorBytes {
  const target = Buffer.allocUnsafe(byteSize);
  let at = 0;
  visitRuns(pieces, (_field, start, end, piece) => {
    const length = end - start;
    if (hasLengths) {
      target[at] = length;
      target[at + 1] = length >>> 8;
      target[at + 2] = length >>> 16;
      target[at + 3] = length >>> 24;
      at += 4;
    }
    if (length > SHORT_COPY) target.set(piece.subarray(start, end), at);
    else for (let i = start; i < end; i += 1) target[at + i - start] = piece[i] as number;
    at += length;
  });
  return bytesOf(target);
}

/** Low bytes of each element, little-endian. */
function varints(pieces: readonly Uint8Array[], elementSize: number): Uint8Array {
  let count = 0;
  visitRuns(pieces, (_field, start, end, piece) => {
    for (let i = start; i < end; i += 1) if ((piece[i] as number) < 0x80) count += 1;
  });
  const target = new Uint8Array(count * elementSize);
  const view = new DataView(target.buffer);
  let at = 0;
  for (const piece of pieces) {
    const reader = protobuf.Reader.create(piece);
    visitRuns([piece], (_field, start, end) => {
      reader.pos = start;
      while (reader.pos < end) {
        at = elementSize === 8 ? putWide(view, at, reader) : put(view, at, elementSize, reader.int32());
      }
    });
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

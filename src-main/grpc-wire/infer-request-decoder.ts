// ModelInferRequest from its wire bytes. A decoder of its own because general ones copy every tensor and cannot cope
// with millions of typed elements; here raw contents stay views of the message and typed contents stay encoded.

import protobuf from 'protobufjs';

import { ServerError } from '../../src-shared/errors.ts';
import { MAX_DIMS, checkDimCount, checkFieldCount, checkPartCount } from '../base/request-limits.ts';
import type {
  GrpcInferInput,
  GrpcInferRequest,
  GrpcParameter,
  GrpcRequestedOutput,
} from './infer-message.ts';
import { splitRequest } from './raw-contents.ts';
import type { WireMessage } from './wire-message.ts';
import { byteSizeOf, joined, ownMemory } from './wire-message.ts';

const VARINT = 0;
const LENGTH_DELIMITED = 2;
/** Of an input: its dimensions come packed or one by one. */
const SHAPE = 3;
/** Stands in decoded texts for what is no UTF-8, and for itself. */
const REPLACEMENT = '\ufffd';
const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const NO_MEMORY: readonly ArrayBuffer[] = [];
/** Of all messages without any: a map of its own for each tensor of each request would be most of its garbage. */
const NO_PARAMETERS: ReadonlyMap<string, GrpcParameter> = new Map();

type Reader = protobuf.Reader;
type Parameters = Map<string, GrpcParameter>;
type FieldHandler = (field: number, wireType: number, reader: Reader) => boolean;

/** Fields of the request being read; reading never waits. */
let fieldCount = 0;

/** Throws on truncated or malformed bytes; of a request with too many parts only the fault is complete. */
export function decodeInferRequest(message: WireMessage): GrpcInferRequest {
  const request = decodeSplit(message) ?? decodeWhole(joined(message));
  request.memory = ownMemory(message);
  return request;
}

/** A message in several parts without putting them together; undefined when anything is wrong with it. */
function decodeSplit(message: WireMessage): GrpcInferRequest | undefined {
  const split = message.length > 1 ? splitRequest(message, byteSizeOf(message)) : undefined;
  if (split === undefined) return undefined;
  try {
    const request = decodeWhole(split.rest);
    for (const [index, contents] of split.contents) request.rawInputContents[index] = contents;
    return request.fault === undefined ? request : undefined;
  } catch {
    return undefined;
  }
}

function decodeWhole(bytes: Uint8Array): GrpcInferRequest {
  const request = emptyRequest();
  fieldCount = 0;
  try {
    readRequest(bytes, request);
  } catch (thrown) {
    if (!(thrown instanceof ServerError)) throw thrown;
    request.fault = thrown;
  }
  return request;
}

function emptyRequest(): GrpcInferRequest {
  return {
    modelName: '',
    modelVersion: '',
    id: '',
    parameters: NO_PARAMETERS,
    inputs: [],
    outputs: [],
    rawInputContents: [],
    fault: undefined,
    memory: NO_MEMORY,
  };
}

function readRequest(bytes: Uint8Array, request: GrpcInferRequest): void {
  const reader = protobuf.Reader.create(bytes);
  let parameters: Parameters | undefined;
  readCounted(reader, reader.len, (field, wireType) => {
    // A field of another wire type than its own is one that is not known.
    if (wireType !== LENGTH_DELIMITED) return false;
    switch (field) {
      case 1:
        request.modelName = textOf(reader);
        return true;
      case 2:
        request.modelVersion = textOf(reader);
        return true;
      case 3:
        request.id = textOf(reader);
        return true;
      case 4:
        readParameter(reader, (parameters ??= request.parameters = new Map()), readCounted);
        return true;
      case 5:
        request.inputs.push(readInput(reader, bytes));
        return true;
      case 6:
        request.outputs.push(readOutput(reader));
        return true;
      case 7:
        request.rawInputContents.push([view(reader, bytes)]);
        return true;
      default:
        return false;
    }
  });
  checkPartCount('inputs', request.inputs.length);
  checkPartCount('outputs', request.outputs.length);
  checkPartCount('raw input contents', request.rawInputContents.length);
  checkPartCount('parameters', request.parameters.size);
}

/** Calls `handle` per field until `end`; fields it does not take are skipped. */
export function readFields(reader: Reader, end: number, handle: FieldHandler): void {
  while (reader.pos < end) readField(reader, handle);
  if (reader.pos !== end) throw new RangeError('field runs past the end of its message');
}

/** The same for a message of the request: its fields count. */
function readCounted(reader: Reader, end: number, handle: FieldHandler): void {
  readFields(reader, end, (field, wireType) => {
    fieldCount += 1;
    checkFieldCount(fieldCount);
    return handle(field, wireType, reader);
  });
}

/** One field; skipped unless `handle` takes it. Throws for field 0, which no message has. */
export function readField(reader: Reader, handle: FieldHandler): void {
  const tag = reader.uint32();
  const wireType = tag & 7;
  if (tag >>> 3 === 0) throw new RangeError('fields are numbered from 1 on');
  if (handle(tag >>> 3, wireType, reader)) return;
  if (wireType === VARINT) readVarint64(reader);
  else reader.skipType(wireType);
}

function readInput(reader: Reader, bytes: Uint8Array): GrpcInferInput {
  const input: GrpcInferInput = {
    name: '',
    datatype: '',
    shape: [],
    parameters: NO_PARAMETERS,
    contents: undefined,
  };
  const end = endOf(reader);
  let parameters: Parameters | undefined;
  readCounted(reader, end, (field, wireType) => {
    if (wireType !== LENGTH_DELIMITED && !(field === SHAPE && wireType === VARINT)) return false;
    switch (field) {
      case 1:
        input.name = textOf(reader);
        return true;
      case 2:
        input.datatype = textOf(reader);
        return true;
      case SHAPE:
        readInt64s(reader, wireType, input.shape, MAX_DIMS + 1);
        checkDimCount(input.name, input.shape.length);
        return true;
      case 4:
        readParameter(reader, (parameters ??= input.parameters = new Map()), readCounted);
        return true;
      case 5:
        (input.contents ??= []).push(view(reader, bytes));
        return true;
      default:
        return false;
    }
  });
  return input;
}

function readOutput(reader: Reader): GrpcRequestedOutput {
  const output: GrpcRequestedOutput = { name: '', parameters: NO_PARAMETERS };
  let parameters: Parameters | undefined;
  readCounted(reader, endOf(reader), (field, wireType) => {
    if (wireType !== LENGTH_DELIMITED) return false;
    if (field === 1) output.name = textOf(reader);
    else if (field === 2) readParameter(reader, (parameters ??= output.parameters = new Map()), readCounted);
    else return false;
    return true;
  });
  return output;
}

/** One entry of a map of parameters; a later entry of the same key wins. `read`: counts the fields, or does not. */
export function readParameter(reader: Reader, target: Map<string, GrpcParameter>, read = readFields): void {
  let key = '';
  let value: GrpcParameter = { choice: 'none', value: undefined };
  read(reader, endOf(reader), (field, wireType) => {
    if (wireType !== LENGTH_DELIMITED) return false;
    if (field === 1) key = textOf(reader);
    else if (field === 2) value = readParameterValue(reader, read);
    else return false;
    return true;
  });
  target.set(key, value);
}

/** By field: bool, int64, string, double, uint64. */
const PARAMETER_WIRE_TYPES: readonly (number | undefined)[] = [undefined, 0, 0, LENGTH_DELIMITED, 1, 0];

function readParameterValue(reader: Reader, read: typeof readFields): GrpcParameter {
  let value: GrpcParameter = { choice: 'none', value: undefined };
  read(reader, endOf(reader), (field, wireType) => {
    if (wireType !== PARAMETER_WIRE_TYPES[field]) return false;
    switch (field) {
      case 1:
        value = { choice: 'bool_param', value: reader.bool() };
        return true;
      case 2:
        value = { choice: 'int64_param', value: BigInt.asIntN(64, readVarint64(reader)) };
        return true;
      case 3:
        value = { choice: 'string_param', value: textOf(reader) };
        return true;
      case 4:
        value = { choice: 'double_param', value: reader.double() };
        return true;
      case 5:
        value = { choice: 'uint64_param', value: readVarint64(reader) };
        return true;
      default:
        return false;
    }
  });
  return value;
}

/** Throws for bytes that are no UTF-8, which no text of a message may be. */
function textOf(reader: Reader): string {
  const start = reader.pos;
  const text = reader.string();
  if (!text.includes(REPLACEMENT)) return text;
  reader.pos = start;
  return STRICT_UTF8.decode(reader.bytes());
}

/** A varint of up to 64 bits as unsigned bigint. */
export function readVarint64(reader: Reader): bigint {
  const { buf } = reader;
  let result = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = buf[reader.pos];
    if (byte === undefined || reader.pos >= reader.len)
      throw new RangeError('varint runs past the end of the message');
    reader.pos += 1;
    result |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return BigInt.asUintN(64, result);
  }
  throw new RangeError('varint longer than 10 bytes');
}

/** Dimensions, packed or not, of packed ones about `maxCount` at most; values beyond 2^53 lose precision, which no tensor can have anyway. */
export function readInt64s(
  reader: Reader,
  wireType: number,
  target: number[],
  maxCount = Number.POSITIVE_INFINITY,
): void {
  if (wireType !== LENGTH_DELIMITED) {
    target.push(readInt64(reader));
    return;
  }
  const end = endOf(reader);
  while (reader.pos < end && target.length < maxCount) target.push(readInt64(reader));
  if (target.length >= maxCount) reader.pos = end;
}

function readInt64(reader: Reader): number {
  const byte = reader.buf[reader.pos] ?? 0;
  if (byte < 0x80 && reader.pos < reader.len) {
    reader.pos += 1;
    return byte;
  }
  return Number(BigInt.asIntN(64, readVarint64(reader)));
}

/** Reads a length and returns the position behind that many bytes. */
export function endOf(reader: Reader): number {
  const byteSize = reader.uint32();
  const end = reader.pos + byteSize;
  if (end > reader.len) throw new RangeError('length runs past the end of the message');
  return end;
}

function view(reader: Reader, bytes: Uint8Array): Uint8Array {
  const end = endOf(reader);
  const slice = bytes.subarray(reader.pos, end);
  reader.pos = end;
  return slice;
}

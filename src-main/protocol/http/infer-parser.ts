// The JSON part of an infer request to ParsedInfer. Pure and synchronous, so that it runs on the loop for small
// texts and in a worker for large ones. The order of checks decides which fault wins and follows the reference.

import type { DataType } from '../../../src-shared/datatypes.ts';
import { elementByteSize, isDataType } from '../../../src-shared/datatypes.ts';
import { errorToWire } from '../../../src-shared/errors.ts';
import { checkDimCount, checkPartCount } from '../../base/request-limits.ts';
import { requestPrefix } from '../../inference/request-prefix.ts';
import { decodeJsonTensor, decodeNumberRun, hasJsonForm } from '../../tensor/json-codec.ts';
import type { JsonValue } from '../../tensor/json-document.ts';
import { JsonObject, parseJson, parseJsonQuickly } from '../../tensor/json-document.ts';
import { NumberRun } from '../../tensor/number-runs.ts';
import { httpBodyErrors } from './body-errors.ts';
import { readParameters } from './infer-parameters.ts';
import { asArray, asBoolean, asString, asUint, requireMember } from './json-members.ts';
import type { ParsedInfer, ParsedInput, ParsedOutput, SharedMemoryPlace } from './parsed-infer.ts';
import { emptyParsedInfer } from './parsed-infer.ts';

/** What the parser has to know besides the JSON. */
export interface InferParseOptions {
  readonly modelName: string;
  /** Bytes behind the JSON part. */
  readonly binaryByteSize: number;
  /** Limit of one JSON tensor after conversion. */
  readonly maxInputByteSize: number;
}

/** Texts below this size are read once, thoroughly. */
const QUICK_MIN_BYTES = 1024;

/** Never throws: a fault is part of the result, after the inputs that were read before it. */
export function parseInfer(json: Buffer, options: InferParseOptions): ParsedInfer {
  const quick = json.length < QUICK_MIN_BYTES ? undefined : parseQuickly(json, options);
  return quick ?? parseStrictly(json, options);
}

/** Lists of numbers in one pass; undefined when they or anything beside them are not as they should be. */
function parseQuickly(json: Buffer, options: InferParseOptions): ParsedInfer | undefined {
  const into = emptyParsedInfer();
  try {
    const { root, runs } = parseJsonQuickly(json);
    readInfer(root, options, into);
    return runs.every(({ isRead }) => isRead) ? into : undefined;
  } catch {
    return undefined;
  }
}

/** In two passes, the first of which checks the whole text. */
export function parseStrictly(json: Buffer, options: InferParseOptions): ParsedInfer {
  const into = emptyParsedInfer();
  try {
    readInfer(parseJson(json), options, into);
  } catch (thrown) {
    into.fault = errorToWire(thrown);
  }
  return into;
}

function readInfer(root: JsonValue, options: InferParseOptions, into: ParsedInfer): void {
  const body = root instanceof JsonObject ? root : new JsonObject();
  const id = body.get('id');
  if (id !== undefined) into.id = asString(id, 'id');
  const parameters = body.get('parameters');
  if (parameters !== undefined) readParameters(parameters, into);
  const inputs = elementsOf(requireMember(body, 'inputs', 'inputs'), 'inputs');
  const names = new Set<string>();
  let binaryUsed = 0;
  for (const value of inputs) {
    const input = readInput(value, binaryUsed, options, (name) => claimName('input', name, names, into));
    into.inputs.push(input);
    binaryUsed += input.binary?.byteSize ?? 0;
  }
  if (binaryUsed < options.binaryByteSize) {
    throw httpBodyErrors.unusedBytes({ model: options.modelName });
  }
  const outputs = body.get('outputs');
  if (outputs === undefined) return;
  names.clear();
  for (const value of elementsOf(outputs, 'outputs')) {
    into.outputs.push(readOutput(value, (name) => claimName('output', name, names, into)));
  }
}

function elementsOf(value: JsonValue, kind: 'inputs' | 'outputs'): JsonValue[] {
  const array = asArray(value, kind);
  checkPartCount(kind, array.count);
  return array.elements();
}

/** Throws INVALID_ARG for a name that another tensor of the request has. */
function claimName(kind: 'input' | 'output', name: string, names: Set<string>, into: ParsedInfer): void {
  if (names.has(name)) {
    throw httpBodyErrors.repeatedTensor({ prefix: requestPrefix(into.id), kind, name });
  }
  names.add(name);
}

const NO_MEMBERS = new JsonObject();

function readInput(
  value: JsonValue,
  binaryUsed: number,
  options: InferParseOptions,
  claim: (name: string) => void,
): ParsedInput {
  const input = value instanceof JsonObject ? value : NO_MEMBERS;
  const found = input.get('parameters');
  const parameters = found instanceof JsonObject ? found : NO_MEMBERS;
  const data = input.get('data');
  const binarySize = parameters.get('binary_data_size');
  const region = parameters.get('shared_memory_region');
  checkSingleSource(data !== undefined, binarySize !== undefined, region !== undefined);

  const name = asString(requireMember(input, 'name', 'name'), 'name');
  const datatype = asString(requireMember(input, 'datatype', 'datatype'), 'datatype');
  const dims = readShape(name, requireMember(input, 'shape', 'shape'));
  claim(name);
  const shape = dims.map(Number);
  let json: Uint8Array | undefined;
  let binary: ParsedInput['binary'];
  let shared: SharedMemoryPlace | undefined;
  if (binarySize !== undefined) {
    binary = placeBinary(name, Number(asUint(binarySize, 'binary_data_size')), binaryUsed, options);
  } else {
    shared = readShared(region, parameters);
    if (data !== undefined) json = readData(name, datatype, dims, data, options);
  }
  return { name, datatype, shape, json, binary, shared };
}

function checkSingleSource(hasData: boolean, hasBinary: boolean, hasRegion: boolean): void {
  if (Number(hasData) + Number(hasBinary) + Number(hasRegion) === 1) return;
  const present =
    (hasData ? " 'data'" : '') +
    (hasBinary ? " 'binary_data_size'" : '') +
    (hasRegion ? " 'shared_memory_region'" : '');
  throw httpBodyErrors.oneSource({ found: present === '' ? 'no field is set' : `set${present}` });
}

function readShape(name: string, value: JsonValue): (number | bigint)[] {
  const array = asArray(value, 'shape');
  checkDimCount(name, array.count);
  const dims = array.elements();
  for (const dim of dims) asUint(dim, 'shape');
  return dims as (number | bigint)[];
}

function placeBinary(
  name: string,
  byteSize: number,
  offset: number,
  options: InferParseOptions,
): { offset: number; byteSize: number } {
  const missing = offset + byteSize - options.binaryByteSize;
  if (missing > 0) {
    throw httpBodyErrors.missingBytes({ name, missing, model: options.modelName });
  }
  return { offset, byteSize };
}

/** Without a region the place says nothing, but has to be one. */
function readShared(region: JsonValue | undefined, parameters: JsonObject): SharedMemoryPlace | undefined {
  const name = region === undefined ? undefined : asString(region, 'shared_memory_region');
  const count = (key: string): number | bigint => {
    const value = parameters.get(key);
    return value === undefined ? 0 : asUint(value, key);
  };
  const [offset, byteSize] = [count('shared_memory_offset'), count('shared_memory_byte_size')];
  return name === undefined ? undefined : { region: name, offset, byteSize };
}

const MAX_INT64 = 0x7fff_ffff_ffff_ffffn;

/** Elements of a shape; throws INVALID_ARG when a dimension or the product leaves int64. */
function countElements(name: string, dims: readonly (number | bigint)[]): bigint {
  if (dims.length === 0) return 0n;
  const text = (): string => `[${dims.map((dim) => BigInt.asIntN(64, BigInt(dim))).join(',')}]`;
  if (dims.some((dim) => dim > MAX_INT64)) {
    throw httpBodyErrors.dimensionTooLarge({ name, shape: text() });
  }
  if (dims.some((dim) => dim === 0)) return 0n;
  let count = 1n;
  for (let i = 0; i < dims.length && count <= MAX_INT64; i += 1) count *= BigInt(dims[i] ?? 1);
  if (count > MAX_INT64) {
    throw httpBodyErrors.tooManyElements({ name, shape: text(), limit: MAX_INT64 });
  }
  return count;
}

function readData(
  name: string,
  datatype: string,
  dims: readonly (number | bigint)[],
  data: JsonValue,
  options: InferParseOptions,
): Uint8Array {
  const count = countElements(name, dims);
  if (count === 0n) return new Uint8Array(0);
  const elements = data instanceof NumberRun ? data : asArray(data, 'data');
  if (!isDataType(datatype)) throw httpBodyErrors.unknownType({ name });
  if (!hasJsonForm(datatype)) {
    throw httpBodyErrors.withoutJsonForm({ datatype, input: name });
  }
  checkDataSize(name, datatype, count, options.maxInputByteSize);
  const bytes =
    elements instanceof NumberRun
      ? decodeNumberRun(elements, datatype, Number(count))
      : decodeJsonTensor(elements, datatype, Number(count));
  if (bytes === undefined) throw httpBodyErrors.notFlat();
  if (bytes.byteLength > options.maxInputByteSize)
    throw tooLarge(name, bytes.byteLength, options.maxInputByteSize);
  return bytes;
}

function checkDataSize(name: string, datatype: DataType, count: bigint, limit: number): void {
  const elementSize = BigInt(elementByteSize(datatype));
  const byteSize = count * elementSize;
  if (byteSize > MAX_INT64) {
    throw httpBodyErrors.sizeOverflow({ name, count, size: elementSize, limit: MAX_INT64 });
  }
  if (byteSize > limit) throw tooLarge(name, byteSize, limit);
}

const tooLarge = (name: string, byteSize: number | bigint, limit: number): Error =>
  httpBodyErrors.inputTooLarge({ name, size: byteSize, limit });

function readOutput(value: JsonValue, claim: (name: string) => void): ParsedOutput {
  const output = value instanceof JsonObject ? value : NO_MEMBERS;
  const name = asString(requireMember(output, 'name', 'name'), 'name');
  claim(name);
  const found = output.get('parameters');
  const parameters = found instanceof JsonObject ? found : NO_MEMBERS;
  const classCount = readClassCount(parameters.get('classification'));
  const shared = readShared(parameters.get('shared_memory_region'), parameters);
  const binary = parameters.get('binary_data');
  if (shared !== undefined && classCount > 0) {
    throw httpBodyErrors.regionAndClasses();
  }
  const isBinary = binary !== undefined && asBoolean(binary, 'binary_data');
  if (shared !== undefined && isBinary) {
    throw httpBodyErrors.regionAndBinary();
  }
  return { name, isBinary, classCount, shared };
}

/** Kept in 32 bits, as in the reference. */
function readClassCount(value: JsonValue | undefined): number {
  if (value === undefined) return 0;
  try {
    return Number(BigInt.asUintN(32, BigInt(asUint(value, ''))));
  } catch (thrown) {
    throw httpBodyErrors.classification({ reason: (thrown as Error).message });
  }
}

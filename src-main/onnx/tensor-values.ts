// The first elements of one tensor of an ONNX file, as texts: the only place that reads weights for people to look at.
// Reads no more bytes than the elements that are asked for need.

import path from 'node:path';

import type { ConstantView } from '../../src-shared/contract/graph-calls.ts';
import { bfloat16ToNumber, float16ToNumber } from '../../src-shared/tensor/half-float.ts';
import { singleText } from '../../src-shared/tensor/single-text.ts';
import { openRegularFile } from '../base/regular-file.ts';
import { externalDataFile } from './external-data.ts';
import type { OnnxGraph, OnnxModel, OnnxStoredValues, OnnxTensorInfo } from './onnx-model.ts';
import { elementDataType, elementTypeName, elementsByteSize } from './onnx-types.ts';
import { TENSOR_FIELDS } from './value-tables.ts';
import { WireCursor } from './wire-cursor.ts';
import { onnxErrors } from './onnx-errors.ts';

/** Which constant of a file is wanted, and how many of its first values at most. */
export interface ConstantQuestion {
  /** An initializer; or a tensor written by the operator that has the attribute. */
  readonly tensor: string;
  /** undefined = an initializer. */
  readonly attribute: string | undefined;
  readonly limit: number;
}

/** NOT_FOUND when the model has no such constant, INVALID_ARG when its values cannot be read. */
export async function constantValues(
  file: string,
  model: OnnxModel,
  { tensor: name, attribute, limit }: ConstantQuestion,
): Promise<ConstantView> {
  const tensor = findTensor(graphsOf(model), name, attribute);
  if (tensor === undefined) throw onnxErrors.unknownConstant({ name, file: path.basename(file) });
  const elementCount = tensor.dims.reduce((all, dim) => all * dim, 1);
  const wanted = Math.min(limit, elementCount);
  return {
    type: elementTypeName(tensor.elementType),
    shape: `[${tensor.dims.join(',')}]`,
    elementCount,
    values: wanted === 0 ? [] : await readValues(file, tensor, wanted),
  };
}

function* graphsOf({ graph, functions }: OnnxModel): Generator<Pick<OnnxGraph, 'nodes' | 'initializers'>> {
  yield* withBodies(graph);
  for (const { nodes } of functions) yield* withBodies({ nodes, initializers: [] });
}

type Body = Pick<OnnxGraph, 'nodes' | 'initializers'>;

function* withBodies(graph: Body): Generator<Body> {
  yield graph;
  for (const { attributes } of graph.nodes) {
    for (const { graphs } of attributes) for (const body of graphs) yield* withBodies(body);
  }
}

/** Tensors of bodies and functions are shown as "scope/name": the file has the last part. */
function findTensor(
  graphs: Iterable<Body>,
  name: string,
  attribute: string | undefined,
): OnnxTensorInfo | undefined {
  let inner: OnnxTensorInfo | undefined;
  for (const { nodes, initializers } of graphs) {
    const matches = (candidate: string): boolean => candidate === name || name.endsWith(`/${candidate}`);
    const found =
      attribute === undefined
        ? initializers.filter((tensor) => matches(tensor.name))
        : nodes
            .filter(({ outputs }) => outputs.some((output) => output !== '' && matches(output)))
            .flatMap(({ attributes }) =>
              attributes
                .filter((candidate) => candidate.name === attribute)
                .flatMap(({ tensors }) =>
                  tensors.map((tensor) => (tensor.name === '' ? { ...tensor, name } : tensor)),
                ),
            );
    const exact = found.find((tensor) => tensor.name === name);
    if (exact !== undefined) return exact;
    inner ??= found[0];
  }
  return inner;
}

async function readValues(file: string, tensor: OnnxTensorInfo, count: number): Promise<string[]> {
  const { external, elementType } = tensor;
  if (external !== undefined) {
    const data = await externalDataFile(file, external.location);
    if (data === undefined) {
      throw onnxErrors.weightsOutside({ name: tensor.name });
    }
    const bytes = await readBytes(data, external.byteOffset, elementsByteSize(elementType, count));
    return rawValues(bytes, elementType, count);
  }
  const values: string[] = [];
  for (const run of tensor.stored) {
    if (values.length >= count) break;
    values.push(...(await readRun(file, run, elementType, count - values.length)));
  }
  if (values.length === 0) throw onnxErrors.withoutValues({ name: tensor.name });
  return values;
}

/** An integer takes at most ten bytes in the file. */
const VARINT_BYTES = 10;

async function readRun(
  file: string,
  { field, byteOffset, byteSize }: OnnxStoredValues,
  elementType: number,
  count: number,
): Promise<string[]> {
  const read = (perElement: number): Promise<Uint8Array<ArrayBuffer>> =>
    readBytes(file, byteOffset, Math.min(byteSize, perElement * count));
  switch (field) {
    case TENSOR_FIELDS.raw:
      return rawValues(
        await readBytes(file, byteOffset, Math.min(byteSize, elementsByteSize(elementType, count))),
        elementType,
        count,
      );
    case TENSOR_FIELDS.strings:
      return [new TextDecoder().decode(await readBytes(file, byteOffset, Math.min(byteSize, 256)))];
    case TENSOR_FIELDS.floats:
      return numbers(await read(4), 4, (view, at) => view.getFloat32(at, true));
    case TENSOR_FIELDS.doubles:
      return numbers(await read(8), 8, (view, at) => view.getFloat64(at, true));
    default:
      return varints(file, await read(VARINT_BYTES), count).map((value) => packedInteger(value, elementType));
  }
}

async function readBytes(file: string, offset: number, byteSize: number): Promise<Uint8Array<ArrayBuffer>> {
  const { handle } = await openRegularFile(file).catch(() => {
    throw onnxErrors.weightsUnreadable({ file: path.basename(file) });
  });
  try {
    const bytes = new Uint8Array(byteSize);
    const { bytesRead } = await handle.read(bytes, 0, byteSize, offset);
    return bytes.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function numbers(
  bytes: Uint8Array,
  size: number,
  get: (view: DataView, at: number) => number | bigint,
): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.floor(bytes.byteLength / size) }, (_, at) =>
    numberText(get(view, at * size)),
  );
}

/** Single-precision values without the digits that double precision adds. */
function numberText(value: number | bigint): string {
  if (typeof value === 'bigint' || Number.isInteger(value)) return String(value);
  return Math.fround(value) === value ? singleText(value) : String(value);
}

function varints(file: string, bytes: Uint8Array<ArrayBuffer>, count: number): number[] {
  const cursor = new WireCursor(file, bytes.byteLength);
  cursor.load(0, bytes);
  const values: number[] = [];
  while (values.length < count && cursor.position < bytes.byteLength) values.push(cursor.varint());
  return values;
}

/** Half floats stand in the list of integers by their bits. */
function packedInteger(value: number, elementType: number): string {
  const datatype = elementDataType(elementType);
  if (datatype === 'FP16') return numberText(float16ToNumber(value));
  if (datatype === 'BF16') return numberText(bfloat16ToNumber(value));
  return datatype === 'BOOL' ? String(value !== 0) : String(value);
}

function rawValues(bytes: Uint8Array, elementType: number, count: number): string[] {
  const datatype = elementDataType(elementType);
  switch (datatype) {
    case 'FP32':
      return numbers(bytes, 4, (view, at) => view.getFloat32(at, true));
    case 'FP64':
      return numbers(bytes, 8, (view, at) => view.getFloat64(at, true));
    case 'FP16':
      return numbers(bytes, 2, (view, at) => float16ToNumber(view.getUint16(at, true)));
    case 'BF16':
      return numbers(bytes, 2, (view, at) => bfloat16ToNumber(view.getUint16(at, true)));
    case 'INT8':
      return numbers(bytes, 1, (view, at) => view.getInt8(at));
    case 'UINT8':
      return numbers(bytes, 1, (view, at) => view.getUint8(at));
    case 'BOOL':
      return [...bytes].map((byte) => String(byte !== 0));
    case 'INT16':
      return numbers(bytes, 2, (view, at) => view.getInt16(at, true));
    case 'UINT16':
      return numbers(bytes, 2, (view, at) => view.getUint16(at, true));
    case 'INT32':
      return numbers(bytes, 4, (view, at) => view.getInt32(at, true));
    case 'UINT32':
      return numbers(bytes, 4, (view, at) => view.getUint32(at, true));
    case 'INT64':
      return numbers(bytes, 8, (view, at) => view.getBigInt64(at, true));
    case 'UINT64':
      return numbers(bytes, 8, (view, at) => view.getBigUint64(at, true));
    case 'BYTES':
    case undefined:
      throw onnxErrors.notShown({ count, type: elementTypeName(elementType) });
  }
}

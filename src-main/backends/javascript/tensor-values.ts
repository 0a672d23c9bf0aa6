// Between wire bytes and what a model author works with: typed arrays, and arrays of elements for BYTES.
// Checks what authors return against the datatype and shape the configuration promises.

import { elementByteSize, type DataType } from '../../../src-shared/datatypes.ts';
import { formatShape } from '../../../src-shared/tensor/shape.ts';
import { javascriptErrors } from './javascript-errors.ts';
import type { InputTensor, OutputData, OutputValue, TensorData } from './model-api.ts';
import { packedBytes, type TensorSource } from './packed-tensors.ts';
import type { PackedTensor } from './worker-messages.ts';

type NumberArrayType =
  | Int8ArrayConstructor
  | Uint8ArrayConstructor
  | Int16ArrayConstructor
  | Uint16ArrayConstructor
  | Int32ArrayConstructor
  | Uint32ArrayConstructor
  | Float32ArrayConstructor
  | Float64ArrayConstructor;

const NUMBER_ARRAYS: Readonly<Partial<Record<DataType, NumberArrayType>>> = {
  BOOL: Uint8Array,
  UINT8: Uint8Array,
  UINT16: Uint16Array,
  UINT32: Uint32Array,
  INT8: Int8Array,
  INT16: Int16Array,
  INT32: Int32Array,
  FP16: Uint16Array,
  BF16: Uint16Array,
  FP32: Float32Array,
  FP64: Float64Array,
};

/** A tensor of a message as the author sees it; its data is a view of the message's buffer. */
export function readTensor(data: ArrayBuffer, tensor: PackedTensor): InputTensor {
  const { name, datatype, shape } = tensor;
  const values = readData(data, tensor);
  return {
    name,
    datatype,
    shape,
    data: values,
    texts: () => {
      if (!Array.isArray(values)) throw javascriptErrors.noTexts({ name, datatype });
      const decoder = new TextDecoder();
      return (values as readonly Uint8Array[]).map((element) => decoder.decode(element));
    },
  };
}

function readData(data: ArrayBuffer, tensor: PackedTensor): TensorData {
  const { datatype, offset, byteSize } = tensor;
  if (datatype === 'BYTES') return splitElements(packedBytes(data, tensor));
  const count = byteSize / elementByteSize(datatype);
  if (datatype === 'INT64') return new BigInt64Array(data, offset, count);
  if (datatype === 'UINT64') return new BigUint64Array(data, offset, count);
  const ArrayType = NUMBER_ARRAYS[datatype] ?? Uint8Array;
  return new ArrayType(data, offset, count);
}

function splitElements(bytes: Uint8Array): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const elements: Uint8Array[] = [];
  for (let at = 0; at + 4 <= bytes.byteLength;) {
    const end = at + 4 + view.getUint32(at, true);
    elements.push(bytes.subarray(at + 4, Math.min(end, bytes.byteLength)));
    at = end;
  }
  return elements;
}

/**
 * What an author gave for a tensor, ready to be packed. `label` names the tensor in messages. Throws INTERNAL with
 * what was seen and what is needed.
 */
export function writeTensor(
  value: OutputValue,
  tensor: {
    readonly name: string;
    readonly label: string;
    readonly datatype: DataType;
    readonly batches: boolean;
  },
): TensorSource {
  const { name, label, datatype, batches } = tensor;
  const hasShape = isShaped(value);
  const data = hasShape ? value.data : value;
  const shape = (hasShape ? value.shape : undefined) ?? (batches ? [1, data.length] : [data.length]);
  const count = shape.reduce((product, dim) => product * dim, 1);
  if (data.length !== count) {
    throw javascriptErrors.elementCount({
      label,
      got: data.length,
      shape: formatShape(shape),
      needed: count,
    });
  }
  const bytes = datatype === 'BYTES' ? joinElements(data, label) : numberBytes(data, datatype, label);
  return { name, datatype, shape, byteSize: bytes.byteLength, write: (target) => target.set(bytes) };
}

function isShaped(
  value: OutputValue,
): value is { readonly shape?: readonly number[]; readonly data: OutputData } {
  return !Array.isArray(value) && !ArrayBuffer.isView(value);
}

function joinElements(data: OutputData, label: string): Uint8Array {
  const encoder = new TextEncoder();
  const elements = Array.from<unknown, Uint8Array>(data, (element) => {
    if (typeof element === 'string') return encoder.encode(element);
    if (element instanceof Uint8Array) return element;
    throw javascriptErrors.elementNoText({ label, got: typeof element });
  });
  const bytes = new Uint8Array(elements.reduce((sum, element) => sum + 4 + element.byteLength, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const element of elements) {
    view.setUint32(at, element.byteLength, true);
    bytes.set(element, at + 4);
    at += 4 + element.byteLength;
  }
  return bytes;
}

function numberBytes(data: OutputData, datatype: DataType, label: string): Uint8Array {
  const array = ArrayBuffer.isView(data) ? data : fromPlainArray(data, datatype, label);
  const expected =
    datatype === 'INT64'
      ? BigInt64Array
      : datatype === 'UINT64'
        ? BigUint64Array
        : (NUMBER_ARRAYS[datatype] ?? Uint8Array);
  if (!(array instanceof expected)) {
    throw javascriptErrors.arrayType({
      label,
      datatype,
      expected: expected.name,
      got: array.constructor.name,
    });
  }
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function fromPlainArray(
  data: readonly unknown[],
  datatype: DataType,
  label: string,
): Exclude<TensorData, readonly Uint8Array[]> {
  const wrong = data.find((element) => !['number', 'bigint', 'boolean'].includes(typeof element));
  if (wrong !== undefined) {
    throw javascriptErrors.elementNoNumber({ label, datatype, got: typeof wrong });
  }
  const values = data as readonly (number | bigint | boolean)[];
  if (datatype === 'INT64') return BigInt64Array.from(values, BigInt);
  if (datatype === 'UINT64') return BigUint64Array.from(values, BigInt);
  if (datatype === 'FP16' || datatype === 'BF16') {
    throw javascriptErrors.halfNumbers({ label, datatype });
  }
  return new (NUMBER_ARRAYS[datatype] ?? Uint8Array)(values.map(Number));
}

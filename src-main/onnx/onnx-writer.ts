// Writes ONNX files from a description of the graph: samples, bench models and test models come from here. No time,
// no host name and no random order goes in, so the same description always gives the same bytes.

import type { DataType } from '../../src-shared/datatypes.ts';
import { elementTypeCode } from './onnx-types.ts';
import { WireWriter } from './wire-writer.ts';

/** A number is a fixed dimension, a text a symbolic one. */
export type WritableShape = readonly (number | string)[];

/** An input or output of a graph that is written. */
export interface WritableValue {
  readonly name: string;
  readonly datatype: DataType;
  /** Undefined = leave the shape to the runtime. */
  readonly shape: WritableShape | undefined;
}

/** Elements that lie in a file beside the model. */
export interface ExternalElements {
  readonly location: string;
}

/** An initializer that is written. */
export interface WritableTensor {
  readonly name: string;
  readonly datatype: DataType;
  readonly dims: readonly number[];
  /** Little-endian elements; for BYTES the texts. */
  readonly data: Uint8Array | readonly string[] | ExternalElements;
}

/** Integers as bigint or as a list of bigint; numbers are floats; a graph is the body of a loop or a branch. */
export type WritableAttribute =
  | bigint
  | number
  | string
  | readonly bigint[]
  | readonly number[]
  | WritableTensor
  | WritableGraph;

/** `domain` is ONNX's own when left out. An empty name in `inputs` leaves out an optional input, as in the format. */
export interface WritableNode {
  readonly opType: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly name?: string;
  readonly domain?: string;
  readonly attributes?: Readonly<Record<string, WritableAttribute>>;
}

/**
 * Nodes must come in an order of execution, and every tensor must be made before it is used: nothing is checked
 * here, ONNX Runtime does that when it opens the file.
 */
export interface WritableGraph {
  readonly name: string;
  readonly nodes: readonly WritableNode[];
  readonly inputs: readonly WritableValue[];
  readonly outputs: readonly WritableValue[];
  readonly initializers?: readonly WritableTensor[];
}

/** A whole file that is written. */
export interface WritableModel {
  readonly graph: WritableGraph;
  /** Default 8. */
  readonly irVersion?: number;
  /** Version of the standard operators; default 17. */
  readonly opsetVersion?: number;
}

const PRODUCER = 'conch';
const DEFAULT_IR_VERSION = 8;
const DEFAULT_OPSET_VERSION = 17;

/** The bytes of an .onnx file. */
export function writeOnnx(model: WritableModel): Uint8Array {
  return new WireWriter()
    .integer(1, model.irVersion ?? DEFAULT_IR_VERSION)
    .text(2, PRODUCER)
    .message(7, (writer) => writeGraph(writer, model.graph))
    .message(8, (writer) => writer.text(1, '').integer(2, model.opsetVersion ?? DEFAULT_OPSET_VERSION))
    .finish();
}

function writeGraph(writer: WireWriter, graph: WritableGraph): void {
  for (const node of graph.nodes) writer.message(1, (inner) => writeNode(inner, node));
  writer.text(2, graph.name);
  for (const tensor of graph.initializers ?? []) writer.message(5, (inner) => writeTensor(inner, tensor));
  for (const value of graph.inputs) writer.message(11, (inner) => writeValue(inner, value));
  for (const value of graph.outputs) writer.message(12, (inner) => writeValue(inner, value));
}

function writeNode(writer: WireWriter, node: WritableNode): void {
  for (const input of node.inputs) writer.text(1, input);
  for (const output of node.outputs) writer.text(2, output);
  if (node.name !== undefined) writer.text(3, node.name);
  writer.text(4, node.opType);
  for (const [name, value] of Object.entries(node.attributes ?? {})) {
    writer.message(5, (inner) => writeAttribute(inner, name, value));
  }
  if (node.domain !== undefined) writer.text(7, node.domain);
}

/** Numbers of the attribute types in the file format. */
const ATTRIBUTE = { float: 1, integer: 2, text: 3, tensor: 4, graph: 5, floats: 6, integers: 7 };

function writeAttribute(writer: WireWriter, name: string, value: WritableAttribute): void {
  writer.text(1, name);
  if (typeof value === 'bigint') {
    writer.integer(3, value).integer(20, ATTRIBUTE.integer);
  } else if (typeof value === 'number') {
    writer.float(2, value).integer(20, ATTRIBUTE.float);
  } else if (typeof value === 'string') {
    writer.text(4, value).integer(20, ATTRIBUTE.text);
  } else if ('datatype' in value) {
    writer.message(5, (inner) => writeTensor(inner, value)).integer(20, ATTRIBUTE.tensor);
  } else if ('nodes' in value) {
    writer.message(6, (inner) => writeGraph(inner, value)).integer(20, ATTRIBUTE.graph);
  } else {
    let isFloats = false;
    for (const item of value) {
      if (typeof item === 'bigint') {
        writer.integer(8, item);
      } else {
        isFloats = true;
        writer.float(7, item);
      }
    }
    writer.integer(20, isFloats ? ATTRIBUTE.floats : ATTRIBUTE.integers);
  }
}

function writeTensor(writer: WireWriter, tensor: WritableTensor): void {
  for (const dim of tensor.dims) writer.integer(1, dim);
  writer.integer(2, elementTypeCode(tensor.datatype));
  if (tensor.data instanceof Uint8Array) {
    writer.text(8, tensor.name).bytes(9, tensor.data);
  } else if ('location' in tensor.data) {
    const { location } = tensor.data;
    writer.text(8, tensor.name).message(13, (entry) => entry.text(1, 'location').text(2, location));
    writer.integer(14, 1);
  } else {
    for (const text of tensor.data) writer.text(6, text);
    writer.text(8, tensor.name);
  }
}

function writeValue(writer: WireWriter, value: WritableValue): void {
  writer.text(1, value.name).message(2, (type) =>
    type.message(1, (tensor) => {
      tensor.integer(1, elementTypeCode(value.datatype));
      if (value.shape !== undefined) writeShape(tensor, value.shape);
    }),
  );
}

function writeShape(writer: WireWriter, shape: WritableShape): void {
  writer.message(2, (inner) => {
    for (const dim of shape) {
      inner.message(1, (entry) => {
        if (typeof dim === 'number') entry.integer(1, dim);
        else entry.text(2, dim);
      });
    }
  });
}

/** FP32 tensor from numbers. */
export function floatTensor(
  name: string,
  dims: readonly number[],
  values: Float32Array | readonly number[],
): WritableTensor {
  const data = Float32Array.from(values);
  return { name, datatype: 'FP32', dims, data: new Uint8Array(data.buffer) };
}

/** INT64 tensor, as shape operands want it. */
export function int64Tensor(
  name: string,
  dims: readonly number[],
  values: readonly number[],
): WritableTensor {
  const data = BigInt64Array.from(values.map(BigInt));
  return { name, datatype: 'INT64', dims, data: new Uint8Array(data.buffer) };
}

// An ONNX file as structure: everything but the weights. Produced by onnx-reader.ts; plain data, safe to post to
// another thread.

/** One dimension of a shape as the file declares it. */
export interface OnnxDim {
  /** -1 = dynamic. */
  readonly size: number;
  /** "batch"; undefined for fixed and anonymous dimensions. */
  readonly symbol: string | undefined;
}

/** Type of a graph value. `kind` is "tensor" for nearly all. */
export interface OnnxValueType {
  readonly kind: 'tensor' | 'sequence' | 'map' | 'optional' | 'sparse_tensor' | 'opaque' | 'none';
  /** Number of the element type (onnx-types.ts); 0 when it is not a tensor or not given. */
  readonly elementType: number;
  /** Undefined when the file gives no rank. */
  readonly dims: readonly OnnxDim[] | undefined;
}

/** A tensor between nodes, or an input or output of the graph; names are unique within one graph. */
export interface OnnxValue {
  readonly name: string;
  readonly type: OnnxValueType;
}

/** Weights kept in another file. */
export interface OnnxExternalData {
  /** Relative to the folder of the model file. */
  readonly location: string;
  readonly byteOffset: number;
  /** Undefined = up to the end of that file. */
  readonly byteSize: number | undefined;
}

/** A tensor of the file without its values, which are read when somebody asks for them. */
export interface OnnxTensorInfo {
  readonly name: string;
  readonly elementType: number;
  readonly dims: readonly number[];
  /** Bytes of the values, wherever they are; 0 for strings. */
  readonly byteSize: number;
  readonly external: OnnxExternalData | undefined;
  /** Where the values lie in the file itself, in order; empty when they are external. */
  readonly stored: readonly OnnxStoredValues[];
}

/** A run of values in the file, none of which was read. */
export interface OnnxStoredValues {
  /** Field of the tensor message it stands in: how the values are written. */
  readonly field: number;
  readonly byteOffset: number;
  readonly byteSize: number;
}

/** An attribute of an operator in words, with the graphs and tensors that it carries. */
export interface OnnxAttribute {
  readonly name: string;
  /** "3", "[1, 1]", "relu", "tensor float [3, 3]", "graph of 4 nodes". */
  readonly summary: string;
  readonly graphs: readonly OnnxGraph[];
  readonly tensors: readonly OnnxTensorInfo[];
}

/** One operator. Inputs that are left out have the empty name, as in the file. */
export interface OnnxNode {
  readonly name: string;
  readonly opType: string;
  /** "" = the standard operators. */
  readonly domain: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: readonly OnnxAttribute[];
}

/**
 * `values`: types of tensors between nodes as far as the file gives them. Before IR version 4 `inputs` name the
 * initializers too. `nodes` are in file order, which ONNX demands to be an order of execution.
 */
export interface OnnxGraph {
  readonly name: string;
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly values: readonly OnnxValue[];
  readonly initializers: readonly OnnxTensorInfo[];
  readonly nodes: readonly OnnxNode[];
}

/** A function that the file defines for its own nodes: a node with this `domain` and `name` stands for `nodes`. */
export interface OnnxFunction {
  readonly name: string;
  readonly domain: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly nodes: readonly OnnxNode[];
}

/** The version of an operator set that the file was written for. `domain` "" is ONNX's own. */
export interface OnnxOpset {
  readonly domain: string;
  readonly version: number;
}

/**
 * Texts that the file leaves out are "" and numbers 0. `fileByteSize` is of this file, without weights that lie
 * in files beside it.
 */
export interface OnnxModel {
  readonly irVersion: number;
  readonly producerName: string;
  readonly producerVersion: string;
  readonly domain: string;
  readonly modelVersion: number;
  readonly opsets: readonly OnnxOpset[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly graph: OnnxGraph;
  readonly functions: readonly OnnxFunction[];
  readonly fileByteSize: number;
}

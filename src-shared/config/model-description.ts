// What a model file itself says about its inputs and outputs. Backends fill it; completion and interface checks read it.

import type { DataType } from '../datatypes.ts';

/** `sourceType` of a tensor whose element type the file leaves to the runtime. */
export const UNDEFINED_TYPE = 'tensor(undefined)';

/** An input or output as the model file declares it. */
export interface TensorDescription {
  readonly name: string;
  /** Undefined for element types that no request can carry. */
  readonly datatype: DataType | undefined;
  /** The file's own name of the type, such as `tensor(float8e4m3fn)`, for messages. */
  readonly sourceType: string;
  /** Anything but `tensor` cannot be served; the ONNX enum name, such as `ONNX_TYPE_SEQUENCE`, is in sourceType. */
  readonly kind: 'tensor' | 'sequence' | 'map' | 'optional' | 'sparse';
  /** Complete shape, batch dimension included; -1 for a dynamic dimension. */
  readonly shape: readonly number[];
  /** Symbolic name per dimension, where the file gives one. */
  readonly symbols: readonly (string | undefined)[];
  /** Inputs only: an initialiser that a request may override. */
  readonly isOptional: boolean;
}

/** What a model file says of its inputs and outputs. */
export interface ModelDescription {
  /** In the order of the file. */
  readonly inputs: readonly TensorDescription[];
  readonly outputs: readonly TensorDescription[];
  /** Shapes as the file declares them: the runtime may know the size of a dynamic dimension of an output. */
  readonly isDeclared?: boolean;
}

/** A plain tensor, for building descriptions. */
export function describeTensor(
  name: string,
  datatype: DataType | undefined,
  shape: readonly number[],
  more: Partial<TensorDescription> = {},
): TensorDescription {
  return {
    name,
    datatype,
    shape,
    sourceType: datatype ?? 'unsupported',
    kind: 'tensor',
    symbols: shape.map(() => undefined),
    isOptional: false,
    ...more,
  };
}

/** Whether every input and output has a dynamic first dimension, so that requests can be stacked along it. */
export function supportsBatching({ inputs, outputs }: ModelDescription): boolean {
  return [...inputs.filter((input) => !input.isOptional), ...outputs].every(
    (tensor) => tensor.shape[0] === -1,
  );
}

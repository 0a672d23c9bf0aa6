// From the structure of an ONNX file to what a configuration can be derived from.

import type { ModelDescription, TensorDescription } from '../../src-shared/config/model-description.ts';
import type { DataType } from '../../src-shared/datatypes.ts';
import type { OnnxModel, OnnxValue, OnnxValueType } from './onnx-model.ts';
import { elementDataType, elementTypeName } from './onnx-types.ts';

/** Before this version of the format, weights had to be listed as inputs without being meant as such. */
const FIRST_OVERRIDABLE_IR_VERSION = 4;

/** Inputs and outputs in graph order. Inputs with a default value are optional; weights are left out. */
export function describeOnnx(model: OnnxModel): ModelDescription {
  const { graph } = model;
  const initialised = new Set(graph.initializers.map((tensor) => tensor.name));
  const isOverridable = model.irVersion >= FIRST_OVERRIDABLE_IR_VERSION;
  return {
    inputs: graph.inputs
      .filter((input) => isOverridable || !initialised.has(input.name))
      .map((input) => describeValue(input, initialised.has(input.name))),
    outputs: graph.outputs.map((output) => describeValue(output, false)),
    isDeclared: true,
  };
}

const KINDS: Readonly<Record<OnnxValueType['kind'], TensorDescription['kind']>> = {
  // A value without any type is left to the runtime's own inference.
  none: 'tensor',
  tensor: 'tensor',
  sequence: 'sequence',
  map: 'map',
  opaque: 'map',
  optional: 'optional',
  sparse_tensor: 'sparse',
};

/** Requests can carry BF16, but the runtime's interface has no tensors of it. */
function exchangedType(elementType: number): DataType | undefined {
  const datatype = elementDataType(elementType);
  return datatype === 'BF16' ? undefined : datatype;
}

function describeValue(value: OnnxValue, isOptional: boolean): TensorDescription {
  const { elementType, dims = [] } = value.type;
  const kind = KINDS[value.type.kind];
  return {
    name: value.name,
    datatype: kind === 'tensor' ? exchangedType(elementType) : undefined,
    sourceType: kind === 'tensor' ? `tensor(${elementTypeName(elementType)})` : value.type.kind,
    kind,
    shape: dims.map((dim) => dim.size),
    symbols: dims.map((dim) => dim.symbol),
    isOptional,
  };
}

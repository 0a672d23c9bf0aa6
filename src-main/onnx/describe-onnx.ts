// From the structure of an ONNX file to what a configuration can be derived from.

import type { DescribedTensor, ModelDescription } from '../../src-shared/config/model-description.ts';
import type { OnnxModel, OnnxValue } from './onnx-model.ts';
import { elementDataType, elementTypeName } from './onnx-types.ts';

/** Before this version of the format, weights had to be listed as inputs without being meant as such. */
const FIRST_OVERRIDABLE_IR_VERSION = 4;

/** Inputs and outputs in graph order. Inputs with a default value (initialisers) are listed apart. */
export function describeOnnx(model: OnnxModel): ModelDescription {
  const { graph } = model;
  const initialised = new Set(graph.initializers.map((tensor) => tensor.name));
  const described = graph.inputs.map(describeValue);
  return {
    inputs: described.filter((input) => !initialised.has(input.name)),
    outputs: graph.outputs.map(describeValue),
    overridableInputs:
      model.irVersion < FIRST_OVERRIDABLE_IR_VERSION
        ? []
        : described.filter((input) => initialised.has(input.name)),
  };
}

function describeValue(value: OnnxValue): DescribedTensor {
  const { kind, elementType, dims = [] } = value.type;
  // A value without any type is left to the runtime's own inference and counts as a tensor.
  const isTensor = kind === 'tensor' || kind === 'none';
  return {
    name: value.name,
    datatype: isTensor ? elementDataType(elementType) : undefined,
    onnxType: isTensor ? elementTypeName(elementType) : kind,
    shape: dims.map((dim) => dim.size),
    symbolicDims: dims.map((dim) => dim.symbol),
    isTensor,
  };
}

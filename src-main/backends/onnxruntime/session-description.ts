// What a model offers, put together from its file and from the runtime. The file knows element types the library has
// no name for; the runtime knows types and shapes that the file leaves to inference.

import type { ModelDescription, TensorDescription } from '../../../src-shared/config/model-description.ts';
import { UNDEFINED_TYPE } from '../../../src-shared/config/model-description.ts';
import { dataTypeOfOrt } from './ort-datatypes.ts';
import type { SessionInfo, SessionTensorInfo } from './session-messages.ts';

/** True when the file alone does not say enough: a tensor without element type or without shape. */
export function needsRuntime(description: ModelDescription): boolean {
  const tensors = [...description.inputs, ...description.outputs];
  return (
    tensors.every((tensor) => tensor.kind === 'tensor') &&
    tensors.some((tensor) => tensor.sourceType === UNDEFINED_TYPE || tensor.shape.length === 0)
  );
}

/** The description with gaps filled from what the runtime found. */
export function completeDescription(description: ModelDescription, info: SessionInfo): ModelDescription {
  return {
    inputs: description.inputs.map((tensor) => fillTensor(tensor, info.inputs)),
    outputs: description.outputs.map((tensor) => fillTensor(tensor, info.outputs)),
  };
}

function fillTensor(tensor: TensorDescription, found: readonly SessionTensorInfo[]): TensorDescription {
  const match = found.find((entry) => entry.name === tensor.name);
  if (match?.isTensor !== true) return tensor;
  const hasType = tensor.sourceType !== UNDEFINED_TYPE;
  const hasShape = tensor.shape.length > 0;
  return {
    ...tensor,
    datatype: hasType ? tensor.datatype : dataTypeOfOrt(match.type),
    sourceType: hasType ? tensor.sourceType : `tensor(${match.type})`,
    shape: hasShape ? tensor.shape : match.shape.map((dim) => (typeof dim === 'number' ? dim : -1)),
    symbols: hasShape
      ? tensor.symbols
      : match.shape.map((dim) => (typeof dim === 'string' && dim !== '' ? dim : undefined)),
  };
}

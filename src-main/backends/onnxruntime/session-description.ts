// What a model offers, put together from its file and from the runtime. The file knows element types the library has
// no name for; the runtime knows types and shapes that the file leaves to inference.

import type { ModelDescription, TensorDescription } from '../../../src-shared/config/model-description.ts';
import { UNDEFINED_TYPE } from '../../../src-shared/config/model-description.ts';
import { dataTypeOfOrt } from './ort-datatypes.ts';
import type { SessionInfo, SessionTensorInfo } from './session-messages.ts';

/**
 * True when the file alone does not say enough: a tensor without element type or shape, an output of unclear size. Also for
 * what is refused whatever the configuration says (no tensor, an element type that requests cannot carry, a size of 0): whether
 * the runtime takes the model at all is told first.
 */
export function needsRuntime(description: ModelDescription): boolean {
  return [...description.inputs, ...description.outputs].some(isUnclear) || hasUnexplainedSize(description);
}

function isUnclear({ kind, datatype, shape }: TensorDescription): boolean {
  return kind !== 'tensor' || datatype === undefined || shape.length === 0 || shape.includes(0);
}

/** Outputs with a dynamic dimension that no input has a name for: the runtime often infers its size, that of a batch too. */
function hasUnexplainedSize({ inputs, outputs }: ModelDescription): boolean {
  const explained = new Set(inputs.flatMap(({ symbols }) => symbols).filter((name) => name !== undefined));
  return outputs.some(({ shape, symbols }) =>
    shape.some((size, axis) => {
      const name = symbols[axis];
      return size === -1 && (name === undefined || !explained.has(name));
    }),
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
  if (match?.type === undefined) return tensor;
  const hasType = tensor.sourceType !== UNDEFINED_TYPE;
  const hasShape = tensor.shape.length > 0;
  if (hasShape && tensor.shape.length !== match.shape.length) return tensor;
  return {
    ...tensor,
    datatype: hasType ? tensor.datatype : dataTypeOfOrt(match.type),
    sourceType: hasType ? tensor.sourceType : `tensor(${match.type})`,
    shape: match.shape.map((dim, axis) => {
      const declared = hasShape ? (tensor.shape[axis] ?? -1) : -1;
      return declared === -1 && typeof dim === 'number' ? dim : declared;
    }),
    symbols: match.shape.map((dim, axis) => {
      if (hasShape) return typeof dim === 'number' ? undefined : tensor.symbols[axis];
      return typeof dim === 'string' && dim !== '' ? dim : undefined;
    }),
  };
}

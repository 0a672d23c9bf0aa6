// What a session says about itself, from the native half's metadata.

import type { NativeMetadata, NativeSession } from './native-ort.ts';
import type { SessionTensorInfo } from './session-messages.ts';

/** Names of element types by ONNX's numbers. Those behind uint64 cannot be given to JavaScript. */
const TYPE_NAMES: Readonly<Record<number, string>> = {
  1: 'float32',
  2: 'uint8',
  3: 'int8',
  4: 'uint16',
  5: 'int16',
  6: 'int32',
  7: 'int64',
  8: 'string',
  9: 'bool',
  10: 'float16',
  11: 'float64',
  12: 'uint32',
  13: 'uint64',
  14: 'complex64',
  15: 'complex128',
  16: 'bfloat16',
  17: 'float8e4m3fn',
  18: 'float8e4m3fnuz',
  19: 'float8e5m2',
  20: 'float8e5m2fnuz',
  21: 'uint4',
  22: 'int4',
  23: 'float4e2m1',
};

/** An element type that is not in the table has its number as name. */
export function tensorInfo(metadata: NativeMetadata): SessionTensorInfo {
  const { name, isTensor, shape = [], symbolicDimensions = [] } = metadata;
  if (!isTensor) return { name, isTensor: false, type: undefined, shape: [] };
  const type = TYPE_NAMES[metadata.type ?? 0] ?? `type ${metadata.type}`;
  return {
    name,
    isTensor: true,
    type,
    shape: shape.map((dim, axis) => (dim === -1 ? (symbolicDimensions[axis] ?? '') : dim)),
  };
}

/**
 * True when the shapes of these outputs follow from the shapes of the inputs: every dimension is fixed, has a name that
 * an input's dimension has too, or is the first one of a model that batches.
 */
export function hasForeseeableOutputs(
  session: Pick<NativeSession, 'inputMetadata' | 'outputMetadata'>,
  outputs: readonly string[],
  isBatching: boolean,
): boolean {
  const known = new Set(session.inputMetadata.flatMap(({ symbolicDimensions = [] }) => symbolicDimensions));
  known.delete('');
  return outputs.every((name) => {
    const output = session.outputMetadata.find((candidate) => candidate.name === name);
    if (output?.isTensor !== true || TYPE_NAMES[output.type ?? 0] === 'string') return false;
    return (output.shape ?? []).every(
      (dim, axis) =>
        dim >= 0 || known.has(output.symbolicDimensions?.[axis] ?? '') || (isBatching && axis === 0),
    );
  });
}

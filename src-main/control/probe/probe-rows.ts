// Inputs made up from what a model file says of its inputs: the same values every time, different from row to row.

import type { ModelDescription } from '../../../src-shared/config/model-description.ts';
import type { DataType } from '../../../src-shared/datatypes.ts';
import type { BareTensor } from '../../backends/onnxruntime/bare-run-messages.ts';
import { encodeValues } from '../../tensor/value-codec.ts';

/** Size given to dynamic dimensions other than the first. */
const DYNAMIC_SIZE = 4;

/** An input as the model file declares it. `shape` holds no wildcard any more; the first dimension counts rows. */
export interface ProbeInput {
  readonly name: string;
  readonly datatype: DataType;
  readonly shape: readonly number[];
}

/** Required inputs with every dimension fixed, the first to `firstSize` where it is dynamic; a text says why not. */
export function probeInputs(
  { inputs }: ModelDescription,
  firstSize: number,
): readonly ProbeInput[] | { readonly problem: string } {
  const found: ProbeInput[] = [];
  for (const { name, datatype, shape, isOptional } of inputs) {
    if (isOptional) continue;
    if (datatype === undefined || datatype === 'BF16')
      return { problem: `input '${name}' has a type that cannot be probed` };
    const sizes = shape.map((dim, at) => (dim !== -1 ? dim : at === 0 ? firstSize : DYNAMIC_SIZE));
    found.push({ name, datatype, shape: sizes });
  }
  return found;
}

/** Values for one row: whole numbers, fractions or texts by datatype, the same for the same row each time. */
export function probeTensor({ name, datatype, shape }: ProbeInput, row: number): BareTensor {
  const count = shape.reduce((product, dim) => product * dim, 1);
  const isText = datatype === 'BYTES';
  const isFloat = datatype.startsWith('FP');
  const values = Array.from({ length: count }, (_, index) => {
    const mixed = Math.abs(Math.sin((index + 1) * 12.9898 + (row + 1) * 78.233)) % 1;
    if (isText) return String(Math.round(mixed * 100));
    if (isFloat) return String(mixed);
    return datatype === 'BOOL' ? String(mixed > 0.5) : String(Math.round(mixed * 7));
  });
  const bytes = isText ? new Uint8Array() : encodeValues(values, datatype);
  return { name, datatype, shape, bytes, texts: isText ? values : undefined };
}

// Tensors that a person can change by typing: small ones whose elements have a text form that gives the same bytes again.

import { isDataType } from '../../src-shared/datatypes.ts';
import { decodeValues, encodeValues } from '../tensor/value-codec.ts';
import type { TensorToShow } from './shown-tensor.ts';

const MAX_ELEMENTS = 32;
const MAX_BYTES = 64 * 1024;
/** A text field keeps no other control characters than line breaks and tabs. */
const CONTROL = /[^\P{Cc}\n\t]/u;

/** One text for each element, row by row; undefined where the tensor is large or texts would change it. */
export function editableValues({ datatype, shape, bytes }: TensorToShow): readonly string[] | undefined {
  if (!isDataType(datatype) || bytes.byteLength > MAX_BYTES) return undefined;
  const count = shape.reduce((product, dim) => product * dim, 1);
  if (count === 0 || count > MAX_ELEMENTS) return undefined;
  const values = decodeValues(bytes, datatype, MAX_ELEMENTS + 1);
  if (values.length !== count || values.some((value) => CONTROL.test(value))) return undefined;
  return Buffer.from(encodeValues(values, datatype)).equals(bytes) ? values : undefined;
}

// Elements of one type as those of another, as long as each of them is one: NumPy makes float64 and int64 unless it is
// told otherwise. Numbers are rounded to what a float can hold; nothing is cut off.

import type { DataType } from '../../src-shared/datatypes.ts';
import { elementByteSize } from '../../src-shared/datatypes.ts';
import { putNumber, readElement } from '../tensor/value-codec.ts';
import { inChunks } from './element-chunks.ts';
import { playgroundErrors } from './playground-errors.ts';

/** Types of numbers and of yes and no; texts are neither. */
export type FixedType = Exclude<DataType, 'BYTES'>;

/** Tensor bytes in wire layout, both. INVALID_ARG names the first element that `to` cannot hold. */
export async function convertElements(
  bytes: Uint8Array,
  from: FixedType,
  to: FixedType,
): Promise<Uint8Array> {
  if (from === to) return bytes;
  const [given, wanted] = [elementByteSize(from), elementByteSize(to)];
  const count = bytes.byteLength / given;
  const converted = new Uint8Array(count * wanted);
  const source = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const target = new DataView(converted.buffer);
  await inChunks(count, (first, end) => {
    for (let index = first; index < end; index += 1) {
      const value = readElement(source, index * given, from);
      if (!putNumber(target, index * wanted, value, to)) {
        throw playgroundErrors.npyValue({ index, value: String(value), datatype: to });
      }
    }
  });
  return converted;
}

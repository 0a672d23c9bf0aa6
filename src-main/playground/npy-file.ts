// NumPy's .npy files as tensor bytes: versions 1 to 3, little- and big-endian, C and Fortran order, fixed-size types.
// Numbers of another type than the input's are converted.

import type { DataType } from '../../src-shared/datatypes.ts';
import { elementByteSize } from '../../src-shared/datatypes.ts';
import { readNpyHeader } from '../../src-shared/tensor/npy-header.ts';
import type { FixedType } from './convert-elements.ts';
import { convertElements } from './convert-elements.ts';
import { playgroundErrors } from './playground-errors.ts';

/**
 * Tensor bytes in wire layout. INVALID_ARG when the file is no .npy, has another element count, or an element that the
 * type cannot hold.
 */
export async function readNpy(file: Uint8Array, datatype: DataType, count: number): Promise<Uint8Array> {
  if (datatype === 'BYTES') throw playgroundErrors.npyNoType({ datatype });
  const header = readNpyHeader(file);
  if (header === 'none') throw playgroundErrors.noNpy();
  if ('unreadable' in header) throw playgroundErrors.npyHeader({ header: header.unreadable.slice(0, 100) });
  const { datatype: given, kind, shape, dataStart } = header;
  if (given === undefined) throw playgroundErrors.npyType({ given: kind, datatype });
  const found = shape.reduce((product, dim) => product * dim, 1);
  if (found !== count) throw playgroundErrors.npyCount({ given: found, shape: shape.join(','), count });
  const size = elementByteSize(given);
  const data = Buffer.from(file.subarray(dataStart, dataStart + count * size));
  if (data.length !== count * size)
    throw playgroundErrors.npyCut({ given: data.length, wanted: count * size });
  if (header.isBigEndian) swapBytes(data, size);
  const rows = header.isFortran ? toRowMajor(data, shape, size) : data;
  return convertElements(rows, given as FixedType, datatype);
}

function swapBytes(data: Buffer, size: number): void {
  if (size === 2) data.swap16();
  else if (size === 4) data.swap32();
  else if (size === 8) data.swap64();
}

function toRowMajor(data: Buffer, dims: readonly number[], size: number): Buffer {
  const target = Buffer.alloc(data.length);
  const index = dims.map(() => 0);
  for (let at = 0; at < data.length; at += size) {
    let from = 0;
    let stride = 1;
    dims.forEach((dim, axis) => {
      from += (index[axis] ?? 0) * stride;
      stride *= dim;
    });
    data.copy(target, at, from * size, from * size + size);
    for (let axis = dims.length - 1; axis >= 0; axis -= 1) {
      index[axis] = (index[axis] ?? 0) + 1;
      if ((index[axis] ?? 0) < (dims[axis] ?? 0)) break;
      index[axis] = 0;
    }
  }
  return target;
}

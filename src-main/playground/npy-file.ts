// NumPy's .npy files as tensor bytes: versions 1 to 3, little- and big-endian, C and Fortran order, fixed-size types.

import type { DataType } from '../../src-shared/datatypes.ts';
import { elementByteSize } from '../../src-shared/datatypes.ts';
import { numpyKind } from '../../src-shared/tensor/numpy-types.ts';
import { playgroundErrors } from './playground-errors.ts';

const MAGIC = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]);

/** Tensor bytes in wire layout. INVALID_ARG when the file is no .npy, has another type, or another element count. */
export function readNpy(file: Uint8Array, datatype: DataType, count: number): Uint8Array {
  const wanted = numpyKind(datatype);
  if (wanted === undefined) throw playgroundErrors.npyNoType({ datatype });
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.length < 12 || !bytes.subarray(0, 6).equals(MAGIC)) throw playgroundErrors.noNpy();
  const isWide = bytes.readUInt8(6) >= 2;
  const headerStart = isWide ? 12 : 10;
  const dataStart = headerStart + (isWide ? bytes.readUInt32LE(8) : bytes.readUInt16LE(8));
  const header = bytes.toString('latin1', headerStart, dataStart);
  const descr = /'descr':\s*'([<>|=]?)([a-z]\d+)'/.exec(header);
  const shape = /'shape':\s*\(([^)]*)\)/
    .exec(header)?.[1]
    ?.split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
  if (descr === null || shape === undefined)
    throw playgroundErrors.npyHeader({ header: header.trim().slice(0, 100) });
  if (descr[2] !== wanted) throw playgroundErrors.npyType({ given: descr[2] ?? '', datatype, wanted });
  const dims = shape.map(Number);
  const found = dims.reduce((product, dim) => product * dim, 1);
  if (found !== count) throw playgroundErrors.npyCount({ given: found, shape: dims.join(','), count });
  const size = elementByteSize(datatype);
  const data = Buffer.from(bytes.subarray(dataStart, dataStart + count * size));
  if (data.length !== count * size)
    throw playgroundErrors.npyCut({ given: data.length, wanted: count * size });
  if (descr[1] === '>') swapBytes(data, size);
  return /'fortran_order':\s*True/.test(header) ? toRowMajor(data, dims, size) : data;
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

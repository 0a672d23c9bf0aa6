// The header of NumPy's .npy files: which numbers follow, in which order, and where they begin. Without a copy of them. Pure.

import type { DataType } from '../datatypes.ts';
import { datatypeOfNumpyKind } from './numpy-types.ts';

/** What stands in front of the elements. */
export interface NpyHeader {
  /** NumPy's letter and size, "f8", without the order of its bytes. */
  readonly kind: string;
  /** The same as a datatype of ours; undefined for complex numbers, dates and texts of a fixed size. */
  readonly datatype: DataType | undefined;
  readonly isBigEndian: boolean;
  /** Columns first. */
  readonly isFortran: boolean;
  readonly shape: readonly number[];
  /** Where the elements begin, in bytes. */
  readonly dataStart: number;
}

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];

/** `unreadable` is the header's text when that says no array of one type; 'none' is a file of another kind. */
export function readNpyHeader(bytes: Uint8Array): NpyHeader | 'none' | { readonly unreadable: string } {
  if (bytes.length < 12 || MAGIC.some((byte, at) => bytes[at] !== byte)) return 'none';
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isWide = view.getUint8(6) >= 2;
  const start = isWide ? 12 : 10;
  const dataStart = start + (isWide ? view.getUint32(8, true) : view.getUint16(8, true));
  const text = new TextDecoder('latin1').decode(bytes.subarray(start, dataStart));
  const descr = /'descr':\s*'([<>|=]?)([a-zA-Z]\d+)(?:\[\w+\])?'/.exec(text);
  const shape = /'shape':\s*\(([^)]*)\)/
    .exec(text)?.[1]
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(Number);
  if (descr === null || shape === undefined || shape.some((dim) => !Number.isSafeInteger(dim) || dim < 0)) {
    return { unreadable: text.trim() };
  }
  const kind = descr[2] ?? '';
  return {
    kind,
    datatype: datatypeOfNumpyKind(kind),
    isBigEndian: descr[1] === '>',
    isFortran: /'fortran_order':\s*True/.test(text),
    shape,
    dataStart,
  };
}

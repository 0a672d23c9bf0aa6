// Bytes from the page and to it.

import type { blobCalls } from '../../../src-shared/contract/blob-calls.ts';
import type { CallArgs, HandlersFor } from '../../../src-shared/contract/contract.ts';
import type { BlobStore } from '../files/blob-store.ts';

/** What lies beyond the end of a blob is left out, or zero inside a grid. */
export function blobHandlers(blobs: BlobStore): HandlersFor<typeof blobCalls> {
  return {
    'blob/create': () => ({ blob: blobs.create() }),
    'blob/append': ({ blob, base64 }) => ({ byteSize: blobs.append(blob, Buffer.from(base64, 'base64')) }),
    'blob/read': ({ blob, offset, byteSize }) => {
      const bytes = blobs.read(blob);
      const part = Buffer.from(bytes.subarray(offset, offset + byteSize));
      return { base64: part.toString('base64'), totalByteSize: bytes.byteLength };
    },
    'blob/readGrid': (grid) => ({ base64: ofGrid(blobs.read(grid.blob), grid).toString('base64') }),
    'blob/release': ({ blob }) => blobs.release(blob),
  };
}

function ofGrid(bytes: Uint8Array, grid: CallArgs<'blob/readGrid'>): Buffer {
  const { offset, unit, columns, columnStep, rows, rowStep } = grid;
  const part = Buffer.alloc(rows * columns * unit);
  let to = 0;
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const from = offset + row * rowStep + column * columnStep;
      // Byte by byte: a view of so few bytes takes longer to make than to copy.
      for (let byte = 0; byte < unit; byte += 1) part[to + byte] = bytes[from + byte] ?? 0;
      to += unit;
    }
  }
  return part;
}

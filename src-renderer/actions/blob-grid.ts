// Every so many-th element of a large result: what a screen can show of it is a small part of its bytes.

import type { CallArgs } from '../../src-shared/contract/contract.ts';
import type { EngineClient } from '../engine/engine-client.ts';
import { fromBase64, PIECE_BYTES, READS_AT_ONCE } from './blobs.ts';

/** `unit` bytes at each of `rows` times `columns` places; all sizes in bytes. */
export type BlobGrid = Omit<CallArgs<'blob/readGrid'>, 'blob'>;

/** The bytes of one grid after the other, without gaps. */
export async function readGrids(
  client: EngineClient,
  blob: string,
  grids: readonly BlobGrid[],
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces = grids.flatMap(piecesOf);
  const sizes = pieces.map(({ unit, columns, rows }) => unit * columns * rows);
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
  let [asked, end] = [0, 0];
  const readOn = async (): Promise<void> => {
    for (let piece = pieces[asked]; piece !== undefined; piece = pieces[asked]) {
      const at = end;
      end += sizes[asked] ?? 0;
      asked += 1;
      bytes.set(fromBase64((await client.call('blob/readGrid', { blob, ...piece }, { signal })).base64), at);
    }
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, readOn));
  return bytes;
}

/** As many rows as fit into one message, or a part of a row that does not. */
function piecesOf(grid: BlobGrid): readonly BlobGrid[] {
  const { offset, unit, columns, columnStep, rows, rowStep } = grid;
  const width = Math.min(columns, Math.floor(PIECE_BYTES / unit));
  const height = width < columns ? 1 : Math.floor(PIECE_BYTES / (unit * columns));
  const pieces: BlobGrid[] = [];
  for (let row = 0; row < rows; row += height) {
    for (let column = 0; column < columns; column += width) {
      pieces.push({
        ...grid,
        offset: offset + row * rowStep + column * columnStep,
        columns: Math.min(width, columns - column),
        rows: Math.min(height, rows - row),
      });
    }
  }
  return pieces;
}

import { expect, test } from 'vitest';

import { BlobStore } from '../files/blob-store.ts';
import { blobHandlers } from './blob-handlers.ts';

test('a grid is every so many-th element of every so many-th row', () => {
  const store = new BlobStore();
  const blob = store.create(Uint8Array.from({ length: 48 }, (_, at) => at));
  const { 'blob/readGrid': readGrid } = blobHandlers(store);
  // Four rows of six elements of two bytes.
  const grid = { blob, offset: 2, unit: 2, columns: 2, columnStep: 6, rows: 2, rowStep: 24 };
  const { base64 } = readGrid(grid, undefined as never) as { readonly base64: string };
  expect([...Buffer.from(base64, 'base64')]).toEqual([2, 3, 8, 9, 26, 27, 32, 33]);
});

import { expect, test } from 'vitest';

import { BlobStore } from './blob-store.ts';

test('pieces come back as one', () => {
  const store = new BlobStore();
  const id = store.create();
  store.append(id, Uint8Array.of(1, 2));
  expect(store.append(id, Uint8Array.of(3))).toBe(3);
  expect([...store.read(id)]).toEqual([1, 2, 3]);
});

test('the oldest blob goes when the store is full', () => {
  const store = new BlobStore(10);
  const old = store.create(new Uint8Array(6));
  const young = store.create(new Uint8Array(6));
  expect(() => store.read(old)).toThrow('no longer kept');
  expect(store.read(young)).toHaveLength(6);
  expect(store.totalBytes).toBe(6);
});

test('one blob above the capacity is refused and leaves the store as it was', () => {
  const store = new BlobStore(10);
  const id = store.create(new Uint8Array(8));
  expect(() => store.append(id, new Uint8Array(3))).toThrow('larger than 10 bytes');
  expect(store.totalBytes).toBe(8);
});

test('released bytes are gone', () => {
  const store = new BlobStore();
  const id = store.create(new Uint8Array(5));
  store.release(id);
  expect(store.totalBytes).toBe(0);
  expect(() => store.read(id)).toThrow('no longer kept');
});

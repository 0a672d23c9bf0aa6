// Sparse counts in few bytes: ascending keys as steps from the one before, then the count, each number in groups of
// seven bits. Some twelve hundred of these are kept per model, and most hold a handful of bytes.

import type { SparseHistogram } from '../../metrics/latency-histogram.ts';

/** A text of one byte per character: V8 keeps it in that size plus a small header, unlike a typed array. */
export type PackedCounts = string & { readonly packed: 'counts' };

/** `[key, count, key, count, ...]`, whole numbers, keys ascending. */
export function packCounts(sparse: SparseHistogram): PackedCounts {
  const bytes: number[] = [];
  let before = 0;
  for (let at = 0; at + 1 < sparse.length; at += 2) {
    const key = sparse[at] ?? 0;
    pushNumber(bytes, key - before);
    pushNumber(bytes, sparse[at + 1] ?? 0);
    before = key;
  }
  return Buffer.from(bytes).toString('latin1') as PackedCounts;
}

/** Keys and counts by turns, keys ascending. */
export function unpackCounts(packed: PackedCounts): SparseHistogram {
  const { values } = readNumbers(packed, 0, Infinity);
  let key = 0;
  return values.map((value, index) => (index % 2 === 0 ? (key += value) : value));
}

/** `count` numbers from `start` on, and where they end. */
export function readNumbers(
  packed: string,
  start: number,
  count: number,
): { readonly values: readonly number[]; readonly end: number } {
  const values: number[] = [];
  let at = start;
  while (values.length < count && at < packed.length) {
    let value = 0;
    let scale = 1;
    let byte: number;
    do {
      byte = packed.charCodeAt(at);
      value += (byte & 0x7f) * scale;
      scale *= 128;
      at += 1;
    } while (byte >= 0x80 && at < packed.length);
    values.push(value);
  }
  return { values, end: at };
}

/** Where `count` numbers from `start` on end, without reading them. */
export function skipNumbers(packed: string, start: number, count: number): number {
  let at = start;
  for (let left = count; left > 0 && at < packed.length; at += 1) if (packed.charCodeAt(at) < 0x80) left -= 1;
  return at;
}

/** Counts pass 2^32 in no bucket, but bit operations end at 2^31; hence divisions. */
export function pushNumber(bytes: number[], number: number): void {
  let rest = number;
  while (rest >= 0x80) {
    bytes.push((rest % 128) + 0x80);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}

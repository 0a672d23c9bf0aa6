// Inputs for a session that nobody has asked anything yet: what its model declares, open dimensions as 1, an open first
// one as the number of rows. The same call
// gives the same values, so that two sessions of one model can be compared.

import type { NativeTensor } from './native-ort.ts';
import { numericView } from './ort-datatypes.ts';
import type { OrtType } from './ort-datatypes.ts';
import type { SessionTensorInfo } from './session-messages.ts';

/** Beyond this many elements making values up would take longer than it tells. */
const MAX_ELEMENTS = 64 * 1024 * 1024;
const WORD_BYTES = 8;

/** Undefined when the model takes something that cannot be made up. */
export function madeUpFeeds(
  inputs: readonly SessionTensorInfo[],
  rowCount = 1,
): Record<string, NativeTensor> | undefined {
  const feeds: Record<string, NativeTensor> = {};
  for (const { name, isTensor, type, shape } of inputs) {
    if (!isTensor || type === undefined || type.endsWith('int4')) return undefined;
    const dims = shape.map((dim, axis) => (typeof dim === 'number' ? dim : axis === 0 ? rowCount : 1));
    const count = dims.reduce((product, dim) => product * dim, 1);
    if (count > MAX_ELEMENTS) return undefined;
    const data = madeUpData(type as OrtType, count);
    feeds[name] = { type: type as OrtType, dims, data, location: 'cpu' };
  }
  return feeds;
}

/** Fractions below one half for floats, so that sums stay small; 0 for integers, which may be positions in a table. */
function madeUpData(type: OrtType, count: number): NativeTensor['data'] {
  if (type === 'string') return Array.from({ length: count }, () => '');
  const probe = numericView(type, new ArrayBuffer(WORD_BYTES), 0, 0);
  const byteSize = count * probe.BYTES_PER_ELEMENT;
  const values = numericView(type, new ArrayBuffer(byteSize), 0, byteSize);
  if (values instanceof Float32Array || values instanceof Float64Array) {
    for (let at = 0; at < count; at += 1) values[at] = fraction(at);
  } else if (type === 'float16' && values instanceof Uint16Array) {
    // 0.25 to just below 0.5 in steps of 1/4096: exponent 13, mantissa from the same row of fractions.
    for (let at = 0; at < count; at += 1) values[at] = (13 << 10) | Math.floor((fraction(at) + 0.5) * 1023);
  }
  return values;
}

/** -0.5 to 0.5, without a pattern that a kernel could hide behind. */
function fraction(at: number): number {
  return (((at + 1) * 2_654_435_761) % 4_294_967_296) / 4_294_967_296 - 0.5;
}

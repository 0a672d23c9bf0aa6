// Work over all elements of a tensor in pieces, with a turn of the event loop between them: requests that the server
// answers meanwhile do not wait for a large tensor of the playground.

import type { DataType } from '../../src-shared/datatypes.ts';
import { elementByteSize } from '../../src-shared/datatypes.ts';
import type { ValueStats } from '../tensor/value-codec.ts';
import { encodeValues, valueStats } from '../tensor/value-codec.ts';

/** A few milliseconds of work. */
const CHUNK_ELEMENTS = 65_536;

/** Calls `work` for [from, to) until `count` is reached or it returns false. */
export async function inChunks(
  count: number,
  work: (from: number, to: number) => boolean | void,
): Promise<void> {
  for (let from = 0; from < count; from += CHUNK_ELEMENTS) {
    if (from > 0) await new Promise<void>((resolve) => setImmediate(resolve));
    if (work(from, Math.min(count, from + CHUNK_ELEMENTS)) === false) return;
  }
}

/** Elements [from, to) of a tensor of fixed-size elements. */
export function elementRange(bytes: Uint8Array, datatype: DataType, from: number, to: number): Uint8Array {
  const size = elementByteSize(datatype);
  return bytes.subarray(from * size, to * size);
}

/** As `valueStats`; undefined for BYTES. */
export async function tensorStats(bytes: Uint8Array, datatype: DataType): Promise<ValueStats | undefined> {
  if (datatype === 'BYTES') return undefined;
  const parts: (ValueStats & { readonly finiteCount: number })[] = [];
  const count = Math.floor(bytes.byteLength / elementByteSize(datatype));
  await inChunks(count, (from, to) => {
    const stats = valueStats(elementRange(bytes, datatype, from, to), datatype);
    if (stats !== undefined) {
      parts.push({ ...stats, finiteCount: to - from - stats.nanCount - stats.infCount });
    }
  });
  if (parts.length === 0) return undefined;
  const finite = parts.filter(({ finiteCount }) => finiteCount > 0);
  const total = finite.reduce((sum, { finiteCount }) => sum + finiteCount, 0);
  return {
    min: Math.min(...finite.map(({ min }) => min)),
    max: Math.max(...finite.map(({ max }) => max)),
    mean: finite.reduce((sum, { mean, finiteCount }) => sum + (mean * finiteCount) / total, 0),
    nanCount: parts.reduce((sum, { nanCount }) => sum + nanCount, 0),
    infCount: parts.reduce((sum, { infCount }) => sum + infCount, 0),
  };
}

/** Tensor bytes of `count` elements whose texts `make` gives in order. */
export async function generateElements(
  count: number,
  datatype: DataType,
  make: (index: number) => string,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  await inChunks(count, (from, to) => {
    parts.push(
      encodeValues(
        Array.from({ length: to - from }, (_, index) => make(from + index)),
        datatype,
      ),
    );
  });
  return Buffer.concat(parts);
}

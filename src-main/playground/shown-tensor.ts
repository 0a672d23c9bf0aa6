// What the window shows of a tensor: its facts, its first elements as texts, its range, and the bytes as a blob.

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import type { DataType } from '../../src-shared/datatypes.ts';
import { isDataType } from '../../src-shared/datatypes.ts';
import { decodeValues } from '../tensor/value-codec.ts';
import { tensorStats } from './element-chunks.ts';

const PREVIEW_ELEMENTS = 2000;
/** Statistics of tensors above this are left out. */
const STATS_LIMIT_BYTES = 64 * 1024 * 1024;

/** A tensor that the page wants to look at. */
export interface TensorToShow {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
  /** In wire layout. */
  readonly bytes: Uint8Array;
}

/** `createBlob` gets bytes of its own. `isClassified`: the elements are classes as the server writes them. */
export async function shownTensor(
  { name, datatype: wireName, shape, bytes }: TensorToShow,
  createBlob: (bytes: Uint8Array) => string,
  isClassified = false,
): Promise<PlaygroundOutput> {
  const datatype = isDataType(wireName) ? wireName : undefined;
  const preview = datatype === undefined ? [] : decodeValues(bytes, datatype, PREVIEW_ELEMENTS);
  return {
    name,
    datatype: wireName,
    shape,
    byteSize: bytes.byteLength,
    preview,
    blob: createBlob(Uint8Array.from(bytes)),
    stats: await statsOf(bytes, datatype),
    classes: isClassified ? preview.map(classOf) : [],
  };
}

async function statsOf(
  bytes: Uint8Array,
  datatype: DataType | undefined,
): Promise<PlaygroundOutput['stats']> {
  if (datatype === undefined || bytes.byteLength > STATS_LIMIT_BYTES) return undefined;
  const stats = await tensorStats(bytes, datatype);
  if (stats === undefined || Number.isFinite(stats.min)) return stats;
  const { nanCount, infCount } = stats;
  return { min: undefined, max: undefined, mean: undefined, nanCount, infCount };
}

/** "value:index[:label]", as the classification extension writes it. */
function classOf(text: string): PlaygroundOutput['classes'][number] {
  const [score = '', index = '', ...label] = text.split(':');
  return { score: Number(score), index: Number(index), label: label.join(':') };
}

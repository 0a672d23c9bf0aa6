// Playground inputs to tensors: typed values, generators, files, images. Every fault names the input.

import type { PlaygroundInput } from '../../src-shared/contract/inference-calls.ts';
import type { DataType } from '../../src-shared/datatypes.ts';
import { elementByteSize, isDataType } from '../../src-shared/datatypes.ts';
import { ServerError } from '../../src-shared/errors.ts';
import type { ClientTensor } from '../client/infer-client.ts';
import { encodeTexts, encodeValues } from '../tensor/value-codec.ts';
import { generateElements } from './element-chunks.ts';
import { imageBytes } from './image-input.ts';
import { readNpy } from './npy-file.ts';
import { readTextValues } from './text-values.ts';
import { playgroundErrors } from './playground-errors.ts';

/** Uploaded or saved bytes by id. NOT_FOUND when they are gone. */
export type ReadBlob = (id: string) => Uint8Array | Promise<Uint8Array>;

type Source = PlaygroundInput['source'];
type FileSource = Extract<Source, { kind: 'blob' }>;
type RandomSource = Extract<Source, { kind: 'random' }>;

/** Largest tensor that is made here; blobs have their own limit. */
const MAX_GENERATED_BYTES = 128 * 1024 * 1024;

/** Throws INVALID_ARG with the input's name in front. */
export async function buildInput(input: PlaygroundInput, readBlob: ReadBlob): Promise<ClientTensor> {
  const { name, datatype, shape } = input;
  try {
    if (!isDataType(datatype)) throw playgroundErrors.unknownType({ datatype });
    const bad = shape.find((dim) => !Number.isInteger(dim) || dim < 0);
    if (bad !== undefined) throw playgroundErrors.badDimension({ dim: bad });
    const bytes = await bytesOf(input.source, datatype, shape, readBlob);
    return { name, datatype, shape, bytes };
  } catch (thrown) {
    if (!(thrown instanceof ServerError)) throw thrown;
    throw new ServerError(thrown.code, `input '${name}': ${thrown.message}`, {
      cause: thrown,
      details: { ...thrown.details, input: name },
    });
  }
}

async function bytesOf(
  source: Source,
  datatype: DataType,
  shape: readonly number[],
  readBlob: ReadBlob,
): Promise<Uint8Array> {
  const count = shape.reduce((product, dim) => product * dim, 1);
  if (count * Math.max(1, elementByteSize(datatype)) > MAX_GENERATED_BYTES) {
    throw playgroundErrors.tooMuch({ count, datatype, limit: MAX_GENERATED_BYTES });
  }
  switch (source.kind) {
    case 'values':
      if (source.values.length !== count) {
        throw playgroundErrors.valueCount({ shape: shape.join(','), count, given: source.values.length });
      }
      return encodeValues(source.values, datatype);
    case 'fill':
      return filled(source.value === 'ones' ? 1 : 0, count, datatype);
    case 'random':
      return randomBytes(source, count, datatype);
    case 'range':
      return generateElements(count, datatype, (index) =>
        numberText(source.start + index * source.step, datatype),
      );
    case 'constant':
      return repeated(encodeValues([source.value], datatype), count);
    case 'blob':
      return fileBytes(source, await readBlob(source.blob), datatype, count);
    case 'image':
      return imageBytes(source, await readBlob(source.blob), datatype, shape);
  }
}

async function fileBytes(
  { format }: FileSource,
  bytes: Uint8Array,
  datatype: DataType,
  count: number,
): Promise<Uint8Array> {
  switch (format) {
    case 'npy':
      return readNpy(bytes, datatype, count);
    case 'raw':
      return rawBytes(bytes, datatype, count);
    case 'json':
    case 'csv': {
      const values = readTextValues(bytes, format);
      if (values.length !== count) throw playgroundErrors.fileValueCount({ given: values.length, count });
      return encodeValues(values, datatype);
    }
  }
}

function filled(value: 0 | 1, count: number, datatype: DataType): Uint8Array {
  if (datatype === 'BYTES') return encodeTexts(Array<string>(count).fill(value === 1 ? '1' : ''));
  if (value === 0) return new Uint8Array(count * elementByteSize(datatype));
  return repeated(encodeValues(['1'], datatype), count);
}

function repeated(one: Uint8Array, count: number): Uint8Array {
  const bytes = new Uint8Array(count * one.byteLength);
  bytes.set(one.subarray(0, bytes.byteLength));
  for (let done = one.byteLength; done < bytes.byteLength; done *= 2) bytes.copyWithin(done, 0, done);
  return bytes;
}

/** Reproducible from the seed on every machine. */
async function randomBytes(
  { seed, min, max }: RandomSource,
  count: number,
  datatype: DataType,
): Promise<Uint8Array> {
  if (!(min <= max)) throw playgroundErrors.emptyRange({ min, max });
  const next = seeded(seed);
  return generateElements(count, datatype, () => {
    const value = min + next() * (max - min);
    if (datatype === 'BYTES') return Math.floor(next() * 2 ** 32).toString(36);
    return datatype === 'BOOL' ? String(next() < 0.5) : numberText(value, datatype);
  });
}

function seeded(seed: number): () => number {
  let state = (Math.trunc(seed) ^ 0x9e3779b9) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const FLOATS: ReadonlySet<DataType> = new Set(['FP16', 'BF16', 'FP32', 'FP64']);

function numberText(value: number, datatype: DataType): string {
  if (datatype === 'BOOL') return String(value !== 0);
  return FLOATS.has(datatype) || datatype === 'BYTES' ? String(value) : BigInt(Math.round(value)).toString();
}

function rawBytes(bytes: Uint8Array, datatype: DataType, count: number): Uint8Array {
  const expected = count * elementByteSize(datatype);
  if (datatype !== 'BYTES' && bytes.byteLength !== expected) {
    throw playgroundErrors.fileByteSize({ given: bytes.byteLength, count, datatype, wanted: expected });
  }
  return bytes;
}

// What a file becomes as the values of an input: NumPy's arrays, texts, and pieces of large tensors.

import { describe, expect, test } from 'vitest';

import type { DataType } from '../../src-shared/datatypes.ts';
import { decodeValues, encodeValues } from '../tensor/value-codec.ts';
import { elementRange, generateElements, inChunks, tensorStats } from './element-chunks.ts';
import { readNpy } from './npy-file.ts';
import { shownTensor } from './shown-tensor.ts';
import { readTextValues } from './text-values.ts';

const MAGIC = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]);

function npy(
  description: string,
  shape: string,
  data: Uint8Array,
  options: { fortran?: boolean; version?: number } = {},
) {
  const { fortran = false, version = 1 } = options;
  const header = `{'descr': '${description}', 'fortran_order': ${fortran ? 'True' : 'False'}, 'shape': (${shape}), }\n`;
  const size = Buffer.alloc(version >= 2 ? 4 : 2);
  if (version >= 2) size.writeUInt32LE(header.length);
  else size.writeUInt16LE(header.length);
  return Buffer.concat([MAGIC, Buffer.from([version, 0]), size, Buffer.from(header, 'latin1'), data]);
}

const floats = (...values: number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);

describe('.npy files', () => {
  const values = async (file: Uint8Array, datatype: DataType, count: number): Promise<readonly string[]> =>
    decodeValues(await readNpy(file, datatype, count), datatype, 9);

  test('hold no texts', async () => {
    await expect(readNpy(npy('<f4', '1,', floats(1)), 'BYTES', 1)).rejects.toThrow(
      'BYTES has no type in .npy files',
    );
  });

  test.each([1, 2, 3])('version %d', async (version) => {
    const file = npy('<f4', '2, 2', floats(1, 2, 3, 4), { version });
    expect(await values(file, 'FP32', 4)).toEqual(['1', '2', '3', '4']);
  });

  test('numbers of the other byte order are turned round', async () => {
    const big = Buffer.alloc(8);
    big.writeInt32BE(7, 0);
    big.writeInt32BE(-8, 4);
    expect(await values(npy('>i4', '2,', big), 'INT32', 2)).toEqual(['7', '-8']);
  });

  test('columns first becomes rows first', async () => {
    const file = npy('<f4', '2, 3', floats(1, 4, 2, 5, 3, 6), { fortran: true });
    expect(await values(file, 'FP32', 6)).toEqual(['1', '2', '3', '4', '5', '6']);
  });

  test('single bytes have no order', async () => {
    const file = npy('|u1', '3,', Uint8Array.of(1, 2, 255));
    expect([...(await readNpy(file, 'UINT8', 3))]).toEqual([1, 2, 255]);
  });

  const doubles = (...numbers: number[]): Uint8Array => new Uint8Array(Float64Array.from(numbers).buffer);
  const longs = (...numbers: bigint[]): Uint8Array => new Uint8Array(BigInt64Array.from(numbers).buffer);

  test.each<[string, DataType, Uint8Array, string[]]>([
    ['<f8', 'FP32', doubles(0.1, -2.5, NaN, -Infinity), ['0.1', '-2.5', 'NaN', '-Infinity']],
    ['<f8', 'FP16', doubles(1.5, 65_504), ['1.5', '65504']],
    ['<f8', 'BF16', doubles(1.5, -2), ['1.5', '-2']],
    ['<f8', 'INT32', doubles(3, -4), ['3', '-4']],
    ['<f8', 'INT64', doubles(2 ** 53), ['9007199254740992']],
    ['<f4', 'FP64', floats(0.5), ['0.5']],
    ['<i8', 'INT32', longs(-(2n ** 31n), 2n ** 31n - 1n), ['-2147483648', '2147483647']],
    ['<i8', 'UINT8', longs(0n, 255n), ['0', '255']],
    ['<i8', 'UINT64', longs(7n), ['7']],
    ['<i8', 'FP32', longs(16n, -3n), ['16', '-3']],
    ['<i8', 'BOOL', longs(1n, 0n), ['true', 'false']],
    ['|b1', 'FP32', Uint8Array.of(1, 0), ['1', '0']],
    ['|i1', 'INT16', Uint8Array.of(0xff, 5), ['-1', '5']],
  ])('%s is converted to %s', async (description, datatype, data, wanted) => {
    expect(await values(npy(description, `${wanted.length},`, data), datatype, wanted.length)).toEqual(
      wanted,
    );
  });

  test.each<[string, DataType, Uint8Array, RegExp]>([
    ['<f8', 'FP32', doubles(1, 1e39), /element 1 of the \.npy file is 1e\+39, which FP32 cannot hold/],
    ['<f8', 'FP16', doubles(65_520, 0), /element 0 .* is 65520, which FP16/],
    ['<f8', 'INT32', doubles(1, 0.5), /element 1 .* is 0\.5, which INT32/],
    ['<f8', 'INT64', doubles(NaN, 0), /element 0 .* is NaN, which INT64/],
    ['<i8', 'INT32', longs(1n, 2n ** 31n), /element 1 .* is 2147483648, which INT32/],
    ['<i8', 'UINT64', longs(1n, -1n), /element 1 .* is -1, which UINT64/],
    ['<i8', 'BOOL', longs(1n, 2n), /element 1 .* is 2, which BOOL/],
  ])('an element of %s that %s cannot hold is named', async (description, datatype, data, message) => {
    await expect(readNpy(npy(description, '2,', data), datatype, 2)).rejects.toThrow(message);
  });

  test.each<[string, Uint8Array, RegExp]>([
    ['something else', Buffer.from('PK this is an archive'), /no \.npy file/],
    ['complex numbers', npy('<c8', '2,', floats(0, 0, 0, 0)), /holds 'c8', of which no FP32 can be made/],
    ['texts', npy('<U3', '2,', floats(0, 0, 0, 0, 0, 0)), /holds 'U3', of which no FP32 can be made/],
    ['another count', npy('<f4', '3,', floats(1, 2, 3)), /3 elements of shape \[3\]; 2 are needed/],
    ['too little data', npy('<f4', '2,', floats(1)), /ends after 4 of 8 bytes/],
    ['records', npy('<f4', 'x', floats(1, 2)).fill(0x20, 10, 20), /header of the \.npy file cannot be read/],
  ])('%s is refused', async (_name, file, message) => {
    await expect(readNpy(file, 'FP32', 2)).rejects.toThrow(message);
  });
});

describe('texts', () => {
  const text = (content: string): Uint8Array => Buffer.from(content);

  test.each<[string, 'json' | 'csv', string, string[]]>([
    ['nested lists', 'json', '[[1, 2.5], [true, "x"]]', ['1', '2.5', 'true', 'x']],
    ['a tensor of a request', 'json', '{"shape": [2], "data": [3, 4]}', ['3', '4']],
    ['a tensor of perf data', 'json', '{"content": [5], "shape": [1]}', ['5']],
    [
      'whole numbers beyond doubles',
      'json',
      '[9007199254740993, -9223372036854775808]',
      ['9007199254740993', '-9223372036854775808'],
    ],
    ['digits inside a text', 'json', '["id 12345678901234567890"]', ['id 12345678901234567890']],
    ['one number', 'json', '4', ['4']],
    ['commas, blanks and line ends', 'csv', '1, 2;3\n4\t5\n', ['1', '2', '3', '4', '5']],
    ['nothing', 'csv', ' \n', []],
  ])('%s', (_name, format, content, expected) => {
    expect(readTextValues(text(content), format)).toEqual(expected);
  });

  test.each([
    ['broken', '[1,', /the values in the file are no JSON/],
    ['null inside', '[1, null]', /no array of numbers, texts or booleans/],
    ['an object without data', '{"rows": [1]}', /no array of numbers, texts or booleans/],
  ])('%s is refused', (_name, content, message) => {
    expect(() => readTextValues(text(content), 'json')).toThrow(message);
  });

  test('a file that would hold up the engine is refused by its size', () => {
    expect(() => readTextValues(new Uint8Array(4 * 1024 * 1024 + 1), 'csv')).toThrow(
      /more than 4194304 are not read/,
    );
  });
});

describe('large tensors', () => {
  const COUNT = 150_000;

  test('are looked at piece by piece, and others have their turn in between', async () => {
    const pieces: [number, number][] = [];
    let turns = 0;
    const count = setInterval(() => (turns += 1), 0);
    await inChunks(COUNT, (from, to) => void pieces.push([from, to]));
    await inChunks(0, () => expect.unreachable());
    await expect.poll(() => turns).toBeGreaterThan(0);
    clearInterval(count);
    expect(pieces).toEqual([
      [0, 65_536],
      [65_536, 131_072],
      [131_072, COUNT],
    ]);
  });

  test('stop when the work says so', async () => {
    let calls = 0;
    await inChunks(COUNT, () => (calls += 1) < 2);
    expect(calls).toBe(2);
  });

  test('a range of elements is cut by their size', () => {
    expect([...elementRange(Uint8Array.of(1, 0, 2, 0, 3, 0), 'INT16', 1, 3)]).toEqual([2, 0, 3, 0]);
  });

  test('have one minimum, maximum and mean over all pieces; what is no number is counted', async () => {
    const values = Float32Array.from({ length: COUNT }, (_, index) => index % 2);
    values[0] = Number.NaN;
    values[1] = Number.POSITIVE_INFINITY;
    values[COUNT - 1] = -5;
    const stats = await tensorStats(new Uint8Array(values.buffer), 'FP32');
    expect(stats).toMatchObject({ min: -5, max: 1, nanCount: 1, infCount: 1 });
    const finite = [...values].filter(Number.isFinite);
    expect(stats?.mean).toBeCloseTo(finite.reduce((sum, value) => sum + value, 0) / finite.length, 9);
    expect(await tensorStats(new Uint8Array(8), 'BYTES')).toBeUndefined();
    expect(await tensorStats(new Uint8Array(), 'FP32')).toBeUndefined();
  });

  test('are made of texts in order', async () => {
    const bytes = await generateElements(70_000, 'INT32', String);
    const values = new Int32Array(Uint8Array.from(bytes).buffer);
    expect([values.length, values[0], values[65_536], values[69_999]]).toEqual([70_000, 0, 65_536, 69_999]);
  });
});

describe('what the window shows of a tensor', () => {
  const blobs: Uint8Array[] = [];
  const createBlob = (bytes: Uint8Array): string => `blob-${blobs.push(bytes) - 1}`;

  test('facts, first values, range, and bytes that later changes do not reach', async () => {
    const bytes = floats(1, -2, 4);
    const shown = await shownTensor({ name: 'y', datatype: 'FP32', shape: [1, 3], bytes }, createBlob);
    expect(shown).toMatchObject({
      name: 'y',
      datatype: 'FP32',
      shape: [1, 3],
      byteSize: 12,
      preview: ['1', '-2', '4'],
      classes: [],
    });
    expect(shown.stats).toEqual({ min: -2, max: 4, mean: 1, nanCount: 0, infCount: 0 });
    bytes.fill(0);
    expect(blobs.at(-1)).toEqual(floats(1, -2, 4));
  });

  test('a tensor without a single number has no range', async () => {
    const tensor = { name: 'y', datatype: 'FP32', shape: [1], bytes: floats(Number.NaN) };
    const { stats } = await shownTensor(tensor, createBlob);
    expect(stats).toEqual({ min: undefined, max: undefined, mean: undefined, nanCount: 1, infCount: 0 });
  });

  test('classes are taken apart; a label may have colons', async () => {
    const bytes = encodeValues(['0.75:3:sea: lion', '0.25:1'], 'BYTES');
    const shown = await shownTensor({ name: 'y', datatype: 'BYTES', shape: [2], bytes }, createBlob, true);
    expect(shown.classes).toEqual([
      { score: 0.75, index: 3, label: 'sea: lion' },
      { score: 0.25, index: 1, label: '' },
    ]);
  });

  test('a type that the protocol does not have shows its size alone', async () => {
    const shown = await shownTensor(
      { name: 'y', datatype: 'COMPLEX64', shape: [1], bytes: floats(1, 2) },
      createBlob,
    );
    expect(shown).toMatchObject({ byteSize: 8, preview: [], stats: undefined });
  });
});

import { describe, expect, test } from 'vitest';

import type { PlaygroundInput } from '../../src-shared/contract/inference-calls.ts';
import { decodeValues } from '../tensor/value-codec.ts';
import { pngFile } from '../testing/png-file.ts';
import { buildInput } from './input-builder.ts';

const blobs = new Map<string, Uint8Array>();
const read = (id: string): Uint8Array => blobs.get(id) ?? new Uint8Array();

async function values(change: Partial<PlaygroundInput>): Promise<string[]> {
  const input = {
    name: 'x',
    datatype: 'FP32',
    shape: [3],
    source: { kind: 'fill', value: 'ones' },
    ...change,
  } as PlaygroundInput;
  const tensor = await buildInput(input, read);
  return decodeValues(tensor.bytes, input.datatype as 'FP32', 1000);
}

function npy(header: string, data: Buffer): Uint8Array {
  const text = header.padEnd(54);
  const head = Buffer.alloc(10);
  Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0]).copy(head);
  head.writeUInt16LE(text.length, 8);
  return Buffer.concat([head, Buffer.from(text, 'latin1'), data]);
}

describe('playground inputs', () => {
  test.each<[string, Partial<PlaygroundInput>, string[]]>([
    ['ones', {}, ['1', '1', '1']],
    ['zeros of texts', { datatype: 'BYTES', source: { kind: 'fill', value: 'zeros' } }, ['', '', '']],
    [
      'a range of integers',
      { datatype: 'INT64', source: { kind: 'range', start: 5, step: 2 } },
      ['5', '7', '9'],
    ],
    [
      'values',
      { datatype: 'FP16', source: { kind: 'values', values: ['1', '2.5', '-3'] } },
      ['1', '2.5', '-3'],
    ],
  ])('%s', async (_name, change, expected) => {
    expect(await values(change)).toEqual(expected);
  });

  test('random values stay in range and depend on the seed alone', async () => {
    const random = (seed: number) =>
      values({ shape: [50], source: { kind: 'random', seed, min: -1, max: 1 } });
    const [a, b, c] = [await random(7), await random(7), await random(8)];
    expect(a).toEqual(b);
    expect(a).not.toEqual(c);
    expect(a.every((text) => Math.abs(Number(text)) <= 1)).toBe(true);
  });

  test('a raw file of the wrong size names input, seen and wanted bytes', async () => {
    blobs.set('raw', new Uint8Array(11));
    await expect(values({ source: { kind: 'blob', blob: 'raw', format: 'raw' } })).rejects.toThrow(
      "input 'x': the file has 11 bytes; 3 elements of FP32 need 12",
    );
  });

  test('an npy file in Fortran order and big-endian comes out row by row', async () => {
    const data = Buffer.alloc(24);
    [1, 4, 2, 5, 3, 6].forEach((value, index) => data.writeFloatBE(value, index * 4));
    blobs.set('npy', npy("{'descr': '>f4', 'fortran_order': True, 'shape': (2, 3), }", data));
    const source = { kind: 'blob', blob: 'npy', format: 'npy' } as const;
    expect(await values({ shape: [2, 3], source })).toEqual(['1', '2', '3', '4', '5', '6']);
    await expect(values({ shape: [7], source })).rejects.toThrow(
      'holds 6 elements of shape [2,3]; 7 are needed',
    );
    // NumPy makes other types than a model has unless it is told.
    expect(await values({ datatype: 'INT32', shape: [6], source })).toEqual(['1', '2', '3', '4', '5', '6']);
  });

  test('an image becomes planes in the asked channel order and scale, once per batch item', async () => {
    blobs.set('png', pngFile({ width: 1, height: 1, rgb: Uint8Array.of(255, 0, 51) }));
    const image = {
      kind: 'image',
      blob: 'png',
      resize: 'stretch',
      layout: 'NCHW',
      channels: 'RGB',
      scaling: 'UNIT',
    } as const;
    expect(await values({ shape: [3, 1, 1], source: image })).toEqual(['1', '0', '0.2']);
    expect(await values({ shape: [2, 3, 1, 1], source: { ...image, channels: 'BGR' } })).toEqual([
      '0.2',
      '0',
      '1',
      '0.2',
      '0',
      '1',
    ]);
    expect(
      await values({
        datatype: 'UINT8',
        shape: [1, 1, 3],
        source: { ...image, layout: 'NHWC', scaling: 'NONE' },
      }),
    ).toEqual(['255', '0', '51']);
    await expect(values({ shape: [4, 1, 1], source: image })).rejects.toThrow(
      'needs a shape that ends in [3,height,width]',
    );
  });

  test('bytes that are no image are refused by name', async () => {
    blobs.set('bad', Buffer.from('hello'));
    const source = {
      kind: 'image',
      blob: 'bad',
      resize: 'contain',
      layout: 'NCHW',
      channels: 'RGB',
      scaling: 'NONE',
    } as const;
    await expect(values({ shape: [3, 2, 2], source })).rejects.toMatchObject({
      code: 'INVALID_ARG',
      message: expect.stringContaining("input 'x'") as string,
    });
  });
});

import { writeFile } from 'node:fs/promises';

import { afterAll, expect, test } from 'vitest';

import { TempRepository } from '../testing/temp-repository.ts';
import { readOnnx } from './onnx-reader.ts';
import type { WritableTensor } from './onnx-writer.ts';
import { floatTensor, writeOnnx } from './onnx-writer.ts';
import { constantValues } from './tensor-values.ts';
import { WireWriter } from './wire-writer.ts';

const folder = await TempRepository.create();
afterAll(() => folder.close());

let files = 0;
async function written(bytes: Uint8Array): Promise<string> {
  const file = folder.at(`${files++}.onnx`);
  await writeFile(file, bytes);
  return file;
}

async function valuesOf(
  file: string,
  tensor: string,
  attribute?: string,
  limit = 100,
): Promise<readonly string[]> {
  return (await constantValues(file, await readOnnx(file), { tensor, attribute, limit })).values;
}

function bytesOf(numbers: Int8Array | BigInt64Array | Float64Array | Uint16Array): Uint8Array {
  return new Uint8Array(numbers.buffer);
}

function modelWith(initializers: readonly WritableTensor[]): Uint8Array {
  return writeOnnx({
    graph: {
      name: 'g',
      nodes: [
        {
          opType: 'Constant',
          name: 'c',
          inputs: [],
          outputs: ['made'],
          attributes: { value: floatTensor('', [3], [0.1, -2, 3.5]) },
        },
      ],
      inputs: [],
      outputs: [],
      initializers,
    },
  });
}

test.each<[string, WritableTensor, readonly string[]]>([
  ['FP32', floatTensor('w', [2], [0.1, 1e-12]), ['0.1', '1e-12']],
  [
    'INT64',
    { name: 'w', datatype: 'INT64', dims: [2], data: bytesOf(BigInt64Array.of(-5n, 2n ** 40n)) },
    ['-5', '1099511627776'],
  ],
  ['INT8', { name: 'w', datatype: 'INT8', dims: [2], data: bytesOf(Int8Array.of(-1, 7)) }, ['-1', '7']],
  ['BOOL', { name: 'w', datatype: 'BOOL', dims: [2], data: bytesOf(Int8Array.of(0, 1)) }, ['false', 'true']],
  ['FP16', { name: 'w', datatype: 'FP16', dims: [1], data: bytesOf(Uint16Array.of(0x3e00)) }, ['1.5']],
  [
    'FP64',
    { name: 'w', datatype: 'FP64', dims: [1], data: bytesOf(Float64Array.of(Math.PI)) },
    [String(Math.PI)],
  ],
  ['BYTES', { name: 'w', datatype: 'BYTES', dims: [2], data: ['yes', 'no'] }, ['yes', 'no']],
])('the elements of %s are read from the file', async (_type, tensor, expected) => {
  expect(await valuesOf(await written(modelWith([tensor])), 'w')).toEqual(expected);
});

test('no more than asked for is read, and the count of all is told', async () => {
  const file = await written(
    modelWith([
      floatTensor(
        'w',
        [4, 4],
        Array.from({ length: 16 }, (_, at) => at),
      ),
    ]),
  );
  const view = await constantValues(file, await readOnnx(file), {
    tensor: 'w',
    attribute: undefined,
    limit: 3,
  });
  expect(view).toEqual({ type: 'float', shape: '[4,4]', elementCount: 16, values: ['0', '1', '2'] });
});

test('a tensor attribute is found by what its operator writes', async () => {
  expect(await valuesOf(await written(modelWith([])), 'made', 'value')).toEqual(['0.1', '-2', '3.5']);
});

test('values in typed lists are read as well', async () => {
  const tensor = (writer: WireWriter, name: string, type: number, write: (w: WireWriter) => void): void => {
    writer.message(5, (inner) => {
      inner.integer(1, 2).integer(2, type).text(8, name);
      write(inner);
    });
  };
  const bytes = new WireWriter()
    .integer(1, 8)
    .message(7, (graph) => {
      tensor(graph, 'floats', 1, (w) => w.bytes(4, new Uint8Array(Float32Array.of(1.25, -8).buffer)));
      tensor(graph, 'ints', 6, (w) => w.bytes(5, Uint8Array.of(3, 0x96, 0x01)));
      tensor(graph, 'halves', 10, (w) => w.bytes(5, Uint8Array.of(0x80, 0x78, 0)));
    })
    .finish();
  const file = await written(bytes);
  expect(await valuesOf(file, 'floats')).toEqual(['1.25', '-8']);
  expect(await valuesOf(file, 'ints')).toEqual(['3', '150']);
  expect(await valuesOf(file, 'halves')).toEqual(['1', '0']);
});

test('weights in another file are read from there, but never from outside of the folder', async () => {
  await writeFile(folder.at('weights.bin'), bytesOf(Float64Array.of(1)));
  const inside = await written(
    modelWith([{ name: 'w', datatype: 'FP64', dims: [1], data: { location: 'weights.bin' } }]),
  );
  expect(await valuesOf(inside, 'w')).toEqual(['1']);
  const outside = await written(
    modelWith([{ name: 'w', datatype: 'FP64', dims: [1], data: { location: '../../etc/hostname' } }]),
  );
  await expect(valuesOf(outside, 'w')).rejects.toThrow('outside of the model');
});

test('a constant that is not there is said to be missing', async () => {
  await expect(valuesOf(await written(modelWith([])), 'nothing')).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

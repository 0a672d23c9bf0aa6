import { appendFile, truncate, writeFile } from 'node:fs/promises';

import { afterAll, describe, expect, it } from 'vitest';

import { networkFixtures } from '../testing/fixtures.ts';
import { TempRepository } from '../testing/temp-repository.ts';
import { describeOnnx } from './describe-onnx.ts';
import { readOnnx } from './onnx-reader.ts';
import { floatTensor, writeOnnx } from './onnx-writer.ts';
import type { WritableModel } from './onnx-writer.ts';
import { WireWriter } from './wire-writer.ts';

const folder = await TempRepository.create();
afterAll(() => folder.close());

let files = 0;
async function written(bytes: Uint8Array | string): Promise<string> {
  const file = folder.at(`${files++}.onnx`);
  await writeFile(file, bytes);
  return file;
}

const model: WritableModel = {
  graph: {
    name: 'g',
    nodes: [
      {
        opType: 'Conv',
        name: 'first',
        inputs: ['x', 'w'],
        outputs: ['y'],
        attributes: {
          pads: [1n, -1n],
          alpha: 0.5,
          mode: 'edge',
          axis: -2n,
          value: floatTensor('', [2], [1, 2]),
        },
      },
      { opType: 'Own', domain: 'com.example', inputs: ['y'], outputs: ['z'] },
    ],
    inputs: [
      { name: 'x', datatype: 'FP32', shape: ['batch', 3] },
      { name: 'w', datatype: 'FP32', shape: [2, 2] },
    ],
    outputs: [{ name: 'z', datatype: 'BF16', shape: undefined }],
    initializers: [floatTensor('w', [2, 2], [1, 2, 3, 4])],
  },
};

describe('readOnnx', () => {
  it('reads back what the writer wrote', async () => {
    const read = await readOnnx(await written(writeOnnx(model)));
    expect(read.irVersion).toBe(8);
    expect(read.producerName).toBe('conch');
    expect(read.opsets).toEqual([{ domain: '', version: 17 }]);
    expect(read.graph.nodes.map((node) => [node.opType, node.domain, node.name])).toEqual([
      ['Conv', '', 'first'],
      ['Own', 'com.example', ''],
    ]);
    expect(read.graph.nodes[0]?.attributes.map(({ name, summary }) => [name, summary])).toEqual([
      ['pads', '[1, -1]'],
      ['alpha', '0.5'],
      ['mode', 'edge'],
      ['axis', '-2'],
      ['value', 'tensor float [2]'],
    ]);
    expect(read.graph.initializers).toEqual([
      {
        name: 'w',
        elementType: 1,
        dims: [2, 2],
        byteSize: 16,
        external: undefined,
        stored: [expect.objectContaining({ field: 9, byteSize: 16 })],
      },
    ]);
  });

  it('describes inputs with a default value as optional, unnamed shapes as empty', async () => {
    const description = describeOnnx(await readOnnx(await written(writeOnnx(model))));
    expect(
      description.inputs.map(({ name, isOptional, shape, symbols }) => [name, isOptional, shape, symbols]),
    ).toEqual([
      ['x', false, [-1, 3], ['batch', undefined]],
      ['w', true, [2, 2], [undefined, undefined]],
    ]);
    expect(description.outputs).toMatchObject([
      { name: 'z', datatype: undefined, sourceType: 'tensor(bfloat16)', shape: [] },
    ]);
  });

  it('leaves out weights that old files list as inputs', async () => {
    const description = describeOnnx(await readOnnx(await written(writeOnnx({ ...model, irVersion: 3 }))));
    expect(description.inputs.map((input) => input.name)).toEqual(['x']);
  });

  it('names external data and its size', async () => {
    const bytes = new WireWriter()
      .integer(1, 8)
      .message(7, (graph) =>
        graph.message(5, (tensor) =>
          tensor
            .integer(1, 1000)
            .integer(2, 1)
            .text(8, 'w')
            .message(13, (entry) => entry.text(1, 'location').text(2, 'weights.bin'))
            .message(13, (entry) => entry.text(1, 'offset').text(2, '4096'))
            .integer(14, 1),
        ),
      )
      .finish();
    const read = await readOnnx(await written(bytes));
    expect(read.graph.initializers).toEqual([
      {
        name: 'w',
        elementType: 1,
        dims: [1000],
        byteSize: 4000,
        external: { location: 'weights.bin', byteOffset: 4096, byteSize: undefined },
        stored: [],
      },
    ]);
  });

  it('passes over weights of several gigabytes without reading them', async () => {
    const weightByteSize = 5 * 1024 ** 3;
    // The header of a model whose one weight is a hole of 5 GiB in a sparse file, then the graph's name behind it.
    const tensorHead = new WireWriter()
      .integer(1, weightByteSize / 4)
      .integer(2, 1)
      .text(8, 'big')
      .finish();
    const varint = (number: number): Uint8Array => new WireWriter().integer(0, number).finish().subarray(1);
    const rawHead = Buffer.concat([Buffer.from([9 * 8 + 2]), varint(weightByteSize)]);
    const tensorByteSize = tensorHead.byteLength + rawHead.byteLength + weightByteSize;
    const tensorPart = Buffer.concat([Buffer.from([5 * 8 + 2]), varint(tensorByteSize), tensorHead, rawHead]);
    const tail = new WireWriter().text(2, 'after').finish();
    const graphByteSize = tensorPart.byteLength + weightByteSize + tail.byteLength;
    const head = Buffer.concat([
      new WireWriter().integer(1, 8).finish(),
      Buffer.from([7 * 8 + 2]),
      varint(graphByteSize),
      tensorPart,
    ]);
    const file = await written(head);
    await truncate(file, head.byteLength + weightByteSize);
    await appendFile(file, tail);
    const before = process.resourceUsage().fsRead;
    const read = await readOnnx(file);
    expect(read.graph.name).toBe('after');
    expect(read.graph.initializers[0]?.byteSize).toBe(weightByteSize);
    expect(process.resourceUsage().fsRead - before).toBeLessThan(10_000);
  });

  it('says what is wrong with a truncated file, at which byte and where', async () => {
    const whole = writeOnnx(model);
    const file = await written(whole.subarray(0, whole.byteLength - 20));
    await expect(readOnnx(file)).rejects.toThrow(
      /is not a valid ONNX file: a field of \d+ bytes does not fit, \d+ bytes are left at byte \d+ in graph/,
    );
  });

  it.each([
    ['', 'it is empty'],
    ['version https://git-lfs.github.com/spec/v1\noid sha256:0', 'Git LFS pointer'],
    ['<!DOCTYPE html><html></html>', 'HTML page'],
    ['PK\u0003\u0004rest', 'zip archive'],
    [new WireWriter().integer(1, 8).finish(), 'it holds no graph'],
    [new Uint8Array([0x0b, 1, 2]), 'unknown wire type 3 at byte 1'],
    [new Uint8Array([0x08, 0x80]), 'the file ends in the middle of a number'],
  ])('refuses %j', async (content, expected) => {
    await expect(readOnnx(await written(content))).rejects.toMatchObject({
      code: 'INVALID_ARG',
      message: expect.stringContaining(expected) as string,
    });
  });

  it('refuses a file of zeros at its beginning, however long it is', async () => {
    const file = await written(new Uint8Array(0));
    await truncate(file, 3 * 2 ** 30);
    await expect(readOnnx(file)).rejects.toThrow('not a valid ONNX file: a field has the number 0 at byte 1');
  });

  it('never throws anything but ServerErrors at damaged files', async () => {
    const whole = writeOnnx(model);
    for (let at = 0; at < whole.byteLength; at++) {
      const damaged = whole.slice();
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      await readOnnx(await written(damaged)).catch((thrown: unknown) =>
        expect(thrown).toMatchObject({ name: 'ServerError', code: 'INVALID_ARG' }),
      );
    }
  });

  it('stops when asked to', async () => {
    const file = await written(writeOnnx(model));
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(readOnnx(file, { signal })).rejects.toThrow('enough');
  });
});

describe('writeOnnx', () => {
  it('gives the same bytes every time', () => {
    expect(writeOnnx(model)).toEqual(writeOnnx(model));
  });
});

it.each(networkFixtures())('reads $name', async ({ file, nodeCount, input, inputShape, output }) => {
  const read = await readOnnx(file);
  expect(read.graph.nodes).toHaveLength(nodeCount);
  expect(describeOnnx(read)).toMatchObject({
    inputs: [{ name: input, datatype: 'FP32', shape: inputShape, isOptional: false }],
    outputs: [{ name: output, datatype: 'FP32' }],
  });
});

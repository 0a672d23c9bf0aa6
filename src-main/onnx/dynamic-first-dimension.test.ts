import { access, readFile, writeFile } from 'node:fs/promises';

import { afterAll, describe, expect, it } from 'vitest';

import { networkFixtures } from '../testing/fixtures.ts';
import { TempRepository } from '../testing/temp-repository.ts';
import { describeOnnx } from './describe-onnx.ts';
import { firstDimensionObstacle, writeDynamicFirstDimension } from './dynamic-first-dimension.ts';
import { readOnnx } from './onnx-reader.ts';
import { floatTensor, writeOnnx } from './onnx-writer.ts';
import type { WritableShape } from './onnx-writer.ts';
import { WireWriter } from './wire-writer.ts';
import { wireFields } from './wire-fields.ts';

const folder = await TempRepository.create();
afterAll(() => folder.close());
const options = { signal: new AbortController().signal };

function onnx(input: WritableShape, output: WritableShape, weights = 4): Uint8Array {
  return writeOnnx({
    graph: {
      name: 'g',
      nodes: [{ opType: 'MatMul', inputs: ['x', 'w'], outputs: ['y'] }],
      inputs: [{ name: 'x', datatype: 'FP32', shape: input }],
      outputs: [{ name: 'y', datatype: 'FP32', shape: output }],
      initializers: [floatTensor('w', [weights, 1], new Float32Array(weights).fill(1))],
    },
  });
}

let files = 0;
async function rewritten(bytes: Uint8Array): Promise<Uint8Array> {
  const source = folder.at(`${files}.onnx`);
  const target = folder.at(`${files++}.dynamic.onnx`);
  await writeFile(source, bytes);
  await writeDynamicFirstDimension(source, target, options);
  expect(Buffer.compare(await readFile(source), bytes)).toBe(0);
  return new Uint8Array(await readFile(target));
}

/** The fields of the graph, or of the file when there is no `number`. */
const graphOf = (file: Uint8Array) =>
  wireFields(wireFields(file, 'f').find(({ number }) => number === 7)?.content ?? file, 'f');

describe('writeDynamicFirstDimension', () => {
  it('gives what a writer of that shape would have written', async () => {
    expect(Buffer.from(await rewritten(onnx([1, 4], [1, 1])))).toEqual(
      Buffer.from(onnx(['batch', 4], ['batch', 1])),
    );
  });

  it('uses the symbol of a dimension that is dynamic already', async () => {
    expect(Buffer.from(await rewritten(onnx(['N', 4], [1, 1])))).toEqual(
      Buffer.from(onnx(['N', 4], ['N', 1])),
    );
  });

  it('gives the batch a symbol of its own', async () => {
    expect(Buffer.from(await rewritten(onnx([1, 'batch'], [1, 1])))).toEqual(
      Buffer.from(onnx(['batch_size', 'batch'], ['batch_size', 1])),
    );
  });

  it('grows the length of the graph by a byte where it must', async () => {
    // 127 and 128 bytes are one and two bytes of length: both sides of the border are tried.
    for (let weights = 1; weights < 40; weights += 1) {
      expect(Buffer.from(await rewritten(onnx([1, weights], [1, 1], weights)))).toEqual(
        Buffer.from(onnx(['batch', weights], ['batch', 1], weights)),
      );
    }
  });

  it('copies fields that nobody knows, at every level, and long ways of writing a number', async () => {
    const dimension = (writer: WireWriter): unknown =>
      writer.integer(1, 1).text(3, 'DATA_BATCH').integer(99, 7);
    const value = (name: string) => (writer: WireWriter) =>
      writer
        .text(1, name)
        .text(3, 'a doc')
        .message(2, (type) =>
          type
            .text(6, 'IMAGE')
            .message(1, (tensor) =>
              tensor
                .integer(1, 1)
                .message(2, (shape) => shape.message(1, dimension).message(1, (dim) => dim.integer(1, 4))),
            ),
        );
    const graph = new WireWriter()
      .text(2, 'g')
      .message(11, value('x'))
      .message(1, (node) => node.text(1, 'x').text(2, 'y').text(4, 'Relu'))
      .message(12, value('y'))
      .text(77, 'unknown')
      .finish();
    // Tag of field 7, then the length in five bytes where two would do.
    const length = [0x3a, (graph.byteLength & 0x7f) | 0x80, (graph.byteLength >> 7) | 0x80, 0x80, 0x80, 0];
    const file = Buffer.concat([
      new WireWriter().text(88, 'before').integer(1, 8).finish(),
      Uint8Array.from(length),
      graph,
      new WireWriter().text(89, 'after').finish(),
    ]);
    const result = await rewritten(new Uint8Array(file));
    const [before, after] = [graphOf(new Uint8Array(file)), graphOf(result)];
    const others = (fields: typeof before) => fields.filter(({ number }) => number !== 11 && number !== 12);
    expect(others(after)).toEqual(others(before));
    const texts = Buffer.from(result).toString('latin1');
    for (const kept of ['before', 'after', 'unknown', 'a doc', 'IMAGE', 'DATA_BATCH'])
      expect(texts).toContain(kept);
    const input = after.find(({ number }) => number === 11);
    const path = [2, 1, 2, 1].reduce(
      (content, number) =>
        wireFields(content, 'f').find((field) => field.number === number)?.content ?? content,
      input?.content ?? new Uint8Array(),
    );
    expect(wireFields(path, 'f').map(({ number }) => number)).toEqual([2, 3, 99]);
  });

  it('leaves the listed weights of an old file alone', async () => {
    const old = writeOnnx({
      irVersion: 3,
      graph: {
        name: 'g',
        nodes: [{ opType: 'Add', inputs: ['x', 'w'], outputs: ['y'] }],
        inputs: [
          { name: 'x', datatype: 'FP32', shape: [1, 4] },
          { name: 'w', datatype: 'FP32', shape: [1, 4] },
        ],
        outputs: [{ name: 'y', datatype: 'FP32', shape: [1, 4] }],
        initializers: [floatTensor('w', [1, 4], [1, 2, 3, 4])],
      },
    });
    const target = folder.at('old.onnx');
    await writeFile(target, await rewritten(old));
    const { graph } = await readOnnx(target);
    expect(graph.inputs.map(({ type }) => type.dims?.[0]?.size)).toEqual([-1, 1]);
  });

  it('writes nothing when aborted or refused', async () => {
    const source = folder.at('refused.onnx');
    await writeFile(source, onnx([2, 4], [2, 1]));
    await expect(writeDynamicFirstDimension(source, folder.at('never.onnx'), options)).rejects.toThrow(
      `the first dimension of 'x' is 2; only 1 can be made dynamic`,
    );
    await expect(access(folder.at('never.onnx'))).rejects.toThrow('ENOENT');
    await writeFile(source, onnx([1, 4], [1, 1]));
    const aborted = { signal: AbortSignal.abort(new Error('cancelled')) };
    await expect(writeDynamicFirstDimension(source, folder.at('never.onnx'), aborted)).rejects.toThrow(
      'cancelled',
    );
    await expect(access(folder.at('never.onnx'))).rejects.toThrow('ENOENT');
  });
});

describe('firstDimensionObstacle', () => {
  const obstacle = async (bytes: Uint8Array): Promise<string | undefined> => {
    const file = folder.at('obstacle.onnx');
    await writeFile(file, bytes);
    return firstDimensionObstacle(describeOnnx(await readOnnx(file)));
  };

  it.each([
    [[1, 4], [1, 1], undefined],
    [['N', 4], [1, 1], undefined],
    [['N', 4], ['N', 1], 'every first dimension is dynamic already'],
    [[1, 4], [], `'y' has no dimensions`],
    [[1, 4], [3, 1], `the first dimension of 'y' is 3; only 1 can be made dynamic`],
  ] as const)('of %j -> %j', async (input, output, expected) => {
    expect(await obstacle(onnx(input, output))).toBe(expected);
  });
});

it.each(networkFixtures())(
  '$name differs in the first dimensions of what goes in and out, and in no other byte',
  async ({ name, file }) => {
    const original = await readFile(file);
    const result = await rewritten(original);
    const [before, after] = [graphOf(original), graphOf(result)];
    const changed = after.filter(({ raw }, at) => Buffer.compare(raw, before[at]?.raw ?? raw) !== 0);
    expect(after).toHaveLength(before.length);
    expect(changed.map(({ number }) => number)).toEqual([11, 12]);
    const target = folder.at(`${name}.onnx`);
    await writeFile(target, result);
    const { inputs, outputs } = describeOnnx(await readOnnx(target));
    expect([...inputs, ...outputs].map(({ shape }) => shape[0])).toEqual([-1, -1]);
    expect([...inputs, ...outputs].map(({ symbols }) => symbols[0])).toEqual(['batch', 'batch']);
  },
);

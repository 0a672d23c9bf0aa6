import { writeFile } from 'node:fs/promises';

import { afterAll, describe, expect, it } from 'vitest';

import { endlessModel, graphModel, identityModel, value } from '../testing/onnx-test-models.ts';
import { TempRepository } from '../testing/temp-repository.ts';
import { isBoundedByShapes } from './bounded-operators.ts';
import { readOnnx } from './onnx-reader.ts';

const repository = await TempRepository.create({ 'm/': '' });
afterAll(() => repository.close());

async function isBounded(bytes: Uint8Array): Promise<boolean> {
  const path = repository.at('m/model.onnx');
  await writeFile(path, bytes);
  return isBoundedByShapes(await readOnnx(path));
}

type Nodes = Parameters<typeof graphModel>[0];
const INPUTS = [value('X', 'FP32', ['n']), value('S', 'INT64', ['m'])];
const OUTPUTS = [value('Y', 'FP32', undefined)];
const graph = (...nodes: Nodes): Uint8Array => graphModel(nodes, INPUTS, OUTPUTS, { opsetVersion: 18 });

const reshapeTo = (shape: string) => ({ opType: 'Reshape', inputs: ['X', shape], outputs: ['Y'] });

describe('work that follows from input shapes', () => {
  it.each([
    ['an operator', identityModel('FP32', ['n'])],
    [
      'a shape that comes of shapes',
      graph({ opType: 'Shape', inputs: ['S'], outputs: ['s'] }, reshapeTo('s')),
    ],
    [
      'a shape that is computed of shapes',
      graph(
        { opType: 'Shape', inputs: ['S'], outputs: ['a'] },
        { opType: 'Mul', inputs: ['a', 'a'], outputs: ['b'] },
        reshapeTo('b'),
      ),
    ],
  ])('%s', async (_, bytes) => {
    expect(await isBounded(bytes)).toBe(true);
  });

  it.each([
    ['a loop', endlessModel()],
    ['a shape that a request gives', graph(reshapeTo('S'))],
    [
      'a shape computed of what a request gives',
      graph({ opType: 'Abs', inputs: ['S'], outputs: ['s'] }, reshapeTo('s')),
    ],
    ['as many elements as a value says', graph({ opType: 'ConstantOfShape', inputs: ['S'], outputs: ['Y'] })],
    ['chance', graph({ opType: 'RandomNormalLike', inputs: ['X'], outputs: ['Y'] })],
    ['an operator of somebody else', graph({ opType: 'Abs', domain: 'own', inputs: ['X'], outputs: ['Y'] })],
    [
      'many operators',
      graph(
        ...Array.from({ length: 65 }, (_, index) => ({
          opType: 'Neg',
          inputs: [index === 0 ? 'X' : `t${index}`],
          outputs: [index === 64 ? 'Y' : `t${index + 1}`],
        })),
      ),
    ],
  ])('not with %s', async (_, bytes) => {
    expect(await isBounded(bytes)).toBe(false);
  });
});

// Packages of PyTorch models that were compiled ahead of time, made here where PyTorch and a C++ compiler can. That takes
// half a minute of a processor, so they have a maker and a server of their own.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needsPython, testPython } from '../../src-main/testing/test-python.ts';
import { floats, FrameworkWorld, tensor } from './framework-world.ts';

const AOTI = 'platform: "torch_aoti" max_batch_size: 4';
const sides = (inputs: readonly string[], outputs: readonly string[]): string =>
  `input [ ${inputs.map((name) => tensor(name, 'TYPE_FP32', '2')).join(', ')} ]
   output [ ${outputs.map((name) => tensor(name, 'TYPE_FP32', '2')).join(', ')} ]`;

describe.skipIf(testPython('torch') === undefined)(needsPython('torch_aoti', 'torch'), () => {
  let world: FrameworkWorld;
  let missing = '';
  beforeAll(async () => {
    world = await FrameworkWorld.create('aoti_models.py', 'torch', 'pytorch');
    missing = await world.madeText('missing');
  }, 600_000);
  afterAll(() => world[Symbol.asyncDispose]());

  it(
    'a package that was compiled here answers for every size of batch',
    { timeout: 120_000 },
    async ({ skip }) => {
      if (missing !== '') skip(missing);
      const config = `${AOTI} ${sides(['ARGS[0]', 'ARGS[1]'], ['RESULT[0]', 'RESULT[1]'])}`;
      expect(await world.load('compiled', { made: 'model.pt2', config })).toBe('');
      for (const [rows, sums, differences] of [
        [[[1, 2]], [2, 4], [0, 0]],
        [
          [
            [1, 2],
            [3, 4],
            [5, 6],
          ],
          [2, 4, 6, 8, 10, 12],
          [0, 0, 0, 0, 0, 0],
        ],
      ] as const) {
        const data = { shape: [rows.length, 2], datatype: 'FP32', data: rows.flat() };
        const reply = await world.infer('compiled', [
          { name: 'ARGS[0]', ...data },
          { name: 'ARGS[1]', ...data },
        ]);
        expect([reply.outputs['RESULT[0]']?.data, reply.outputs['RESULT[1]']?.data]).toEqual([
          sums,
          differences,
        ]);
      }
    },
  );

  it(
    'row 37: names by position and by structure, in one configuration',
    { timeout: 120_000 },
    async ({ skip }) => {
      if (missing !== '') skip(missing);
      const outputs = ['OUTPUT__0', 'OUTPUT__1', 'OUTPUT__2'];
      const results = ['RESULT[sum]', 'RESULT[others][0]', 'RESULT[others][1]'];
      const given = ['ARGS[0]', 'ARGS[1][left]', 'INPUT__2', 'KWARGS[scale]'];
      const config = `${AOTI} ${sides(given, [...outputs, ...results])}`;
      const made = { made: 'structured.pt2', at: '1/model.pt2' };
      expect(await world.load('structured', { ...made, config })).toBe('');
      const reply = await world.infer(
        'structured',
        given.map((name, index) => floats(name, [index + 2, 10])),
      );
      const values = [
        [5, 20],
        [-2, 0],
        [10, 100],
      ];
      const shape = [1, 2];
      expect(reply.outputs).toEqual(
        Object.fromEntries(
          [...outputs, ...results].map((name, index) => [name, { shape, data: values[index % 3] }]),
        ),
      );
    },
  );

  it('row 38: a name that the package does not have', { timeout: 120_000 }, async ({ skip }) => {
    if (missing !== '') skip(missing);
    const made = { made: 'structured.pt2', at: '1/model.pt2' };
    const rest = ['ARGS[1][left]', 'INPUT__2', 'KWARGS[scale]'];
    const input = `${AOTI} ${sides(['ARGS[7]', ...rest], ['RESULT[sum]'])}`;
    expect(await world.load('unknown_input', { ...made, config: input })).toContain(
      'Input "ARGS[7]" for model instance "unknown_input_0" is not found in model input map.',
    );
    const output = `${AOTI} ${sides(['ARGS[0]', ...rest], ['RESULT[nowhere]'])}`;
    expect(await world.load('unknown_output', { ...made, config: output })).toContain(
      'Output "RESULT[nowhere]" for model instance "unknown_output_0" is not found in model output map.',
    );
  });
});

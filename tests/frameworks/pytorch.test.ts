// TorchScript models, on a Python that has torch. Numbers are those of the list of behaviours in docs/framework-backends.md.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needsPython, testPython } from '../../src-main/testing/test-python.ts';
import { floats, FrameworkWorld, tensor } from './framework-world.ts';
import { config, FP32, pair, vectors } from './torch-config.ts';

describe.skipIf(testPython('torch') === undefined)(needsPython('pytorch', 'torch'), () => {
  let world: FrameworkWorld;
  beforeAll(async () => {
    world = await FrameworkWorld.create('torch_models.py', 'torch', 'pytorch');
  }, 120_000);
  afterAll(() => world[Symbol.asyncDispose]());

  const addSub = async (name: string, text: string, [a, b]: readonly [string, string]) => {
    expect(await world.load(name, { made: 'AddSub/model.pt', config: text })).toBe('');
    return await world.infer(name, [floats(a, [5, 7]), floats(b, [1, 2])]);
  };

  describe('names', () => {
    it('row 6: argument names, in any order', async () => {
      const text = pair(['INPUT1', 'INPUT0'], ['OUTPUT__0', 'OUTPUT__1']);
      const { outputs } = await addSub('by_argument', text, ['INPUT0', 'INPUT1']);
      expect(outputs).toEqual({
        OUTPUT__0: { shape: [1, 2], data: [6, 9] },
        OUTPUT__1: { shape: [1, 2], data: [4, 5] },
      });
    });

    it('row 7: indices, listed in reverse', async () => {
      const text = pair(['INPUT__1', 'INPUT__0'], ['OUTPUT__1', 'OUTPUT__0']);
      const { outputs } = await addSub('by_index', text, ['INPUT__0', 'INPUT__1']);
      expect(outputs['OUTPUT__1']?.data).toEqual([4, 5]);
      // Answers are in the order of names, as Triton's are.
      expect(Object.keys(outputs)).toEqual(['OUTPUT__0', 'OUTPUT__1']);
    });

    it.each([
      // By argument, by index or by name these would be the other way round.
      ['row 8: neither', ['INPUTB', 'INPUTA']],
      ['row 9: an index and an argument', ['INPUT__1', 'INPUT0']],
      ['row 9: an index and a name', ['INPUT__1', 'INPUTA']],
    ] as const)('%s: the order of the configuration', async (title, names) => {
      const name = `ordered_${title.length}_${names[0]}`;
      const { outputs } = await addSub(name, pair(names, ['OUTPUTB', 'OUTPUTA']), names);
      expect(outputs['OUTPUTA']?.data).toEqual([4, 5]);
    });

    it('row 10: an index that is no number is warned of', async () => {
      const { outputs } = await addSub('no_number', pair(['INPUT__y', 'INPUT__x'], ['A', 'B']), [
        'INPUT__y',
        'INPUT__x',
      ]);
      expect(outputs['B']?.data).toEqual([4, 5]);
      expect(
        world.logged(
          "input 'INPUT__y' or previous input(s) are neither an input argument to the model 'no_number'",
        ),
      ).toHaveLength(1);
    });
  });

  describe('running', () => {
    it('control flow in the module', async () => {
      expect(await world.load('branching', { made: 'Branching/model.pt', config: pair(['x'], ['y']) })).toBe(
        '',
      );
      expect((await world.infer('branching', [floats('x', [1, 2])])).outputs['y']?.data).toEqual([2, 4]);
      expect((await world.infer('branching', [floats('x', [16, 16])])).outputs['y']?.data).toEqual([4, 4]);
    });

    it('row 19: a dictionary of tensors', async () => {
      expect(await world.load('keyed', { made: 'Keyed/model.pt', config: pair(['b', 'a'], ['y']) })).toBe('');
      expect(
        (await world.infer('keyed', [floats('a', [3, 4]), floats('b', [1, 1])])).outputs['y']?.data,
      ).toEqual([2, 3]);
    });

    it.each([
      [
        'row 20',
        'GivesDict',
        pair(['x'], ['y']),
        500,
        'PyTorch execute failure: output must be of type Tensor, List[str] or Tuple',
      ],
      [
        'row 21',
        'GivesNumbers',
        pair(['x'], ['y__0', 'y__1']),
        500,
        'PyTorch execute failure: output at index 1 must be of type Tensor or List[str], received List[int]',
      ],
      ['row 22', 'Scalar', pair(['x'], ['y']), 400, "output 'y' is a scalar which is not supported."],
      [
        'row 23',
        'Branching',
        config({ inputs: vectors('x'), outputs: [tensor('y', 'TYPE_FP64', '2')] }),
        400,
        "configuration expects datatype TYPE_FP64 for output 'y', model provides TYPE_FP32",
      ],
    ])('%s', async (row, made, text, status, refusal) => {
      const name = `fails_${row.replace(' ', '_')}`;
      expect(await world.load(name, { made: `${made}/model.pt`, config: text })).toBe('');
      const reply = await world.infer(name, [floats('x', [1, 2])]);
      expect([reply.status, reply.error]).toEqual([status, expect.stringContaining(refusal)]);
      // A failed run counts as a failure, and as no execution.
      expect((await world.call(`models/${name}/stats`)).body).toMatchObject({
        model_stats: [{ execution_count: 0, inference_stats: { success: { count: 0 }, fail: { count: 1 } } }],
      });
    });

    it('row 24: an output that the model does not have', async () => {
      const reply = await addSub('no_output', pair(['INPUT0', 'INPUT1'], ['OUTPUT__5']), [
        'INPUT0',
        'INPUT1',
      ]);
      expect([reply.status, reply.error]).toEqual([
        400,
        "The output OUTPUT__5 in the model configuration refers to an output index which doesn't exist. This model has 2 outputs",
      ]);
    });

    it('row 25: strings, empty ones and zeros among them', async () => {
      const text = config({
        inputs: [tensor('T', 'TYPE_STRING', '-1')],
        outputs: [tensor('O', 'TYPE_STRING', '-1')],
        more: 'max_batch_size: 0',
      });
      expect(await world.load('echo', { made: 'Echo/model.pt', config: text })).toBe('');
      const data = ['abc', '', 'a\u0000b', 'ä'];
      const reply = await world.infer('echo', [{ name: 'T', datatype: 'BYTES', shape: [4], data }]);
      expect(reply).toEqual({ status: 200, error: '', outputs: { O: { shape: [4], data } } });
    });

    it('row 27: an error of the module is an answer, and the next request works', async () => {
      const text = config({
        inputs: [tensor('a', FP32, '-1, -1'), tensor('b', FP32, '-1, -1')],
        outputs: [tensor('c', FP32, '-1, -1')],
        more: 'max_batch_size: 0',
      });
      expect(await world.load('multiply', { made: 'Multiply/model.pt', config: text })).toBe('');
      const bad = await world.infer('multiply', [
        floats('a', [1, 2], [1, 2]),
        floats('b', [1, 2, 3], [3, 1]),
      ]);
      expect(bad.status).toBe(500);
      expect(bad.error).toMatch(
        /^PyTorch execute failure: The following operation failed in the TorchScript interpreter\./,
      );
      const good = await world.infer('multiply', [floats('a', [1, 2], [1, 2]), floats('b', [1, 2], [2, 1])]);
      expect(good.outputs['c']?.data).toEqual([5]);
    });

    it('row 29: parameters are told in the log', async () => {
      const text = pair(['x'], ['y'], 'parameters { key: "INFERENCE_MODE" value { string_value: "false" } }');
      expect(await world.load('told', { made: 'Branching/model.pt', config: text })).toBe('');
      expect(world.logged("Inference Mode is disabled for model instance 'told'")).toHaveLength(1);
      expect(world.logged("Optimized execution is enabled for model instance 'told'")).toHaveLength(1);
    });

    it('row 33: the training flag stays as it was saved', async () => {
      const text = config({ inputs: [tensor('x', FP32, '-1')], outputs: [tensor('y', FP32, '-1')] });
      expect(await world.load('dropping', { made: 'Dropping/model.pt', config: text })).toBe('');
      const ones = new Array<number>(64).fill(1);
      const { outputs } = await world.infer('dropping', [floats('x', ones)]);
      expect(new Set(outputs['y']?.data)).toEqual(new Set([0, 2]));
    });

    it('row 34: a batch of three requests is run once, each gets its rows', async () => {
      const text = pair(
        ['x'],
        ['y'],
        'dynamic_batching { preferred_batch_size: [ 4 ] max_queue_delay_microseconds: 10000000 }',
      );
      expect(await world.load('batched', { made: 'Branching/model.pt', config: text })).toBe('');
      const replies = await Promise.all(
        [1, 2, 1].map((rows, index) =>
          world.infer('batched', [floats('x', new Array<number>(rows * 2).fill(index / 8), [rows, 2])]),
        ),
      );
      expect(replies.map(({ outputs }) => outputs['y'])).toEqual([
        { shape: [1, 2], data: [0, 0] },
        { shape: [2, 2], data: [0.25, 0.25, 0.25, 0.25] },
        { shape: [1, 2], data: [0.5, 0.5] },
      ]);
      const { body } = await world.call('models/batched/stats');
      expect(body).toMatchObject({ model_stats: [{ inference_count: 4, execution_count: 1 }] });
    });

    it('row 35: implicit state is carried over', async () => {
      const text = pair(
        ['INPUT__0'],
        ['OUTPUT__0'],
        'sequence_batching { state [ { input_name: "INPUT__1" output_name: "OUTPUT__1" data_type: TYPE_FP32 dims: [ 2 ] } ] }',
      );
      expect(await world.load('state', { made: 'Accumulate/model.pt', config: text })).toBe('');
      const step = async (value: number, parameters: object) =>
        (
          await world.infer('state', [floats('INPUT__0', [value, 1])], {
            parameters: { sequence_id: 7, ...parameters },
          })
        ).outputs['OUTPUT__0']?.data;
      expect(await step(1, { sequence_start: true })).toEqual([1, 1]);
      expect(await step(5, {})).toEqual([6, 2]);
      expect(await step(2, { sequence_end: true })).toEqual([8, 3]);
    });

    it('row 36: fewer rows than the batch', async () => {
      expect(await world.load('first_row', { made: 'FirstRow/model.pt', config: pair(['x'], ['y']) })).toBe(
        '',
      );
      const reply = await world.infer('first_row', [floats('x', [1, 2, 3, 4], [2, 2])]);
      expect([reply.status, reply.error]).toEqual([
        501,
        expect.stringContaining(
          "failed to split the output tensor 'y' in responses: expected batch size of at least 2",
        ),
      ]);
    });

    it('ragged inputs, and the element counts of the batch', async () => {
      const text = config({
        inputs: [tensor('elements', FP32, '-1', 'allow_ragged_batch: true')],
        outputs: [tensor('y', FP32, '1')],
        more: `dynamic_batching { preferred_batch_size: [ 2 ] max_queue_delay_microseconds: 10000000 }
          batch_input { kind: BATCH_ELEMENT_COUNT target_name: "counts" data_type: TYPE_FP32 source_input: "elements" }`,
      });
      expect(await world.load('count', { made: 'Count/model.pt', config: text })).toBe('');
      const replies = await Promise.all([
        world.infer('count', [floats('elements', [1, 2, 3])]),
        world.infer('count', [floats('elements', [1])]),
      ]);
      expect(replies.map(({ outputs }) => outputs['y']?.data)).toEqual([[3], [1]]);
    });
  });
});

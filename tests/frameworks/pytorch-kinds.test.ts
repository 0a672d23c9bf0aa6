// What PyTorch models are besides TorchScript: a class of the user's, and compiled packages. And what holds for the
// processes of all frameworks, tried with TorchScript.

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRunning } from '../../src-main/testing/is-running.ts';
import { needsPython, testPython } from '../../src-main/testing/test-python.ts';
import { floats, FrameworkWorld, tensor } from './framework-world.ts';

const FP32 = 'TYPE_FP32';
const sides = (inputs: readonly string[], outputs: readonly string[], type = FP32): string =>
  `input [ ${inputs.map((name) => tensor(name, type, '2')).join(', ')} ]
   output [ ${outputs.map((name) => tensor(name, type, '2')).join(', ')} ]`;
const parameter = (key: string, value: string): string =>
  `parameters { key: "${key}" value { string_value: "${value}" } }`;
const SCRIPT = `platform: "pytorch_libtorch" max_batch_size: 4 ${sides(['x'], ['y'])}`;
const RUNTIME = 'backend: "pytorch" runtime: "model.py" max_batch_size: 8';

describe.skipIf(testPython('torch') === undefined)(needsPython('pytorch', 'torch'), () => {
  let world: FrameworkWorld;
  beforeAll(async () => {
    world = await FrameworkWorld.create('torch_models.py', 'torch', 'pytorch');
  }, 120_000);
  afterAll(() => world[Symbol.asyncDispose]());

  const branching = (name: string, config: string) =>
    world.load(name, { made: 'Branching/model.pt', config });

  describe('runtime: "model.py"', () => {
    it('row 40: a class of the user with its weights', async () => {
      const config = `${RUNTIME} ${sides(['a', 'b'], ['scaled', 'difference'])}`;
      expect(await world.load('weighted', { made: 'Weighted', at: '1', config })).toBe('');
      const reply = await world.infer('weighted', [floats('b', [1, 1]), floats('a', [5, 7])]);
      expect(reply.outputs).toEqual({
        scaled: { shape: [1, 2], data: [15, 21] },
        difference: { shape: [1, 2], data: [4, 6] },
      });
      expect(world.logged("Initializing model instance for 'weighted'")).toHaveLength(1);
      expect(world.logged("Model parameter file not found for 'weighted'")).toEqual([]);
    });

    it('row 5: the name of its file stays empty', async () => {
      expect((await world.config('weighted'))['default_model_filename']).toBe('');
    });

    it('row 40: requests of a batch are run once, each gets its rows', async () => {
      const config = `${RUNTIME} ${sides(['a', 'b'], ['scaled', 'difference'])}
        dynamic_batching { preferred_batch_size: [ 3 ] max_queue_delay_microseconds: 10000000 }`;
      expect(await world.load('together', { made: 'Weighted', at: '1', config })).toBe('');
      const replies = await Promise.all(
        [1, 2].map((rows) => {
          const ones = new Array<number>(rows * 2).fill(rows);
          return world.infer('together', [floats('a', ones, [rows, 2]), floats('b', ones, [rows, 2])]);
        }),
      );
      expect(replies.map(({ outputs }) => outputs['scaled'])).toEqual([
        { shape: [1, 2], data: [3, 3] },
        { shape: [2, 2], data: [6, 6, 6, 6] },
      ]);
    });

    it('row 40: without weights, said in the log', async () => {
      const config = `${RUNTIME} ${sides(['a', 'b'], ['scaled'])}`;
      expect(await world.load('weightless', { made: 'Weighted/model.py', config })).toBe('');
      expect(world.logged("Model parameter file not found for 'weightless'")).toHaveLength(1);
      const reply = await world.infer('weightless', [floats('a', [5, 7]), floats('b', [1, 1])]);
      expect(reply.outputs).toEqual({ scaled: { shape: [1, 2], data: [5, 7] } });
    });

    it('row 40: a class that the file imports is taken where it comes first, and the log says so', async () => {
      await world.repository.write({
        'imports/config.pbtxt': `${RUNTIME} ${sides(['x'], ['y'])}`,
        'imports/1/model.py': `from torch.nn import Bilinear, Module
class Own(Module):
    def forward(self, x):
        return x
`,
      });
      expect(await world.load('imports')).toContain('TypeError: Bilinear.__init__() missing');
      expect(
        world.logged("'imports' runs the class 'Bilinear' that its file imports from torch.nn"),
      ).toHaveLength(1);
    });

    it('row 40: TorchScript with KIND_MODEL', async () => {
      const kind = 'instance_group [ { kind: KIND_MODEL } ]';
      const config = `${RUNTIME} ${sides(['x'], ['y'])} ${kind}`;
      expect(await world.load('no_device', { made: 'Branching/model.pt', config })).toContain(
        'Cannot determine model device',
      );
      expect(world.logged("Loading 'no_device' as TorchScript")).toHaveLength(1);
      expect(await world.load('own_device', { made: 'Linear/model.pt', config })).toBe('');
      expect((await world.infer('own_device', [floats('x', [1, 2])])).outputs['y']?.data).toEqual([3, 6]);
      const plain = `${RUNTIME} ${sides(['x'], ['y'])} instance_group [ { kind: KIND_CPU } ]`;
      expect(await world.load('script', { made: 'Branching/model.pt', config: plain })).toBe('');
      expect((await world.infer('script', [floats('x', [1, 2])])).outputs['y']?.data).toEqual([2, 4]);
    });

    it('row 41: a folder without a model', async () => {
      const error = await world.load('nobody', { config: `${RUNTIME} ${sides(['x'], ['y'])}` });
      expect(error).toMatch(/No model found in .*\/nobody\/1\/\['model.py', 'model.pt'\]/);
    });

    it('an error of the class is that of a Python model, and the next request works', async () => {
      const config = `${RUNTIME} input [ ${tensor('a', FP32, '-1')}, ${tensor('b', FP32, '-1')} ]
        output [ ${tensor('scaled', FP32, '-1')} ]`;
      expect(await world.load('shapes', { made: 'Weighted', at: '1', config })).toBe('');
      const bad = await world.infer('shapes', [floats('a', [1, 2, 3]), floats('b', [1, 2])]);
      expect([bad.status, bad.error]).toEqual([
        500,
        expect.stringMatching(
          /^Failed to process the request\(s\) for model 'shapes_0', message: (Torch)?RuntimeError: /,
        ),
      ]);
      expect((await world.infer('shapes', [floats('a', [1]), floats('b', [1])])).status).toBe(200);
    });
  });

  describe('torch_aoti', () => {
    const AOTI = 'platform: "torch_aoti" max_batch_size: 4';

    it('row 39: strings are refused', async () => {
      const config = `${AOTI} ${sides(['ARGS[0]'], ['RESULT'], 'TYPE_STRING')}`;
      const error = await world.load('strings', { made: 'Branching/model.pt', at: '1/model.pt2', config });
      expect(error).toContain(
        'failed to create instance "strings_0" for inductor model "strings": Failed to create ModelInstanceState for model "strings": ' +
          'Unsupported datatype TYPE_STRING for input "ARGS[0]" for model instance "strings_0".',
      );
    });

    it.each([
      [
        'a control',
        'control_input [ { name: "ARGS[1]" control [ { kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_STRING } ] } ]',
      ],
      [
        'a state',
        'state [ { input_name: "ARGS[1]" output_name: "RESULT[1]" data_type: TYPE_STRING dims: [ 1 ] } ]',
      ],
    ])('row 39: strings in %s do not become ready', async (title, sequences) => {
      const name = title.replace(' ', '_');
      const config = `${AOTI} ${sides(['ARGS[0]'], ['RESULT[0]'])} sequence_batching { ${sequences} }`;
      expect(await world.load(name, { made: 'Branching/model.pt', at: '1/model.pt2', config })).toContain(
        'Unsupported datatype TYPE_STRING for input "ARGS[1]"',
      );
      expect((await world.call(`models/${name}/ready`)).status).toBe(400);
    });

    it('what PyTorch is too old for, or what is no package, is one sentence', async () => {
      const config = `${AOTI} ${sides(['ARGS[0]'], ['RESULT'])}`;
      const error = await world.load('package', { made: 'Branching/model.pt', at: '1/model.pt2', config });
      expect(error).toMatch(/need PyTorch 2\.6 or later, and this is|Failed to create ModelInstanceState/);
    });
  });

  describe('processes', () => {
    it('row 31: every model has threads of its own, and says how many', async () => {
      expect(await branching('one_thread', `${SCRIPT} ${parameter('INTRA_OP_THREAD_COUNT', '1')}`)).toBe('');
      expect(await branching('two_threads', `${SCRIPT} ${parameter('INTRA_OP_THREAD_COUNT', '2')}`)).toBe('');
      expect(world.logged('Intra op thread count is set to 1 for model instance')).toHaveLength(1);
      expect(world.logged("Intra op thread count is set to 2 for model instance 'two_threads'")).toHaveLength(
        1,
      );
    });

    it('row 32: instances share weights where the model says so', async () => {
      const config = `${SCRIPT} ${parameter('ENABLE_WEIGHT_SHARING', 'true')} instance_group [ { count: 16 kind: KIND_CPU } ]`;
      expect(await branching('sharing', config)).toBe('');
      expect(world.logged("Weight sharing is enabled for model instance 'sharing'")).toHaveLength(1);
      expect(world.logged("Reusing TorchScript model for instance 'sharing_0_")).toHaveLength(15);
      expect((await world.infer('sharing', [floats('x', [1, 2])])).outputs['y']?.data).toEqual([2, 4]);
      await world.unload('sharing');
    });

    it('row 83: a process that is killed fails its batch, the model is not ready, the server goes on', async () => {
      const stuck = `import os, time, torch
class Stuck(torch.nn.Module):
    def forward(self, x):
        print("pid", os.getpid(), flush=True)
        time.sleep(float(x.sum()))
        return x
`;
      const config = `${RUNTIME} ${sides(['x'], ['y'])}`;
      await world.repository.write({ 'stuck/1/model.py': stuck, 'stuck/config.pbtxt': config });
      expect(await world.load('stuck')).toBe('');
      const running = world.infer('stuck', [floats('x', [30, 30])]);
      await expect.poll(() => world.logged('pid ')).toHaveLength(1);
      process.kill(Number(world.logged('pid ')[0]?.split(' ')[1]), 'SIGKILL');
      expect(await running).toMatchObject({ status: 500, error: "Stub process 'stuck_0' is not healthy." });
      expect((await world.call('models/stuck/ready')).status).toBe(400);
      expect((await world.call('health/live')).status).toBe(200);
      await world.unload('stuck');
    });

    it('row 83: the process of a TorchScript model that is killed during a run fails that run, and is started again', async () => {
      expect(await world.load('killed', { made: 'Slow/model.pt', config: SCRIPT })).toBe('');
      const [{ pid } = { pid: 0 }] = await world.hosts('killed');
      const before = world.logged('slow begins').length;
      const running = world.infer('killed', [floats('x', [1e9, 1e9])]);
      await expect.poll(() => world.logged('slow begins').length, { timeout: 30_000 }).toBe(before + 1);
      process.kill(pid, 'SIGKILL');
      expect(await running).toMatchObject({ status: 500, error: "Stub process 'killed_0' is not healthy." });
      expect((await world.call('health/live')).status).toBe(200);
      await expect
        .poll(async () => (await world.call('models/killed/ready')).status, { timeout: 60_000 })
        .toBe(200);
      expect((await world.infer('killed', [floats('x', [3, 1])])).outputs['y']?.data).toEqual([3, 3]);
      await world.unload('killed');
    });

    it('row 85: a batch that is too large is refused before it reaches the process', async () => {
      expect(await branching('small', SCRIPT)).toBe('');
      const reply = await world.infer('small', [floats('x', new Array<number>(10).fill(1), [5, 2])]);
      expect(reply).toMatchObject({ status: 400 });
      expect(reply.error).toContain("inference request batch-size must be <= 4 for 'small'");
      const { body } = await world.call('models/small/stats');
      expect(body).toMatchObject({ model_stats: [{ execution_count: 0 }] });
    });

    it('row 86: a warm-up sample of a wrong shape fails the load', async () => {
      const warmup = `model_warmup [ { name: "wrong" batch_size: 1
        inputs { key: "x" value { data_type: TYPE_FP32 dims: [ 3 ] zero_data: true } } } ]`;
      expect(await branching('warm', `${SCRIPT} ${warmup}`)).toContain(
        "unexpected shape for input 'x' for model 'warm'",
      );
    });

    it('row 87: a run in progress is answered before an unload ends its process', async () => {
      expect(await world.load('busy', { made: 'Slow/model.pt', config: SCRIPT })).toBe('');
      const [{ pid } = { pid: 0 }] = await world.hosts('busy');
      const before = world.logged('slow begins').length;
      const running = world.infer('busy', [floats('x', [3e5, 3e5])]);
      await expect.poll(() => world.logged('slow begins').length, { timeout: 30_000 }).toBe(before + 1);
      await world.unload('busy');
      expect(await running).toMatchObject({ status: 200, outputs: { y: { shape: [1, 2] } } });
      expect((await world.infer('busy', [floats('x', [1, 1])])).status).toBe(404);
      await expect.poll(() => isRunning(pid), { timeout: 30_000 }).toBe(false);
    });

    it('row 88: each version has its own file and its own statistics', async () => {
      const text = `${SCRIPT} version_policy { all { } }`;
      for (const [version, made] of ['Branching', 'FirstRow', 'Linear'].entries())
        await world.write('versions', {
          made: `${made}/model.pt`,
          at: `${version + 1}/model.pt`,
          config: text,
        });
      expect(await world.load('versions')).toBe('');
      const asked = async (version: number) =>
        (await world.infer(`versions/versions/${version}`, [floats('x', [0.5, 1, 1.5, 2], [2, 2])])).outputs[
          'y'
        ];
      expect(await asked(1)).toEqual({ shape: [2, 2], data: [1, 2, 3, 4] });
      expect(await asked(3)).toEqual({ shape: [2, 2], data: [1.5, 3, 4.5, 6] });
      const { body } = await world.call('models/versions/stats');
      const { model_stats } = body as { readonly model_stats: readonly Record<string, unknown>[] };
      expect(model_stats.map((of) => [of['version'], of['inference_count'], of['execution_count']])).toEqual([
        ['1', 2, 1],
        ['2', 0, 0],
        ['3', 2, 1],
      ]);
      expect((await world.hosts('versions')).length).toBe(3);
      await world.unload('versions');
    });

    it('row 89: as a step of an ensemble', async () => {
      expect(await branching('step', SCRIPT)).toBe('');
      const ensemble = `platform: "ensemble" max_batch_size: 4 input [ ${tensor('A', FP32, '2')} ] output [ ${tensor('B', FP32, '2')} ]
        ensemble_scheduling { step [
          { model_name: "step" model_version: -1 input_map { key: "x" value: "A" } output_map { key: "y" value: "once" } },
          { model_name: "step" model_version: -1 input_map { key: "x" value: "once" } output_map { key: "y" value: "B" } } ] }`;
      expect(await world.load('steps', { config: ensemble })).toBe('');
      const { outputs } = await world.infer('steps', [floats('A', [0.5, 1])]);
      expect(outputs).toEqual({ B: { shape: [1, 2], data: [2, 4] } });
      expect([await world.inferenceCount('step'), await world.inferenceCount('steps')]).toEqual([2, 1]);
      await world.unload('steps');
    });

    it('row 90: an artefact that is replaced is served without a request that fails', async () => {
      const config = `${SCRIPT} instance_group [ { count: 2 kind: KIND_CPU } ]`;
      expect(await branching('replaced', config)).toBe('');
      const file = path.join(world.repository.path, 'replaced/1/model.pt');
      const other = path.join(world.repository.path, 'keep.pt');
      expect(
        await world.load('other', { made: 'FirstRow/model.pt', at: '../keep.pt', config: SCRIPT }),
      ).not.toBe('');
      await writeFile(file, await readFile(other));
      let isLoading = true;
      const loading = world.load('replaced').finally(() => (isLoading = false));
      const statuses = new Set<number>();
      while (isLoading) statuses.add((await world.infer('replaced', [floats('x', [1, 2])])).status);
      expect(await loading).toBe('');
      expect(statuses).toEqual(new Set([200]));
      expect((await world.infer('replaced', [floats('x', [1, 2])])).outputs['y']?.data).toEqual([1, 2]);
    });
  });
});

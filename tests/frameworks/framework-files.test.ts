// Model files of other frameworks, made with the framework itself: read, made into models that answer, converted to ONNX.

import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import type { ControlWorld } from '../../src-main/testing/control-world.ts';
import { playgroundRequest, startControlWorld, typedInput } from '../../src-main/testing/control-world.ts';
import { needsPython, testPython } from '../../src-main/testing/test-python.ts';

let world: ControlWorld;
let dropped: string;

const torch = testPython('torch');

beforeAll(async () => {
  // Models run on the first python3 of the path; the one with torch may be another.
  if (torch?.includes('/') === true)
    vi.stubEnv('PATH', `${path.dirname(torch)}:${process.env['PATH'] ?? ''}`);
  world = await startControlWorld([]);
  dropped = path.join(path.dirname(world.repositoryPath), 'dropped');
  await mkdir(path.join(dropped, 'saved'), { recursive: true });
  await writeFile(path.join(dropped, 'net.plan'), 'no plan');
  await writeFile(path.join(dropped, 'alone.xml'), '<net/>');
  await writeFile(path.join(dropped, 'saved/saved_model.pb'), '');
}, 60_000);

afterAll(async () => {
  vi.unstubAllEnvs();
  await world[Symbol.asyncDispose]();
});

const TORCH = `
import sys, torch
class Scaled(torch.nn.Module):
    def forward(self, image, factor):
        return image * factor, torch.relu(image)
torch.jit.script(Scaled()).save(sys.argv[1])
`;

const CONFIG = `name: "scaled"
backend: "pytorch"
platform: "pytorch_libtorch"
max_batch_size: 4
input { name: "image" data_type: TYPE_FP32 dims: [ 3 ] }
input { name: "factor" data_type: TYPE_FP32 dims: [ 1 ] }
output { name: "OUTPUT__0" data_type: TYPE_FP32 dims: [ 3 ] }
output { name: "OUTPUT__1" data_type: TYPE_FP32 dims: [ 3 ] }
`;

test('what is dropped is told by its name, and what cannot be read is asked of the user', async () => {
  const paths = ['net.plan', 'alone.xml', 'saved'].map((name) => path.join(dropped, name));
  const items = await world.client.call('repository/classify', { paths, repository: world.repositoryPath });
  expect(items.map(({ kind }) => kind)).toEqual(['framework', 'framework', 'framework']);
  const plan = await world.client.call('framework/inspect', { path: paths[0] ?? '' });
  expect(plan).toMatchObject({
    backend: 'tensorrt',
    artefact: 'model.plan',
    suggestedName: 'net',
    inputs: [],
  });
  await expect(world.client.call('framework/inspect', { path: paths[1] ?? '' })).rejects.toThrow(
    'alone.bin, the weights of alone.xml, is not beside it',
  );
  const saved = await world.client.call('framework/inspect', { path: paths[2] ?? '' });
  expect(saved).toMatchObject({ backend: 'tensorflow', artefact: 'model.savedmodel' });
});

test('a file is read by the Python that is set for its backend', async () => {
  await writeFile(path.join(dropped, 'alone.pt'), 'no module');
  const set = { tensorrt: '/nowhere/for-plans', pytorch: '/nowhere/for-torch' };
  await using other = await startControlWorld([], set);
  const folder = path.dirname(other.repositoryPath);
  for (const [from, python] of [
    ['net.plan', set.tensorrt],
    ['alone.pt', set.pytorch],
  ] as const) {
    await copyFile(path.join(dropped, from), path.join(folder, from));
    const { problem } = await other.client.call('framework/inspect', { path: path.join(folder, from) });
    expect(problem).toContain(`'${python}'`);
  }
});

describe.skipIf(torch === undefined)(needsPython('TorchScript', 'torch'), () => {
  test('a file is read, becomes a model that answers, and is converted with the same answers', async () => {
    const { client, repositoryPath: repository } = world;
    const file = path.join(dropped, 'scaled.pt');
    // TorchScript wants to read the source of what it compiles.
    const script = path.join(dropped, 'make.py');
    await writeFile(script, TORCH);
    execFileSync(torch ?? '', [script, file]);
    const inspection = await client.call('framework/inspect', { path: file });
    expect(inspection).toMatchObject({
      backend: 'pytorch',
      platform: 'pytorch_libtorch',
      inputs: [{ name: 'image' }, { name: 'factor' }],
      outputs: [{ name: 'OUTPUT__0' }, { name: 'OUTPUT__1' }],
    });
    expect(inspection.problem).toBeUndefined();
    const request = { path: file, repository, name: 'scaled', version: '1', configText: CONFIG, load: true };
    await client.call('framework/create', { ...request, taskId: 'create' });
    const send = (model: string) =>
      client.call(
        'playground/send',
        playgroundRequest(model, [
          typedInput('image', 'FP32', [1, 3], [-1, 2, 3]),
          typedInput('factor', 'FP32', [1, 1], [2]),
        ]),
      );
    expect(JSON.stringify(await send('scaled'))).toContain('OUTPUT__1');

    const convert = { model: 'scaled', newName: 'scaled_onnx', load: true, taskId: 'convert' };
    expect(await client.call('framework/convert', convert)).toMatchObject({
      model: 'scaled_onnx',
      verdict: 'match',
      outputs: [{ name: 'OUTPUT__0' }, { name: 'OUTPUT__1' }],
    });
    const { models } = await client.call('repository/snapshot', {});
    expect(models.find(({ name }) => name === 'scaled_onnx')).toMatchObject({
      state: 'ready',
      maxBatchSize: 4,
    });
    expect(JSON.stringify(await send('scaled_onnx'))).toContain('OUTPUT__1');
    expect(await readFile(path.join(repository, 'scaled/config.pbtxt'), 'utf8')).toBe(CONFIG);
  }, 120_000);

  test('what cannot be converted says why, and leaves nothing', async () => {
    const { client, repositoryPath: repository } = world;
    expect(await client.call('framework/canConvert', { model: 'simple' })).toMatchObject({
      reason: expect.stringContaining('Only TorchScript') as string,
    });
    const broken = path.join(repository, 'broken_pt');
    await mkdir(path.join(broken, '1'), { recursive: true });
    await writeFile(path.join(broken, 'config.pbtxt'), CONFIG.replace('"scaled"', '"broken_pt"'));
    await writeFile(path.join(broken, '1/model.pt'), 'no module');
    await client.call('repository/rescan', {});
    const convert = { model: 'broken_pt', newName: 'never', load: false, taskId: 'broken' };
    await expect(client.call('framework/convert', convert)).rejects.toThrow(/error:/);
    expect(await readdir(repository)).not.toContain('never');
    expect((await readdir(path.dirname(repository))).filter((name) => name.startsWith('.conch'))).toEqual([]);
  }, 60_000);
});

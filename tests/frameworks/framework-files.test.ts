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
  await writeFile(path.join(dropped, 'built.engine'), 'no plan');
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
class Dropping(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.dropout = torch.nn.Dropout(0.5)
    def forward(self, image, factor):
        return self.dropout(image * factor), image
torch.jit.script({"scaled": Scaled, "dropping": Dropping}[sys.argv[2]]()).save(sys.argv[1])
`;

const ODD = `
import sys, torch
from typing import Dict, List
class Keyed(torch.nn.Module):
    def forward(self, tensors: Dict[str, torch.Tensor]):
        return tensors["a"] + tensors["b"], tensors["a"]
class Shouting(torch.nn.Module):
    def forward(self, x, words: List[str]):
        return x, [word + "!" for word in words]
class Listed(torch.nn.Module):
    def forward(self, xs: List[torch.Tensor]):
        return xs[0]
class GivesKeys(torch.nn.Module):
    def forward(self, x):
        return {"a": x}
for kind in (Keyed, Shouting, Listed, GivesKeys):
    torch.jit.script(kind()).save(f"{sys.argv[1]}/{kind.__name__}.pt")
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
    // This world has no GPU, so the window must not offer to load what could not be.
    needs: expect.stringMatching(/^TensorRT models run on NVIDIA GPUs only, .* would fail\.$/) as string,
  });
  // The name that trtexec's users give it.
  const built = await world.client.call('framework/inspect', { path: path.join(dropped, 'built.engine') });
  expect(built).toMatchObject({ backend: 'tensorrt', artefact: 'model.plan', suggestedName: 'built' });
  // Two of the usual name that were dropped: one says what it is.
  for (const [upload, code, name] of [
    [
      '3b1f8a52-0c1d-4d6e-8b5e-6f0a1c2d3e4f',
      '"""Colour histogram."""\nclass TritonPythonModel: pass\n',
      'colour_histogram',
    ],
    ['3b1f8a52-0c1d-4d6e-8b5e-6f0a1c2d3e40', 'class TritonPythonModel: pass\n', 'python_model'],
  ] as const) {
    const file = path.join(dropped, upload, 'model.py');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, code);
    expect(await world.client.call('framework/inspect', { path: file })).toMatchObject({
      suggestedName: name,
    });
  }
  await expect(world.client.call('framework/inspect', { path: paths[1] ?? '' })).rejects.toThrow(
    'alone.bin, the weights of alone.xml, is not beside it',
  );
  const saved = await world.client.call('framework/inspect', { path: paths[2] ?? '' });
  expect(saved).toMatchObject({ backend: 'tensorflow', artefact: 'model.savedmodel' });
});

test('a file of Python source is the model that its text makes it, whatever its name', async () => {
  const sources = {
    'any.py': 'class TritonPythonModel:\n    def execute(self, requests):\n        pass\n',
    'pipeline.py': '@autoserialize\ndef pipe():\n    pass\n',
    'model.py': 'print("no model")\n',
  };
  const names = Object.keys(sources);
  for (const [name, text] of Object.entries(sources)) await writeFile(path.join(dropped, name), text);
  const paths = names.map((name) => path.join(dropped, name));
  const items = await world.client.call('repository/classify', { paths, repository: world.repositoryPath });
  expect(items.map(({ kind, hasCode }) => [kind, hasCode])).toEqual([
    ['framework', true],
    ['framework', true],
    ['other-format', false],
  ]);
  expect(items[2]?.message).toContain('has no class TritonPythonModel');
  const inspect = (name: string) =>
    world.client.call('framework/inspect', { path: path.join(dropped, name) });
  expect(await inspect('any.py')).toMatchObject({
    backend: 'python',
    artefact: 'model.py',
    isServable: true,
  });
  expect(await inspect('pipeline.py')).toMatchObject({
    backend: 'dali',
    artefact: 'dali.py',
    completes: true,
  });
  await expect(inspect('model.py')).rejects.toThrow("no backend takes a file like 'model.py'");
  const request = {
    repository: world.repositoryPath,
    version: '1',
    load: false,
    configText: 'backend: "python"\n',
  };
  const create = (name: string, trustCode: boolean) =>
    world.client.call('framework/create', {
      ...request,
      path: path.join(dropped, 'any.py'),
      name,
      trustCode,
      taskId: name,
    });
  await expect(create('untrusted', false)).rejects.toMatchObject({ details: { needsTrust: true } });
  expect(await readdir(world.repositoryPath)).not.toContain('untrusted');
  await create('coded', true);
  expect(await readFile(path.join(world.repositoryPath, 'coded/1/model.py'), 'utf8')).toBe(sources['any.py']);
});

test('an ONNX file beside a plan that cannot run here is offered', async () => {
  const folder = path.join(world.repositoryPath, 'planned');
  await mkdir(path.join(folder, '1'), { recursive: true });
  await writeFile(path.join(folder, '1/model.plan'), 'no plan');
  const failure = async () => {
    await world.client.call('repository/rescan', {});
    await world.client.call('repository/load', { model: 'planned' }).catch(() => undefined);
    const { models } = await world.client.call('repository/snapshot', {});
    return models.find(({ name }) => name === 'planned')?.failure;
  };
  expect((await failure())?.fixes).toEqual([]);
  const onnx = path.join(folder, '1/model.onnx');
  await writeFile(onnx, 'looked at when it is chosen');
  expect((await failure())?.fixes).toMatchObject([{ action: 'serve-onnx', target: onnx }]);
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
    execFileSync(torch ?? '', [script, file, 'scaled']);
    const inspection = await client.call('framework/inspect', { path: file });
    expect(inspection).toMatchObject({
      backend: 'pytorch',
      platform: 'pytorch_libtorch',
      inputs: [{ name: 'image' }, { name: 'factor' }],
      outputs: [{ name: 'OUTPUT__0' }, { name: 'OUTPUT__1' }],
    });
    expect(inspection.problem).toBeUndefined();
    const request = {
      path: file,
      repository,
      name: 'scaled',
      version: '1',
      configText: CONFIG,
      load: true,
      trustCode: false,
    };
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

  test('dictionaries, texts, and what no configuration can serve are told apart', async () => {
    const script = path.join(dropped, 'make_odd.py');
    await writeFile(script, ODD);
    execFileSync(torch ?? '', [script, dropped]);
    const inspect = (name: string) =>
      world.client.call('framework/inspect', { path: path.join(dropped, `${name}.pt`) });
    expect(await inspect('Keyed')).toMatchObject({
      inputs: [{ name: '', datatype: null, shape: null }],
      outputs: [{ name: 'OUTPUT__0' }, { name: 'OUTPUT__1' }],
      note: expect.stringContaining('each key that it reads is an input') as string,
    });
    const texts = { datatype: 'BYTES', shape: [-1] };
    expect(await inspect('Shouting')).toMatchObject({
      inputs: [
        { name: 'x', datatype: null },
        { name: 'words', ...texts },
      ],
      outputs: [
        { name: 'OUTPUT__0', datatype: null },
        { name: 'OUTPUT__1', ...texts },
      ],
    });
    expect(await inspect('Listed')).toMatchObject({
      isServable: false,
      problem: expect.stringContaining("The argument 'xs' is a List[Tensor]") as string,
    });
    expect(await inspect('GivesKeys')).toMatchObject({
      isServable: false,
      problem: expect.stringContaining('The module returns a Dict[str, Tensor]') as string,
    });
  }, 120_000);

  const convert = async (model: string, made: string, config: string) => {
    const { client, repositoryPath: repository } = world;
    await mkdir(path.join(repository, model, '1'), { recursive: true });
    await writeFile(path.join(repository, model, 'config.pbtxt'), config);
    const script = path.join(dropped, `make_${made}.py`);
    await writeFile(script, TORCH);
    execFileSync(torch ?? '', [script, path.join(repository, model, '1/model.pt'), made]);
    await client.call('repository/rescan', {});
    const newName = `${model}_onnx`;
    return await client.call('framework/convert', { model, newName, load: true, taskId: newName });
  };

  test('tensors are converted under the names that they are served by, in whatever order these stand', async () => {
    const turned = CONFIG.replace('"scaled"', '"turned"')
      .replace(/(input .*\n)(input .*\n)/, '$2$1')
      .replace(/(output .*\n)(output .*\n)/, '$2$1');
    expect(turned.indexOf('"factor"')).toBeLessThan(turned.indexOf('"image"'));
    expect(turned.indexOf('OUTPUT__1')).toBeLessThan(turned.indexOf('OUTPUT__0'));
    expect(await convert('turned', 'scaled', turned)).toMatchObject({ verdict: 'match' });
    const tensor = (name: string, data: number[]) => ({
      name,
      datatype: 'FP32',
      shape: [1, data.length],
      data,
    });
    const reply = await fetch(`http://${world.httpAddress}/v2/models/turned_onnx/infer`, {
      method: 'POST',
      body: JSON.stringify({ inputs: [tensor('image', [-1, 2, 3]), tensor('factor', [2])] }),
    });
    const { outputs } = (await reply.json()) as { outputs: { name: string; data: number[] }[] };
    expect(Object.fromEntries(outputs.map(({ name, data }) => [name, data]))).toEqual({
      OUTPUT__0: [-2, 4, 6],
      OUTPUT__1: [0, 2, 3],
    });
  }, 120_000);

  test('a model that answers otherwise than its file in ONNX is made, and the difference is told', async () => {
    // It was saved while it was trained, and is served so; ONNX has the form for inference.
    const config = CONFIG.replace('"scaled"', '"dropping"');
    expect(await convert('dropping', 'dropping', config)).toMatchObject({
      verdict: 'differ',
      message: expect.stringContaining('OUTPUT__0') as string,
    });
    const { models } = await world.client.call('repository/snapshot', {});
    expect(models.find(({ name }) => name === 'dropping_onnx')).toMatchObject({ state: 'ready' });
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
    await expect(client.call('framework/convert', convert)).rejects.toThrow(
      /^RuntimeError: PytorchStreamReader failed/,
    );
    expect(await readdir(repository)).not.toContain('never');
    expect((await readdir(path.dirname(repository))).filter((name) => name.startsWith('.conch'))).toEqual([]);
  }, 60_000);
});

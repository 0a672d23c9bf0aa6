// Folders of models and versions as the window changes them: copies, the bin and back, comparing, packing.

import { access, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Entry } from 'yauzl';
import { openPromise } from 'yauzl';

import { floatTensor, writeOnnx } from '../../onnx/onnx-writer.ts';
import type { ControlWorld } from '../../testing/control-world.ts';
import { startControlWorld } from '../../testing/control-world.ts';
import { exportModels } from './export-models.ts';

let world: ControlWorld;

beforeAll(async () => {
  world = await startControlWorld([]);
}, 60_000);

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

const at = (...names: string[]): string => path.join(world.repositoryPath, ...names);
const names = async (): Promise<readonly string[]> =>
  (await world.client.call('repository/snapshot', {})).models.map(({ name }) => name);

/** `x` FP32 [N,2] -> `y` FP32 [N,2], times two weights. */
function scaled(weights: readonly [number, number], extra: readonly string[] = []): Uint8Array {
  return writeOnnx({
    graph: {
      name: 'scaled',
      nodes: [
        { opType: 'Mul', inputs: ['x', 'w'], outputs: [extra.length === 0 ? 'y' : 'v0'] },
        ...extra.map((opType, index) => ({
          opType,
          inputs: [`v${index}`],
          outputs: [index === extra.length - 1 ? 'y' : `v${index + 1}`],
        })),
      ],
      inputs: [{ name: 'x', datatype: 'FP32', shape: ['N', 2] }],
      outputs: [{ name: 'y', datatype: 'FP32', shape: ['N', 2] }],
      initializers: [floatTensor('w', [2], Float32Array.from(weights))],
    },
  });
}

describe('the bin', () => {
  test('a model that was moved to the bin comes back', async () => {
    const before = await readFile(at('text_bytes', 'config.pbtxt'), 'utf8');
    const { undo } = await world.client.call('repository/trashModel', { model: 'text_bytes' });
    await expect(access(at('text_bytes'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await names()).not.toContain('text_bytes');
    await world.client.call('repository/restore', { undo: undo ?? '' });
    expect(await readFile(at('text_bytes', 'config.pbtxt'), 'utf8')).toBe(before);
    expect(await names()).toContain('text_bytes');
    await expect(world.client.call('repository/restore', { undo: undo ?? '' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('a version does not come back over another one', async () => {
    const { version } = await world.client.call('repository/duplicateVersion', {
      model: 'simple',
      version: '1',
    });
    expect(version).toBe('2');
    const { undo } = await world.client.call('repository/trashVersion', { model: 'simple', version });
    await mkdir(at('simple', '2'));
    await expect(world.client.call('repository/restore', { undo: undo ?? '' })).rejects.toMatchObject({
      code: 'ALREADY_EXISTS',
    });
    expect(await readdir(at('simple', '2'))).toEqual([]);
  });
});

describe('names', () => {
  test('a copy and a renamed model carry their new name in the configuration, and nothing is left over', async () => {
    const around = await readdir(path.dirname(world.repositoryPath));
    await world.client.call('repository/duplicateModel', { model: 'image_tiny', newName: 'copy' });
    expect(await readFile(at('copy', 'config.pbtxt'), 'utf8')).toContain('name: "copy"');
    await world.client.call('repository/renameModel', { model: 'copy', newName: 'renamed' });
    expect(await readFile(at('renamed', 'config.pbtxt'), 'utf8')).toContain('name: "renamed"');
    await expect(access(at('copy'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await readdir(path.dirname(world.repositoryPath))).toEqual(around);
  });
});

describe('two repositories', () => {
  test('a name in both is shown twice and loads from neither, until one repository is taken out', async () => {
    const other = path.join(path.dirname(world.repositoryPath), 'other');
    await mkdir(path.join(other, 'batch_mlp', '1'), { recursive: true });
    const rows = async () =>
      (await world.client.call('repository/snapshot', {})).models
        .filter(({ name }) => name === 'batch_mlp')
        .map(({ repository, duplicateOf, isShadowed, state }) => [
          repository,
          duplicateOf,
          isShadowed,
          state,
        ]);
    const index = async (): Promise<unknown> => {
      const answer = await fetch(`http://${world.httpAddress}/v2/repository/index`, { method: 'POST' });
      return ((await answer.json()) as { readonly name: string }[]).filter(
        ({ name }) => name === 'batch_mlp',
      );
    };
    await world.client.call('repository/add', { path: other, load: false, trustCode: false });
    expect(await rows()).toEqual([
      [world.repositoryPath, other, false, 'failed'],
      [other, world.repositoryPath, true, 'failed'],
    ]);
    const reason = 'model appears in two or more repositories';
    expect(await index()).toEqual([{ name: 'batch_mlp', state: 'UNAVAILABLE', reason }]);
    await expect(world.client.call('repository/load', { model: 'batch_mlp' })).rejects.toThrow(
      "failed to load 'batch_mlp', failed to poll from model repository",
    );
    await world.client.call('repository/remove', { path: world.repositoryPath });
    expect(await rows()).toEqual([[other, undefined, false, 'unloaded']]);
    await world.client.call('repository/add', { path: world.repositoryPath, load: false, trustCode: false });
    await world.client.call('repository/remove', { path: other });
    expect(await rows()).toEqual([[world.repositoryPath, undefined, false, 'unloaded']]);
  });

  test('what served before its name came a second time goes on serving', async () => {
    const other = path.join(path.dirname(world.repositoryPath), 'third');
    await world.client.call('repository/load', { model: 'batch_mlp' });
    await mkdir(path.join(other, 'batch_mlp', '1'), { recursive: true });
    await world.client.call('repository/add', { path: other, load: false, trustCode: false });
    const { models } = await world.client.call('repository/snapshot', {});
    expect(models.filter(({ name }) => name === 'batch_mlp')).toMatchObject([
      { state: 'ready', duplicateOf: other },
      { state: 'failed', duplicateOf: world.repositoryPath, isShadowed: true },
    ]);
    await world.client.call('repository/remove', { path: other });
    await world.client.call('repository/unload', { model: 'batch_mlp', unloadDependents: false });
  });
});

describe('importing', () => {
  test('label files lie beside the configuration that names them', async () => {
    const folder = path.dirname(world.repositoryPath);
    await writeFile(path.join(folder, 'classes.txt'), 'cat\ndog\n');
    await writeFile(path.join(folder, 'scaled.onnx'), scaled([1, 2]));
    const request = {
      onnxPath: path.join(folder, 'scaled.onnx'),
      externalData: {},
      repository: world.repositoryPath,
      name: 'labelled',
      version: '1',
      configText: 'output { name: "y" label_filename: "y_labels.txt" }\n',
      hasDynamicVersion: false,
      load: false,
      taskId: 'labels',
    };
    const labels = { '../y.txt': path.join(folder, 'classes.txt') };
    await expect(
      world.client.call('repository/createFromOnnx', { ...request, labels }),
    ).rejects.toMatchObject({ code: 'INVALID_ARG' });
    await world.client.call('repository/createFromOnnx', {
      ...request,
      labels: { 'y_labels.txt': path.join(folder, 'classes.txt') },
    });
    expect(await readFile(at('labelled', 'y_labels.txt'), 'utf8')).toBe('cat\ndog\n');
  });
});

describe('a configuration that came alone', () => {
  const client = () => world.client;

  test('is checked without files, and becomes a model folder of the chosen name', async () => {
    const file = path.join(path.dirname(world.repositoryPath), 'config.pbtxt');
    await writeFile(file, 'name: "elsewhere"\nbackend: "onnxruntime"\nmax_batch_sise: 4\n');
    const { text } = await client().call('config/readScratch', { path: file });
    const issues = await client().call('config/checkScratch', { name: 'mine', text });
    expect(issues.map(({ code, line }) => `${code} ${line}`)).toContain('D02 3');
    const mended = text.replace('sise', 'size');
    await client().call('repository/createFromConfig', {
      repository: world.repositoryPath,
      name: 'mine',
      text: mended,
    });
    expect(await readFile(at('mine', 'config.pbtxt'), 'utf8')).toBe(mended.replace('elsewhere', 'mine'));
    expect(await readdir(at('mine', '1'))).toEqual([]);
    expect(await names()).toContain('mine');
  });
});

describe('two versions', () => {
  async function model(a: Uint8Array, b: Uint8Array): Promise<void> {
    await mkdir(at('pair', '1'), { recursive: true });
    await mkdir(at('pair', '2'), { recursive: true });
    await writeFile(at('pair', '1', 'model.onnx'), a);
    await writeFile(at('pair', '2', 'model.onnx'), b);
    await world.client.call('repository/rescan', {});
    await world.client.call('config/read', { model: 'pair' });
  }

  const compare = () => world.client.call('repository/compareVersions', { model: 'pair', a: '1', b: '2' });

  test('with other weights say where their outputs differ first', async () => {
    await model(scaled([2, 3]), scaled([2, 4]));
    const { tensors, operators, parity } = await compare();
    expect(tensors).toEqual([]);
    expect(operators).toEqual([]);
    expect(parity.verdict).toBe('differ');
    expect(parity.message).toMatch(/^Outputs differ at y\[0,1\]: /);
  });

  test('with the same function match, whatever their operators', async () => {
    await model(scaled([2, 3]), scaled([2, 3], ['Identity', 'Relu']));
    const { operators, parity } = await compare();
    expect(operators).toEqual([
      { type: 'Identity', a: 0, b: 1 },
      { type: 'Relu', a: 0, b: 1 },
    ]);
    expect(parity).toMatchObject({ verdict: 'match', message: 'Outputs match (largest difference 0).' });
  });

  test('a version that does not exist is not found', async () => {
    await expect(
      world.client.call('repository/compareVersions', { model: 'pair', a: '1', b: '9' }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

/** Name -> content of every entry; the reader checks sizes and names. */
async function unpack(file: string): Promise<Map<string, Buffer>> {
  const archive = await openPromise(file);
  const found = new Map<string, Buffer>();
  for await (const entry of archive.eachEntry() as AsyncIterable<Entry>) {
    const content = entry.fileName.endsWith('/')
      ? Buffer.alloc(0)
      : await buffer(await archive.openReadStreamPromise(entry));
    expect(crc32(content), entry.fileName).toBe(entry.crc32);
    found.set(entry.fileName, content);
  }
  return found;
}

describe('export', () => {
  test('packs models so that unpacking gives a repository', async () => {
    const folder = path.dirname(world.repositoryPath);
    await writeFile(at('batch_mlp', '.hidden'), 'x');
    const large = Buffer.alloc(5 * 1024 * 1024, 7);
    await writeFile(at('batch_mlp', '1', 'weights.bin'), large);
    const request = { models: ['batch_mlp', 'pipeline'], folder, taskId: 'one' };
    const { path: file, byteSize } = await world.client.call('repository/exportModels', request);
    expect(file).toBe(path.join(folder, 'models.zip'));
    expect((await stat(file)).size).toBe(byteSize);
    const entries = await unpack(file);
    expect([...entries.keys()]).toEqual([
      'batch_mlp/',
      'batch_mlp/1/',
      'batch_mlp/1/model.onnx',
      'batch_mlp/1/weights.bin',
      'batch_mlp/config.pbtxt',
      'pipeline/',
      'pipeline/1/',
      'pipeline/config.pbtxt',
    ]);
    expect(entries.get('batch_mlp/1/weights.bin')?.equals(large)).toBe(true);
    expect(entries.get('batch_mlp/config.pbtxt')?.toString()).toBe(
      await readFile(at('batch_mlp', 'config.pbtxt'), 'utf8'),
    );
    const again = await world.client.call('repository/exportModels', { ...request, taskId: 'two' });
    expect(path.basename(again.path)).toBe('models-2.zip');
  });

  test('leaves nothing behind when it is stopped half-way', async () => {
    const folder = path.dirname(world.repositoryPath);
    await writeFile(at('batch_mlp', '1', 'more.bin'), Buffer.alloc(64 * 1024 * 1024, 7));
    const before = await readdir(folder);
    const stopping = new AbortController();
    const models = [{ name: 'batch_mlp', path: at('batch_mlp') }];
    const onProgress = (): void => stopping.abort(new Error('stopped'));
    const exporting = exportModels({ models, folder }, { signal: stopping.signal, onProgress });
    await expect(exporting).rejects.toThrow();
    expect(await readdir(folder)).toEqual(before);
  });

  test('does not write into a repository', async () => {
    const request = { models: ['simple'], folder: world.repositoryPath, taskId: 'three' };
    await expect(world.client.call('repository/exportModels', request)).rejects.toMatchObject({
      code: 'INVALID_ARG',
    });
  });
});

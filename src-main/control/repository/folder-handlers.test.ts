// Folders of models and versions as the window changes them: copies, the bin and back, comparing, packing.

import { access, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32, inflateRawSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { floatTensor, writeOnnx } from '../../onnx/onnx-writer.ts';
import type { ControlWorld } from '../../testing/control-world.ts';
import { startControlWorld } from '../../testing/control-world.ts';

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
    await world.client.call('repository/restore', { undo });
    expect(await readFile(at('text_bytes', 'config.pbtxt'), 'utf8')).toBe(before);
    expect(await names()).toContain('text_bytes');
    await expect(world.client.call('repository/restore', { undo })).rejects.toMatchObject({
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
    await expect(world.client.call('repository/restore', { undo })).rejects.toMatchObject({
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
    expect(await rows()).toEqual([[other, '', false, 'unloaded']]);
    await world.client.call('repository/add', { path: world.repositoryPath, load: false, trustCode: false });
    await world.client.call('repository/remove', { path: other });
    expect(await rows()).toEqual([[world.repositoryPath, '', false, 'unloaded']]);
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

/** Name -> content of every entry, by the archive's own directory; checksums are checked. */
function unpack(zip: Buffer): Map<string, Buffer> {
  const end64 = zip.lastIndexOf(Buffer.from('504b0606', 'hex'));
  let position = Number(zip.readBigUInt64LE(end64 + 48));
  const count = Number(zip.readBigUInt64LE(end64 + 32));
  const found = new Map<string, Buffer>();
  for (let index = 0; index < count; index += 1) {
    const nameLength = zip.readUInt16LE(position + 28);
    const name = zip.toString('utf8', position + 46, position + 46 + nameLength);
    const extra = position + 46 + nameLength;
    const packedSize = Number(zip.readBigUInt64LE(extra + 12));
    const local = Number(zip.readBigUInt64LE(extra + 20));
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const packed = zip.subarray(start, start + packedSize);
    const content = zip.readUInt16LE(position + 10) === 0 ? packed : inflateRawSync(packed);
    expect(crc32(content), name).toBe(zip.readUInt32LE(position + 16));
    found.set(name, content);
    position = extra + zip.readUInt16LE(position + 30);
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
    const zip = await readFile(file);
    expect(zip.byteLength).toBe(byteSize);
    const entries = unpack(zip);
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

  test('does not write into a repository', async () => {
    const request = { models: ['simple'], folder: world.repositoryPath, taskId: 'three' };
    await expect(world.client.call('repository/exportModels', request)).rejects.toMatchObject({
      code: 'INVALID_ARG',
    });
  });
});

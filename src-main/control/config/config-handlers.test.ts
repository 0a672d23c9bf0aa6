// Reading and writing config.pbtxt as the window does: through the contract, on real files.

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { ControlWorld } from '../../testing/control-world.ts';
import { startControlWorld } from '../../testing/control-world.ts';

let world: ControlWorld;

beforeAll(async () => {
  world = await startControlWorld([]);
}, 60_000);

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

const MODEL = 'simple';

async function put(content: string | Uint8Array): Promise<string> {
  const file = path.join(world.repositoryPath, MODEL, 'config.pbtxt');
  await writeFile(file, content);
  return file;
}

describe('a file that an editor would damage', () => {
  test.each([
    ['large', `# ${'x'.repeat(1024 * 1024)}\nname: "simple"\n`],
    ['binary', Uint8Array.from([0x6e, 0xff, 0xfe, 0x00])],
    ['binary', 'name: "simple"\u0000'],
  ])('is %s: it exists, is not opened, and nothing is written over it', async (refusal, content) => {
    const file = await put(content);
    const read = await world.client.call('config/read', { model: MODEL });
    expect(read).toMatchObject({ exists: true, text: '', refusal });
    for (const expectedHash of ['', read.hash]) {
      await expect(
        world.client.call('config/write', { model: MODEL, text: 'max_batch_size: 1\n', expectedHash }),
      ).rejects.toMatchObject({ code: 'INVALID_ARG' });
    }
    expect(Buffer.from(await readFile(file)).equals(Buffer.from(content))).toBe(true);
    const effective = await world.client.call('config/effective', { model: MODEL });
    expect(effective.error).toContain('not opened here');
  });

  test('the folder that completion looks into is the first in text order', async () => {
    await put('');
    await mkdir(path.join(world.repositoryPath, MODEL, '2'));
    await writeFile(path.join(world.repositoryPath, MODEL, '2', 'other.txt'), '');
    await mkdir(path.join(world.repositoryPath, MODEL, '.first'));
    await world.client.call('config/read', { model: MODEL });
    const context = await world.client.call('config/context', { model: MODEL });
    expect(context.inspectedEntries).toEqual([]);
    await rm(path.join(world.repositoryPath, MODEL, '.first'), { recursive: true });
    await world.client.call('config/read', { model: MODEL });
    const again = await world.client.call('config/context', { model: MODEL });
    expect(again.inspectedEntries).toEqual([{ name: 'model.onnx', isDirectory: false }]);
  });

  test('a profile of that kind is not opened either', async () => {
    await put('name: "simple"\n');
    await world.client.call('config/writeProfile', { model: MODEL, profile: 'touch', text: '' });
    const file = path.join(world.repositoryPath, MODEL, 'configs', 'touch.pbtxt');
    await writeFile(file, Uint8Array.from([0x80, 0x81]));
    await expect(
      world.client.call('config/readProfile', { model: MODEL, profile: 'touch' }),
    ).rejects.toMatchObject({ code: 'INVALID_ARG' });
  });
});

describe('a loaded model', () => {
  const loaded = 'batch_mlp';

  test('tells the text it was loaded from while the file has changed, and what a reload would do', async () => {
    await world.client.call('repository/load', { model: loaded });
    const file = path.join(world.repositoryPath, loaded, 'config.pbtxt');
    const before = await readFile(file, 'utf8');
    const after = before.replace('count: 1', 'count: 3');
    await writeFile(file, after);
    expect((await world.client.call('config/read', { model: loaded })).text).toBe(after);
    expect((await world.client.call('config/lastLoaded', { model: loaded })).text).toBe(before);
    const preview = await world.client.call('config/previewReload', { model: loaded, text: after });
    expect(preview).toMatchObject({
      kind: 'instances',
      sentence: 'Instances change from 1 to 3: updated in place, without interruption.',
    });
    await world.client.call('repository/reload', { model: loaded, force: false });
    expect((await world.client.call('config/lastLoaded', { model: loaded })).text).toBe(after);
    const { model } = await world.client.call('repository/unload', { model: loaded, unloadDependents: true });
    expect(model.state).toBe('unloaded');
  });

  test('says whether config.pbtxt itself changed or only other files', async () => {
    const changes = async (): Promise<object> => {
      await world.client.call('config/read', { model: loaded });
      const { models } = await world.client.call('repository/snapshot', {});
      const { changedOnDisk, isConfigChanged } = models.find(({ name }) => name === loaded) ?? {};
      return { changedOnDisk, isConfigChanged };
    };
    await world.client.call('repository/load', { model: loaded });
    expect(await changes()).toEqual({ changedOnDisk: false, isConfigChanged: false });
    const file = path.join(world.repositoryPath, loaded, '1', 'model.onnx');
    await writeFile(file, await readFile(file));
    expect(await changes()).toEqual({ changedOnDisk: true, isConfigChanged: false });
    const config = path.join(world.repositoryPath, loaded, 'config.pbtxt');
    await writeFile(config, `${await readFile(config, 'utf8')}# changed\n`);
    expect(await changes()).toEqual({ changedOnDisk: true, isConfigChanged: true });
  });
});

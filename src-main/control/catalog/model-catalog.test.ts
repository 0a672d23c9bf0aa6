// What the window is told of models whose folders come, go and come back.

import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { ControlWorld } from '../../testing/control-world.ts';
import { startControlWorld } from '../../testing/control-world.ts';

let world: ControlWorld;

beforeAll(async () => {
  world = await startControlWorld(['simple']);
}, 60_000);

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

async function stateOf(name: string): Promise<readonly [string, string] | undefined> {
  await world.client.call('repository/rescan', {});
  const { models } = await world.client.call('repository/snapshot', {});
  const model = models.find((one) => one.name === name);
  return model === undefined ? undefined : [model.state, model.failure?.title ?? ''];
}

test('a model that failed because its text is none has failed still when its repository comes back', async () => {
  const { repositoryPath, engine } = world;
  const folder = path.join(repositoryPath, 'scrawl');
  await mkdir(path.join(folder, '1'), { recursive: true });
  await writeFile(path.join(folder, 'config.pbtxt'), 'max_batch_size: {');
  expect(await stateOf('scrawl')).toEqual(['unloaded', '']);
  await expect(engine.repository.load('scrawl')).rejects.toThrow("failed to load 'scrawl'");
  const failed = ['failed', 'config.pbtxt cannot be read: line 1'];
  expect(await stateOf('scrawl')).toEqual(failed);

  await rename(repositoryPath, `${repositoryPath}-away`);
  expect(await stateOf('scrawl')).toBeUndefined();
  await rename(`${repositoryPath}-away`, repositoryPath);
  expect(await stateOf('scrawl')).toEqual(failed);

  // A folder that was taken out and put there anew was not tried yet.
  await rm(folder, { recursive: true });
  expect(await stateOf('scrawl')).toBeUndefined();
  await mkdir(path.join(folder, '1'), { recursive: true });
  await writeFile(path.join(folder, 'config.pbtxt'), 'max_batch_size: {');
  expect((await stateOf('scrawl'))?.[0]).toBe('unloaded');
});

test('a load that fails before its folder was noticed is remembered', async () => {
  const folder = path.join(world.repositoryPath, 'early');
  await mkdir(path.join(folder, '1'), { recursive: true });
  await writeFile(path.join(folder, 'config.pbtxt'), 'max_batch_size: {');
  await expect(world.engine.repository.load('early')).rejects.toThrow("failed to load 'early'");
  expect(await stateOf('early')).toEqual(['failed', 'config.pbtxt cannot be read: line 1']);
  await rm(folder, { recursive: true });
});

test('a failure says whether files changed since, until the next try', async () => {
  const { repositoryPath, engine, client } = world;
  const folder = path.join(repositoryPath, 'mended');
  const config = path.join(folder, 'config.pbtxt');
  const find = async () =>
    (await client.call('repository/snapshot', {})).models.find(({ name }) => name === 'mended');
  const view = async () => {
    const model = await find();
    return [model?.state, model?.failure !== undefined, model?.changedSinceFailure.includes('mended')];
  };
  // What the watcher says of a file that was written.
  const write = async (text: string): Promise<void> => {
    await writeFile(config, text);
    engine.events.publish('filesChanged', { name: 'mended', repository: repositoryPath, isConfig: true });
  };
  await cp(path.join(repositoryPath, 'simple'), folder, { recursive: true });
  const sound = (await readFile(config, 'utf8')).replace('name: "simple"', 'name: "mended"');
  const broken = `${sound}\nmax_batch_size: -7\n`;
  await writeFile(config, broken);
  await client.call('repository/rescan', {});
  await expect(engine.repository.load('mended')).rejects.toThrow('failed to load');
  await expect.poll(view).toEqual(['failed', true, false]);
  const first = (await find())?.failure;
  expect(first?.code).toBeDefined();

  // Another fault now: the card goes on telling the first, and no code or hint of the other.
  await write(`${sound}\nno_such_field: 1\n`);
  await expect.poll(view).toEqual(['failed', true, true]);
  expect((await find())?.issueCounts.error).toBe(1);
  expect((await find())?.failure).toMatchObject({ title: first?.title, code: undefined });
  await write(sound);
  await expect.poll(view).toEqual(['failed', true, true]);
  await engine.repository.load('mended');
  await expect.poll(view).toEqual(['ready', false, false]);

  await writeFile(config, broken);
  await expect(engine.repository.load('mended')).rejects.toThrow('failed to load');
  await expect.poll(view).toEqual(['ready', true, false]);
  // Written at once, before what failed was read again; a file system's clock may be some milliseconds behind.
  await setTimeout(20);
  await write(sound);
  await expect.poll(view).toEqual(['ready', true, true]);
  await engine.repository.load('mended');
  await expect.poll(view).toEqual(['ready', false, false]);
  await engine.repository.unload('mended', { unloadDependents: false });
  await rm(folder, { recursive: true });
});

test('an ensemble that failed in a step says when the files of that step changed', async () => {
  const { repositoryPath, engine, client } = world;
  const step = path.join(repositoryPath, 'step');
  const outer = path.join(repositoryPath, 'outer');
  const config = path.join(step, 'config.pbtxt');
  await cp(path.join(repositoryPath, 'simple'), step, { recursive: true });
  const sound = (await readFile(config, 'utf8')).replace('name: "simple"', 'name: "step"');
  await writeFile(config, `${sound}\nmax_batch_size: -7\n`);
  await mkdir(path.join(outer, '1'), { recursive: true });
  const tensor = (name: string): string => `{ name: "${name}" data_type: TYPE_INT32 dims: [ 16 ] }`;
  const map = (kind: string, key: string): string => `${kind}_map { key: "${key}" value: "${key}" }`;
  await writeFile(
    path.join(outer, 'config.pbtxt'),
    `platform: "ensemble" max_batch_size: 8
     input [ ${tensor('INPUT0')}, ${tensor('INPUT1')} ] output [ ${tensor('OUTPUT0')} ]
     ensemble_scheduling { step { model_name: "step" model_version: -1
       ${map('input', 'INPUT0')} ${map('input', 'INPUT1')} ${map('output', 'OUTPUT0')} } }`,
  );
  await client.call('repository/rescan', {});
  const told: string[] = [];
  const unsubscribe = client.subscribe('repository/models', ({ changed }) => {
    told.push(...changed.map(({ name }) => name));
  });
  const view = async () => {
    const { models } = await client.call('repository/snapshot', {});
    const model = models.find(({ name }) => name === 'outer');
    return [model?.state, model?.changedSinceFailure];
  };
  await expect(engine.repository.load('outer')).rejects.toThrow('load failed');
  await expect.poll(view).toEqual(['failed', []]);
  told.length = 0;

  await writeFile(config, sound);
  engine.events.publish('filesChanged', { name: 'step', repository: repositoryPath, isConfig: true });
  await expect.poll(view).toEqual(['failed', ['step']]);
  // The page is sent what is another now.
  await expect.poll(() => told).toContain('outer');
  unsubscribe();
  await engine.repository.load('outer');
  await expect.poll(view).toEqual(['ready', []]);
  await engine.repository.unload('outer', { unloadDependents: true });
  await rm(outer, { recursive: true });
  await rm(step, { recursive: true });
});

test('a folder that nothing says the backend of has no type', async () => {
  const empty = path.join(world.repositoryPath, 'empty');
  const bare = path.join(world.repositoryPath, 'bare');
  await mkdir(path.join(empty, '1'), { recursive: true });
  await mkdir(path.join(bare, '1'), { recursive: true });
  await writeFile(path.join(bare, '1', 'model.onnx'), '');
  await world.client.call('repository/rescan', {});
  const kindOf = async (name: string): Promise<string | undefined> =>
    (await world.client.call('repository/snapshot', {})).models.find((one) => one.name === name)?.kind;
  expect(await kindOf('empty')).toBeUndefined();
  expect(await kindOf('simple')).toBe('onnx');
  expect(await kindOf('bare')).toBe('onnx');
  await rm(empty, { recursive: true });
  await rm(bare, { recursive: true });
});

test('of a model that serves without its folder the checks say nothing', async () => {
  const { repositoryPath, engine } = world;
  await engine.repository.load('simple');
  await rename(repositoryPath, `${repositoryPath}-away`);
  expect(await stateOf('simple')).toEqual(['ready', '']);
  await world.client.call('repository/rescan', {});
  const issues = async (): Promise<unknown> => {
    const { models } = await world.client.call('repository/snapshot', {});
    return models.find(({ name }) => name === 'simple')?.issueCounts;
  };
  // What a client of the window asks for reads the folder again.
  await expect(world.client.call('repository/reload', { model: 'simple', force: false })).rejects.toThrow();
  expect(await issues()).toEqual({ error: 0, warning: 0, info: 0 });
  await rename(`${repositoryPath}-away`, repositoryPath);
  await world.client.call('repository/rescan', {});
});

test('a model whose folder went away is listed for as long as it serves', async () => {
  const { repositoryPath, engine } = world;
  const folder = path.join(repositoryPath, 'simple');
  const listed = async () => {
    const { models } = await world.client.call('repository/snapshot', {});
    return models.find(({ name }) => name === 'simple');
  };
  await engine.repository.load('simple', { isForced: true });
  await rename(folder, `${repositoryPath}-simple`);
  expect(await stateOf('simple')).toEqual(['ready', '']);
  expect((await listed())?.reason).toContain('ENOENT');
  await rename(`${repositoryPath}-simple`, folder);
  expect(await stateOf('simple')).toEqual(['ready', '']);
  expect((await listed())?.reason).toBeUndefined();

  await rename(folder, `${repositoryPath}-simple`);
  expect(await stateOf('simple')).toEqual(['ready', '']);
  await engine.repository.unload('simple', { unloadDependents: false });
  await expect.poll(listed).toBeUndefined();
  await rename(`${repositoryPath}-simple`, folder);
});

test('folders that a cloud gave names are listed by those', async () => {
  const { client, engine } = world;
  const root = `${world.repositoryPath}-given`;
  await mkdir(path.join(root, 'model', '1'), { recursive: true });
  await writeFile(path.join(root, 'model', 'config.pbtxt'), 'backend: "identity"');
  await engine.repository.folders.register(root, new Map([['model', 'given']]));
  expect((await stateOf('given'))?.[0]).toBeDefined();
  expect(await stateOf('model')).toBeUndefined();
  const { repositories } = await client.call('repository/snapshot', {});
  expect(repositories.find((one) => one.path === root)?.modelCount).toBe(1);
  engine.repository.folders.unregister(root);
});

// Models of an object store in the window: a repository that is added by its path, its files and configuration, what is
// refused, and the copy that takes its place.

import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { createBackends } from '../../engine-backends.ts';
import { Disposer } from '../../base/disposer.ts';
import { checkPath } from '../../check/check-path.ts';
import { defaultEngineOptions } from '../../options/engine-options.ts';
import { sampleModels } from '../../samples/sample-repository.ts';
import type { ControlWorld } from '../../testing/control-world.ts';
import { startControlWorld } from '../../testing/control-world.ts';
import { storeWorld } from '../../testing/store-world.ts';

const stores = storeWorld();
let world: ControlWorld;

beforeAll(async () => {
  world = await startControlWorld([]);
}, 60_000);

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

/** The sample `simple` in the store, under another name. */
function upload(): void {
  const sample = sampleModels().find(({ name }) => name === 'simple');
  for (const [file, content] of Object.entries(sample?.files ?? {})) {
    const text = typeof content === 'string' ? content.replace('"simple"', '"stored"') : content;
    stores.store.write({ [`bucket/repo/stored/${file}`]: text });
  }
}

test('a repository in a store is looked into, added, served, refused to be changed, and copied', async () => {
  upload();
  const { client } = world;
  const root = stores.path('bucket/repo');
  const [item] = await client.call('repository/classify', { paths: [root] });
  expect(item).toMatchObject({
    kind: 'repository',
    path: root,
    models: [{ name: 'stored' }],
    hasCode: false,
  });
  const { repository } = await client.call('repository/add', { path: root, load: false, trustCode: false });
  expect(repository).toMatchObject({
    path: root,
    modelCount: 1,
    isWritable: false,
    isTrusted: true,
    error: undefined,
  });
  await client.call('repository/load', { model: 'stored' });
  const files = await client.call('repository/files', { model: 'stored' });
  expect(files.map((file) => file.path)).toContain('1/model.onnx');
  const refusal = `'${root}/stored' is in an object store, which is only read here: copy the model to a local`;
  await expect(client.call('repository/trashModel', { model: 'stored' })).rejects.toThrow(refusal);
  await expect(
    client.call('repository/duplicateModel', { model: 'stored', newName: 'mine' }),
  ).rejects.toThrow(refusal);
  await client.call('repository/duplicateModel', {
    model: 'stored',
    newName: 'mine',
    repository: world.repositoryPath,
  });
  const config = await readFile(path.join(world.repositoryPath, 'mine', 'config.pbtxt'), 'utf8');
  expect(config).toContain('"mine"');
  await client.call('repository/load', { model: 'mine' });
  expect(await stores.copies()).toHaveLength(1);
  await client.call('repository/remove', { path: root });
  await world.engine.repository.settled();
  expect(await stores.copies()).toEqual([]);
});

test('a store that does not answer is told as what it is', async () => {
  upload();
  stores.store.isDown = true;
  const root = stores.path('bucket/repo');
  const [item] = await world.client.call('repository/classify', { paths: [root] });
  expect(item).toMatchObject({ kind: 'unknown', message: expect.stringContaining('Unable to create S3') });
  await expect(
    world.client.call('repository/add', { path: root, load: true, trustCode: false }),
  ).rejects.toThrow('Unable to create S3 filesystem client. Check account credentials.');
});

test('check reads a store, and tells what is wrong by its paths there', async () => {
  upload();
  stores.store.write({ 'bucket/repo/broken/config.pbtxt': 'what?', 'bucket/repo/broken/1/': '' });
  await using owned = new Disposer();
  const options = {
    modelConfigName: '',
    isStrict: false,
    backends: createBackends(defaultEngineOptions.backends, [], owned).registry,
  };
  const root = stores.path('bucket/repo');
  const models = await checkPath(root, options);
  expect(models.map(({ name, path: at, findings }) => [name, at, findings.map(({ file }) => file)])).toEqual([
    ['broken', `${root}/broken`, expect.arrayContaining([`${root}/broken/config.pbtxt`])],
    ['stored', `${root}/stored`, []],
  ]);
  expect(await checkPath(`${root}/stored`, options)).toMatchObject([{ name: 'stored', findings: [] }]);
  expect(await stores.copies()).toEqual([]);
});

test('a store that hangs holds up no other repository, is told as waited for, and is given up and asked again', async () => {
  upload();
  const root = stores.path('bucket/repo');
  const { client } = world;
  await client.call('repository/add', { path: root, load: false, trustCode: false });
  const view = async () => {
    const { repositories, models } = await client.call('repository/snapshot', {});
    const store = repositories.find(({ path: known }) => known === root);
    return { store, names: models.map(({ name }) => name) };
  };
  stores.store.isHanging = true;
  await client.call('repository/rescan', {});
  const waited = await view();
  expect(waited.store).toMatchObject({ waitingSinceMs: expect.any(Number), error: undefined });
  expect(waited.names).toEqual(expect.arrayContaining(['mine', 'stored']));
  await client.call('repository/giveUp', { path: root });
  await expect
    .poll(async () => (await view()).store)
    .toMatchObject({
      waitingSinceMs: undefined,
      isGivenUp: true,
      error: expect.stringContaining('is not waited for any more'),
    });
  stores.store.isHanging = false;
  await client.call('repository/rescan', {});
  await expect
    .poll(async () => (await view()).store)
    .toMatchObject({ waitingSinceMs: undefined, isGivenUp: false, error: undefined, modelCount: 1 });
  await client.call('repository/remove', { path: root });
});

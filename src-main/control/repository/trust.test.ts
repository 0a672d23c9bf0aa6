// Code of a repository that was opened in the window runs only when its user trusts the folder; the answer is remembered.

import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { TrustedFolders } from '../files/trusted-folders.ts';
import type { ControlWorld } from '../../testing/control-world.ts';
import { startControlWorld } from '../../testing/control-world.ts';

const CODE = `export async function execute(requests) { return requests.map(() => ({ outputs: [] })); }\n`;
const CONFIG = `backend: "javascript"
input { name: "X" data_type: TYPE_FP32 dims: [ 1 ] }
output { name: "Y" data_type: TYPE_FP32 dims: [ 1 ] }
`;

let world: ControlWorld;
let folder: string;

beforeAll(async () => {
  world = await startControlWorld(['simple']);
  // Beside the repository: the page of this world may name nothing else.
  folder = await realpath(await mkdtemp(path.join(path.dirname(world.repositoryPath), 'opened-')));
  await mkdir(path.join(folder, 'code/1'), { recursive: true });
  await writeFile(path.join(folder, 'code/config.pbtxt'), CONFIG);
  await writeFile(path.join(folder, 'code/1/model.js'), CODE);
  await mkdir(path.join(folder, 'plain/1'), { recursive: true });
  await writeFile(path.join(folder, 'plain/config.pbtxt'), CONFIG.replace('javascript', 'identity'));
}, 60_000);

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

const patience = { timeout: 30_000 };

async function stateOf(name: string): Promise<string | undefined> {
  const { models } = await world.client.call('repository/snapshot', {});
  return models.find((model) => model.name === name)?.state;
}

test('models that are code stay off until the folder is trusted, and a question comes once', async () => {
  const { client } = world;
  const classify = async () => (await client.call('repository/classify', { paths: [folder] }))[0];
  expect(await classify()).toMatchObject({ kind: 'repository', hasCode: true, isTrusted: false });

  const { repository } = await client.call('repository/add', { path: folder, load: true, trustCode: false });
  expect(repository.isTrusted).toBe(false);
  await expect.poll(() => stateOf('plain'), patience).toBe('ready');
  await expect.poll(() => stateOf('code'), patience).toBe('failed');
  const { models } = await client.call('repository/snapshot', {});
  expect(models.find(({ name }) => name === 'code')?.failure).toMatchObject({
    title: 'Its folder is not trusted yet',
    fixes: [{ action: 'trust-repository' }],
  });
  await expect(client.call('repository/load', { model: 'code' })).rejects.toThrow('is not trusted');
  // Neither does a configuration that comes with the load make it run.
  await expect(client.call('repository/load', { model: 'code', configText: CONFIG })).rejects.toThrow(
    'is not trusted',
  );

  await client.call('repository/trust', { path: folder });
  await expect.poll(() => stateOf('code'), patience).toBe('ready');
  expect(await classify()).toMatchObject({ isTrusted: true });
  await client.call('repository/remove', { path: folder });
  const again = await client.call('repository/add', { path: folder, load: true, trustCode: false });
  expect(again.repository.isTrusted).toBe(true);
  await expect.poll(() => stateOf('code'), patience).toBe('ready');
}, 60_000);

test('trust holds for what lies below, is kept in a file, and a damaged file trusts nothing', async () => {
  const data = await mkdtemp(path.join(os.tmpdir(), 'conch-trust-'));
  const first = new TrustedFolders(data);
  await Promise.all([first.add('/srv/models'), first.add('/srv/other')]);
  const second = new TrustedFolders(data);
  expect(await second.has('/srv/models/deep/er')).toBe(true);
  expect(await second.has('/srv/models-of-others')).toBe(false);
  expect(await second.has('/srv')).toBe(false);
  const file = path.join(data, 'trusted-folders.json');
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(['/srv/models', '/srv/other']);
  await writeFile(file, '{"half');
  expect(await new TrustedFolders(data).has('/srv/models')).toBe(false);
  await rm(data, { recursive: true });
});

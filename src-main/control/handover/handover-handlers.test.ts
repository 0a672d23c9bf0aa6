// The calls of the window about hand-overs, on the sample repository.

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Entry } from 'yauzl';
import { fromBufferPromise } from 'yauzl';

import type { HandoverPlan } from '../../../src-shared/contract/handover-calls.ts';
import type { ControlWorld } from '../../testing/control-world.ts';
import { startControlWorld } from '../../testing/control-world.ts';

let world: ControlWorld;
let plan: HandoverPlan;
beforeAll(async () => {
  world = await startControlWorld(['simple']);
  plan = (await world.client.call('handover/choices', {})).usual;
});
afterAll(() => world[Symbol.asyncDispose]());

test('what can be chosen', async () => {
  const choices = await world.client.call('handover/choices', {});
  expect(choices.releases[0]).toEqual({ name: '26.07', server: '2.71.0', onnxruntime: '1.27.0' });
  expect(choices.repositories).toEqual([world.repositoryPath]);
  expect(choices.usual).toMatchObject({ target: 'compose', device: 'cpu' });
});

test('findings, errors first, each with its model, and the files', async () => {
  const view = await world.client.call('handover/prepare', { plan });
  expect(view.findings[0]).toMatchObject({ severity: 'error', model: 'broken_dims' });
  expect(view).toMatchObject({ errorCount: 1, modelCount: 9 });
  expect(view.files.map((file) => file.path)).toEqual(['compose.yaml']);
});

test('nothing is written while there are errors, unless it is forced', async () => {
  const folder = path.dirname(world.repositoryPath);
  const save = (isForced: boolean, mayReplace = false) =>
    world.client.call('handover/save', { plan, folder, isForced, mayReplace });
  await expect(save(false)).rejects.toThrow('nothing was written: the checks found 1 error(s)');
  expect(await save(true)).toEqual({ folder, fileCount: 1 });
  expect(await readFile(path.join(folder, 'compose.yaml'), 'utf8')).toContain('tritonserver:26.07-py3');
  await writeFile(path.join(folder, 'compose.yaml'), 'services: {}');
  await expect(save(true)).rejects.toMatchObject({
    code: 'ALREADY_EXISTS',
    details: { files: ['compose.yaml'] },
  });
  expect(await save(true, true)).toEqual({ folder, fileCount: 1 });
});

test('a folder of a repository is refused', async () => {
  const folder = path.join(world.repositoryPath, 'simple');
  await expect(
    world.client.call('handover/save', { plan, folder, isForced: true, mayReplace: true }),
  ).rejects.toThrow(`nothing was written: '${folder}' lies in the repository '${world.repositoryPath}'`);
});

test('a folder outside of what the window may write to is refused', async () => {
  await expect(
    world.client.call('handover/save', { plan, folder: '/etc', isForced: true, mayReplace: true }),
  ).rejects.toThrow('/etc');
});

test('the files as one zip, the same each time', async () => {
  const pack = async (): Promise<Buffer> => {
    const { blob, byteSize } = await world.client.call('handover/pack', { plan, isForced: true });
    const { base64 } = await world.client.call('blob/read', { blob, offset: 0, byteSize });
    return Buffer.from(base64, 'base64');
  };
  const bytes = await pack();
  const names: string[] = [];
  const zip = await fromBufferPromise(bytes);
  for await (const entry of zip.eachEntry() as AsyncIterable<Entry>) names.push(entry.fileName);
  expect(names).toEqual(['compose.yaml']);
  expect(await pack()).toEqual(bytes);
});

test('a plan that cannot be carried out', async () => {
  const seldon = { ...plan, target: 'seldon' } as const;
  await expect(world.client.call('handover/prepare', { plan: seldon })).rejects.toThrow(
    'Seldon Core 2 takes',
  );
  await expect(
    world.client.call('handover/prepare', { plan: { ...plan, name: 'No Label' } }),
  ).rejects.toThrow('small letters');
});

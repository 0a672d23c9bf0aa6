// Where a model is put together, and how it gets into its repository.

import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { listModelFolders } from '../../repository/repository-scanner.ts';
import { copyInto, moveIn, stageBeside } from './copy-folder.ts';

/** A mount of its own on most Linux systems. */
const MOUNT = '/dev/shm';

const deviceOf = (folder: string): Promise<number | undefined> =>
  stat(folder).then(
    ({ dev }) => dev,
    () => undefined,
  );
const [own, mount, besideMount] = await Promise.all([os.tmpdir(), MOUNT, '/dev'].map(deviceOf));
const hasMount = mount !== undefined && mount !== own && mount !== besideMount;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'conch-stage-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('a model is put together beside its repository', async () => {
  const repository = path.join(folder, 'models');
  await mkdir(repository);
  const staged = await stageBeside(repository);
  expect(path.dirname(staged)).toBe(folder);
  await mkdir(path.join(staged, 'body'));
  await moveIn(path.join(staged, 'body'), path.join(repository, 'm'));
  expect(await readdir(repository)).toEqual(['m']);
  await expect(moveIn(staged, path.join(repository, 'm'))).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
});

test('what has no room on the disk is refused before anything is copied', async () => {
  const file = { from: path.join(folder, 'large'), to: '1/model.onnx', byteSize: 2 ** 60 };
  const options = { signal: new AbortController().signal, onProgress: () => undefined };
  await expect(copyInto(folder, [file], options)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(
      /is too full: 1125899906842624 KiB are needed, \d+ KiB are free/,
    ) as string,
  });
  expect(await readdir(folder)).toEqual([]);
});

test('what is being put together in a repository is no model of it', async () => {
  await mkdir(path.join(folder, '.conch-import-0123456789ab'));
  await mkdir(path.join(folder, '.hidden'));
  expect((await listModelFolders(folder)).map(({ name }) => name)).toEqual(['.hidden']);
});

describe.skipIf(!hasMount)('a repository on another file system', () => {
  let there: string;
  beforeEach(async () => {
    there = await mkdtemp(path.join(MOUNT, 'conch-stage-'));
  });
  afterEach(() => rm(there, { recursive: true }));

  test('that is a mount of its own has it inside', async () => {
    const staged = await stageBeside(MOUNT);
    await rm(staged, { recursive: true });
    expect(path.dirname(staged)).toBe(MOUNT);
  });

  test('that a link leads to has it beside its real place', async () => {
    const link = path.join(folder, 'link');
    await mkdir(path.join(there, 'models'));
    await symlink(path.join(there, 'models'), link);
    expect(path.dirname(await stageBeside(link))).toBe(there);
  });

  test('gets a copy where a rename cannot be, and nothing else', async () => {
    await mkdir(path.join(folder, 'body', '1'), { recursive: true });
    await writeFile(path.join(folder, 'body', '1', 'model.onnx'), 'text');
    await moveIn(path.join(folder, 'body'), path.join(there, 'm'));
    expect(await readdir(there)).toEqual(['m']);
    expect(await readFile(path.join(there, 'm', '1', 'model.onnx'), 'utf8')).toBe('text');
  });
});

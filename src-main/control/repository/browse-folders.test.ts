// What the page's own picker lists.

import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { PathGuard } from '../files/path-guard.ts';
import { browse } from './browse-folders.ts';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'conch-browse-')));
  await mkdir(path.join(root, 'models'));
  await writeFile(path.join(root, 'notes.txt'), 'text');
  await writeFile(path.join(root, '.hidden'), 'text');
});
afterEach(() => rm(root, { recursive: true }));

const look = (location: string) =>
  browse({ browseRoot: root, guard: new PathGuard(() => [root]), catalog: { backends: [] } }, location);

test('a folder lists what is in it, folders first, without hidden ones', async () => {
  const listing = await look('');
  expect(listing).toMatchObject({ path: root, parent: '' });
  expect(listing.file).toBeUndefined();
  expect(listing.entries.map(({ name, isFolder }) => [name, isFolder])).toEqual([
    ['models', true],
    ['notes.txt', false],
  ]);
});

test.each(['notes.txt', '.hidden'])(
  'of the path of a file its folder is listed, with the file: %s',
  async (name) => {
    const listing = await look(path.join(root, name));
    expect(listing).toMatchObject({ path: root, parent: '', file: name });
    expect(listing.entries.map((entry) => entry.name)).toContain(name);
  },
);

test('a file outside of the root is refused as a folder is', async () => {
  await expect(look(process.execPath)).rejects.toMatchObject({ code: 'INVALID_ARG' });
});

import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { makeFolder, makeFolderSync } from './make-folder.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'conch-folder-'));
});
afterEach(() => rm(root, { recursive: true }));

describe.each([
  ['makeFolder', makeFolder],
  [
    'makeFolderSync',
    (folder: string) =>
      new Promise<void>((resolve) => {
        makeFolderSync(folder);
        resolve();
      }),
  ],
])('%s', (_name, make) => {
  test('makes what is missing above, and takes what is there as it is', async () => {
    const folder = path.join(root, 'a', 'b', 'c');
    await make(folder);
    await writeFile(path.join(folder, 'kept'), '');
    await make(folder);
    await make('/');
    expect((await stat(path.join(folder, 'kept'))).isFile()).toBe(true);
  });

  test('goes through a link to a folder', async () => {
    await symlink(root, path.join(root, 'link'));
    await make(path.join(root, 'link', 'below'));
    await make(path.join(root, 'link'));
    expect((await stat(path.join(root, 'below'))).isDirectory()).toBe(true);
  });

  test('says what is in the way', async () => {
    const file = path.join(root, 'file');
    await writeFile(file, '');
    await symlink(path.join(root, 'nowhere'), path.join(root, 'broken'));
    await expect(make(file)).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(make(path.join(file, 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(make(path.join(root, 'broken', 'below'))).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(make('')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test.runIf(process.platform === 'linux')(
    'ends where the system says of all folders that they are none',
    async () => {
      await expect(make('/proc/no-such-entry')).rejects.toMatchObject({ code: 'ENOENT' });
      await expect(make('/proc/no-such-entry/below')).rejects.toMatchObject({ code: 'ENOENT' });
    },
  );
});

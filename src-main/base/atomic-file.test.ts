import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { writeFileAtomic } from './atomic-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'conch-atomic-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('replaces the content and leaves nothing beside it', async () => {
  const file = path.join(folder, 'sub', 'a.json');
  await writeFileAtomic(file, 'one');
  await writeFileAtomic(file, 'two');
  expect(await readFile(file, 'utf8')).toBe('two');
  expect(await readdir(path.dirname(file))).toEqual(['a.json']);
});

test('a failed write leaves no staged file', async () => {
  await expect(writeFileAtomic(folder, 'a folder is in the way')).rejects.toThrow();
  expect(await readdir(path.dirname(folder))).not.toContainEqual(expect.stringMatching(/\.tmp$/));
});

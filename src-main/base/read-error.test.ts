import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readError } from './read-error.ts';

it("gives the path once and the system's own text", async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'conch-read-'));
  const messageOf = async (file: string): Promise<string> =>
    await readFile(file).then(
      () => '',
      (thrown: unknown) => readError(file, thrown).message,
    );
  const missing = path.join(folder, 'none');
  expect(await messageOf(missing)).toBe(
    `failed to open text file for read ${missing}: No such file or directory`,
  );
  expect(await messageOf(folder)).toBe(`failed to open text file for read ${folder}: Is a directory`);
  expect(readError('x', new Error('worse')).message).toBe('failed to open text file for read x: worse');
  await rm(folder, { recursive: true });
});

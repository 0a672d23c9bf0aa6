import { execFileSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { TempRepository } from '../../testing/temp-repository.ts';
import { readGitHead } from './git-head.ts';

function git(folder: string, ...args: readonly string[]): boolean {
  try {
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

const signal = new AbortController().signal;

test('the text of the last commit, and why there is none', async (context) => {
  await using folder = await TempRepository.create({ 'm/config.pbtxt': 'max_batch_size: 1\n' });
  const file = folder.at('m/config.pbtxt');
  if (!git(folder.path, '--version')) context.skip('this machine has no git');
  expect(await readGitHead(file, signal)).toEqual({
    text: undefined,
    reason: 'The folder is in no git repository.',
  });
  git(folder.path, 'init', '-q');
  expect((await readGitHead(file, signal)).reason).toBe('The last commit has no such file.');
  git(folder.path, 'add', '.');
  git(folder.path, 'commit', '-qm', 'first');
  await folder.write({ 'm/config.pbtxt': 'max_batch_size: 2\n' });
  expect(await readGitHead(file, signal)).toEqual({ text: 'max_batch_size: 1\n', reason: '' });
  expect((await readGitHead(folder.at('m/other.txt'), signal)).reason).toBe(
    'The last commit has no such file.',
  );
});

// What a file was in the last commit of the repository it lies in, asked of the `git` program. Only the object is read:
// nothing is checked out, and no filter or hook of the repository runs.

import { execFile } from 'node:child_process';
import path from 'node:path';

/** A file as git has it in the newest commit. */
export interface GitHead {
  /** undefined when there is none; `reason` says why. */
  readonly text: string | undefined;
  readonly reason: string;
}

const MAX_BYTES = 1024 * 1024;
const PATIENCE_MS = 5000;

/** Never rejects: without git, a repository or a committed version `text` is undefined and `reason` says why. */
export function readGitHead(file: string, signal: AbortSignal): Promise<GitHead> {
  const args = ['cat-file', 'blob', `HEAD:./${path.basename(file)}`];
  const options = {
    cwd: path.dirname(file),
    encoding: 'utf8',
    maxBuffer: MAX_BYTES,
    timeout: PATIENCE_MS,
    env: { ...process.env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' },
    signal,
  } as const;
  return new Promise((resolve) => {
    execFile('git', args, options, (error, stdout, stderr) => {
      if (error === null) resolve({ text: stdout, reason: '' });
      else resolve({ text: undefined, reason: reasonOf(error, stderr) });
    });
  });
}

function reasonOf(error: { readonly code?: unknown; readonly message: string }, stderr: string): string {
  if (error.code === 'ENOENT') return 'The program git is not installed.';
  if (/not a git repository/.test(stderr)) return 'The folder is in no git repository.';
  if (/does not exist|exists on disk, but not in|[Ii]nvalid object name|Not a valid object name/.test(stderr))
    return 'The last commit has no such file.';
  return stderr.trim() === '' ? error.message : stderr.trim();
}

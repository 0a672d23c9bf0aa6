// Asks a Python a question in a program of its own: code that prints one line of JSON. Whatever else the Python prints at its
// start or end (a wrapper, a sitecustomize) is none of the answer.

import { execFile } from 'node:child_process';
import { readlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { isThere } from '../../base/file-exists.ts';
import { exitCodeText } from '../../base/exit-text.ts';

const TIMEOUT_MS = 30_000;
const MARK = 'conch-answer:';

const run = promisify(execFile);

/**
 * `code` prints its answer with `answer(value)`. Rejects when the program cannot be run or gives no answer; `whyNot` says
 * what of it to tell.
 */
export async function askPython<T>(program: string, code: string, args: readonly string[] = []): Promise<T> {
  // Python 2 has to be able to say that it is too old.
  const asked = `import json, sys
def answer(value):
    sys.stdout.write("\\n${MARK}" + json.dumps(value) + "\\n")
    sys.stdout.flush()
${code}`;
  const { stdout } = await run(program, ['-c', asked, ...args], { timeout: TIMEOUT_MS, windowsHide: true });
  const line = stdout.split('\n').find((each) => each.startsWith(MARK));
  if (line === undefined) throw new Error('it is no Python: it did not answer what it was asked');
  return JSON.parse(line.slice(MARK.length)) as T;
}

/** A clause that says why a Python could not be asked. */
export async function whyNot(program: string, thrown: unknown): Promise<string> {
  const { code, killed, signal, stderr, message } = thrown as {
    readonly code?: unknown;
    readonly killed?: boolean;
    readonly signal?: string | null;
    readonly stderr?: string;
    readonly message?: string;
  };
  if (code === 'ENOENT') return await whyMissing(program);
  if (code === 'EACCES') return 'it is not a program that may be run';
  if (killed === true) return `it did not answer within ${TIMEOUT_MS / 1000} seconds`;
  const line = (stderr ?? '').trim().split('\n').at(-1) ?? '';
  if (line !== '') return line;
  if (typeof code === 'number') return `it ended with ${exitCodeText(code)}`;
  if (typeof signal === 'string') return `it was ended by signal ${signal}`;
  return message ?? 'it answered something else';
}

/** The system says of three things that there is no such file. */
async function whyMissing(program: string): Promise<string> {
  const end = await endOfLinks(program);
  if (end !== program) return `it is a link to '${end}', which does not exist`;
  return (await isThere(program)) ? 'what its first line names does not exist' : 'there is no such program';
}

/** Where links lead to, whether something is there or not. The system has a limit of its own. */
async function endOfLinks(file: string, hops = 40): Promise<string> {
  const target = await readlink(file).catch(() => undefined);
  if (target === undefined || hops === 0) return file;
  return await endOfLinks(path.resolve(path.dirname(file), target), hops - 1);
}

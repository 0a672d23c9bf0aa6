// Python environments that models bring along: a folder, used where it is, or an archive (conda-pack), unpacked once for
// the whole server and again when it changed. What was unpacked is deleted when the server ends.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { getLogger } from '../../base/log.ts';
import { isThere } from '../../base/file-exists.ts';
import { pythonHostErrors } from './host-errors.ts';
import { pythonFolder } from './host-files.ts';

const log = getLogger('python');
const run = promisify(execFile);

/** Stands for the model's folder at the beginning of a path. */
const MODEL_DIRECTORY = '$$TRITON_MODEL_DIRECTORY';
const UNPACK_TIMEOUT_MS = 600_000;

/** A Python environment that a model brings (`EXECUTION_ENV_PATH`), ready to be started. */
export interface ExecutionEnvironment {
  readonly folder: string;
  readonly program: string;
  /** Variables that differ from the server's; undefined = removed. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

interface Unpacked {
  readonly modifiedMs: number;
  readonly folder: Promise<string>;
}

/**
 * One for the whole server (`EXECUTION_ENV_PATH` of Triton's Python backend). An archive is unpacked again when
 * its time of change differs.
 */
export class ExecutionEnvironments {
  readonly #unpacked = new Map<string, Unpacked>();
  #root: Promise<string> | undefined;
  #count = 0;

  /** Rejects with the reference's texts: no such path, no environment, an archive that cannot be used. */
  async find(given: string, modelDir: string): Promise<ExecutionEnvironment> {
    if (process.platform === 'win32') throw pythonHostErrors.environmentOnWindows();
    const named = given.startsWith(MODEL_DIRECTORY) ? modelDir + given.slice(MODEL_DIRECTORY.length) : given;
    const canonical = await realpath(named).catch(() => {
      throw pythonHostErrors.environmentMissing({ path: named });
    });
    log.info(`Using Python execution env ${canonical}`);
    const { isFolder, modifiedMs } = await lookAt(canonical);
    const folder = isFolder ? canonical : await this.#unpack(canonical, modifiedMs);
    if (!(await isThere(path.join(folder, 'bin', 'activate')))) {
      throw pythonHostErrors.environmentWithoutActivate({ path: folder });
    }
    return environmentIn(folder);
  }

  /** Waits for archives that are being unpacked, then deletes what was unpacked. No process may live in it any more. */
  async close(): Promise<void> {
    if (this.#root === undefined) return;
    await Promise.allSettled([...this.#unpacked.values()].map(({ folder }) => folder));
    await rm(await this.#root, { recursive: true, force: true });
    this.#root = undefined;
    this.#unpacked.clear();
  }

  #unpack(archive: string, modifiedMs: number): Promise<string> {
    const known = this.#unpacked.get(archive);
    if (known?.modifiedMs === modifiedMs) return known.folder;
    const folder = this.#unpackNow(archive);
    this.#unpacked.set(archive, { modifiedMs, folder });
    // One that failed is tried again by the next load.
    folder.catch(() => this.#unpacked.delete(archive));
    return folder;
  }

  async #unpackNow(archive: string): Promise<string> {
    this.#root ??= mkdtemp(path.join(os.tmpdir(), 'python_env_'));
    const folder = path.join(await this.#root, String(this.#count++));
    await mkdir(folder);
    try {
      await run('python3', [path.join(pythonFolder(), 'unpack.py'), archive, folder], {
        timeout: UNPACK_TIMEOUT_MS,
      });
      return folder;
    } catch (thrown) {
      await rm(folder, { recursive: true, force: true });
      const { stderr = '', code, message } = thrown as NodeJS.ErrnoException & { readonly stderr?: string };
      const reason =
        code === 'ENOENT'
          ? 'unpacking needs a python3 of the system; unpack it yourself and name the folder instead'
          : (stderr.trim().split('\n').at(-1) ?? '') || message;
      throw pythonHostErrors.environmentNotUnpacked({ archive, reason }, { cause: thrown });
    }
  }
}

async function lookAt(file: string): Promise<{ readonly isFolder: boolean; readonly modifiedMs: number }> {
  const found = await stat(file);
  return { isFolder: found.isDirectory(), modifiedMs: found.mtimeMs };
}

function environmentIn(folder: string): ExecutionEnvironment {
  const withFirst = (first: string, list: string | undefined): string =>
    list === undefined || list === '' ? first : `${first}${path.delimiter}${list}`;
  return {
    folder,
    program: path.join(folder, 'bin', 'python3'),
    variables: {
      VIRTUAL_ENV: folder,
      VIRTUAL_ENV_PROMPT: `(${folder})`,
      PATH: withFirst(path.join(folder, 'bin'), process.env['PATH']),
      LD_LIBRARY_PATH: withFirst(path.join(folder, 'lib'), process.env['LD_LIBRARY_PATH']),
      PYTHONHOME: undefined,
    },
  };
}

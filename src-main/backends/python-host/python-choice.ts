// Which Python runs a model. In this order: the model's own environment, the server's setting, a `.venv` beside the
// repository, `python3` of the system. A program is looked at once, by running it; what is missing is one sentence with
// the command that mends it.

import path from 'node:path';
import type { ServerError } from '../../../src-shared/errors.ts';
import { askPython, whyNot } from './ask-python.ts';
import { isThere, isThereOrLink } from '../../base/file-exists.ts';
import { pythonHostErrors } from './host-errors.ts';

/** A Python that can run models. */
export interface PythonChoice {
  /** Path of the interpreter. */
  readonly program: string;
  /** Variables that differ from the server's; undefined = removed. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** "3.12.1". */
  readonly version: string;
}

/** For which model a Python is looked for, and what the user set. */
export interface PythonWish {
  readonly modelDir: string;
  /** The setting `python-executable`; undefined = none. */
  readonly setting: string | undefined;
}

/** Where a program is looked for, and why it counts. */
export interface PythonCandidate {
  readonly program: string;
  /** Chosen by the user: nothing else is tried when it is of no use. */
  readonly isChosen: boolean;
}

interface Facts {
  readonly version: readonly [number, number, number];
  readonly bits: number;
  readonly executable: string;
  readonly numpy: string | null;
  readonly failure: string | null;
  /** Its system keeps pip out of it (PEP 668). */
  readonly isManaged: boolean;
}

const OLDEST = [3, 9] as const;
const FROM_SETTING = '--backend-config=python,python-executable=/path/to/python3';

const LOOK = `
import os, struct, sys, sysconfig
numpy = failure = None
try:
    import numpy as module
    numpy = module.__version__
except Exception as error:
    is_missing = type(error).__name__ == "ModuleNotFoundError" and error.name == "numpy"
    failure = None if is_missing else repr(error)
answer({"version": sys.version_info[:3], "bits": struct.calcsize("P") * 8, "executable": sys.executable,
        "numpy": numpy, "failure": failure, "isManaged": getattr(sys, "base_prefix", "") == sys.prefix
        and os.path.exists(os.path.join(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED"))})
`;

/** Looks for programs and asks each for its version and its numpy; the answers of fit ones are kept. */
export class PythonFinder {
  /** Programs that are fit for use; others are looked at again, since the user mends them meanwhile. */
  readonly #fit = new Map<string, PythonChoice>();
  readonly #looking = new Map<string, Promise<PythonChoice>>();

  /** Rejects with UNAVAILABLE, the message saying what to do. */
  async choose(wish: PythonWish): Promise<PythonChoice> {
    let first: ServerError | undefined;
    for (const { program, isChosen } of await pythonCandidates(wish)) {
      try {
        return await this.look(program);
      } catch (thrown) {
        if (isChosen) throw thrown;
        first ??= thrown as ServerError;
      }
    }
    throw first ?? missing();
  }

  /** Whether the program at this path can run models. Rejects with UNAVAILABLE. */
  async look(program: string): Promise<PythonChoice> {
    const known = this.#fit.get(program);
    if (known !== undefined) return known;
    const looking = this.#looking.get(program) ?? lookAt(program);
    this.#looking.set(program, looking);
    try {
      const choice = await looking;
      this.#fit.set(program, choice);
      return choice;
    } finally {
      this.#looking.delete(program);
    }
  }
}

/** In the order in which they are tried; none of them was run yet. */
export async function pythonCandidates({ setting, modelDir }: PythonWish): Promise<PythonCandidate[]> {
  if (setting !== undefined) return [{ program: setting, isChosen: true }];
  const repository = path.dirname(modelDir);
  const beside = programIn(path.join(path.dirname(repository), '.venv'));
  // One whose base is gone is told of: the Python of the system would lack what was installed there.
  if (await isThereOrLink(beside)) return [{ program: beside, isChosen: true }];
  return await systemPythons();
}

/** Those on `PATH`, in its order; none of them was run yet. */
export async function systemPythons(): Promise<PythonCandidate[]> {
  const names = process.platform === 'win32' ? ['py.exe', 'python3.exe', 'python.exe'] : ['python3'];
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const found: PythonCandidate[] = [];
  for (const name of names) {
    for (const folder of folders) {
      const program = path.join(folder, name);
      if (await isThere(program)) found.push({ program, isChosen: false });
    }
  }
  return found;
}

/** The interpreter of an environment folder. */
export function programIn(folder: string): string {
  return process.platform === 'win32'
    ? path.join(folder, 'Scripts', 'python.exe')
    : path.join(folder, 'bin', 'python3');
}

async function lookAt(program: string): Promise<PythonChoice> {
  let facts: Facts;
  try {
    facts = await askPython<Facts>(program, LOOK);
  } catch (thrown) {
    const reason = await whyNot(program, thrown);
    throw pythonHostErrors.pythonFailed({ program, reason }, { cause: thrown });
  }
  const version = facts.version.join('.');
  const name = `Python ${version} ('${facts.executable}')`;
  const [major, minor] = facts.version;
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    throw pythonHostErrors.pythonTooOld({ python: name, oldest: OLDEST.join('.'), setting: FROM_SETTING });
  }
  if (facts.bits < 64) {
    throw pythonHostErrors.pythonBits({ python: name, bits: facts.bits, setting: FROM_SETTING });
  }
  if (facts.failure !== null) {
    throw pythonHostErrors.numpyBroken({
      python: name,
      reason: facts.failure,
      install: installWords(facts, '--force-reinstall numpy'),
    });
  }
  if (facts.numpy === null) {
    throw pythonHostErrors.numpyMissing({ python: name, install: installWords(facts, 'numpy') });
  }
  return { program, environment: {}, version };
}

/** As `conch_python/install.py` says it of other packages. `what`: arguments of `pip install`. */
function installWords({ executable, isManaged }: Facts, what: string): string {
  if (!isManaged) return `run \`${executable} -m pip install ${what}\``;
  const made = `${executable} -m venv --system-site-packages .venv && .venv/bin/python3 -m pip install ${what}`;
  return `run \`${made}\` in the folder that holds the model repository, where the server takes .venv at the next load`;
}

function missing(): ServerError {
  return pythonHostErrors.pythonMissing({ oldest: OLDEST.join('.'), setting: FROM_SETTING });
}

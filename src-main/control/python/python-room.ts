// Which Python runs Python models, and making one for them.

import { realpath } from 'node:fs/promises';
import path from 'node:path';

import type { HandlersFor } from '../../../src-shared/contract/contract.ts';
import type { PythonProgram, PythonView, pythonCalls } from '../../../src-shared/contract/python-calls.ts';
import { toServerError } from '../../../src-shared/errors.ts';
import { isThere } from '../../base/file-exists.ts';
import type { PythonCandidate } from '../../backends/python-host/python-choice.ts';
import {
  programIn,
  PythonFinder,
  pythonCandidates,
  systemPythons,
} from '../../backends/python-host/python-choice.ts';
import type { ControlRoom } from '../pages/control-room.ts';
import type { TaskRegistry } from '../tasks/task-registry.ts';
import { pythonPackages } from './python-packages.ts';
import type { SetupParts } from './set-up-python.ts';
import { clearAttempts, setUpPython, setupView } from './set-up-python.ts';
import { pythonSetupErrors } from './python-setup-errors.ts';

/** What the room is made of. It closes none of it. */
export interface PythonRoomOptions {
  readonly repository: { readonly roots: readonly string[] };
  readonly tasks: TaskRegistry;
  readonly userDataPath: string;
  /** The setting `python-executable` that the server runs with; undefined = none. */
  readonly pythonSetting: string | undefined;
}

interface Listed {
  readonly program: string;
  readonly origin: PythonProgram['origin'];
  /** Nothing behind it is tried. */
  readonly isChosen: boolean;
}

/** Makes one Python at a time, in a folder of our own; what an earlier attempt left is cleared at the start. */
export class PythonRoom implements ControlRoom<HandlersFor<typeof pythonCalls>> {
  readonly handlers: HandlersFor<typeof pythonCalls>;
  readonly #options: PythonRoomOptions;
  readonly #finder = new PythonFinder();
  readonly #folder: string;
  #isMaking = false;

  constructor(options: PythonRoomOptions) {
    this.#options = options;
    this.#folder = path.join(options.userDataPath, 'python');
    this.handlers = {
      'python/view': () => this.#view(),
      'python/setUp': async ({ taskId }, { signal }) => ({ path: await this.#setUp(taskId, signal) }),
    };
  }

  start(): Promise<void> {
    return clearAttempts(this.#folder);
  }

  async #view(): Promise<PythonView> {
    const listed = await this.#listed();
    const looked = await Promise.all(listed.map((one) => this.#look(one)));
    // The first that is fit, unless somebody chose: then that one, fit or not.
    const used = listed.findIndex(({ isChosen, origin }, at) =>
      origin === 'own' ? false : isChosen || looked[at]?.fault === undefined,
    );
    const programs = looked.map((program, at) => ({
      ...program,
      isUsed: at === used && program.fault === undefined,
    }));
    return { programs, setup: await setupView(await this.#setupParts()) };
  }

  /**
   * In the order in which models are given them; behind one that is chosen those that would be taken without it, since
   * somebody may want another. The one that Conch made, unless it is chosen, stands last.
   */
  async #listed(): Promise<readonly Listed[]> {
    const { repository, pythonSetting } = this.#options;
    const roots = repository.roots.length === 0 ? [''] : repository.roots;
    const found = new Map<string, Listed>();
    const add = async (
      candidates: readonly PythonCandidate[],
      setting: string | undefined,
    ): Promise<void> => {
      for (const candidate of candidates) {
        const key = await samePlace(candidate.program);
        if (!found.has(key)) found.set(key, { ...candidate, origin: originOf(candidate, setting) });
      }
    };
    if (pythonSetting !== undefined) await add([{ program: pythonSetting, isChosen: true }], pythonSetting);
    for (const root of roots) {
      await add(
        await pythonCandidates({ setting: undefined, modelDir: path.join(root, 'model') }),
        undefined,
      );
    }
    await add(await systemPythons(), undefined);
    const own = programIn(this.#folder);
    const key = await samePlace(own);
    if (!found.has(key) && (await isThere(own))) {
      found.set(key, { program: own, origin: 'own', isChosen: false });
    }
    return [...found.values()];
  }

  async #look({ program, origin }: Listed): Promise<PythonProgram> {
    const facts = { path: program, origin, isUsed: false };
    try {
      const { version } = await this.#finder.look(program);
      return { ...facts, version, fault: undefined, packages: await pythonPackages(program) };
    } catch (thrown) {
      return { ...facts, version: undefined, fault: toServerError(thrown).message, packages: [] };
    }
  }

  async #setupParts(): Promise<SetupParts> {
    const [base] = await systemPythons();
    return { folder: this.#folder, uv: await onPath('uv'), base: base?.program };
  }

  async #setUp(taskId: string, signal: AbortSignal): Promise<string> {
    if (this.#isMaking) throw pythonSetupErrors.busy();
    this.#isMaking = true;
    try {
      const parts = await this.#setupParts();
      return await this.#options.tasks.run(taskId, 'Set up Python', (handle) => setUpPython(parts, handle), {
        signal,
      });
    } finally {
      this.#isMaking = false;
    }
  }
}

function originOf({ isChosen }: PythonCandidate, setting: string | undefined): PythonProgram['origin'] {
  if (!isChosen) return 'system';
  return setting === undefined ? 'repository' : 'setting';
}

/** One spelling for a program that is reached by several paths, as `/bin` and `/usr/bin` are often the same folder. */
async function samePlace(program: string): Promise<string> {
  const folder = path.dirname(program);
  return path.join(await realpath(folder).catch(() => folder), path.basename(program));
}

async function onPath(name: string): Promise<string | undefined> {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter)) {
    if (folder !== '' && (await isThere(path.join(folder, file)))) return path.join(folder, file);
  }
  return undefined;
}

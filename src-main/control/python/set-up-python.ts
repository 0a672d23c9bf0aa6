// Makes a Python environment in Conch's own folder: with `uv` where it is installed, else with the `venv` and `pip` of a
// Python that is there. It is made beside its place and moved there when it is complete and works, so that a cancel, a
// failure or the end of the program leaves nothing that could be taken for an environment.

import { rm } from 'node:fs/promises';
import path from 'node:path';

import { makeFolder } from '../../base/make-folder.ts';
import type { PythonSetupView } from '../../../src-shared/contract/python-calls.ts';
import { ServerError } from '../../../src-shared/errors.ts';
import { isThere } from '../../base/file-exists.ts';
import { programIn, PythonFinder } from '../../backends/python-host/python-choice.ts';
import type { TaskHandle } from '../tasks/task-registry.ts';
import { moveEnvironment } from './move-environment.ts';
import type { Step } from './run-step.ts';
import { runStep } from './run-step.ts';
import { pythonSetupCatalogue, pythonSetupErrors } from './python-setup-errors.ts';

/** What Python models need; more is installed by their authors. */
const PACKAGES = ['numpy'];
/** For `uv`, which takes the newest that fits, and fetches one where none is there. */
const UV_PYTHON = '>=3.9,<3.15';
/** Measured with numpy 2.4 and pip 26 on Linux. */
const DOWNLOAD_BYTES = 20_000_000;
const DISK_BYTES = 110_000_000;

/** With which programs an environment is made, and where. */
export interface SetupParts {
  /** Where the environment goes. */
  readonly folder: string;
  /** Path of `uv`; undefined = it is not installed. */
  readonly uv: string | undefined;
  /** A Python that can make environments; undefined = none was found. */
  readonly base: string | undefined;
}

/** Which tool would make the environment, and whether it was made already. */
export async function setupView({ folder, uv, base }: SetupParts): Promise<PythonSetupView> {
  const tool = uv !== undefined ? 'uv' : base !== undefined ? 'venv' : undefined;
  return {
    folder,
    isDone: await isThere(programIn(folder)),
    tool,
    unavailable: tool === undefined ? pythonSetupCatalogue.entries.noTool.text : undefined,
    packages: PACKAGES,
    downloadBytes: DOWNLOAD_BYTES,
    diskBytes: DISK_BYTES,
  };
}

/** Removes what an attempt left that could not end by itself. */
export async function clearAttempts(folder: string): Promise<void> {
  await rm(attemptFolder(folder), { recursive: true, force: true });
}

/** Resolves with the path of its Python. Rejects with UNAVAILABLE and what to do, or the signal's reason. */
export async function setUpPython(parts: SetupParts, handle: TaskHandle): Promise<string> {
  const { folder, uv, base } = parts;
  if (uv === undefined && base === undefined) throw pythonSetupErrors.noTool();
  const attempt = attemptFolder(folder);
  await clearAttempts(folder);
  await makeFolder(path.dirname(folder));
  try {
    for (const step of stepsOf(parts, attempt, handle)) await runStep(step);
    handle.report(undefined, 'trying it');
    await new PythonFinder().look(programIn(attempt));
    handle.signal.throwIfAborted();
    await moveEnvironment(attempt, folder);
  } catch (thrown) {
    await clearAttempts(folder);
    throw explained(thrown);
  }
  return programIn(folder);
}

function attemptFolder(folder: string): string {
  return `${folder}.making`;
}

/** None of the programs tells a share of the whole, so the work tells its steps, and the lines of the program that runs. */
function stepsOf(parts: SetupParts, attempt: string, { signal, report }: TaskHandle): readonly Step[] {
  const { uv, base } = parts;
  const failure = (reason: string): ServerError => pythonSetupErrors.stepFailed({ reason });
  const python = programIn(attempt);
  const step = (title: string, program: string, ...args: readonly string[]): Step => ({
    program,
    args,
    signal,
    failure,
    onStart: () => report(undefined, title),
    onLine: (line) => {
      const said = line.trim();
      if (said !== '') report(undefined, `${title}: ${said}`);
    },
  });
  const packages = `installing ${PACKAGES.join(', ')}`;
  if (uv !== undefined) {
    return [
      step('making the environment', uv, 'venv', '--python', UV_PYTHON, attempt),
      // Authors install their packages with the environment's own pip, which uv does not bring.
      step(packages, uv, 'pip', 'install', '--python', python, ...PACKAGES, 'pip'),
    ];
  }
  const pip = ['-m', 'pip', 'install', '--no-input', '--disable-pip-version-check', '--progress-bar', 'off'];
  // venv does both of the first two silently when it is let.
  return [
    step('making the environment', base ?? '', '-m', 'venv', '--without-pip', attempt),
    step('installing pip', python, '-Im', 'ensurepip', '--upgrade', '--default-pip'),
    step(packages, python, ...pip, ...PACKAGES),
  ];
}

/** Debian keeps a part of Python back that environments need; its own text is long and names another command. */
function explained(thrown: unknown): unknown {
  if (!(thrown instanceof ServerError) || !/ensurepip|python3-venv/.test(thrown.message)) return thrown;
  return pythonSetupErrors.noVenv({ cause: thrown });
}

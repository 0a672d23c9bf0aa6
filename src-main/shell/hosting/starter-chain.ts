// Which processes started this one for its own sake: npm, npx and their kin, the shell they run scripts with, and our
// own launchers. A signal that ends one of them was meant for the server behind it, and none of them passes on every one.
// A user's shell, a service manager or a container is not in the list: what they leave behind is to live on.

import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import path from 'node:path';

import type { Environment } from '../../options/serve-draft.ts';

/** What the system tells of a process. */
export interface ProcessFacts {
  readonly parent: number;
  /** Session of the terminal; a process that was detached on purpose (`setsid`) has one of its own. */
  readonly session: number;
  readonly command: readonly string[];
}

/** undefined = there is no such process, or it cannot be asked about. */
export type ReadProcess = (pid: number) => ProcessFacts | undefined;

/** Variable with which a launcher of ours names itself: pids, the outermost first, with commas. */
export const LAUNCHERS_VARIABLE = 'CONCH_LAUNCHERS';

const RUNNER = /^(?:npm|npx|pnpm|pnpx|yarn|bun|bunx)(?:-cli)?(?:\.[cm]?js)?$/;
const SHELL = /^(?:sh|bash|dash|ash|zsh|ksh|busybox)$/;
/** A script that puts the server into the background means it to stay. */
const DETACHES = /\b(?:nohup|setsid|disown)\b|[^&]&\s*$/;
const LONGEST_CHAIN = 8;

/**
 * Pids that this process `self` hangs on, the nearest first; [] = nobody to watch. Runners are looked for only where
 * they say in the environment that they run something.
 */
export function starterChain(environment: Environment, self: number, read: ReadProcess): readonly number[] {
  const launchers = (environment[LAUNCHERS_VARIABLE] ?? '').split(',').map(Number);
  const isRun = environment['npm_execpath'] !== undefined || environment['npm_command'] !== undefined;
  const own = read(self);
  const chain: number[] = [];
  let shells: number[] = [];
  let next = own?.parent;
  let session = own?.session;
  for (let step = 0; next !== undefined && next > 1 && step < LONGEST_CHAIN; step += 1) {
    const pid: number = next;
    const facts = read(pid);
    if (facts === undefined) break;
    const isLauncher = launchers.includes(pid);
    // A launcher of ours that gives the app a session of its own means to keep its signals from it, not to leave it.
    if (isLauncher) ({ session } = facts);
    if (facts.session !== session) break;
    const isRunner = isRun && isRunnerCommand(facts.command);
    if (!isLauncher && !isRunner) {
      if (!isRun || !isScriptShell(facts.command)) break;
      shells.push(pid);
    } else {
      chain.push(...shells, pid);
      shells = [];
    }
    next = facts.parent;
  }
  return chain;
}

/** A runner is a script of Node, or gives itself its own title: "npm exec conch serve". */
function isRunnerCommand(command: readonly string[]): boolean {
  return command.slice(0, 2).some((word) => RUNNER.test(path.basename(word.split(' ')[0] ?? '')));
}

function isScriptShell([program = '', flag, script = '']: readonly string[]): boolean {
  return SHELL.test(path.basename(program)) && flag === '-c' && !DETACHES.test(script);
}

/** Asks the system about a process: from /proc where there is one, else by `ps`. Windows has neither: undefined. */
export function readProcess(pid: number): ProcessFacts | undefined {
  if (process.platform === 'win32') return undefined;
  try {
    return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
  } catch {
    return undefined;
  }
}

function fromProc(pid: number): ProcessFacts {
  const [, parent = 0, , session = 0] = statFields(pid);
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  return { parent: Number(parent), session: Number(session), command };
}

/** State, parent, group, session, ...; the name before them may hold blanks and brackets. */
function statFields(pid: number): readonly string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** The session is an address there, 0 for every process on macOS: detaching by `setsid` cannot be seen. */
function fromPs(pid: number): ProcessFacts {
  const line = execFileSync('ps', ['-o', 'ppid=,sess=,command=', '-p', String(pid)], { encoding: 'utf8' });
  const [parent, session, ...command] = line.trim().split(/\s+/);
  return { parent: Number(parent), session: Number.parseInt(session ?? '', 16), command };
}

/**
 * Does `child` still hang on `parent`? On Linux children of a process that ended get another parent at once, also while
 * it is not buried; elsewhere that is seen of this process alone, without starting a program for the answer.
 */
export function hasParent(child: number, parent: number): boolean {
  if (child === process.pid) return process.ppid === parent;
  if (process.platform === 'linux') return readProcess(child)?.parent === parent;
  try {
    return process.kill(parent, 0);
  } catch {
    return false;
  }
}

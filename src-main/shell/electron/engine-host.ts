// The engine as a utility process of Electron, and the other Conch processes that it asks for. Only forking lives here;
// when to restart is the supervisor's business.

import type { UtilityProcess, utilityProcess } from 'electron';
import { constants } from 'node:os';
import path from 'node:path';

import type { ProgramFile, SpawnedProcess } from '../../base/process-spawner.ts';
import type { FromEngine } from '../supervision/engine-messages.ts';
import type { EngineProcess } from '../supervision/engine-supervisor.ts';
import type { EnginePortTaker } from './port-broker.ts';
import { exitCodeText } from '../../base/exit-text.ts';

/** Lines that are kept of what an engine printed, for an end that nothing else explains. */
const KEPT_LINES = 20;
/** Characters that are kept of what a program file printed. */
const MAX_SAID = 65_536;
/** Codes from here on are 128 + the number of a signal, as shells have it. */
const FIRST_SHELL_CODE = 128;
/** Signals that end a process for its own fault or by somebody's wish. */
const END_SIGNALS = [
  'SIGILL',
  'SIGTRAP',
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGKILL',
  'SIGSEGV',
  'SIGSYS',
  'SIGTERM',
] as const;
/** Node's code for a fatal error of V8, such as a heap that ran full. */
const FATAL_ERROR_CODE = 5;

/** The engine's utility process. */
export interface HostedEngine extends EngineProcess, EnginePortTaker {
  /** The end of what it wrote to standard error. */
  lastOutput(): string;
}

/** Starts a utility process: that of Electron. */
export type Fork = typeof utilityProcess.fork;

/** `entry` = file of the build that runs in the process. */
export function forkEngine(fork: Fork, entry: string): HostedEngine {
  const child = fork(entry, [], {
    serviceName: 'Conch engine',
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  let output = '';
  let ownCode: number | undefined;
  child.stderr?.on('data', (data: Buffer) => {
    process.stderr.write(data);
    // What happened while all was well says nothing of an end.
    const lines = `${output}${data.toString()}`.split('\n').filter((line) => !/^I\d{4} /.test(line));
    output = lines.slice(-KEPT_LINES).join('\n');
  });
  // A fatal error of V8, such as a heap that ran full, is told before the process ends.
  child.on('error', (type: string, location: string) => {
    const line = `conch: the engine had a fatal error (${type} at ${location})\n`;
    process.stderr.write(line);
    output += line;
    ownCode = FATAL_ERROR_CODE;
  });
  return {
    send: (message) => child.postMessage(message),
    onMessage: (listener) => {
      child.on('message', (message: FromEngine) => {
        if (message.type === 'ending') ownCode = message.code;
        else listener(message);
      });
    },
    onExit: (listener) => void child.once('exit', (code) => listener(...exitOf(code, ownCode))),
    kill: () => killNow(child),
    takePort: (port) => child.postMessage({ type: 'channel' }, [port]),
    lastOutput: () => output.trim(),
  };
}

/** `UtilityProcess.kill()` alone asks by SIGTERM, which a stopped or busy process does not take. */
function killNow(child: UtilityProcess): void {
  if (child.pid !== undefined) {
    try {
      process.kill(child.pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
  child.kill();
}

/**
 * Electron on Linux and macOS reports an end by signal n as code n, the same as an exit with that code. So an engine that
 * ends by itself says its code before (`ownCode`), as V8 does with a fatal error.
 */
function exitOf(
  code: number,
  ownCode: number | undefined,
): [code: number | undefined, signal: string | undefined] {
  if (ownCode !== undefined) return [ownCode, undefined];
  const number = code >= FIRST_SHELL_CODE ? code - FIRST_SHELL_CODE : code;
  const signal = END_SIGNALS.find((name) => constants.signals[name] === number);
  return signal === undefined || process.platform === 'win32' ? [code, undefined] : [undefined, signal];
}

/** What every further process of Conch is started with. */
export interface ConchProgram {
  readonly fork: Fork;
  /** The command line of the build. */
  readonly entry: string;
  /** Where they run: the user's home. */
  readonly cwd: string;
}

/** `file` = a program file instead of the command line, whose standard error is kept. */
export function spawnConch(
  { fork, entry, cwd }: ConchProgram,
  args: readonly string[],
  file?: ProgramFile,
): SpawnedProcess {
  const child: UtilityProcess = fork(file?.path ?? entry, [...args], {
    serviceName: file === undefined ? `Conch ${args[0] ?? ''}` : `Conch ${path.parse(file.path).name}`,
    stdio: ['ignore', 'ignore', file === undefined ? 'ignore' : 'pipe'],
    cwd,
    ...(file === undefined ? {} : { env: { ...process.env, ...file.environment } }),
  });
  let said = '';
  let isAsked = false;
  child.stderr?.on('data', (data: Buffer) => (said = (said + data.toString()).slice(-MAX_SAID)));
  // Its end is what counts; without a listener a fatal error would end this process.
  child.on('error', () => undefined);
  return {
    get pid() {
      return child.pid;
    },
    send: (message) => child.postMessage(message),
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => {
      child.once('exit', (exitCode) => {
        const [code, signal] = exitOf(exitCode, undefined);
        listener({ code, detail: signal === undefined ? exitCodeText(code) : `signal ${signal}`, said });
      });
    },
    kill: () => {
      if (isAsked) killNow(child);
      else child.kill();
      isAsked = true;
    },
  };
}

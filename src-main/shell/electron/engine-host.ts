// The engine as a utility process of Electron, and the other Conch processes that it asks for. Only forking lives here;
// when to restart is the supervisor's business.

import { app, utilityProcess } from 'electron';
import type { UtilityProcess } from 'electron';

import type { SpawnedProcess } from '../../base/process-spawner.ts';
import type { FromEngine } from '../supervision/engine-messages.ts';
import type { EngineProcess } from '../supervision/engine-supervisor.ts';
import type { EnginePortTaker } from './port-broker.ts';

/** `entry` = file of the build that runs in the process. */
export function forkEngine(entry: string): EngineProcess & EnginePortTaker {
  const child = utilityProcess.fork(entry, [], { serviceName: 'Conch engine', stdio: 'inherit' });
  return {
    send: (message) => child.postMessage(message),
    onMessage: (listener) => void child.on('message', (message) => listener(message as FromEngine)),
    onExit: (listener) => void child.once('exit', (code) => listener(...exitOf(code))),
    kill: () => killNow(child),
    takePort: (port) => child.postMessage({ type: 'channel' }, [port]),
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

/** Electron reports an end by signal n as code n or 128 + n, depending on the platform. */
function exitOf(code: number): [code: number | undefined, signal: string | undefined] {
  const names: Readonly<Record<number, string>> = { 4: 'SIGILL', 6: 'SIGABRT', 9: 'SIGKILL', 11: 'SIGSEGV' };
  const signal = names[code >= 128 ? code - 128 : code];
  return signal === undefined ? [code, undefined] : [undefined, signal];
}

export function spawnConch(entry: string, args: readonly string[]): SpawnedProcess {
  const child: UtilityProcess = utilityProcess.fork(entry, [...args], {
    serviceName: `Conch ${args[0] ?? ''}`,
    stdio: 'ignore',
    cwd: app.getPath('home'),
  });
  return {
    get pid() {
      return child.pid;
    },
    send: (message) => child.postMessage(message),
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => void child.once('exit', (code) => listener({ code, detail: `exit code ${code}` })),
    kill: () => void child.kill(),
  };
}

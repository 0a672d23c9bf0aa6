// `conch serve --ui`: a parent without sockets. It forks the engine, starts it again after a crash, prints where it
// serves and passes stop signals on.

import { MessageChannel } from 'node:worker_threads';

import { systemClock } from '../../base/clock.ts';
import type { ServeOptions } from '../../cli/serve-options.ts';
import type { ServeEnd } from '../hosting/hosted-server.ts';
import { userDataFaultText, userDataFolder } from '../hosting/user-data.ts';
import { CrashRecord } from '../supervision/crash-record.ts';
import type { ListeningPorts } from '../supervision/engine-messages.ts';
import { EngineSupervisor } from '../supervision/engine-supervisor.ts';
import { crashText } from '../supervision/restart-policy.ts';
import { forkEngine, spawnConch } from './fork-processes.ts';
import { openBrowser } from './open-command.ts';
import { firstStopRequest } from './stop-signals.ts';
import { forgetWindowAddress, keptToken, writeWindowAddress } from './window-files.ts';

/** An address to show and to click: a wildcard cannot be connected to. */
function shown(address: string): string {
  if (address === '0.0.0.0' || address === '::') return '127.0.0.1';
  return address.includes(':') ? `[${address}]` : address;
}

/** Address of the page, with its token. */
export function windowAddress(address: string, port: number, token: string): string {
  return `http://${shown(address)}:${port}/?token=${token}`;
}

/** The lines that say where everything is; scripts read them too. */
export function addressLines(options: ServeOptions, ports: ListeningPorts, token: string): string {
  const { http, grpc, metrics } = options.engine;
  const lines = [
    ports.ui === undefined
      ? undefined
      : `  Window   ${windowAddress(options.shell.uiAddress, ports.ui, token)}`,
    ports.http === undefined ? undefined : `  HTTP     http://${shown(http.address)}:${ports.http}`,
    ports.grpc === undefined ? undefined : `  gRPC     ${shown(grpc.address)}:${ports.grpc}`,
    ports.metrics === undefined
      ? undefined
      : `  Metrics  http://${shown(metrics.address)}:${ports.metrics}/metrics`,
  ];
  const isClosed =
    [ports.http, ports.grpc].every((port) => port === undefined) && (http.enabled || grpc.enabled);
  const title = isClosed
    ? 'Conch runs but does not serve yet: it waits to be started, or a port it needs is in use; the window says which'
    : 'Conch is serving';
  return [title, ...lines.filter((line) => line !== undefined)].join('\n');
}

/** Said when the models of the start were tried: by then the log has pushed the first lines out of a terminal. */
export function startedLine(loadedCount: number, address: string): string {
  return `Loaded ${loadedCount} ${loadedCount === 1 ? 'model' : 'models'}. The window is at ${address}`;
}

/** Resolves when the process is to end. */
export async function serveSupervised(args: readonly string[], options: ServeOptions): Promise<ServeEnd> {
  const userDataPath = userDataFolder(options.shell.userData, process.env);
  const token = await keptToken(userDataPath).catch((thrown: unknown) => {
    console.error(`conch: ${userDataFaultText(userDataPath, thrown)}`);
  });
  if (token === undefined) return { exitCode: 1, isStuck: false };
  let isFirst = true;
  let address = '';
  const supervisor = new EngineSupervisor({
    clock: systemClock,
    record: await CrashRecord.open(userDataPath),
    args,
    userDataPath,
    token,
    exitTimeoutSec: options.engine.server.exitTimeoutSec,
    fork: forkEngine,
    spawnChild: spawnConch,
    onListening: (ports) => {
      console.log(addressLines(options, ports, token));
      if (ports.ui === undefined) return;
      address = windowAddress(options.shell.uiAddress, ports.ui, token);
      void writeWindowAddress(userDataPath, address).catch((thrown: unknown) =>
        console.error(`conch: 'conch open' will not find this window: ${String(thrown)}`),
      );
      if (isFirst && options.shell.uiOpen) openBrowser(address);
      isFirst = false;
    },
    onStartSetTried: ({ loaded }) => {
      if (address !== '') console.log(startedLine(loaded.length, address));
    },
    onCrash: (crash, restartInMs) => console.error(crashText(crash, restartInMs)),
    onOverdue: (afterSec) =>
      console.error(`conch: the engine did not end within ${afterSec} s; ending it by force`),
  });
  supervisor.start();
  void firstStopRequest(process.env, (line) => console.log(line)).then(() => supervisor.stop());
  // Timers of the clock do not keep a process alive, and during a restart pause nothing else would.
  const { port1 } = new MessageChannel();
  port1.ref();
  const exitCode = await supervisor.ended;
  port1.close();
  await forgetWindowAddress(userDataPath, address);
  return { exitCode, isStuck: false };
}

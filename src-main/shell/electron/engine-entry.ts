// Entry of the engine's utility process in the desktop app: the hosted app with pages connecting by message ports. Stop
// signals are the main process's business; a terminal sends them to both.

import type { MessagePortMain } from 'electron';

import type { Channel } from '../../../src-shared/rpc/channel.ts';
import { portChannel } from '../../../src-shared/rpc/port-channel.ts';
import { endProcess } from '../hosting/end-process.ts';
import { liveAsEngine } from '../hosting/engine-life.ts';
import type { FromEngine, ToEngine } from '../supervision/engine-messages.ts';

/** Ports may come before the app is built; they wait here. */
class PageDoor {
  readonly #early: Channel[] = [];
  #attach: ((channel: Channel) => void) | undefined;

  enter(port: MessagePortMain): void {
    const channel = portChannel(port);
    if (this.#attach === undefined) this.#early.push(channel);
    else this.#attach(channel);
  }

  open(attach: (channel: Channel) => void): void {
    this.#attach = attach;
    for (const channel of this.#early.splice(0)) attach(channel);
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
const parent = process.parentPort;
const door = new PageDoor();

process.on('exit', (code) => parent.postMessage({ type: 'ending', code } satisfies FromEngine));

const { exitCode, isStuck } = await liveAsEngine({
  link: {
    send: (message) => parent.postMessage(message),
    onMessage: (listener) =>
      void parent.on('message', ({ data, ports: [port] }) => {
        if (port === undefined) listener(data as ToEngine);
        else door.enter(port);
      }),
    // The platform ends utility processes together with their parent.
    onGone: () => undefined,
  },
  environment: process.env,
  openPages: (app) => {
    door.open((channel) => app.attach(channel));
    return Promise.resolve({ close: () => undefined });
  },
  printError: (line) => void process.stderr.write(`${line}\n`),
});
// Said before, since a process that has to end itself by force reports a signal, and no code.
parent.postMessage({ type: 'ending', code: exitCode } satisfies FromEngine);
await endProcess(exitCode, isStuck);

// Connects pages and engine: each page that asks gets one end of a fresh port pair, the engine the other. After an
// engine restart every page that had a port gets a new one unasked.

import type { IpcMain, IpcMainEvent, MessageChannelMain, MessagePortMain, WebContents } from 'electron';

import { SHELL_CHANNELS } from '../../../src-shared/contract/shell-channels.ts';

/** The engine's process as the broker needs it; a port that it was given belongs to it. */
export interface EnginePortTaker {
  /** Hands the port to the engine's process. One that has ended drops it. */
  takePort(port: MessagePortMain): void;
}

/** A page that asks before there is an engine gets its port when one comes; a page that was closed is forgotten. */
export class PortBroker {
  readonly #pages = new Set<WebContents>();
  readonly #newChannel: () => MessageChannelMain;
  #engine: EnginePortTaker | undefined;

  /** `newChannel` makes a port pair of Electron. */
  constructor(newChannel: () => MessageChannelMain) {
    this.#newChannel = newChannel;
  }

  /** Starts answering pages; `isOurs` tells whether a message is one of our own page. */
  listen(ipcMain: Pick<IpcMain, 'on'>, isOurs: (event: IpcMainEvent) => boolean): void {
    ipcMain.on(SHELL_CHANNELS.wantEnginePort, (event) => {
      if (!isOurs(event)) return;
      this.#remember(event.sender);
      this.#connect(event.sender);
    });
  }

  /** A new engine process is there. */
  setEngine(engine: EnginePortTaker): void {
    this.#engine = engine;
    for (const page of this.#pages) this.#connect(page);
  }

  #remember(page: WebContents): void {
    if (this.#pages.has(page)) return;
    this.#pages.add(page);
    page.once('destroyed', () => void this.#pages.delete(page));
  }

  #connect(page: WebContents): void {
    if (this.#engine === undefined || page.isDestroyed()) return;
    const { port1, port2 } = this.#newChannel();
    this.#engine.takePort(port1);
    page.postMessage(SHELL_CHANNELS.enginePort, null, [port2]);
  }
}

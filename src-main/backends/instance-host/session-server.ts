// The worker's side of the instance host: holds the sessions of this thread, runs their jobs in the order they came,
// and sends finished jobs back together while more are waiting, so that a busy worker costs few wake-ups.
// Invariant: every job is answered exactly once, every open and close too.

import { readlinkSync } from 'node:fs';
import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';

import { errorToWire } from '../../../src-shared/errors.ts';
import type { FromWorker, ToWorker, WorkerSetup } from './host-protocol.ts';

/** A result that does not fit the slot. */
export interface LargeResult {
  readonly value: unknown;
  readonly transfer: readonly ArrayBuffer[];
}

/** One session inside a worker. */
export interface ServedSession {
  /** Runs the job that lies in `slot`. Resolves with undefined when the result lies in the slot as well. */
  run(slot: SharedArrayBuffer, slotNumber: number): Promise<LargeResult | undefined>;
  close(): Promise<void>;
}

export type OpenSession = (
  init: unknown,
) => Promise<{ readonly session: ServedSession; readonly info: unknown }>;

interface Held {
  readonly session: ServedSession;
  readonly slots: SharedArrayBuffer[];
}

/** Finished jobs wait at most this long for others to travel with. */
const MAX_HOLD_NS = 100_000;

class SessionServer {
  readonly #port: MessagePort;
  readonly #open: OpenSession;
  readonly #held = new Map<number, Held>();
  #unfinished = 0;
  #done: number[] = [];
  #oldestDoneNs = 0;

  constructor(port: MessagePort, open: OpenSession) {
    this.#port = port;
    this.#open = open;
  }

  receive(message: ToWorker): void {
    if (!('kind' in message)) {
      this.#unfinished += message.length / 2;
      for (let at = 0; at < message.length; at += 2) this.#runJob(message[at] ?? 0, message[at + 1] ?? 0);
      return;
    }
    switch (message.kind) {
      case 'open':
        void this.#openSession(message.session, message.init);
        break;
      case 'close':
        void this.#closeSession(message.session);
        break;
      case 'slot': {
        const held = this.#held.get(message.session);
        if (held !== undefined) held.slots[message.slot] = message.buffer;
        break;
      }
    }
  }

  #send(message: FromWorker, transfer: readonly ArrayBuffer[] = []): void {
    this.#port.postMessage(message, transfer);
  }

  async #openSession(id: number, init: unknown): Promise<void> {
    try {
      const { session, info } = await this.#open(init);
      this.#held.set(id, { session, slots: [] });
      this.#send({ kind: 'opened', session: id, info });
    } catch (thrown) {
      this.#send({ kind: 'openFailed', session: id, error: errorToWire(thrown) });
    }
  }

  async #closeSession(id: number): Promise<void> {
    const held = this.#held.get(id);
    this.#held.delete(id);
    await held?.session.close();
    this.#send({ kind: 'closed', session: id });
  }

  #runJob(id: number, slotNumber: number): void {
    const held = this.#held.get(id);
    const slot = held?.slots[slotNumber];
    if (held === undefined || slot === undefined) {
      this.#fail(id, slotNumber, new Error(`worker has no session ${id} with slot ${slotNumber}`));
      return;
    }
    held.session.run(slot, slotNumber).then(
      (large) => this.#finish(id, slotNumber, large),
      (thrown: unknown) => this.#fail(id, slotNumber, thrown),
    );
  }

  #finish(id: number, slot: number, large: LargeResult | undefined): void {
    this.#unfinished -= 1;
    if (large !== undefined) {
      this.#flush();
      this.#send({ kind: 'value', session: id, slot, value: large.value }, large.transfer);
      return;
    }
    const now = Number(process.hrtime.bigint());
    if (this.#done.length === 0) this.#oldestDoneNs = now;
    this.#done.push(id, slot);
    if (this.#unfinished === 0 || now - this.#oldestDoneNs > MAX_HOLD_NS) this.#flush();
  }

  #fail(id: number, slot: number, thrown: unknown): void {
    this.#unfinished -= 1;
    this.#flush();
    this.#send({ kind: 'failed', session: id, slot, error: errorToWire(thrown) });
  }

  #flush(): void {
    if (this.#done.length === 0) return;
    const done = this.#done;
    this.#done = [];
    this.#send(done);
  }
}

/** Serves sessions on this worker's port until the thread ends. */
export function serveSessions(open: OpenSession): void {
  if (parentPort === null) throw new Error('an instance worker cannot run on the main thread');
  lowerPriority((workerData as WorkerSetup).niceLevel);
  const server = new SessionServer(parentPort, open);
  parentPort.on('message', (message: ToWorker) => server.receive(message));
}

/**
 * Lowers the OS priority of this thread, and of threads it starts later. Only Linux has a priority per thread that
 * Node can reach; elsewhere a worker keeps the priority of its process.
 */
function lowerPriority(niceLevel: number): void {
  if (process.platform !== 'linux' || niceLevel <= 0) return;
  const threadId = Number(readlinkSync('/proc/thread-self').split('/').pop());
  os.setPriority(threadId, niceLevel);
}

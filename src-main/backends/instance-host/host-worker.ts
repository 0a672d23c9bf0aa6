// One instance worker as the engine thread sees it: starts the thread, sends it jobs, and hands out what comes back.
// Jobs are gathered and sent once per turn of the event loop: waking a thread costs more than a small job itself, and
// a busy server finds several requests in each turn.
// Invariant: when the thread ends for whatever reason, every listener is told exactly once.

import path from 'node:path';
import { Worker } from 'node:worker_threads';

import { errorFromWire } from '../../../src-shared/errors.ts';
import type { ServerError } from '../../../src-shared/errors.ts';
import type { FromWorker, ToWorker, WorkerSetup } from './host-protocol.ts';

/** What one session of a worker is told. */
export interface SessionListener {
  opened(info: unknown): void;
  openFailed(error: ServerError): void;
  closed(): void;
  /** `value` is undefined when the result lies in the slot. */
  done(slot: number, value: unknown): void;
  failed(slot: number, error: ServerError): void;
  /** The thread is gone; nothing else will be told. */
  lost(reason: string): void;
}

/** Heap of one worker; tensors live outside of it, strings inside. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 32 };

export class HostWorker {
  readonly niceLevel: number;
  readonly #worker: Worker;
  readonly #sessions = new Map<number, SessionListener>();
  readonly #onEnd: (worker: HostWorker) => void;
  #inFlight = 0;
  #waiting: number[] = [];
  #endReason: string | undefined;
  #lastError: Error | undefined;

  constructor(entry: URL, niceLevel: number, onEnd: (worker: HostWorker) => void) {
    this.niceLevel = niceLevel;
    this.#onEnd = onEnd;
    const setup: WorkerSetup = { niceLevel };
    this.#worker = new Worker(entry, {
      name: path.parse(entry.pathname).name,
      workerData: setup,
      resourceLimits: RESOURCE_LIMITS,
    });
    this.#worker.on('message', (message: FromWorker) => this.#receive(message));
    this.#worker.on('error', (thrown: Error) => (this.#lastError = thrown));
    this.#worker.on('exit', (code) => this.#ended(code));
  }

  get sessionCount(): number {
    return this.#sessions.size;
  }

  /** Jobs sent and not yet answered. */
  get inFlightCount(): number {
    return this.#inFlight;
  }

  get hasEnded(): boolean {
    return this.#endReason !== undefined;
  }

  add(session: number, listener: SessionListener): void {
    this.#sessions.set(session, listener);
  }

  remove(session: number): void {
    this.#sessions.delete(session);
  }

  send(message: Exclude<ToWorker, readonly number[]>): void {
    this.#worker.postMessage(message);
  }

  run(session: number, slot: number): void {
    this.#inFlight += 1;
    if (this.#waiting.length === 0) setImmediate(() => this.#sendWaiting());
    this.#waiting.push(session, slot);
  }

  /** Ends the thread at once; its sessions are told that it is lost. Resolves when it is gone. */
  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  #sendWaiting(): void {
    const jobs = this.#waiting;
    this.#waiting = [];
    if (!this.hasEnded && jobs.length > 0) this.#worker.postMessage(jobs);
  }

  #receive(message: FromWorker): void {
    if (!('kind' in message)) {
      for (let at = 0; at < message.length; at += 2) {
        this.#inFlight -= 1;
        this.#sessions.get(message[at] ?? 0)?.done(message[at + 1] ?? 0, undefined);
      }
      return;
    }
    const session = this.#sessions.get(message.session);
    switch (message.kind) {
      case 'opened':
        session?.opened(message.info);
        break;
      case 'openFailed':
        session?.openFailed(errorFromWire(message.error));
        break;
      case 'closed':
        session?.closed();
        break;
      case 'value':
        this.#inFlight -= 1;
        session?.done(message.slot, message.value);
        break;
      case 'failed':
        this.#inFlight -= 1;
        session?.failed(message.slot, errorFromWire(message.error));
        break;
    }
  }

  #ended(code: number): void {
    const cause = this.#lastError === undefined ? `exit code ${code}` : this.#lastError.message;
    this.#endReason = cause;
    this.#waiting = [];
    this.#inFlight = 0;
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    this.#onEnd(this);
    for (const session of sessions) session.lost(cause);
  }
}

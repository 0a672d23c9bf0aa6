// One instance worker as the engine thread sees it: starts the thread, sends it jobs, and hands out what comes back.
// Answers are looked for while any is expected: the worker wakes the event loop once for all that lie in the ring.
// Invariant: when the thread ends for whatever reason, every listener is told exactly once.

import path from 'node:path';
import { MessageChannel, Worker, receiveMessageOnPort } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';

import { errorFromWire } from '../../../src-shared/errors.ts';
import type { ServerError } from '../../../src-shared/errors.ts';
import { Fifo } from '../../base/fifo.ts';
import { TurnBudget } from '../../base/turn-budget.ts';
import { MESSAGE } from './host-protocol.ts';
import type { FromWorker, ToWorker, WorkerSetup } from './host-protocol.ts';
import { RingReader, RingWriter, createRingMemory } from './shared-ring.ts';

/** What one session of a worker is told. */
export interface SessionListener {
  /** The session can be given jobs; `info` is what its code says of itself. */
  opened(info: unknown): void;
  /** In place of `opened`. The session is not there, and its number may not be used. */
  openFailed(error: ServerError): void;
  /** The close that was asked for is done; nothing else follows. */
  closed(): void;
  /** `value` is undefined when the result lies in the slot. */
  done(slot: number, value: unknown): void;
  /** In place of `done`: the slot is free, and holds no result. */
  failed(slot: number, error: ServerError): void;
  /** The thread is gone; nothing else will be told. */
  lost(reason: string): void;
}

const nothing = (): void => undefined;
const DEAF: SessionListener = {
  opened: nothing,
  openFailed: nothing,
  closed: nothing,
  done: nothing,
  failed: nothing,
  lost: nothing,
};

/** Heap of one worker; tensors live outside of it, strings inside. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 32 };

/** Looks at the ring behind one alarm at most; sockets wait meanwhile. */
const MAX_LOOKS = 4;
/** Answers that are taken in one turn of the event loop at most; each may start the next job. */
const MAX_TAKEN = 128;

/** `onEnd` is called once, when the thread has ended for whatever reason; its sessions hear of it themselves. */
export class HostWorker {
  readonly niceLevel: number;
  /** The last session left something for the one that is opened with this number. */
  reservation: number | undefined;
  /** Its sessions have short runs, and more of that kind may come. */
  isShared = false;
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #alarm: MessagePort;
  readonly #jobs: RingWriter;
  readonly #answers: RingReader;
  /** Entries that found the ring full. */
  readonly #backlog = new Fifo<readonly [session: number, slot: number]>();
  readonly #sessions = new Map<number, SessionListener>();
  readonly #budget = new TurnBudget(MAX_TAKEN, () => this.#answersArrived());
  #idleSinceMs = 0;
  readonly #onEnd: (worker: HostWorker) => void;
  #inFlight = 0;
  /** Answers that will come: of jobs, openings and closings. */
  #expected = 0;
  #isListening = false;
  readonly #gone = Promise.withResolvers<void>();
  #endReason: string | undefined;
  #lastError: Error | undefined;

  constructor(entry: URL, niceLevel: number, onEnd: (worker: HostWorker) => void) {
    this.niceLevel = niceLevel;
    this.#onEnd = onEnd;
    const { port1, port2 } = new MessageChannel();
    const alarm = new MessageChannel();
    const setup: WorkerSetup = {
      niceLevel,
      jobs: createRingMemory(),
      answers: createRingMemory(),
      port: port2,
      alarm: alarm.port2,
    };
    this.#port = port1;
    this.#alarm = alarm.port1;
    this.#alarm.on('message', () => this.#answersArrived());
    this.#alarm.unref();
    this.#jobs = new RingWriter(setup.jobs);
    this.#answers = new RingReader(setup.answers);
    this.#worker = new Worker(entry, {
      name: path.parse(entry.pathname).name,
      workerData: setup,
      transferList: [port2, alarm.port2],
      resourceLimits: RESOURCE_LIMITS,
    });
    this.#worker.on('error', (thrown: Error) => (this.#lastError = thrown));
    this.#worker.on('exit', (code) => this.#ended(code));
  }

  /** Sessions that listen, those that are still opening included. */
  get sessionCount(): number {
    return this.#sessions.size;
  }

  /** Monotonic ms at which its last session went. */
  get idleSinceMs(): number {
    return this.#idleSinceMs;
  }

  /** Jobs sent and not yet answered. */
  get inFlightCount(): number {
    return this.#inFlight;
  }

  /** The thread is gone or will be in a moment; nothing that is sent to it is answered. */
  get hasEnded(): boolean {
    return this.#endReason !== undefined;
  }

  /** Before the first message or job of the session, or nobody hears its answers. Uses up the reservation. */
  add(session: number, listener: SessionListener): void {
    this.#sessions.set(session, listener);
    this.reservation = undefined;
  }

  /** Its listener hears nothing any more. The thread goes on without sessions until it is ended. */
  remove(session: number): void {
    this.#sessions.delete(session);
    this.#idleSinceMs = performance.now();
  }

  /** Opens a session whose listener is added afterwards. Resolves with what it says of itself; rejects as it does. */
  async openAhead(session: number, init: unknown): Promise<unknown> {
    const opening = Promise.withResolvers<unknown>();
    this.add(session, {
      ...DEAF,
      opened: opening.resolve,
      openFailed: opening.reject,
      lost: (reason) => opening.reject(new Error(reason)),
    });
    this.send({ kind: 'open', session, init });
    try {
      return await opening.promise;
    } catch (thrown) {
      this.remove(session);
      throw thrown;
    }
  }

  /** Closes a session that has moved on; nobody is told. */
  dismiss(session: number): void {
    this.#sessions.set(session, { ...DEAF, closed: () => this.remove(session) });
    this.send({ kind: 'close', session });
  }

  /** Behind all jobs that were sent before. Each message but `slot` is answered once. */
  send(message: ToWorker): void {
    this.#port.postMessage(message);
    if (message.kind !== 'slot') this.#expected += 1;
    this.#put(MESSAGE, 0);
  }

  /** The job that lies in `slot`; its session hears `done` or `failed` once. Jobs run one after the other. */
  run(session: number, slot: number): void {
    this.#inFlight += 1;
    this.#expected += 1;
    this.#put(session, slot);
  }

  /** Ends the thread after the job that it runs; its sessions are told that it is lost. Resolves when it is gone. */
  async end(): Promise<void> {
    this.#jobs.close();
    await this.#gone.promise;
  }

  #put(session: number, slot: number): void {
    if (this.hasEnded) return;
    if (this.#backlog.length > 0 || !this.#jobs.put(session, slot)) this.#backlog.push([session, slot]);
    this.#jobs.wake();
    if (!this.#isListening && this.#expected > 0) this.#listen();
  }

  /** Waits for answers until none is expected any more. */
  #listen(): void {
    this.#isListening = true;
    for (let look = 0; look < MAX_LOOKS && !this.#budget.isSpent; look++) {
      if (this.#answers.expectMessage()) return;
      this.#takeAnswers();
    }
    this.#budget.waitForTurn();
  }

  #answersArrived(): void {
    this.#takeAnswers();
    this.#isListening = false;
    if (this.#expected > 0 && !this.hasEnded) this.#listen();
  }

  #takeAnswers(): void {
    while (!this.#budget.isSpent && this.#answers.take()) {
      this.#budget.spend();
      this.#takeAnswer();
    }
    this.#sendBacklog();
  }

  #takeAnswer(): void {
    this.#expected -= 1;
    const { first, second } = this.#answers;
    if (first === MESSAGE) {
      this.#receiveMessage();
      return;
    }
    this.#inFlight -= 1;
    this.#sessions.get(first)?.done(second, undefined);
  }

  #sendBacklog(): void {
    for (let entry = this.#backlog.peek(); entry !== undefined; entry = this.#backlog.peek()) {
      if (!this.#jobs.put(...entry)) break;
      this.#backlog.shift();
      this.#jobs.wake();
    }
  }

  #receiveMessage(): void {
    const message = receiveMessageOnPort(this.#port)?.message as FromWorker | undefined;
    if (message === undefined) return;
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
    while (this.#answers.take()) this.#takeAnswer();
    this.#endReason = cause;
    this.#port.close();
    this.#alarm.close();
    this.#inFlight = 0;
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    this.#onEnd(this);
    for (const session of sessions) session.lost(cause);
    this.#gone.resolve();
  }
}

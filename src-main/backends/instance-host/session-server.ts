// The worker's side of the instance host: holds the sessions of this thread and runs their jobs in the order they came.
// The thread sleeps in the ring of jobs, not in its event loop, which is let to turn between jobs now and then: native
// code gives memory back there. While more jobs wait, finished ones are told together, so that they cost few wake-ups.
// It ends by itself, between two jobs, when its ring is closed: a thread that is ended from outside while the runtime works
// takes the whole process with it, since native code cannot give its result to a thread that is being ended.
// Invariant: every job is answered exactly once, every open and close too, unless the ring is closed before.

import { readlinkSync } from 'node:fs';
import os from 'node:os';
import { receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';

import { errorToWire } from '../../../src-shared/errors.ts';
import { MESSAGE } from './host-protocol.ts';
import type { FromWorker, ToWorker, WorkerSetup } from './host-protocol.ts';
import { RingReader, RingWriter } from './shared-ring.ts';

/** A result that does not fit the slot. */
export interface LargeResult {
  readonly value: unknown;
  readonly transfer: readonly ArrayBuffer[];
}

/** One session inside a worker. */
export interface ServedSession {
  /** Runs the job that lies in `slot`, blocking. Returns undefined when the result lies in the slot as well. */
  run(slot: SharedArrayBuffer, slotNumber: number): LargeResult | undefined;
  /** Frees what is native of it, blocking. Called once, with no run under way. */
  close(): void;
}

/** Opens a session, blocking; throws what its owner is told. */
export type OpenSession = (init: unknown) => { readonly session: ServedSession; readonly info: unknown };

interface Held {
  readonly session: ServedSession;
  readonly slots: SharedArrayBuffer[];
}

/** Jobs are told together while they take no longer than this, from the start of the first. */
const MAX_HOLD_MS = 0.05;
/** Jobs after which the event loop turns at the latest. */
const JOBS_PER_TURN = 256;
/** Jobs after which it turns before the thread sleeps. */
const JOBS_BEFORE_SLEEP = 32;
/** A thread with fewer lets it turn when nothing came for this long. */
const IDLE_MS = 1000;
const ROOM_WAIT_MS = 10;

class SessionServer {
  readonly #jobs: RingReader;
  readonly #answers: RingWriter;
  readonly #port: MessagePort;
  readonly #sendAlarm: () => void;
  readonly #open: OpenSession;
  readonly #held = new Map<number, Held>();
  #jobsSinceTurn = 0;
  #untoldSinceMs = 0;

  constructor({ jobs, answers, port, alarm }: WorkerSetup, open: OpenSession) {
    this.#jobs = new RingReader(jobs);
    this.#answers = new RingWriter(answers);
    this.#port = port;
    this.#sendAlarm = () => alarm.postMessage(undefined);
    this.#open = open;
  }

  /** Serves jobs, and comes back after every turn of the event loop. */
  readonly serve = (): void => {
    this.#jobsSinceTurn = 0;
    while (this.#jobsSinceTurn < JOBS_PER_TURN) {
      if (this.#jobs.take()) {
        this.#take(this.#jobs.first, this.#jobs.second);
        continue;
      }
      this.#tell();
      if (this.#jobs.isClosed) return;
      if (this.#jobsSinceTurn >= JOBS_BEFORE_SLEEP) break;
      if (!this.#jobs.sleep(this.#jobsSinceTurn === 0 ? Infinity : IDLE_MS)) break;
    }
    this.#tell();
    setImmediate(this.serve);
  };

  #take(id: number, slotNumber: number): void {
    if (id === MESSAGE) {
      const received = receiveMessageOnPort(this.#port)?.message as ToWorker | undefined;
      if (received !== undefined) this.#receive(received);
      return;
    }
    this.#jobsSinceTurn += 1;
    if (this.#untoldSinceMs === 0) this.#untoldSinceMs = performance.now();
    this.#runJob(id, slotNumber);
    if (performance.now() - this.#untoldSinceMs > MAX_HOLD_MS) this.#tell();
  }

  #receive(message: ToWorker): void {
    switch (message.kind) {
      case 'open':
        this.#openSession(message.session, message.init);
        break;
      case 'close':
        this.#closeSession(message.session);
        break;
      case 'slot': {
        const held = this.#held.get(message.session);
        if (held !== undefined) held.slots[message.slot] = message.buffer;
        break;
      }
    }
  }

  #openSession(id: number, init: unknown): void {
    try {
      const { session, info } = this.#open(init);
      this.#held.set(id, { session, slots: [] });
      this.#send({ kind: 'opened', session: id, info });
    } catch (thrown) {
      this.#send({ kind: 'openFailed', session: id, error: errorToWire(thrown) });
    }
    this.#jobsSinceTurn = JOBS_BEFORE_SLEEP;
  }

  #closeSession(id: number): void {
    this.#held.get(id)?.session.close();
    this.#held.delete(id);
    this.#send({ kind: 'closed', session: id });
  }

  #runJob(id: number, slotNumber: number): void {
    const held = this.#held.get(id);
    const slot = held?.slots[slotNumber];
    try {
      if (held === undefined || slot === undefined) {
        throw new Error(`worker has no session ${id} with slot ${slotNumber}`);
      }
      const large = held.session.run(slot, slotNumber);
      if (large === undefined) {
        this.#answer(id, slotNumber);
        return;
      }
      this.#send({ kind: 'value', session: id, slot: slotNumber, value: large.value }, large.transfer);
      this.#jobsSinceTurn = JOBS_PER_TURN;
    } catch (thrown) {
      this.#send({ kind: 'failed', session: id, slot: slotNumber, error: errorToWire(thrown) });
    }
  }

  #send(message: FromWorker, transfer: readonly ArrayBuffer[] = []): void {
    this.#port.postMessage(message, transfer);
    this.#answer(MESSAGE, 0);
    this.#tell();
  }

  #answer(id: number, slotNumber: number): void {
    while (!this.#answers.put(id, slotNumber)) {
      this.#answers.wake(this.#sendAlarm);
      this.#answers.waitForRoom(ROOM_WAIT_MS);
    }
  }

  #tell(): void {
    this.#untoldSinceMs = 0;
    this.#answers.wake(this.#sendAlarm);
  }
}

/** Serves sessions in this worker until the thread ends. */
export function serveSessions(open: OpenSession): void {
  const setup = workerData as WorkerSetup;
  lowerPriority(setup.niceLevel);
  setImmediate(new SessionServer(setup, open).serve);
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

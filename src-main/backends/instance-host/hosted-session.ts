// A session that lives in an instance worker, as its owner on the engine thread holds it. Jobs are put into shared
// memory slots and run one after the other; when the worker is lost, the jobs it had fail, and the session is opened
// again in another worker before the next job runs.
// Invariant: each run() calls its callback exactly once.

import { toServerError } from '../../../src-shared/errors.ts';
import type { ServerError } from '../../../src-shared/errors.ts';
import type { HostWorker, SessionListener } from './host-worker.ts';
import { sessionErrors } from './session-errors.ts';

/** Shared memory of one job at a time. */
export interface JobSlot {
  readonly number: number;
  buffer: SharedArrayBuffer;
  /** Whole slot as 64-bit numbers, for small headers. */
  words: Float64Array;
  bytes: Uint8Array;
}

/** `value` is undefined when the result lies in the slot, `error` is set when the job failed. */
export type JobDone = (error: ServerError | undefined, value: unknown) => void;

/** Where a session lives, and who hears that it had to move. */
export interface SessionPlacement {
  /**
   * A worker that may take this session; the same or another one than before. `hasLeft`: it is to leave a shared worker,
   * or has left one, and gets one of its own.
   */
  readonly place: (hasLeft: boolean) => HostWorker;
  /** A number that no session of any worker had before; asked anew whenever the session is opened. */
  readonly newId: () => number;
  /** Told after the session was opened again in place of a lost one. */
  readonly onReplaced: (reason: string) => void;
  /** False when the session could not be opened again as it was: it stays where it is then. */
  readonly mayMove: () => boolean;
  /** Told when the session has left a thread that it shared, or tried to and stays. */
  readonly onMoved: (hasLeft: boolean) => void;
}

const MIN_SLOT_BYTE_SIZE = 16 * 1024;
/** Slots above this size are given back after the job instead of being kept for the next. */
const MAX_KEPT_BYTE_SIZE = 32 * 1024 * 1024;

type State = 'opening' | 'open' | 'moving' | 'lost' | 'closing' | 'closed';

/**
 * Keeps a slot for each job that was ever in flight beside others. A job that is lost with its worker is
 * answered through its `done`.
 */
export class HostedSession implements SessionListener {
  readonly #label: string;
  readonly #init: unknown;
  readonly #placement: SessionPlacement;
  readonly #slots: JobSlot[] = [];
  readonly #free: JobSlot[] = [];
  /** By slot number; undefined = nothing runs in that slot. */
  #jobs: (JobDone | undefined)[] = [];
  #queued: { readonly slot: JobSlot; readonly done: JobDone }[] = [];
  #state: State = 'lost';
  #worker: HostWorker | undefined;
  #id = 0;
  #info: unknown;
  #opening: PromiseWithResolvers<void> | undefined;
  #closing: PromiseWithResolvers<void> | undefined;
  #lostReason = '';
  /** Jobs in the worker. */
  #runningCount = 0;
  /** It goes to a thread of its own with the next job, once none is in the worker any more. */
  #isLeaving = false;
  #hasLeft = false;
  /** False after it tried to leave the thread that it shares: it does so once. */
  #mayLeave = true;

  /** `label` names the instance in messages: "instance 'simple_0'". */
  constructor(label: string, init: unknown, placement: SessionPlacement) {
    this.#label = label;
    this.#init = init;
    this.#placement = placement;
  }

  /** What the session said about itself when it was opened last. */
  get info(): unknown {
    return this.#info;
  }

  /** Opens the session. Rejects with what the worker reported, or UNAVAILABLE when the worker ended meanwhile. */
  async open(): Promise<void> {
    this.#state = 'opening';
    this.#id = this.#placement.newId();
    const worker = this.#placement.place(this.#hasLeft);
    this.#worker = worker;
    const opening = Promise.withResolvers<void>();
    this.#opening = opening;
    worker.add(this.#id, this);
    worker.send({ kind: 'open', session: this.#id, init: this.#init });
    await opening.promise;
  }

  /**
   * A free slot of at least `byteSize` bytes. Give it back with release(). Throws INTERNAL where the runtime has no such
   * piece of memory: a desktop app gets none above 2 GiB.
   */
  takeSlot(byteSize: number): JobSlot {
    const slot = this.#free.pop() ?? this.#addSlot();
    if (slot.buffer.byteLength >= byteSize) return slot;
    try {
      this.#resize(slot, roundUp(byteSize));
    } catch (thrown) {
      this.#free.push(slot);
      throw sessionErrors.noMemory({ label: this.#label, size: byteSize }, { cause: thrown });
    }
    return slot;
  }

  /** Gives a slot back that no job uses any more; its memory may be gone afterwards. */
  releaseSlot(slot: JobSlot): void {
    if (slot.buffer.byteLength > MAX_KEPT_BYTE_SIZE) this.#resize(slot, MIN_SLOT_BYTE_SIZE);
    this.#free.push(slot);
  }

  /** Runs the job in `slot`. */
  run(slot: JobSlot, done: JobDone): void {
    if (this.#state === 'open' && this.#isLeaving) {
      this.#queued.push({ slot, done });
      this.#leaveIfIdle();
    } else if (this.#state === 'open' && this.#worker !== undefined) {
      this.#jobs[slot.number] = done;
      this.#runningCount += 1;
      this.#worker.run(this.#id, slot.number);
    } else if (this.#state === 'closing' || this.#state === 'closed') {
      done(sessionErrors.closed({ label: this.#label }), undefined);
    } else {
      this.#queued.push({ slot, done });
      const reason = this.#lostReason;
      if (this.#state === 'lost') void this.#reopen(() => this.#placement.onReplaced(reason));
    }
  }

  /**
   * Says that a run was too long for others to wait behind: where others may have to, this session goes on in a thread
   * of its own from the next job on.
   */
  ranLong(): void {
    if (this.#state === 'open' && this.#mayLeave && this.#worker?.isShared === true) this.#isLeaving = true;
  }

  /** Ends the thread this session lives in, after the job that it runs: those behind it fail, the next one starts anew. */
  async endThread(): Promise<void> {
    await this.#worker?.end();
  }

  /** Releases the session; `reservation` is for what it leaves in its thread. Call when no job is running. */
  async close(reservation?: number): Promise<void> {
    const worker = this.#worker;
    if (this.#state === 'open' && worker !== undefined) {
      this.#state = 'closing';
      this.#closing = Promise.withResolvers<void>();
      worker.send({ kind: 'close', session: this.#id });
      await this.#closing.promise;
      worker.remove(this.#id);
      worker.reservation = reservation;
    }
    this.#state = 'closed';
    this.#worker = undefined;
    this.#free.length = 0;
    this.#slots.length = 0;
  }

  // --- told by the worker ---

  opened(info: unknown): void {
    this.#info = info;
    this.#goOn();
    this.#opening?.resolve();
  }

  openFailed(error: ServerError): void {
    this.#worker?.remove(this.#id);
    this.#state = 'lost';
    this.#opening?.reject(error);
  }

  closed(): void {
    this.#closing?.resolve();
  }

  done(slot: number, value: unknown): void {
    this.#finish(slot, undefined, value);
  }

  failed(slot: number, error: ServerError): void {
    this.#finish(slot, error, undefined);
  }

  lost(reason: string): void {
    const wasOpening = this.#state === 'opening';
    if (this.#state === 'closing') this.#closing?.resolve();
    else this.#state = 'lost';
    this.#lostReason = reason;
    this.#worker = undefined;
    const error = sessionErrors.lost({ label: this.#label, reason });
    const jobs = this.#jobs;
    this.#jobs = [];
    this.#runningCount = 0;
    if (wasOpening) {
      this.#opening?.reject(sessionErrors.notOpened({ label: this.#label, reason }));
    }
    for (const done of jobs) done?.(error, undefined);
    // These jobs waited for the session to leave its thread, which has ended now: they need another one.
    if (this.#isLeaving && this.#state === 'lost' && this.#queued.length > 0) {
      void this.#reopen(() => this.#placement.onReplaced(reason));
    }
    this.#isLeaving = false;
  }

  // --- own affairs ---

  #finish(slot: number, error: ServerError | undefined, value: unknown): void {
    const done = this.#jobs[slot];
    this.#jobs[slot] = undefined;
    this.#runningCount -= 1;
    done?.(error, value);
    if (this.#isLeaving) this.#leaveIfIdle();
  }

  #leaveIfIdle(): void {
    if (this.#runningCount > 0 || this.#queued.length === 0 || this.#state !== 'open') return;
    this.#isLeaving = false;
    this.#mayLeave = false;
    this.#state = 'moving';
    void this.#move();
  }

  /** Opens the session in another thread and lets go of this one then; stays when that does not work. Jobs wait meanwhile. */
  async #move(): Promise<void> {
    const [before, beforeId] = [this.#worker, this.#id];
    try {
      if (!this.#placement.mayMove()) throw sessionErrors.closed({ label: this.#label });
      const [next, id] = [this.#placement.place(true), this.#placement.newId()];
      const info = await next.openAhead(id, this.#init);
      if (!this.#placement.mayMove()) {
        next.dismiss(id);
        throw sessionErrors.closed({ label: this.#label });
      }
      next.add(id, this);
      this.#info = info;
      [this.#worker, this.#id, this.#hasLeft] = [next, id, true];
      if (before?.hasEnded === false) before.dismiss(beforeId);
    } catch {
      // Where it could not be opened it does not go: it runs on in the thread that it has.
    }
    this.#placement.onMoved(this.#hasLeft);
    if (this.#worker !== undefined) this.#goOn();
    else void this.#reopen(() => this.#placement.onReplaced(this.#lostReason));
  }

  #goOn(): void {
    this.#state = 'open';
    for (const slot of this.#slots) this.#announce(slot);
    const queued = this.#queued;
    this.#queued = [];
    for (const { slot, done } of queued) this.run(slot, done);
  }

  async #reopen(told: () => void): Promise<void> {
    try {
      await this.open();
      told();
    } catch (thrown) {
      const error = toServerError(thrown);
      const queued = this.#queued;
      this.#queued = [];
      for (const { done } of queued) done(error, undefined);
    }
  }

  #addSlot(): JobSlot {
    const slot: JobSlot = { number: this.#slots.length, ...memory(MIN_SLOT_BYTE_SIZE) };
    this.#slots.push(slot);
    this.#announce(slot);
    return slot;
  }

  #resize(slot: JobSlot, byteSize: number): void {
    Object.assign(slot, memory(byteSize));
    this.#announce(slot);
  }

  #announce(slot: JobSlot): void {
    if (this.#state !== 'open') return;
    this.#worker?.send({ kind: 'slot', session: this.#id, slot: slot.number, buffer: slot.buffer });
  }
}

function memory(byteSize: number): Pick<JobSlot, 'buffer' | 'words' | 'bytes'> {
  const buffer = new SharedArrayBuffer(byteSize);
  return { buffer, words: new Float64Array(buffer), bytes: new Uint8Array(buffer) };
}

/** Powers of two while small, then whole MiB, so that growing batches do not resize every time. */
function roundUp(byteSize: number): number {
  const mebibyte = 1024 * 1024;
  if (byteSize > 16 * mebibyte) return Math.ceil(byteSize / mebibyte) * mebibyte;
  return Math.max(MIN_SLOT_BYTE_SIZE, 2 ** Math.ceil(Math.log2(byteSize)));
}

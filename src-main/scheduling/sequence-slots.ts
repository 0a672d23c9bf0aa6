// Which sequence holds which slot, who waits in the backlog, and who has gone quiet. Pure: requests and times come in,
// decisions come out; answering, timers and execution belong to the sequence batcher.
// Invariant: a slot belongs to at most one live sequence, and every request is in exactly one slot or backlog queue
// until it is handed out. (docs/reference/sequences.md#slots)

import { SEQUENCE_END, SEQUENCE_START, type CorrelationId } from '../inference/inference-request.ts';

/** What the slots need to know of a request. */
export interface SequenceItem {
  readonly correlationId: CorrelationId;
  /** Bit mask of SEQUENCE_START and SEQUENCE_END. */
  readonly flags: number;
  /** 0 = none; counts only while waiting in the backlog. */
  readonly timeoutUs: number;
  readonly isCancelled: boolean;
}

/** Stands behind the last request of a sequence that went idle: at the front it frees the slot. */
export const END_MARKER = Symbol('end of idle sequence');

/** The place that one sequence keeps in an instance until it ends. */
export interface SequenceSlot<R> {
  readonly instance: number;
  /** Row number under the direct strategy. */
  readonly index: number;
  /** Whose it is, or was last. */
  readonly owner: CorrelationId;
  /** Requests in arrival order. The owner of the slot takes from the front. */
  readonly queue: (R | typeof END_MARKER)[];
}

/** Where a request of a sequence went. */
export type Arrival<R> =
  /** Queued in a slot. `isRestart`: START for an id that is already known; `isTaken`: the slot was free before. */
  | {
      readonly kind: 'slot';
      readonly slot: SequenceSlot<R>;
      readonly isRestart: boolean;
      readonly isTaken: boolean;
    }
  | { readonly kind: 'backlog'; readonly isRestart: boolean; readonly isNew: boolean }
  /** Not START, and no such sequence: not queued. */
  | { readonly kind: 'unknown' };

/** What the end of a sequence set free. */
export interface SlotRelease<R> {
  /** Backlog sequences thrown out because one of their requests was cancelled; each to be answered CANCELLED. */
  readonly cancelled: readonly R[];
  /** True when a backlog sequence moved in and its first request can be taken. */
  readonly isRefilled: boolean;
}

/** The slots of an instance that has come. */
export interface SlotAddition<R> {
  readonly instance: number;
  readonly slots: readonly SequenceSlot<R>[];
  /** Slots that went to waiting sequences at once. */
  readonly refilled: readonly SequenceSlot<R>[];
  /** As in SlotRelease. */
  readonly cancelled: readonly R[];
}

/** What became of sequences that were silent for longer than their timeout. */
export interface Expiry<R> {
  /** Slots that received an end marker. */
  readonly ended: readonly SequenceSlot<R>[];
  /** Requests of backlog sequences whose timeout passed. */
  readonly timedOut: readonly R[];
}

interface Slot<R> extends SequenceSlot<R> {
  owner: CorrelationId;
  /** Its instance takes no new sequences. */
  isRetired: boolean;
}

interface Backlog<R> {
  readonly id: CorrelationId;
  readonly requests: R[];
  /** Infinity when no request has a timeout. */
  expiresAtNs: number;
  hasEnd: boolean;
}

/** Times are in nanoseconds; a sequence that was quiet for longer than `idleNs` loses its slot. */
export class SequenceSlots<R extends SequenceItem> {
  readonly #slotsPerInstance: number;
  readonly #idleNs: number;
  readonly #slotOf = new Map<CorrelationId, Slot<R>>();
  readonly #backlogOf = new Map<CorrelationId, Backlog<R>>();
  readonly #backlogs: Backlog<R>[] = [];
  /** Oldest first: an arrival moves its id to the end. */
  readonly #lastSeenNs = new Map<CorrelationId, number>();
  /** Lowest slot number first, so that instances fill evenly. */
  readonly #free: Slot<R>[] = [];
  readonly #held = new Set<Slot<R>>();
  #instanceCount = 0;

  constructor(options: { readonly slotsPerInstance: number; readonly idleNs: number }) {
    this.#slotsPerInstance = options.slotsPerInstance;
    this.#idleNs = options.idleNs;
  }

  /** Gives a new instance its slots; waiting sequences move in. */
  addInstance(): SlotAddition<R> {
    const instance = this.#instanceCount++;
    const slots = Array.from({ length: this.#slotsPerInstance }, (_, index): Slot<R> => {
      return { instance, index, queue: [], owner: 0n, isRetired: false };
    });
    const refilled: SequenceSlot<R>[] = [];
    const cancelled: R[] = [];
    for (const slot of slots) {
      const release = this.release(slot);
      append(cancelled, release.cancelled);
      if (release.isRefilled) refilled.push(slot);
    }
    return { instance, slots, refilled, cancelled };
  }

  /** The instance gets no new sequences; those it has keep their slots until they end. Returns the free ones, gone now. */
  retireInstance(slots: readonly SequenceSlot<R>[]): readonly SequenceSlot<R>[] {
    const gone: SequenceSlot<R>[] = [];
    for (const slot of slots as readonly Slot<R>[]) {
      slot.isRetired = true;
      const at = this.#free.indexOf(slot);
      if (at < 0) continue;
      this.#free.splice(at, 1);
      gone.push(slot);
    }
    return gone;
  }

  /** Sequences that hold a slot. */
  get heldCount(): number {
    return this.#held.size;
  }

  /** Requests of sequences that have no slot yet. */
  get backlogRequestCount(): number {
    return this.#backlogs.reduce((sum, backlog) => sum + backlog.requests.length, 0);
  }

  /** Sequences that wait for a slot. For tests. */
  get backlogSequenceCount(): number {
    return this.#backlogs.length;
  }

  /** Requests in slots that were not taken yet, end markers left out. */
  get slotRequestCount(): number {
    let count = 0;
    for (const slot of this.#held) {
      for (const entry of slot.queue) if (entry !== END_MARKER) count += 1;
    }
    return count;
  }

  /** The sequence has a slot or waits for one. */
  isKnown(id: CorrelationId): boolean {
    return this.#slotOf.has(id) || this.#backlogOf.has(id);
  }

  /** Queues a request where its sequence lives, or says that there is no such sequence. */
  arrive(request: R, nowNs: number): Arrival<R> {
    const id = request.correlationId;
    const isStart = (request.flags & SEQUENCE_START) !== 0;
    const isEnd = (request.flags & SEQUENCE_END) !== 0;
    const isRestart = isStart && this.isKnown(id);
    if (!isStart && !this.isKnown(id)) return { kind: 'unknown' };
    this.#touch(id, nowNs);

    const backlog = this.#backlogOf.get(id);
    let slot = this.#slotOf.get(id);
    const isTaken = slot === undefined && backlog === undefined && this.#free.length > 0;
    if (isTaken) {
      slot = this.#free.shift() as Slot<R>;
      slot.owner = id;
      this.#held.add(slot);
      this.#slotOf.set(id, slot);
    }
    if (slot === undefined) {
      this.#wait(request, nowNs, backlog, isEnd);
      return { kind: 'backlog', isRestart, isNew: backlog === undefined };
    }
    slot.queue.push(request);
    if (isEnd) this.#forget(id);
    return { kind: 'slot', slot, isRestart, isTaken };
  }

  /**
   * Gives an emptied slot to the first backlog sequence, or to the free list. Call when the END request was handed to
   * execution or the end marker was taken from the front.
   */
  release(slot: SequenceSlot<R>): SlotRelease<R> {
    const owned = slot as Slot<R>;
    if (this.#slotOf.get(owned.owner) === owned) this.#forget(owned.owner);
    const cancelled: R[] = [];
    this.#held.delete(owned);
    if (owned.isRetired) return { cancelled, isRefilled: false };
    for (let next = this.#backlogs.shift(); next !== undefined; next = this.#backlogs.shift()) {
      if (next.requests.some((request) => request.isCancelled)) {
        append(cancelled, next.requests);
        this.#forgetBacklog(next);
        continue;
      }
      owned.owner = next.id;
      this.#held.add(owned);
      append(owned.queue, next.requests);
      if (!next.hasEnd) {
        this.#backlogOf.delete(next.id);
        this.#slotOf.set(next.id, owned);
      }
      return { cancelled, isRefilled: true };
    }
    this.#giveBack(owned);
    return { cancelled, isRefilled: false };
  }

  /** Throws out the whole queued rest of the slot's sequence and releases the slot. */
  cancel(slot: SequenceSlot<R>): SlotRelease<R> {
    const rest = slot.queue.splice(0).filter((entry) => entry !== END_MARKER);
    const { cancelled, isRefilled } = this.release(slot);
    return { cancelled: [...rest, ...cancelled], isRefilled };
  }

  /** Takes out every backlog sequence with a cancelled request; its requests are to be answered CANCELLED. */
  dropCancelledBacklogs(): readonly R[] {
    return this.#dropBacklogs((backlog) => backlog.requests.some((request) => request.isCancelled));
  }

  /** Ends idle sequences that hold a slot and takes out backlog sequences whose timeout passed. */
  expire(nowNs: number): Expiry<R> {
    const ended: SequenceSlot<R>[] = [];
    for (const [id, seenNs] of this.#lastSeenNs) {
      if (nowNs - seenNs < this.#idleNs) break;
      const slot = this.#slotOf.get(id);
      // A waiting sequence is ended once it has reached a slot, so that what it sent still runs.
      if (slot === undefined) continue;
      this.#forget(id);
      slot.queue.push(END_MARKER);
      ended.push(slot);
    }
    const timedOut = this.#dropBacklogs((backlog) => backlog.expiresAtNs <= nowNs);
    return { ended, timedOut };
  }

  /** Ends one sequence as if it had been idle; undefined when it holds no slot. */
  end(id: CorrelationId): SequenceSlot<R> | undefined {
    const slot = this.#slotOf.get(id);
    if (slot === undefined) return undefined;
    this.#forget(id);
    slot.queue.push(END_MARKER);
    return slot;
  }

  /** When `expire` has something to do next; undefined = nothing is pending. */
  nextExpiryNs(): number | undefined {
    let nextNs = Infinity;
    if (this.#slotOf.size > 0) {
      for (const [id, seenNs] of this.#lastSeenNs) {
        if (!this.#slotOf.has(id)) continue;
        nextNs = seenNs + this.#idleNs;
        break;
      }
    }
    for (const backlog of this.#backlogs) nextNs = Math.min(nextNs, backlog.expiresAtNs);
    return nextNs === Infinity ? undefined : nextNs;
  }

  /** Takes out everything that is queued and frees every slot, for closing. */
  drain(): readonly R[] {
    const waiting = this.#dropBacklogs(() => true);
    return [...[...this.#held].flatMap((slot) => this.cancel(slot).cancelled), ...waiting];
  }

  #touch(id: CorrelationId, nowNs: number): void {
    this.#lastSeenNs.delete(id);
    this.#lastSeenNs.set(id, nowNs);
  }

  #wait(request: R, nowNs: number, known: Backlog<R> | undefined, isEnd: boolean): void {
    const id = request.correlationId;
    const backlog = known ?? { id, requests: [], expiresAtNs: Infinity, hasEnd: false };
    backlog.requests.push(request);
    if (request.timeoutUs > 0) {
      backlog.expiresAtNs = Math.min(backlog.expiresAtNs, nowNs + request.timeoutUs * 1000);
    }
    if (known === undefined) {
      this.#backlogs.push(backlog);
      this.#backlogOf.set(id, backlog);
    }
    if (isEnd) {
      backlog.hasEnd = true;
      this.#forget(id);
    }
  }

  #forget(id: CorrelationId): void {
    this.#slotOf.delete(id);
    this.#backlogOf.delete(id);
    this.#lastSeenNs.delete(id);
  }

  #forgetBacklog(backlog: Backlog<R>): void {
    if (this.#backlogOf.get(backlog.id) === backlog) this.#forget(backlog.id);
  }

  #dropBacklogs(isDropped: (backlog: Backlog<R>) => boolean): readonly R[] {
    const dropped: R[] = [];
    for (let at = 0; at < this.#backlogs.length;) {
      const backlog = this.#backlogs[at];
      if (backlog === undefined || !isDropped(backlog)) {
        at += 1;
        continue;
      }
      this.#backlogs.splice(at, 1);
      this.#forgetBacklog(backlog);
      append(dropped, backlog.requests);
    }
    return dropped;
  }

  #giveBack(slot: Slot<R>): void {
    const before = this.#free.findIndex(
      (other) => other.index > slot.index || (other.index === slot.index && other.instance > slot.instance),
    );
    if (before < 0) this.#free.push(slot);
    else this.#free.splice(before, 0, slot);
  }
}

/** Not `push(...all)`: more may wait than a function may have arguments. */
function append<T>(target: T[], all: readonly T[]): void {
  for (const one of all) target.push(one);
}

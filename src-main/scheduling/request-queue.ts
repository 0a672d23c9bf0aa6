// The queue of a dynamic batcher: one level per priority, each with a live and a delayed list. Service order is level
// ascending, live before delayed, first in first out. Levels exist on demand (there can be 2^64-1 of them).
// Entries are doubly linked, so that a cancelled request leaves at once wherever it stands.

import type { CancelObserver, InferenceRequest } from '../inference/inference-request.ts';
import { queueErrors } from './queue-errors.ts';
import type { QueuePolicy } from './queue-policy.ts';
import { deadlineNs } from './queue-policy.ts';

class EntryList {
  readonly level: QueueLevel;
  first: QueueEntry | undefined;
  last: QueueEntry | undefined;

  constructor(level: QueueLevel) {
    this.level = level;
  }

  append(entry: QueueEntry): void {
    entry.list = this;
    entry.before = this.last;
    entry.after = undefined;
    if (this.last === undefined) this.first = entry;
    else this.last.after = entry;
    this.last = entry;
  }

  unlink(entry: QueueEntry): void {
    if (entry.before === undefined) this.first = entry.after;
    else entry.before.after = entry.after;
    if (entry.after === undefined) this.last = entry.before;
    else entry.after.before = entry.before;
    entry.list = undefined;
  }
}

class QueueLevel {
  readonly priority: bigint;
  readonly policy: QueuePolicy;
  readonly isConfigured: boolean;
  readonly live = new EntryList(this);
  readonly delayed = new EntryList(this);
  /** Position among the levels, kept up to date by the queue. */
  index = 0;
  length = 0;

  constructor(priority: bigint, policy: QueuePolicy, isConfigured: boolean) {
    this.priority = priority;
    this.policy = policy;
    this.isConfigured = isConfigured;
  }
}

/** One waiting request. */
export class QueueEntry implements CancelObserver {
  readonly request: InferenceRequest;
  readonly #queue: RequestQueue;
  /** Infinity = none. */
  deadlineNs: number;
  list: EntryList | undefined;
  before: QueueEntry | undefined;
  after: QueueEntry | undefined;

  constructor(queue: RequestQueue, request: InferenceRequest, deadline: number) {
    this.#queue = queue;
    this.request = request;
    this.deadlineNs = deadline;
  }

  requestCancelled(): void {
    this.#queue.takeCancelled(this);
  }
}

/** The policies of the levels, and who hears of requests that leave by themselves. */
export interface RequestQueueOptions {
  readonly defaultPolicy: QueuePolicy;
  /** Policies of single levels. */
  readonly levelPolicies: ReadonlyMap<bigint, QueuePolicy>;
  /** A queued request was cancelled and has left the queue; it must be answered. */
  readonly onCancelled: (request: InferenceRequest) => void;
}

/**
 * Holds what waits and hands out who is next; what must be refused or has timed out is given back, not
 * answered.
 */
export class RequestQueue {
  readonly #options: RequestQueueOptions;
  readonly #byPriority = new Map<bigint, QueueLevel>();
  readonly #levels: QueueLevel[] = [];
  #length = 0;
  #nearestDeadlineNs = Number.POSITIVE_INFINITY;
  #restartCount = 0;
  #overtakeCount = 0;

  constructor(options: RequestQueueOptions) {
    this.#options = options;
    for (const [priority, policy] of options.levelPolicies) this.#addLevel(priority, policy, true);
  }

  /** Requests that wait, of all levels, delayed ones included. */
  get length(): number {
    return this.#length;
  }

  /** No queued request expires before this; Infinity = none ever. May be early, never late. */
  get nearestDeadlineNs(): number {
    return this.#nearestDeadlineNs;
  }

  /** Changes whenever a walk begun earlier is no longer a prefix of the service order. */
  get restartCount(): number {
    return this.#restartCount;
  }

  /** Requests that were queued in front of waiting ones. */
  get overtakeCount(): number {
    return this.#overtakeCount;
  }

  /** Throws UNAVAILABLE when the request's level is full. */
  enqueue(request: InferenceRequest, nowNs: number): void {
    const level = this.#byPriority.get(request.priority) ?? this.#levelFor(request.priority);
    const { policy } = level;
    if (policy.maxQueueSize !== 0 && level.length >= policy.maxQueueSize) {
      throw queueErrors.full({ prefix: request.logPrefix });
    }
    const entry = new QueueEntry(this, request, deadlineNs(policy, request.timeoutUs, nowNs));
    const isAtTail = level.index === this.#levels.length - 1 && level.delayed.first === undefined;
    if (!isAtTail && this.#length > 0) {
      this.#restartCount += 1;
      this.#overtakeCount += 1;
    }
    level.live.append(entry);
    level.length += 1;
    this.#length += 1;
    if (entry.deadlineNs < this.#nearestDeadlineNs) this.#nearestDeadlineNs = entry.deadlineNs;
    request.cancelObserver = entry;
  }

  /** The request to be served first. */
  first(): QueueEntry | undefined {
    return this.#length === 0 ? undefined : this.#firstFrom(0);
  }

  /** The request served after this one. */
  next(entry: QueueEntry): QueueEntry | undefined {
    if (entry.after !== undefined) return entry.after;
    const { list } = entry;
    if (list === undefined) return undefined;
    const { level } = list;
    if (list === level.live && level.delayed.first !== undefined) return level.delayed.first;
    return this.#firstFrom(level.index + 1);
  }

  /** Takes an entry out, for dispatch. */
  take(entry: QueueEntry): void {
    const level = entry.list?.level;
    if (level === undefined) return;
    entry.list?.unlink(entry);
    entry.request.cancelObserver = undefined;
    level.length -= 1;
    this.#length -= 1;
    if (level.length === 0 && !level.isConfigured && level.priority !== 0n) this.#dropLevel(level);
    if (this.#length === 0) this.#nearestDeadlineNs = Number.POSITIVE_INFINITY;
  }

  /** Takes the entry out and tells `onCancelled`. Does nothing for one that has left already. */
  takeCancelled(entry: QueueEntry): void {
    if (entry.list === undefined) return;
    this.take(entry);
    this.#restartCount += 1;
    this.#options.onCancelled(entry.request);
  }

  /** Applies the policies to every request whose deadline has passed; returns those that are to be rejected. */
  expire(nowNs: number): InferenceRequest[] {
    const rejected: InferenceRequest[] = [];
    if (nowNs < this.#nearestDeadlineNs) return rejected;
    this.#restartCount += 1;
    let nearestNs = Number.POSITIVE_INFINITY;
    for (const level of [...this.#levels]) {
      for (let entry = level.live.first; entry !== undefined;) {
        const following: QueueEntry | undefined = entry.after;
        if (entry.deadlineNs > nowNs) nearestNs = Math.min(nearestNs, entry.deadlineNs);
        else if (level.policy.timeoutAction === 'DELAY') park(level, entry);
        else {
          rejected.push(entry.request);
          this.take(entry);
        }
        entry = following;
      }
    }
    this.#nearestDeadlineNs = nearestNs;
    return rejected;
  }

  /** Empties the queue. */
  drain(): InferenceRequest[] {
    const requests: InferenceRequest[] = [];
    for (let entry = this.first(); entry !== undefined; entry = this.first()) {
      requests.push(entry.request);
      this.take(entry);
    }
    return requests;
  }

  #firstFrom(index: number): QueueEntry | undefined {
    for (let at = index; at < this.#levels.length; at += 1) {
      const level = this.#levels[at];
      const entry = level?.live.first ?? level?.delayed.first;
      if (entry !== undefined) return entry;
    }
    return undefined;
  }

  #levelFor(priority: bigint): QueueLevel {
    return this.#addLevel(priority, this.#options.defaultPolicy, false);
  }

  #addLevel(priority: bigint, policy: QueuePolicy, isConfigured: boolean): QueueLevel {
    const level = new QueueLevel(priority, policy, isConfigured);
    let low = 0;
    let high = this.#levels.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#levels[middle]?.priority ?? 0n) < priority) low = middle + 1;
      else high = middle;
    }
    this.#levels.splice(low, 0, level);
    this.#byPriority.set(priority, level);
    this.#renumber(low);
    return level;
  }

  #dropLevel(level: QueueLevel): void {
    this.#byPriority.delete(level.priority);
    this.#levels.splice(level.index, 1);
    this.#renumber(level.index);
  }

  #renumber(from: number): void {
    for (let at = from; at < this.#levels.length; at += 1) {
      const level = this.#levels[at];
      if (level !== undefined) level.index = at;
    }
  }
}

function park(level: QueueLevel, entry: QueueEntry): void {
  level.live.unlink(entry);
  entry.deadlineNs = Number.POSITIVE_INFINITY;
  level.delayed.append(entry);
}

// Places sessions into worker threads: a thread of its own for each while there are few, beyond the cap in the thread
// that has the least to do. Sessions whose runs are short share as many threads as the machine has processors: more could
// not run at once. Threads without sessions end; a thread that dies is replaced when its sessions open again.

import os from 'node:os';

import type { Timer } from '../../base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import { getLogger } from '../../base/log.ts';
import { HostWorker } from './host-worker.ts';
import { HostedSession } from './hosted-session.ts';

const log = getLogger('instance-host');

const DEFAULT_MAX_WORKERS = 64;
/** Threads that wait at most: a model has two instances unless it says otherwise. */
const MAX_WAITING = 2;
/** Below the engine thread, so that a busy model never delays sockets and timers. */
export const DEFAULT_NICE_LEVEL = 5;

/** How many threads there may be. Whoever makes a host closes it. */
export interface InstanceHostOptions {
  /** File that the threads run. */
  readonly entry: URL;
  /** Default 64: a thread costs 11-15 MB. */
  readonly maxWorkers?: number;
  /** Threads of one priority that sessions with short runs share; default the processors of the machine, at least 2. */
  readonly maxShared?: number;
  /**
   * For how long a few threads without sessions wait for the next one: starting a thread costs more than making the
   * session of a small model. Default 0.
   */
  readonly keepIdleMs?: number;
  /** Called around the opening of each session; openings may overlap. Default: nothing around it. */
  readonly whileOpening?: <T>(open: () => Promise<T>) => Promise<T>;
}

/** How a session is opened and placed. */
export interface OpenOptions {
  /** Names the instance in messages: "instance 'simple_0' of model 'simple'". */
  readonly label: string;
  readonly init: unknown;
  /** 0 (as the engine) to 19; default 5. */
  readonly niceLevel?: number;
  /** Its runs are so short that others may wait behind them; default false. */
  readonly mayShare?: boolean;
  /** Asked before it moves to a thread of its own: false when what it is opened from has changed. Default: it has not. */
  readonly mayMove?: () => boolean;
  /** Prefers a thread in which a session left something for it: the number that it was closed with. */
  readonly reservation?: number;
}

interface Placing {
  readonly niceLevel: number;
  readonly mayShare: boolean;
  readonly reservation: number | undefined;
}

/** At most `maxWorkers` threads, 64 unless said otherwise; a thread without sessions ends after `keepIdleMs`. */
export class InstanceHost {
  readonly #entry: URL;
  readonly #maxWorkers: number;
  readonly #maxShared: number;
  readonly #keepIdleMs: number;
  readonly #whileOpening: NonNullable<InstanceHostOptions['whileOpening']>;
  readonly #workers = new Set<HostWorker>();
  #idleTimer: Timer | undefined;
  #lastId = 0;

  constructor(options: InstanceHostOptions) {
    this.#entry = options.entry;
    this.#maxWorkers = options.maxWorkers ?? DEFAULT_MAX_WORKERS;
    this.#maxShared = options.maxShared ?? Math.max(2, os.availableParallelism());
    this.#keepIdleMs = options.keepIdleMs ?? 0;
    this.#whileOpening = options.whileOpening ?? ((open) => open());
  }

  /** Threads that have not ended, those without sessions included. For tests. */
  get workerCount(): number {
    return this.#workers.size;
  }

  /** Opens a session in a worker. Rejects with what the session's own code reported. */
  async open(options: OpenOptions): Promise<HostedSession> {
    const { label, init, niceLevel = DEFAULT_NICE_LEVEL, mayShare = false, reservation } = options;
    const session = new HostedSession(label, init, {
      place: (hasLeft) => this.#place({ niceLevel, mayShare: mayShare && !hasLeft, reservation }),
      newId: () => ++this.#lastId,
      onReplaced: (reason) => log.warn(`${label} was started again`, { reason }),
      mayMove: options.mayMove ?? (() => true),
      onMoved: (hasLeft) => {
        if (hasLeft) log.verbose(1, `${label} is given a thread of its own: its runs are long`);
        void this.#settleIdle();
      },
    });
    try {
      await this.#whileOpening(() => session.open());
    } catch (thrown) {
      await this.#settleIdle();
      throw thrown;
    }
    return session;
  }

  /**
   * Closes a session. Its thread ends when no other session lives there, or waits for one: with a `reservation` rather for
   * that one than for another.
   */
  async closeSession(session: HostedSession, reservation?: number): Promise<void> {
    await session.close(reservation);
    await this.#settleIdle();
  }

  /** Ends threads that hold no session: at once those that are too many, the others when they have waited. */
  async #settleIdle(): Promise<void> {
    const keepMs = this.#keepIdleMs;
    const idle = [...this.#workers].filter((worker) => worker.sessionCount === 0);
    const oldestMs = performance.now() - keepMs;
    const isReserved = (worker: HostWorker): boolean => worker.reservation !== undefined;
    const waiting = idle.filter((worker) => keepMs > 0 && worker.idleSinceMs > oldestMs);
    const kept = new Set([
      ...waiting.filter(isReserved),
      ...waiting.filter((worker) => !isReserved(worker)).slice(0, MAX_WAITING),
    ]);
    if (kept.size > 0) {
      this.#idleTimer ??= systemClock.after(keepMs, () => {
        this.#idleTimer = undefined;
        void this.#settleIdle();
      });
    }
    const ending = idle.filter((worker) => !kept.has(worker));
    for (const worker of ending) this.#workers.delete(worker);
    await Promise.all(ending.map((worker) => worker.end()));
  }

  /** Ends all threads, each after the job that it runs; jobs behind that one fail. */
  async close(): Promise<void> {
    this.#idleTimer?.cancel();
    const workers = [...this.#workers];
    this.#workers.clear();
    await Promise.all(workers.map((worker) => worker.end()));
  }

  #place({ niceLevel, mayShare, reservation }: Placing): HostWorker {
    const worker =
      this.#waiting(niceLevel, reservation) ??
      (mayShare ? this.#shared(niceLevel) : undefined) ??
      this.#beyondCap(niceLevel) ??
      this.#newWorker(niceLevel);
    if (worker.sessionCount === 0) worker.isShared = mayShare;
    return worker;
  }

  /** A thread without sessions. */
  #waiting(niceLevel: number, reservation: number | undefined): HostWorker | undefined {
    const idle = [...this.#workers].filter(
      (worker) => worker.sessionCount === 0 && worker.niceLevel === niceLevel && !worker.hasEnded,
    );
    return (
      idle.find((worker) => reservation !== undefined && worker.reservation === reservation) ??
      idle.find((worker) => worker.reservation === undefined)
    );
  }

  /** The shared thread with the fewest sessions, once there are as many as may be. */
  #shared(niceLevel: number): HostWorker | undefined {
    const shared = [...this.#workers].filter(
      (worker) => worker.isShared && worker.niceLevel === niceLevel && !worker.hasEnded,
    );
    if (shared.length < this.#maxShared) return undefined;
    return shared.sort((a, b) => a.sessionCount - b.sessionCount)[0];
  }

  /** One of the same priority where there is one; beyond the cap a thread is never added. */
  #beyondCap(niceLevel: number): HostWorker | undefined {
    if (this.#workers.size < this.#maxWorkers) return undefined;
    const alive = [...this.#workers].filter((worker) => !worker.hasEnded);
    const equal = alive.filter((worker) => worker.niceLevel === niceLevel);
    return (equal.length > 0 ? equal : alive).sort(
      (a, b) => a.inFlightCount - b.inFlightCount || a.sessionCount - b.sessionCount,
    )[0];
  }

  #newWorker(niceLevel: number): HostWorker {
    const worker = new HostWorker(this.#entry, niceLevel, (ended) => this.#workers.delete(ended));
    this.#workers.add(worker);
    return worker;
  }
}

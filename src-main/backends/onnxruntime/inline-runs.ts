// Which runs of an instance the event loop does itself, and which it hands to the instance's thread. The hand-over wakes
// two sleeping threads, one after the other; that is longer than a tiny model runs.
// Requests in company stay with the thread: it works beside the loop then, is awake already, and batches form meanwhile.
// Invariant: the loop does no run but of a model whose work follows from its input shapes, of shapes of which 64 runs were
// measured and three quarters of the last 64 were short. Where measured runs become longer, the thread has the next one.

import { getLogger } from '../../base/log.ts';
import { MAX_INLINE_BYTE_SIZE } from './inline-session.ts';
import type { InlineSession } from './inline-session.ts';
import { TimesBook } from './layout-times.ts';
import type { LayoutTimes } from './layout-times.ts';
import type { LoopBudget } from './loop-budget.ts';

const log = getLogger('onnxruntime');

/** Runs in the thread, none of them with company, after which requests are taken to come one at a time. */
const ALONE_COUNT = 16;
/** So many runs of the loop, and one is the thread's: company shows only while a run is on its way. */
const PROBE_INTERVAL = 256;

/** What one instance needs to be run by the event loop. */
export interface InlineRunsOptions {
  /** Names the instance in the log. */
  readonly label: string;
  /** Makes the session, blocking. */
  readonly open: () => InlineSession;
  /** Of all models together. */
  readonly budget: LoopBudget;
}

/** Decides for one instance, and holds its session on the event loop. */
export class InlineRuns {
  readonly book = new TimesBook();
  readonly #options: InlineRunsOptions;
  #state: 'unopened' | 'opening' | 'open' | 'closed' = 'unopened';
  #session: InlineSession | undefined;
  #aloneCount = 0;
  #sinceProbe = 0;

  constructor(options: InlineRunsOptions) {
    this.#options = options;
  }

  /** Another run is on its way, or this one is of several requests. */
  noteCompany(): void {
    this.#aloneCount = 0;
  }

  /** The session, when the loop is to do this run; `byteSize` is that of the whole job. */
  take(times: LayoutTimes, byteSize: number, nowNs: number): InlineSession | undefined {
    const isFit = this.#state !== 'closed' && byteSize <= MAX_INLINE_BYTE_SIZE && times.areShort;
    const isTime = this.#aloneCount >= ALONE_COUNT && this.#options.budget.hasRoom(nowNs);
    if (!isFit || !isTime) return this.#leave();
    this.#sinceProbe += 1;
    if (this.#sinceProbe > PROBE_INTERVAL) {
      this.#sinceProbe = 0;
      return this.#leave();
    }
    if (this.#state === 'unopened') this.#openSoon();
    return this.#session;
  }

  /** The event loop has done a run that took so long. */
  ran(runNs: number): void {
    this.#options.budget.spend(runNs);
  }

  /** Releases the session; no run is on its way. */
  close(): void {
    this.#state = 'closed';
    this.#session?.close();
    this.#session = undefined;
  }

  #leave(): undefined {
    if (this.#aloneCount < ALONE_COUNT) this.#aloneCount += 1;
    return undefined;
  }

  /** Not while a request is looked at. */
  #openSoon(): void {
    this.#state = 'opening';
    setImmediate(() => {
      if (this.#state !== 'opening') return;
      try {
        this.#session = this.#options.open();
        this.#state = 'open';
        log.verbose(1, `${this.#options.label} runs on the event loop while its runs are short`);
      } catch (thrown) {
        this.#state = 'closed';
        log.verbose(1, `${this.#options.label} stays in its thread`, { reason: String(thrown) });
      }
    });
  }
}

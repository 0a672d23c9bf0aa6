// How long the last runs of one model took, for each set of input shapes apart: a run is judged by runs that did the
// same work.

import type { FeedLayout } from './job-layout.ts';

/** Runs that are remembered of each set of shapes. */
const REMEMBERED = 64;
/** A quarter may be slower than what they count as: the work is the same every time, the rest is a busy machine's. */
const ALLOWED_OUTLIERS = REMEMBERED / 4;
/** Sets of shapes that are told apart; the one that was longest unused goes. */
const MAX_LAYOUTS = 8;

/** Up to here a run takes less time than the hand-over to a thread: two that sleep and are woken. */
const SHORT_NS = 80_000;

type Feeds = readonly (FeedLayout | undefined)[];

/** The last runs of one set of input shapes. */
export class LayoutTimes {
  readonly #shapes: readonly (readonly number[] | undefined)[];
  /** By run: 1 = long. */
  readonly #isLong = new Uint8Array(REMEMBERED);
  #longCount = 0;
  #runCount = 0;

  constructor(feeds: Feeds) {
    this.#shapes = feeds.map((feed) => feed && [...feed.dims]);
  }

  /** True for inputs of exactly these shapes, in the same order; names are not looked at. */
  matches(feeds: Feeds): boolean {
    for (let index = 0; index < feeds.length; index++) {
      if (!isSame(this.#shapes[index], feeds[index]?.dims)) return false;
    }
    return true;
  }

  /** One run more, which took `runNs`; the oldest of the last 64 is forgotten. */
  note(runNs: number): void {
    const at = this.#runCount % REMEMBERED;
    const isLong = runNs <= SHORT_NS ? 0 : 1;
    this.#longCount += isLong - (this.#isLong[at] ?? 0);
    this.#isLong[at] = isLong;
    this.#runCount += 1;
  }

  /** Three quarters of the last 64 runs took no longer than 80 us; false while there were fewer. */
  get areShort(): boolean {
    return this.#runCount >= REMEMBERED && this.#longCount <= ALLOWED_OUTLIERS;
  }

  /** So many were there, and more than a quarter took longer. */
  get areLong(): boolean {
    return this.#runCount >= REMEMBERED && !this.areShort;
  }
}

function isSame(one: readonly number[] | undefined, other: readonly number[] | undefined): boolean {
  if (one === other) return true;
  if (one?.length !== other?.length) return false;
  for (let axis = 0; axis < (one?.length ?? 0); axis++) if (one?.[axis] !== other?.[axis]) return false;
  return true;
}

/** The times of one model, by input shapes. */
export class TimesBook {
  /** The one used last comes first. */
  readonly #known: LayoutTimes[] = [];

  /**
   * The times of these shapes, new ones where they were not seen. The shapes used longest ago are forgotten when there
   * are too many.
   */
  of(feeds: Feeds): LayoutTimes {
    const known = this.#known;
    const first = known[0];
    if (first?.matches(feeds) === true) return first;
    const found = known.find((times) => times.matches(feeds));
    if (found !== undefined) known.splice(known.indexOf(found), 1);
    const times = found ?? new LayoutTimes(feeds);
    known.unshift(times);
    if (known.length > MAX_LAYOUTS) known.pop();
    return times;
  }
}

// A queue of small entries from one thread to another, in memory that both share: one side puts, the other takes.
// Waking a thread costs far more than an entry, so the taker says when it goes to sleep, and only then is it woken.
// Invariant: an entry is in memory before its count is, and a taker that says it sleeps looks at the count once more;
// so no entry waits for a taker that sleeps, once the putter has called wake().
// An event loop is woken by a message and not by Atomics.waitAsync: under load V8 13.6 sometimes resolved none of its
// promises any more, once in some 300,000, and messages turned out to cost the same.

/** Entries between the two at most; a power of two. */
export const RING_CAPACITY = 1024;

const ENTRY_WORDS = 2;
// Words that one side writes lie on cache lines of their own.
const PUT_COUNT = 0;
const IS_CLOSED = 1;
const TAKEN_COUNT = 16;
const HOW_ASLEEP = 32;
const FIRST_ENTRY = 48;

/** How a taker sleeps, and is woken: not at all, by a notification of its memory, by a message to its event loop. */
const AWAKE = 0;
const FOR_NOTIFICATION = 1;
const FOR_MESSAGE = 2;

/** Zeroed memory for one ring: its two counters and RING_CAPACITY entries, in bytes. */
export function createRingMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer((FIRST_ENTRY + RING_CAPACITY * ENTRY_WORDS) * Int32Array.BYTES_PER_ELEMENT);
}

const entryAt = (count: number): number => FIRST_ENTRY + (count & (RING_CAPACITY - 1)) * ENTRY_WORDS;

/** The side that puts entries in. */
export class RingWriter {
  readonly #words: Int32Array;
  #count = 0;

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory);
  }

  /** Puts an entry behind the others; false when there is no room. The taker sleeps on until wake(). */
  put(first: number, second: number): boolean {
    if (((this.#count - Atomics.load(this.#words, TAKEN_COUNT)) | 0) >= RING_CAPACITY) return false;
    const at = entryAt(this.#count);
    this.#words[at] = first;
    this.#words[at + 1] = second;
    this.#count = (this.#count + 1) | 0;
    Atomics.store(this.#words, PUT_COUNT, this.#count);
    return true;
  }

  /** Wakes the taker if it sleeps; `sendMessage` for one that waits for messages. */
  wake(sendMessage?: () => void): void {
    if (Atomics.load(this.#words, HOW_ASLEEP) === AWAKE) return;
    const how = Atomics.exchange(this.#words, HOW_ASLEEP, AWAKE);
    if (how === FOR_NOTIFICATION) Atomics.notify(this.#words, PUT_COUNT);
    else if (how === FOR_MESSAGE) sendMessage?.();
  }

  /** Ends the ring: the taker, woken if it sleeps, is given nothing more. */
  close(): void {
    Atomics.store(this.#words, IS_CLOSED, 1);
    Atomics.add(this.#words, PUT_COUNT, 1);
    this.wake();
  }

  /** Lets this thread wait until an entry is taken, or `timeoutMs` have passed. Not for an event loop. */
  waitForRoom(timeoutMs: number): void {
    Atomics.wait(this.#words, TAKEN_COUNT, (this.#count - RING_CAPACITY) | 0, timeoutMs);
  }
}

/** The side that takes entries out. */
export class RingReader {
  readonly #words: Int32Array;
  #count = 0;
  /** The entry that was taken last. */
  first = 0;
  second = 0;

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory);
  }

  /** The putter wants no entry to be taken any more. */
  get isClosed(): boolean {
    return Atomics.load(this.#words, IS_CLOSED) === 1;
  }

  /** Takes the oldest entry into `first` and `second`; false when there is none. */
  take(): boolean {
    if (this.#count === Atomics.load(this.#words, PUT_COUNT) || this.isClosed) return false;
    const at = entryAt(this.#count);
    this.first = this.#words[at] ?? 0;
    this.second = this.#words[at + 1] ?? 0;
    this.#count = (this.#count + 1) | 0;
    Atomics.store(this.#words, TAKEN_COUNT, this.#count);
    return true;
  }

  /** Lets this thread sleep until there is an entry; false when `timeoutMs` have passed before. Not for an event loop. */
  sleep(timeoutMs = Infinity): boolean {
    Atomics.store(this.#words, HOW_ASLEEP, FOR_NOTIFICATION);
    const outcome = Atomics.wait(this.#words, PUT_COUNT, this.#count, timeoutMs);
    Atomics.store(this.#words, HOW_ASLEEP, AWAKE);
    return outcome !== 'timed-out';
  }

  /** For an event loop that listens for the putter's message: true when it comes; false when there is an entry already. */
  expectMessage(): boolean {
    Atomics.store(this.#words, HOW_ASLEEP, FOR_MESSAGE);
    if (Atomics.load(this.#words, PUT_COUNT) === this.#count) return true;
    Atomics.store(this.#words, HOW_ASLEEP, AWAKE);
    return false;
  }
}

// Two threads with an event loop each, and what they tell each other. What is frequent is a record: a few numbers and a
// piece of bytes in memory that both share, announced by an entry of a ring, so that a side that is awake is not woken
// (see shared-ring.ts). What is rare or large is a message at a port, announced by an entry of the same ring.
// Invariants: records and messages of one side arrive in the order in which they were sent, whatever was full meanwhile;
// a message waits at the port before its entry is in the ring.

import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import type { MessagePort, Transferable } from 'node:worker_threads';

import { RingReader, RingWriter, createRingMemory } from '../backends/instance-host/shared-ring.ts';
import type { Timer } from '../base/clock.ts';
import { systemClock } from '../base/clock.ts';
import { copyInto } from '../base/copy-into.ts';
import { Fifo } from '../base/fifo.ts';
import { TurnBudget } from '../base/turn-budget.ts';
import { ArenaReader, ArenaWriter, createArenaMemory } from './record-arena.ts';

/** Bytes that a record may carry; what is larger is sent as a message. */
export const MAX_RECORD_BYTES = 64 * 1024;
const ARENA_BYTES = 1024 * 1024;
/** Kinds of records are 0 to this. */
const MAX_KIND = 7;
/** In place of kind and piece: one message waits at the port. */
const MESSAGE = -1;
/** Time, three numbers, the size of the bytes, and how far behind a word they begin. */
const HEAD_BYTES = 32;
const WORD_BYTES = 8;
/** Looks at the ring behind one alarm at most; sockets wait meanwhile. */
const MAX_LOOKS = 4;
/** Entries that are taken in one turn of the event loop at most. */
const MAX_TAKEN = 64;
/** How long somebody who found the other side's memory full waits before looking again. */
const RETRY_MS = 1;

interface Direction {
  readonly ring: SharedArrayBuffer;
  readonly arena: SharedArrayBuffer;
}

/** One end of a channel; can be sent to the thread that is to have it, with its ports. */
export interface ChannelEnd {
  readonly sends: Direction;
  readonly receives: Direction;
  readonly port: MessagePort;
  /** What is sent here wakes the other event loop. */
  readonly alarm: MessagePort;
}

/** What a record says beside its bytes. */
export interface RecordNumbers {
  /** Whole numbers of 32 bits; unused ones are 0. */
  readonly a?: number;
  readonly b?: number;
  readonly c?: number;
  /** Any number. */
  readonly time?: number;
}

/** A record that arrived; good for as long as the call that hands it over. */
export interface ArrivedRecord extends Required<RecordNumbers> {
  readonly kind: number;
  readonly number: number;
  readonly byteSize: number;
  /** Its bytes in memory of their own. */
  copyBytes(): Buffer;
}

/** Hears what the other side says. Neither may throw. */
export interface ChannelUser {
  /** Its bytes are good until the call returns; then the other side may write over them. */
  record(record: ArrivedRecord): void;
  /** A structured clone of what was posted. */
  message(message: unknown): void;
}

/** Both ends. */
export function createChannel(): readonly [ChannelEnd, ChannelEnd] {
  const direction = (): Direction => {
    return { ring: createRingMemory(), arena: createArenaMemory(ARENA_BYTES) };
  };
  const [there, back] = [direction(), direction()];
  const messages = new MessageChannel();
  const alarms = new MessageChannel();
  return [
    { sends: there, receives: back, port: messages.port1, alarm: alarms.port1 },
    { sends: back, receives: there, port: messages.port2, alarm: alarms.port2 },
  ];
}

/** Neither side waits for the other: what finds no room is kept here until there is. */
export class ThreadChannel {
  readonly #user: ChannelUser;
  readonly #port: MessagePort;
  readonly #alarm: MessagePort;
  readonly #entries: RingWriter;
  readonly #pieces: ArenaWriter;
  readonly #out: Pieces;
  readonly #arrivals: RingReader;
  readonly #arrived: Arrived;
  readonly #backlog = new Fifo<() => boolean>();
  readonly #budget = new TurnBudget(MAX_TAKEN, () => this.#look());
  #retry: Timer | undefined;
  #isClosed = false;

  constructor({ sends, receives, port, alarm }: ChannelEnd, user: ChannelUser) {
    this.#user = user;
    this.#port = port;
    this.#alarm = alarm;
    this.#entries = new RingWriter(sends.ring);
    this.#pieces = new ArenaWriter(sends.arena);
    this.#out = piecesOf(sends.arena);
    this.#arrivals = new RingReader(receives.ring);
    this.#arrived = new Arrived(receives.arena);
    alarm.on('message', this.#look);
    this.#look();
  }

  /** Does not keep the process alive. */
  unref(): void {
    this.#alarm.unref();
  }

  /** `kind` 0 to 7. The bytes, MAX_RECORD_BYTES at most, must stay as they are until the other side has taken the record. */
  send(
    kind: number,
    number: number,
    numbers: RecordNumbers = {},
    chunks: readonly Uint8Array[] = [],
    byteSize = 0,
  ): void {
    if (this.#isClosed) return;
    if (this.#backlog.length === 0 && this.#put(kind, number, numbers, chunks, byteSize)) this.#wake();
    else this.#keep(() => this.#put(kind, number, numbers, chunks, byteSize));
  }

  /** Behind all records and messages that were sent before. Goes nowhere after `close`. */
  post(message: unknown, transfer: readonly Transferable[] = []): void {
    if (this.#isClosed) return;
    // It waits at the port before its entry says so: whoever takes the entry, at once perhaps, finds it there.
    this.#port.postMessage(message, transfer);
    const put = (): boolean => this.#entries.put(MESSAGE, 0);
    if (this.#backlog.length === 0 && put()) this.#wake();
    else this.#keep(put);
  }

  /** Nothing is sent or taken any more. */
  close(): void {
    this.#isClosed = true;
    this.#retry?.cancel();
    this.#port.close();
    this.#alarm.close();
  }

  /** What the other side has sent before it ended. */
  takeRest(): void {
    while (!this.#isClosed && this.#arrivals.take()) this.#takeOne();
    this.#sendBacklog();
  }

  #keep(put: () => boolean): void {
    this.#backlog.push(put);
    this.#retry ??= systemClock.after(RETRY_MS, this.#retryNow);
  }

  readonly #retryNow = (): void => {
    this.#retry = undefined;
    this.#sendBacklog();
  };

  #sendBacklog(): void {
    for (let put = this.#backlog.peek(); put !== undefined; put = this.#backlog.peek()) {
      if (!put()) {
        this.#retry ??= systemClock.after(RETRY_MS, this.#retryNow);
        return;
      }
      this.#backlog.shift();
      this.#wake();
    }
  }

  #wake(): void {
    this.#entries.wake(this.#sound);
  }

  readonly #sound = (): void => this.#alarm.postMessage(0);

  #put(
    kind: number,
    number: number,
    { a = 0, b = 0, c = 0, time = 0 }: RecordNumbers,
    chunks: readonly Uint8Array[],
    byteSize: number,
  ): boolean {
    // Lying alike within a word, bytes are copied fast.
    const skew = (chunks[0]?.byteOffset ?? 0) % WORD_BYTES;
    const at = this.#pieces.take(HEAD_BYTES + skew + byteSize);
    if (at === undefined) return false;
    const { words, doubles, bytes } = this.#out;
    doubles[at / 8] = time;
    const word = at / 4 + 2;
    words[word] = a;
    words[word + 1] = b;
    words[word + 2] = c;
    words[word + 3] = byteSize;
    words[word + 4] = skew;
    let to = at + HEAD_BYTES + skew;
    for (const chunk of chunks) {
      copyInto(bytes, chunk, to);
      to += chunk.byteLength;
    }
    if (this.#entries.put(at | kind, number)) return true;
    this.#pieces.undo();
    return false;
  }

  readonly #look = (): void => {
    const budget = this.#budget;
    for (let looks = 0; looks < MAX_LOOKS && !budget.isSpent; looks += 1) {
      while (!this.#isClosed && !budget.isSpent && this.#arrivals.take()) {
        budget.spend();
        this.#takeOne();
      }
      if (this.#backlog.length > 0) this.#sendBacklog();
      if (this.#isClosed || (!budget.isSpent && this.#arrivals.expectMessage())) return;
    }
    budget.waitForTurn();
  };

  #takeOne(): void {
    const { first, second } = this.#arrivals;
    if (first === MESSAGE) {
      this.#user.message(receiveMessageOnPort(this.#port)?.message);
      return;
    }
    this.#arrived.read(first, second);
    this.#user.record(this.#arrived);
    this.#arrived.giveBack();
  }
}

interface Pieces {
  readonly words: Int32Array;
  readonly doubles: Float64Array;
  readonly bytes: Uint8Array;
}

function piecesOf(memory: SharedArrayBuffer): Pieces {
  return {
    words: new Int32Array(memory),
    doubles: new Float64Array(memory),
    bytes: new Uint8Array(memory),
  };
}

/** The record that is being handed over. */
class Arrived implements ArrivedRecord {
  readonly #in: Pieces;
  readonly #pieces: ArenaReader;
  #at = 0;
  #skew = 0;
  kind = 0;
  number = 0;
  a = 0;
  b = 0;
  c = 0;
  time = 0;
  byteSize = 0;

  constructor(memory: SharedArrayBuffer) {
    this.#in = piecesOf(memory);
    this.#pieces = new ArenaReader(memory);
  }

  read(first: number, second: number): void {
    const { words, doubles } = this.#in;
    this.kind = first & MAX_KIND;
    this.number = second;
    const at = first - this.kind;
    const word = at / 4 + 2;
    this.#at = at;
    this.time = doubles[at / 8] as number;
    this.a = words[word] as number;
    this.b = words[word + 1] as number;
    this.c = words[word + 2] as number;
    this.byteSize = words[word + 3] as number;
    this.#skew = words[word + 4] as number;
  }

  copyBytes(): Buffer {
    const skew = this.#skew;
    // Lying alike within a word, bytes are copied fast.
    const whole = Buffer.allocUnsafe(skew + this.byteSize);
    const from = this.#at + HEAD_BYTES;
    whole.set(this.#in.bytes.subarray(from, from + skew + this.byteSize));
    return skew === 0 ? whole : whole.subarray(skew);
  }

  giveBack(): void {
    this.#pieces.giveBack(this.#at, HEAD_BYTES + this.#skew + this.byteSize);
  }
}

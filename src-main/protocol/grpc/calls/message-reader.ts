// The data of a call as its messages: each a byte that says whether it is compressed, four of length, and the message.
// A message that lies in one part is a view of it. One that comes in several is put together, as long as it is not huge, in
// memory of its own: parts die young then, and the memory can be freed as soon as nobody needs the message. Of a huge one
// the parts are kept as they came, so that nothing is reserved for what may never come.

import type { WireMessage } from '../../../grpc-wire/wire-message.ts';
import { MAX_MESSAGE_BYTES, MESSAGE_PREFIX_BYTES } from '../../../grpc-wire/wire-message.ts';

/** Messages up to this size are put together; the system gives memory only as it is written to. */
const MAX_JOINED_BYTES = 64 * 1024 * 1024;
/** Parts below this size are put together with their neighbours, so that tiny frames cost no memory of their own each. */
const MIN_PART_BYTES = 8 * 1024;
const BLOCK_BYTES = 64 * 1024;

/** Takes the messages of a call in the order in which they came. */
export interface MessageSink {
  /** Bytes without the five in front, still compressed when `isCompressed`. */
  onMessage(message: WireMessage, isCompressed: boolean): void;
  /** Nothing more is read. */
  onMessageFault(text: string): void;
}

/** The parts of a message that is coming. */
class PartList {
  readonly parts: Uint8Array[] = [];
  readonly #isWhole: boolean;
  readonly #byteSize: number;
  /** What short parts are gathered in, and how much of it is used. */
  #block: Buffer | undefined;
  #used = 0;
  received = 0;

  constructor(byteSize: number) {
    this.#byteSize = byteSize;
    this.#isWhole = byteSize <= MAX_JOINED_BYTES;
  }

  /** True when `part` was copied. */
  add(part: Buffer): boolean {
    const isCopied = this.#isWhole || part.length < MIN_PART_BYTES;
    if (isCopied) this.#copy(part);
    else {
      this.#closeBlock();
      this.parts.push(part);
    }
    this.received += part.length;
    if (this.received === this.#byteSize) this.#closeBlock();
    return isCopied;
  }

  #copy(part: Buffer): void {
    if (this.#block !== undefined && this.#used + part.length > this.#block.length) this.#closeBlock();
    if (this.#block === undefined) {
      const missing = this.#byteSize - this.received;
      this.#block = Buffer.allocUnsafeSlow(this.#isWhole ? missing : Math.min(missing, BLOCK_BYTES));
    }
    this.#block.set(part, this.#used);
    this.#used += part.length;
  }

  #closeBlock(): void {
    if (this.#block === undefined) return;
    const used = this.#block.subarray(0, this.#used);
    this.parts.push(this.#used * 2 < this.#block.length ? Buffer.from(used) : used);
    this.#block = undefined;
    this.#used = 0;
  }
}

/** For one direction of one call. After a fault it told the sink of, it reads nothing more. */
export class MessageReader {
  readonly #sink: MessageSink;
  #prefix: Buffer = Buffer.alloc(0);
  #isCompressed = false;
  /** Of the message under way; -1 = none. */
  #byteSize = -1;
  /** Of the message under way, when it does not lie in one part. */
  #list: PartList | undefined;
  #isBroken = false;

  constructor(sink: MessageSink) {
    this.#sink = sink;
  }

  /** A message has begun and is not complete. */
  get isWithin(): boolean {
    return this.#byteSize >= 0 || this.#prefix.length > 0;
  }

  /** True when nothing refers to `part` any more; else it is kept as long as messages in it are. */
  read(part: Buffer): boolean {
    let isFree = true;
    let at = 0;
    while (!this.#isBroken && (at < part.length || this.#byteSize === 0)) {
      if (this.#byteSize < 0) {
        at = this.#readPrefix(part, at);
        continue;
      }
      const missing = this.#byteSize - (this.#list?.received ?? 0);
      const taken = part.subarray(at, at + missing);
      at += taken.length;
      if (this.#list === undefined && taken.length === missing) {
        isFree = taken.length === 0 && isFree;
        this.#complete([taken]);
      } else if (!this.#add(taken, missing)) isFree = false;
    }
    return isFree;
  }

  #readPrefix(part: Buffer, at: number): number {
    if (this.#prefix.length === 0 && part.length - at >= MESSAGE_PREFIX_BYTES) {
      this.#begin(part, at);
      return at + MESSAGE_PREFIX_BYTES;
    }
    const taken = part.subarray(at, at + MESSAGE_PREFIX_BYTES - this.#prefix.length);
    const prefix = Buffer.concat([this.#prefix, taken]);
    if (prefix.length < MESSAGE_PREFIX_BYTES) {
      this.#prefix = prefix;
      return part.length;
    }
    this.#prefix = Buffer.alloc(0);
    this.#begin(prefix, 0);
    return at + taken.length;
  }

  #begin(prefix: Buffer, at: number): void {
    const flag = prefix[at] ?? 0;
    const byteSize = prefix.readUInt32BE(at + 1);
    if (flag > 1) this.#fail(`message with compressed flag ${flag}, expected 0 or 1`);
    else if (byteSize > MAX_MESSAGE_BYTES) {
      this.#fail(`Received message larger than max (${byteSize} vs ${MAX_MESSAGE_BYTES})`);
    } else {
      this.#isCompressed = flag === 1;
      this.#byteSize = byteSize;
    }
  }

  #add(taken: Buffer, missing: number): boolean {
    this.#list ??= new PartList(this.#byteSize);
    const isCopied = this.#list.add(taken);
    if (taken.length === missing) this.#complete(this.#list.parts);
    return isCopied;
  }

  #complete(message: WireMessage): void {
    this.#byteSize = -1;
    this.#list = undefined;
    this.#sink.onMessage(message, this.#isCompressed);
  }

  #fail(text: string): void {
    this.#isBroken = true;
    this.#sink.onMessageFault(text);
  }
}

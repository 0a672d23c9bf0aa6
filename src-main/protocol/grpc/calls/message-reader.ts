// The data of a call as its messages: each a byte that says whether it is compressed, four of length, and the message.
// A message that lies in one part is a view of it; one that comes in parts is put together once.

const PREFIX_BYTES = 5;
/** Messages up to this size get their memory when they begin; the system gives it only as it is written to. */
const MAX_RESERVED_BYTES = 64 * 1024 * 1024;
const MAX_MESSAGE_BYTES = 2_147_483_647;

export interface MessageSink {
  onMessage(message: Buffer, isCompressed: boolean): void;
  /** Nothing more is read. */
  onMessageFault(text: string): void;
}

export class MessageReader {
  readonly #sink: MessageSink;
  #prefix: Buffer = Buffer.alloc(0);
  #isCompressed = false;
  /** Of the message under way; -1 = none. */
  #byteSize = -1;
  #received = 0;
  #whole: Buffer | undefined;
  #parts: Buffer[] = [];
  #isBroken = false;

  constructor(sink: MessageSink) {
    this.#sink = sink;
  }

  /** A message has begun and is not complete. */
  get isWithin(): boolean {
    return this.#byteSize >= 0 || this.#prefix.length > 0;
  }

  /** `part` is kept as long as messages in it are. */
  read(part: Buffer): void {
    let at = 0;
    while (!this.#isBroken && (at < part.length || this.#byteSize === 0)) {
      if (this.#byteSize < 0) {
        at = this.#readPrefix(part, at);
        continue;
      }
      const missing = this.#byteSize - this.#received;
      if (this.#received === 0 && part.length - at >= missing) {
        const message = part.subarray(at, at + missing);
        at += missing;
        this.#complete(message);
      } else {
        const taken = part.subarray(at, at + missing);
        at += taken.length;
        this.#add(taken);
      }
    }
  }

  #readPrefix(part: Buffer, at: number): number {
    let prefix = part;
    let from = at;
    if (this.#prefix.length > 0 || part.length - at < PREFIX_BYTES) {
      const taken = part.subarray(at, at + PREFIX_BYTES - this.#prefix.length);
      this.#prefix = Buffer.concat([this.#prefix, taken]);
      if (this.#prefix.length < PREFIX_BYTES) return part.length;
      prefix = this.#prefix;
      from = 0;
      this.#prefix = Buffer.alloc(0);
      this.#begin(prefix, from);
      return at + taken.length;
    }
    this.#begin(prefix, from);
    return at + PREFIX_BYTES;
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
      this.#received = 0;
    }
  }

  #add(taken: Buffer): void {
    if (this.#received === 0 && this.#byteSize <= MAX_RESERVED_BYTES) {
      this.#whole = Buffer.allocUnsafeSlow(this.#byteSize);
    }
    if (this.#whole === undefined) this.#parts.push(taken);
    else this.#whole.set(taken, this.#received);
    this.#received += taken.length;
    if (this.#received < this.#byteSize) return;
    const message = this.#whole ?? Buffer.concat(this.#parts, this.#byteSize);
    this.#whole = undefined;
    this.#parts = [];
    this.#complete(message);
  }

  #complete(message: Buffer): void {
    this.#byteSize = -1;
    this.#received = 0;
    this.#sink.onMessage(message, this.#isCompressed);
  }

  #fail(text: string): void {
    this.#isBroken = true;
    this.#sink.onMessageFault(text);
  }
}

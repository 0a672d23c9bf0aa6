// One call as those see it who serve it: messages in, messages and a status out, a deadline, and the news that the
// client has gone. Messages are handed on in order, inflated ones too.

import type { Clock, Timer } from '../../../base/clock.ts';
import type { CompressedEncoding } from '../../../base/compress.ts';
import type { WireMessage } from '../../../grpc-wire/wire-message.ts';
import { byteSizeOf, joined } from '../../../grpc-wire/wire-message.ts';
import type { ServerStream, StreamUser } from '../../../http2/server-stream.ts';
import type { GrpcFault } from '../grpc-error.ts';
import { toGrpcFault } from '../grpc-error.ts';
import { CODE } from './codes.ts';
import type { CallHead } from './call-head.ts';
import type { CallMetadata } from './call-metadata.ts';
import type { CompressionLevel, SentMessage } from './compress-message.ts';
import { compressMessage, replyEncoding } from './compress-message.ts';
import { inflateMessage } from './inflate-message.ts';
import { MessageReader } from './message-reader.ts';
import { OK_TRAILERS, REPLY_HEADERS, statusOnly, statusTrailers } from './reply-blocks.ts';

/** Whoever serves a call. */
export interface CallHandler {
  /** Inflated already. Not called after `onCancelled`. */
  onMessage(message: WireMessage): void;
  /** The client has sent its last message. */
  onHalfClose(): void;
  /** What was written has gone out, behind a `write` that said false. */
  onDrain(): void;
  /** The client has gone, or its deadline has passed; nothing that is sent any more reaches it. */
  onCancelled(): void;
}

/** Of a call whose deadline has passed. */
export const DEADLINE_TEXT = 'Deadline Exceeded';

interface CallRules {
  readonly clock: Clock;
  readonly maxDecompressedByteSize: number;
}

/** Undefined = not ready. */
interface Outgoing {
  run: (() => void) | undefined;
}

/**
 * Ends with exactly one status; what is sent after it is dropped. A deadline that passes ends it with
 * DEADLINE_EXCEEDED and tells the handler that the client has gone.
 */
export class ServerCall implements StreamUser {
  readonly metadata: CallMetadata;
  handler: CallHandler | undefined;
  readonly #stream: ServerStream;
  readonly #head: CallHead;
  readonly #rules: CallRules;
  readonly #reader = new MessageReader(this);
  #deadline: Timer | undefined;
  #hasHeaders = false;
  #isOver = false;
  #isCancelled = false;
  #encoding: CompressedEncoding | undefined;
  /** What goes out, in order; the first of them is still being compressed. */
  readonly #outgoing: Outgoing[] = [];
  /** Set while a message is being inflated: what comes next waits for it. */
  #inflating: Promise<void> | undefined;

  constructor(stream: ServerStream, head: CallHead, rules: CallRules) {
    this.#stream = stream;
    this.#head = head;
    this.#rules = rules;
    this.metadata = head.metadata;
    if (head.timeoutMs !== undefined) {
      this.#deadline = rules.clock.after(head.timeoutMs, () => this.#expire());
    }
  }

  /** The client has gone or its deadline has passed, before the call had ended. */
  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** From now on messages of the answer are compressed, if the client takes that. */
  compress(level: CompressionLevel): void {
    // Most servers compress nothing: their calls do not look for the field.
    if (level === 'none') return;
    this.#encoding = replyEncoding(level, this.metadata.get('grpc-accept-encoding'));
  }

  /** The only message of the answer, and success. `left` is called when it has left; never, when it did not. */
  reply(message: WireMessage, left?: () => void): void {
    const encoding = this.#encoding;
    if (encoding === undefined) this.#answer(message, false, left);
    else this.#compressed(message, encoding, (sent) => this.#answer(sent.message, sent.isCompressed, left));
  }

  /** False when it waits for the client, or for being compressed; `onDrain` follows. */
  write(message: WireMessage): boolean {
    const encoding = this.#encoding;
    if (encoding === undefined) return this.#send(message, false);
    let isTaken = true;
    let isLater = false;
    this.#compressed(message, encoding, (sent) => {
      isTaken = this.#send(sent.message, sent.isCompressed);
      if (isLater && isTaken && this.#outgoing.length === 0) this.onDrain();
    });
    isLater = true;
    return isTaken && this.#outgoing.length === 0;
  }

  /** Success behind the messages; without any, the status is all that is sent. */
  end(): void {
    this.#behindMessages(() => {
      if (this.#finish()) this.#stream.end(this.#hasHeaders ? OK_TRAILERS : statusOnly(CODE.ok, ''));
    });
  }

  /** Behind the messages that were written before. */
  fail(fault: GrpcFault): void {
    this.#behindMessages(() => this.#failNow(fault));
  }

  #failNow({ code, details }: GrpcFault): void {
    if (!this.#finish()) return;
    this.#stream.end(this.#hasHeaders ? statusTrailers(code, details) : statusOnly(code, details));
  }

  /** Ends it with UNAVAILABLE since its connection ends; the handler is told that the client has gone. */
  lose(details: string): void {
    this.#failNow({ code: CODE.unavailable, details });
    this.#cancel();
  }

  #answer(message: WireMessage, isCompressed: boolean, left: (() => void) | undefined): void {
    if (!this.#finish()) return;
    const headers = REPLY_HEADERS[this.#encoding ?? 'identity'];
    this.#stream.answer(headers, [prefixOf(message, isCompressed), ...message], OK_TRAILERS, left);
  }

  #send(message: WireMessage, isCompressed: boolean): boolean {
    if (this.#isOver) return true;
    this.#sendHeaders();
    return this.#stream.write([prefixOf(message, isCompressed), ...message]);
  }

  #sendHeaders(): void {
    if (this.#hasHeaders) return;
    this.#hasHeaders = true;
    this.#stream.headers(REPLY_HEADERS[this.#encoding ?? 'identity']);
  }

  /** Calls `send` at once where that is possible, else when the message is ready and those before it have left. */
  #compressed(message: WireMessage, encoding: CompressedEncoding, send: (sent: SentMessage) => void): void {
    const made = compressMessage(message, encoding);
    if (!(made instanceof Promise)) {
      this.#behindMessages(() => send(made));
      return;
    }
    const slot: Outgoing = { run: undefined };
    this.#outgoing.push(slot);
    made
      // Compressing fails where memory is short: the message itself is there.
      .catch((): SentMessage => ({ message, isCompressed: false }))
      .then((sent) => {
        slot.run = () => send(sent);
        this.#flush();
      })
      .catch((thrown: unknown) => this.#failNow(toGrpcFault(thrown, this.#head.path)));
  }

  #behindMessages(run: () => void): void {
    if (this.#outgoing.length === 0) run();
    else this.#outgoing.push({ run });
  }

  #flush(): void {
    for (let next = this.#outgoing[0]; next?.run !== undefined; next = this.#outgoing[0]) {
      this.#outgoing.shift();
      next.run();
    }
  }

  /** False when the call has ended before. */
  #finish(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#deadline?.cancel();
    return true;
  }

  #expire(): void {
    this.#failNow({ code: CODE.deadlineExceeded, details: DEADLINE_TEXT });
    this.#cancel();
  }

  #cancel(): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.handler?.onCancelled();
  }

  onData(part: Buffer): boolean {
    return this.#isOver || this.#reader.read(part);
  }

  /** From the reader of the call. One that has to be inflated holds up those behind it. */
  onMessage(message: WireMessage, isCompressed: boolean): void {
    if (isCompressed && this.#head.encoding !== 'identity') {
      this.#inBackground(() => this.#inflate(message));
    } else this.#inOrder(() => this.handler?.onMessage(message));
  }

  /** From the reader of the call: ends it with RESOURCE_EXHAUSTED. */
  onMessageFault(text: string): void {
    this.fail({ code: CODE.resourceExhausted, details: text });
    this.#cancel();
  }

  onEnd(): void {
    this.#inOrder(() => {
      if (this.#reader.isWithin) {
        this.fail({ code: CODE.internal, details: 'the last message ends early' });
        this.#cancel();
      } else this.handler?.onHalfClose();
    });
  }

  onReset(): void {
    if (this.#finish()) this.#cancel();
  }

  onDrain(): void {
    if (!this.#isOver) this.handler?.onDrain();
  }

  #inOrder(run: () => void): void {
    if (this.#inflating === undefined) {
      if (!this.#isOver) run();
    } else this.#inBackground(() => Promise.resolve(run()));
  }

  #inBackground(run: () => Promise<void>): void {
    const before = this.#inflating ?? Promise.resolve();
    const mine = before.then(() => (this.#isOver ? undefined : run()));
    this.#inflating = mine;
    mine
      .then(() => {
        if (this.#inflating === mine) this.#inflating = undefined;
      })
      .catch((thrown: unknown) => {
        this.fail(toGrpcFault(thrown, this.#head.path));
        this.#cancel();
      });
  }

  async #inflate(message: WireMessage): Promise<void> {
    const inflated = await inflateMessage(
      joined(message),
      this.#head.encoding,
      this.#rules.maxDecompressedByteSize,
    );
    if (this.#isOver) return;
    if (Buffer.isBuffer(inflated)) this.handler?.onMessage([inflated]);
    else {
      this.fail(inflated);
      this.#cancel();
    }
  }
}

function prefixOf(message: WireMessage, isCompressed: boolean): Buffer {
  const prefix = Buffer.allocUnsafe(5);
  prefix[0] = isCompressed ? 1 : 0;
  prefix.writeUInt32BE(byteSizeOf(message), 1);
  return prefix;
}

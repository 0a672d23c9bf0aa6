// One connection as the serving port reads it itself. Requests are taken from the bytes one behind the other and may
// run side by side; answers leave in the order of their requests. The first bytes that are not exactly a hot request
// end this: once the answers before them have left, the connection goes to Node's parser with all bytes from there on.

import type { Socket } from 'node:net';

import { closeConnection } from '../close-connection.ts';
import type { ReadingRequest } from '../http-context.ts';
import { BodyBytes } from '../infer-binary.ts';
import { parseInfer } from '../infer-parser.ts';
import type { InferParseOptions } from '../infer-parser.ts';
import type { ParsedInfer } from '../parsed-infer.ts';
import type { RouteMatch } from '../router.ts';
import { badRequest } from '../transport.ts';
import type { PlainHead } from './plain-head.ts';
import { hasBareLineFeed } from './plain-head.ts';
import { RequestMemory } from './request-memory.ts';
import type { WireOwner, WireRequest, WireRules } from './wire-rules.ts';

/** Requests of one connection whose answers have not left; the next is read when one has. */
const MAX_PENDING = 32;
/** A head that has not ended after this much is left to Node's parser, which knows when it is too large. */
const MAX_HEAD_BYTES = 16 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');

interface Body<R> {
  readonly exchange: R;
  readonly chunks: Buffer[];
  readonly startedAtMs: number;
  byteSize: number;
}

/**
 * What is handed to Node's parser is every byte from the first foreign request on; nothing read here comes there
 * too.
 */
export class WireConnection<R extends WireRequest> implements WireOwner, ReadingRequest {
  readonly socket: Socket;
  readonly #rules: WireRules<R>;
  readonly #memory = new RequestMemory();
  /** In the order of their requests; answers leave from the front. */
  readonly #pending: R[] = [];
  /** Bytes behind what was taken. */
  #rest: Buffer | undefined;
  #body: Body<R> | undefined;
  /** What comes next is not for here. */
  #isForeign = false;
  #isClosing = false;
  #activeAtMs = performance.now(); // Monotonic ms of the last sign of life.
  /** When the head began that has not ended; of no meaning without one. */
  #headSinceMs = this.#activeAtMs;
  #isRetired = false;
  #isTaking = false;
  /** The socket was paused by this. */
  #isPaused = false;

  constructor(socket: Socket, rules: WireRules<R>) {
    this.socket = socket;
    this.#rules = rules;
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('close', this.#onClose);
    socket.on('error', this.#onError);
    socket.on('drain', this.#onDrain);
  }

  get isOpen(): boolean {
    return !this.#isClosing && this.socket.writable;
  }

  /** The body that is arriving, as whoever closes slow ones sees it. */
  get body(): { readonly byteSize: number; readonly startedAtMs: number } | undefined {
    return this.#body;
  }

  /** True when nothing of a request has come since a time, and none is under way. */
  isQuietSince(timeMs: number): boolean {
    return this.#isIdle && this.#activeAtMs <= timeMs;
  }

  /** Ends with an answer behind which there is nothing more to do. */
  retire(): void {
    this.#isRetired = true;
  }

  get isEnding(): boolean {
    const isMore = this.#rest !== undefined || this.#body !== undefined || this.#isTaking;
    return this.#isRetired && this.#pending.length === 1 && !isMore;
  }

  get #isIdle(): boolean {
    const hasRest = this.#rest !== undefined || this.#body !== undefined;
    return this.#pending.length === 0 && !hasRest && this.socket.writableLength === 0;
  }

  /** Closes a connection that waits for nothing any more. `nowMs` is monotonic. */
  closeIdle(nowMs: number, headLimitMs: number, idleLimitMs: number): void {
    if (this.#pending.length > 0 || this.#body !== undefined || this.#isClosing) return;
    // One that was opened ahead of its first request is no different from one that waits for its next.
    if (this.#rest === undefined) {
      if (nowMs - this.#activeAtMs > idleLimitMs) this.socket.destroy();
    } else if (nowMs - this.#headSinceMs > headLimitMs) {
      this.#close(badRequest('request headers did not arrive in time'));
    }
  }

  refuseBody(message: string): void {
    const exchange = this.#body?.exchange;
    this.#rules.context.reading.delete(this);
    this.#body = undefined;
    // Behind an answer that is still to come (pipelined), there is no place for another one.
    this.#close(this.#pending[0] === exchange ? badRequest(message) : undefined);
  }

  parse(json: Buffer, options: InferParseOptions): ParsedInfer {
    // Forwarded headers become part of what was parsed.
    if (this.#rules.context.forwardPattern !== undefined) return parseInfer(json, options);
    return this.#memory.parse(json, options);
  }

  answered(exchange: WireRequest): void {
    const pending = this.#pending;
    if (pending[0] !== exchange) return;
    while (pending[0]?.parts !== undefined && !this.#isClosing) this.#write(pending.shift() as R);
    if (!this.#isTaking) this.#resume();
  }

  #write(exchange: R): void {
    const { socket } = this;
    const parts = exchange.parts ?? [];
    this.#activeAtMs = performance.now();
    const isWatched = exchange.isWaitedFor;
    const sent = (): void => exchange.over(true);
    if (parts.length === 1) {
      if (isWatched) socket.write(parts[0] as Uint8Array, sent);
      else socket.write(parts[0] as Uint8Array);
    } else {
      socket.cork();
      parts.forEach((part, index) => {
        if (isWatched && index === parts.length - 1) socket.write(part, sent);
        else socket.write(part);
      });
      socket.uncork();
    }
    exchange.parts = [];
    if (!isWatched) exchange.over(true);
    if (!exchange.isKeptAlive) this.#close();
  }

  /** Goes on behind what had to wait: a full queue, a slow reader, or answers before a hand-over. */
  #resume(): void {
    if (this.#isClosing) return;
    if (this.#isForeign) {
      if (this.#pending.length === 0) this.#handOver();
      return;
    }
    if (this.#isBlocked) return;
    const rest = this.#rest;
    if (rest !== undefined) {
      this.#rest = undefined;
      this.#take(rest, 0);
    }
    if (!this.#isBlocked && !this.#isForeign) this.#read();
  }

  /** Somebody else may have paused the socket too; that pause stays. */
  #read(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.socket.resume();
  }

  get #isBlocked(): boolean {
    return this.#pending.length >= MAX_PENDING || this.socket.writableNeedDrain;
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#activeAtMs = performance.now();
    if (this.#isClosing) return;
    if (this.#body !== undefined) {
      this.#take(chunk, 0);
      return;
    }
    const rest = this.#rest;
    this.#rest = undefined;
    if (rest === undefined) this.#take(chunk, 0);
    else this.#take(Buffer.concat([rest, chunk]), rest.length);
  };

  /** `seenCount`: so many of the bytes were looked at before, and no head ended there. */
  #take(bytes: Buffer, seenCount: number): void {
    this.#isTaking = true;
    try {
      this.#takeAll(bytes, seenCount);
    } catch (thrown) {
      const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
      this.#rules.context.logger.error(`unexpected failure of a connection: ${text}`);
      this.socket.destroy();
    } finally {
      this.#isTaking = false;
    }
    if (!this.#isForeign || this.#isClosing) return;
    if (this.#pending.length === 0) this.#handOver();
    else this.#hold();
  }

  /** What the client does next counts once the answers that are on their way have come. */
  #hold(): void {
    const { settle } = this.#rules;
    if (settle === undefined) return;
    this.#isPaused = true;
    this.socket.pause();
    settle(() => {
      if (!this.#isClosing) this.#read();
    });
  }

  #takeAll(bytes: Buffer, seenCount: number): void {
    let at = this.#body === undefined ? 0 : this.#takeBody(bytes, 0);
    while (at < bytes.length && !this.#isClosing) {
      if (this.#isForeign || this.#isBlocked) {
        this.#keep(bytes, at);
        this.#isPaused = true;
        this.socket.pause();
        return;
      }
      const headEnd = bytes.indexOf(HEAD_END, at === 0 ? Math.max(0, seenCount - HEAD_END.length + 1) : at);
      if (headEnd < 0) {
        // It begins here; also one that came behind a body, however long that took.
        if (at > 0 || seenCount === 0) this.#headSinceMs = this.#activeAtMs;
        if (bytes.length - at > MAX_HEAD_BYTES || hasBareLineFeed(bytes, at)) this.#isForeign = true;
        this.#keep(bytes, at);
        return;
      }
      const head = this.#memory.head(bytes.toString('latin1', at, headEnd));
      const match = head === undefined ? undefined : this.#rules.admit(head);
      if (head === undefined || match === undefined) {
        this.#isForeign = true;
        continue;
      }
      at = this.#begin(head, match, bytes, headEnd + HEAD_END.length);
    }
  }

  #keep(bytes: Buffer, at: number): void {
    // A copy: the rest of a large read is not held for a few bytes.
    const rest = bytes.subarray(at);
    this.#rest = rest.length < 4096 && bytes.length > 16_384 ? Buffer.from(rest) : rest;
  }

  /** Starts a request whose head ends before `at`; returns where the next one begins. */
  #begin(head: PlainHead, match: RouteMatch, bytes: Buffer, at: number): number {
    const { context } = this.#rules;
    this.#rules.note(head.target);
    const exchange = this.#rules.request(this, match, head);
    this.#pending.push(exchange);
    const end = at + head.contentLength;
    if (end <= bytes.length) {
      const chunks = head.contentLength === 0 ? [] : [bytes.subarray(at, end)];
      this.#rules.start(exchange, new BodyBytes(chunks, head.contentLength));
      return end;
    }
    this.#body = { exchange, chunks: [], startedAtMs: context.clock.nowNs() / 1e6, byteSize: 0 };
    context.reading.add(this);
    return this.#takeBody(bytes, at);
  }

  /** Takes what belongs to the body under way; returns where the next request begins. */
  #takeBody(bytes: Buffer, at: number): number {
    const body = this.#body as Body<R>;
    const { contentLength } = body.exchange.head;
    const end = Math.min(bytes.length, at + contentLength - body.byteSize);
    if (end > at) {
      body.chunks.push(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end));
      body.byteSize += end - at;
    }
    if (body.byteSize === contentLength) {
      this.#body = undefined;
      this.#rules.context.reading.delete(this);
      this.#rules.start(body.exchange, new BodyBytes(body.chunks, contentLength));
    }
    return end;
  }

  #handOver(): void {
    const rest = this.#rest;
    this.#rest = undefined;
    this.#isClosing = true;
    this.#detach();
    // First, so that whoever takes it over may pause it again.
    this.#read();
    this.#rules.handOver(rest);
  }

  #detach(): void {
    const { socket } = this;
    socket.off('data', this.#onData);
    socket.off('end', this.#onEnd);
    socket.off('close', this.#onClose);
    socket.off('error', this.#onError);
    socket.off('drain', this.#onDrain);
  }

  /** Ends the connection behind what was written, and `answer`. */
  #close(answer?: string): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    closeConnection(this.socket, answer);
  }

  readonly #onDrain = (): void => this.#resume();

  /** The client has closed its half: nothing more is read, and as with Node's server nothing more is answered. */
  readonly #onEnd = (): void => {
    const { settle } = this.#rules;
    const first = this.#pending[0];
    if (settle === undefined || first === undefined) this.#ended();
    // As long as answers come, those behind them may come too.
    else settle(() => (this.#pending[0] === first ? this.#ended() : this.#onEnd()));
  };

  #ended(): void {
    if (this.#isClosing) return;
    if (this.#isForeign) {
      this.socket.destroy();
      return;
    }
    const isBroken = this.#rest !== undefined || this.#body !== undefined;
    // Behind an answer that is still to come, there is no place for another one.
    const isNext = this.#pending.length === 0 || this.#pending[0] === this.#body?.exchange;
    if (isBroken) this.#close(isNext ? badRequest('malformed HTTP request') : undefined);
    else this.socket.end();
  }

  readonly #onError = (): void => void this.socket.destroy();

  readonly #onClose = (): void => {
    this.#isClosing = true;
    this.#rest = undefined;
    this.#body = undefined;
    this.#rules.context.reading.delete(this);
    for (const exchange of this.#pending.splice(0)) exchange.over(false);
    this.#rules.closed();
  };
}

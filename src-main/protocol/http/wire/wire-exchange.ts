// One infer request that the port read itself, and its answer, which leaves in one write.

import { ServerError, toServerError } from '../../../../src-shared/errors.ts';
import type { ClientEntry } from '../../../service/client-book.ts';
import { countError } from '../../../service/client-book.ts';
import { STATUS_MAP } from '../../../service/status-map.ts';
import type { HttpContext } from '../http-context.ts';
import type { Cancellable, InferExchange } from '../infer-exchange.ts';
import type { InferParseOptions } from '../infer-parser.ts';
import type { InferReply } from '../infer-response.ts';
import { replyHeaders } from '../infer-send.ts';
import type { ParsedInfer } from '../parsed-infer.ts';
import type { RouteMatch } from '../router.ts';
import type { PlainHead } from './plain-head.ts';
import { repeatedHead, replyHead } from './reply-head.ts';
import type { WireOwner, WireRequest } from './wire-rules.ts';

/** Up to this size copying is cheaper than writing parts. */
const SINGLE_WRITE_BYTES = 64 * 1024;

/** Memory that its answer names must stay as it is until `parts` have left; `whenSent` tells when. */
export class WireExchange implements InferExchange, WireRequest {
  readonly context: HttpContext;
  readonly match: RouteMatch;
  readonly receivedAtNs: number;
  readonly head: PlainHead;
  running: Cancellable | undefined;
  /** The whole answer; undefined while it is being made. */
  parts: readonly Uint8Array[] | undefined;
  /** The connection stays open behind the answer. */
  isKeptAlive: boolean;
  readonly #owner: WireOwner;
  readonly #client: ClientEntry;
  #gone: AbortController | undefined;
  #waiting: (() => void)[] | undefined;
  #isOver = false;

  /** `receivedAtNs`: when it came; default now. */
  constructor(
    owner: WireOwner,
    context: HttpContext,
    match: RouteMatch,
    head: PlainHead,
    receivedAtNs?: number,
  ) {
    this.#owner = owner;
    this.context = context;
    this.match = match;
    this.head = head;
    this.isKeptAlive = head.isKeptAlive;
    this.receivedAtNs = context.tracer?.isActive() === true ? (receivedAtNs ?? context.clock.nowNs()) : 0;
    this.#client = context.clients.note('HTTP', head.headers.get('user-agent') ?? '');
  }

  get rawHeaders(): readonly string[] {
    return this.head.rawHeaders;
  }

  header(name: string): string | undefined {
    return this.head.headers.get(name);
  }

  get gone(): AbortSignal {
    this.#gone ??= new AbortController();
    if (this.#isOver || !this.#owner.isOpen) this.#gone.abort();
    return this.#gone.signal;
  }

  parse(json: Buffer, options: InferParseOptions): ParsedInfer {
    return this.#owner.parse(json, options);
  }

  sendReply(reply: InferReply): void {
    if (!this.#claim()) return;
    const total = reply.jsonByteSize + reply.binaryByteSize;
    const headers = (): string[] => replyHeaders(reply, total, 'identity');
    if (reply.leading.length === 0 && total < SINGLE_WRITE_BYTES) {
      const head = this.isKeptAlive
        ? repeatedHead(reply.jsonByteSize, reply.binaryByteSize, headers)
        : replyHead(200, headers(), false);
      this.#send([joined(head, reply.json, reply.buffers, head.length + total)]);
      return;
    }
    const head = replyHead(200, headers(), this.isKeptAlive);
    const parts: Uint8Array[] = [Buffer.from(head, 'latin1')];
    for (const part of reply.leading)
      parts.push(typeof part === 'string' ? Buffer.from(part, 'latin1') : part);
    parts.push(Buffer.from(reply.json, 'latin1'), ...reply.buffers);
    this.#send(parts);
  }

  sendWhole(headers: string[], body: Buffer): void {
    if (!this.#claim()) return;
    this.#send([Buffer.from(replyHead(200, headers, this.isKeptAlive), 'latin1'), body]);
  }

  error(status: number, message: string, headers: Readonly<Record<string, string>> = {}): void {
    if (!this.#claim()) return;
    countError(this.#client, String(status), message);
    const body = Buffer.from(JSON.stringify({ error: message }), 'utf8');
    const lines = ['Content-Type', 'application/json', 'Content-Length', String(body.length)];
    lines.push(...Object.entries(headers).flat());
    const head = replyHead(status, lines, this.isKeptAlive);
    this.#send([joined(head, '', [body], head.length + body.length)]);
  }

  fail(thrown: unknown): void {
    const error = toServerError(thrown);
    if (!(thrown instanceof ServerError)) this.context.logger.error(`unexpected failure: ${error.message}`);
    this.error(STATUS_MAP[error.code].http, error.message);
  }

  whenSent(done: () => void): void {
    // Not at once: whoever asks is still at work on the end of the request.
    if (this.#isOver) setImmediate(done);
    else (this.#waiting ??= []).push(done);
  }

  /** Somebody waits for the moment at which the answer has left. */
  get isWaitedFor(): boolean {
    return this.#waiting !== undefined;
  }

  /** The answer has left, or never will. */
  over(wasSent: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { running } = this;
    this.running = undefined;
    if (!wasSent) {
      running?.cancel();
      this.#gone?.abort();
    }
    for (const done of this.#waiting?.splice(0) ?? []) done();
  }

  /** False when there is nobody to answer or it was answered before. */
  #claim(): boolean {
    if (this.parts !== undefined || this.#isOver || !this.#owner.isOpen) return false;
    if (this.context.isDraining() || this.#owner.isEnding) this.isKeptAlive = false;
    return true;
  }

  #send(parts: readonly Uint8Array[]): void {
    this.parts = parts;
    this.#owner.answered(this);
  }
}

/** One piece of `byteSize`: two byte strings, and bytes behind them. */
function joined(head: string, json: string, buffers: readonly Uint8Array[], byteSize: number): Buffer {
  const whole = Buffer.allocUnsafe(byteSize);
  let at = whole.write(head, 0, 'latin1');
  // On its own: joined to the head it would be copied once more.
  at += whole.write(json, at, 'latin1');
  for (const bytes of buffers) {
    whole.set(bytes, at);
    at += bytes.byteLength;
  }
  return whole;
}

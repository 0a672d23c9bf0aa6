// One HTTP request and its answer. Everything that leaves the port as a complete reply goes through here, so that
// each request is answered exactly once and replies carry exact lengths. Listeners are shared functions that find
// their exchange on the message object: no closures per request.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServerError, toServerError } from '../../../src-shared/errors.ts';
import type { ClientEntry } from '../../service/client-book.ts';
import { countError } from '../../service/client-book.ts';
import { STATUS_MAP } from '../../service/status-map.ts';
import { closeConnection } from './close-connection.ts';
import { corsHeaders } from './cors.ts';
import type { HttpContext } from './http-context.ts';
import type { Cancellable, InferExchange } from './infer-exchange.ts';
import type { InferParseOptions } from './infer-parser.ts';
import { parseInfer } from './infer-parser.ts';
import type { InferReply } from './infer-response.ts';
import { replyHeaders } from './infer-send.ts';
import { loadReportHeader } from './load-report.ts';
import type { BodyBytes } from './infer-binary.ts';
import { touchConnection } from './open-connections.ts';
import type { ParsedInfer } from './parsed-infer.ts';
import { RequestBody } from './request-body.ts';
import type { RouteMatch } from './router.ts';
import { badRequest } from './transport.ts';

/** Up to this size copying is cheaper than another write. */
const SINGLE_WRITE_BYTES = 32 * 1024;

const EXCHANGE = Symbol('exchange');

interface Carrier {
  [EXCHANGE]?: Exchange;
}

/** Answering twice does nothing the second time. The client's going cancels `running`. */
export class Exchange implements InferExchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly context: HttpContext;
  readonly match: RouteMatch;
  /** Monotonic ns of arrival; 0 unless tracing is on. */
  readonly receivedAtNs: number;
  readonly client: ClientEntry;
  /** What the client waits for, if it can be cancelled. */
  running: Cancellable | undefined;
  isAnswered = false;
  /** Origin of the web page that asks, when it is allowed. */
  corsOrigin: string | undefined;
  #body: RequestBody<Exchange> | undefined;
  #gone: AbortController | undefined;
  /** What the client is told when the answer is an error. */
  #error = '';

  constructor(req: IncomingMessage, res: ServerResponse, context: HttpContext, match: RouteMatch) {
    this.req = req;
    this.res = res;
    this.context = context;
    this.match = match;
    this.receivedAtNs = context.tracer?.isActive() === true ? context.clock.nowNs() : 0;
    this.client = context.clients.note(context.protocol, req.headers['user-agent'] ?? '');
    (res as Carrier)[EXCHANGE] = this;
    res.on('close', onResponseClose);
  }

  get rawHeaders(): readonly string[] {
    return this.req.rawHeaders;
  }

  header(name: string): string | undefined {
    const value = this.req.headers[name];
    return typeof value === 'string' ? value : value?.[0];
  }

  parse(json: Buffer, options: InferParseOptions): ParsedInfer {
    return parseInfer(json, options);
  }

  whenSent(done: () => void): void {
    if (this.res.writableFinished || this.res.destroyed) done();
    else this.res.once('close', done);
  }

  /** Collects the body (bytes beyond `keepLimit` are counted only), then calls `done`. */
  readBody(keepLimit: number, done: (exchange: Exchange, body: BodyBytes) => void): void {
    const { req, context } = this;
    this.#body = new RequestBody<Exchange>(this, keepLimit, context.clock.nowNs() / 1e6, done);
    context.reading.add(this);
    (req as Carrier)[EXCHANGE] = this;
    req.on('data', onData);
    req.on('end', onEnd);
  }

  /** The body being received, if any. */
  get body(): RequestBody<Exchange> | undefined {
    return this.#body;
  }

  /** The client has sent its body whole; what the route throws becomes the answer. */
  endBody(): void {
    this.context.reading.delete(this);
    try {
      this.#body?.end();
    } catch (thrown) {
      this.fail(thrown);
    }
  }

  /** Aborts when the client goes away before its answer is complete. */
  get gone(): AbortSignal {
    this.#gone ??= new AbortController();
    if (this.res.destroyed && !this.res.writableFinished) this.#gone.abort();
    return this.#gone.signal;
  }

  /** The client is gone, or the reply is complete. */
  closed(): void {
    this.context.reading.delete(this);
    touchConnection(this.req.socket);
    const { running } = this;
    this.running = undefined;
    if (this.res.statusCode >= 400) countError(this.client, String(this.res.statusCode), this.#error);
    if (this.res.writableFinished) return;
    running?.cancel();
    this.#gone?.abort();
  }

  /** Small replies leave as one string with the headers (one write to the socket), large ones as their parts. */
  sendReply(reply: InferReply): void {
    if (!this.begin()) return;
    const { res } = this;
    const total = reply.jsonByteSize + reply.binaryByteSize;
    this.writeHead(200, this.headersOf(reply, total));
    if (reply.leading.length === 0 && total <= SINGLE_WRITE_BYTES) {
      let text = reply.json;
      for (const bytes of reply.buffers) text += asBuffer(bytes).toString('latin1');
      res.end(text, 'latin1');
      return;
    }
    res.cork();
    for (const part of reply.leading) {
      if (typeof part === 'string') res.write(part, 'latin1');
      else res.write(part);
    }
    res.write(reply.json, 'latin1');
    for (const bytes of reply.buffers) res.write(bytes);
    res.end();
    res.uncork();
  }

  /** Headers of a success that is not compressed (name, value, name, value ...). */
  protected headersOf(reply: InferReply, contentLength: number): string[] {
    return replyHeaders(reply, contentLength, 'identity');
  }

  sendWhole(headers: string[], body: Buffer): void {
    if (!this.begin()) return;
    this.writeHead(200, headers);
    this.res.end(body);
  }

  /** 200 with a JSON text. */
  json(text: string): void {
    this.send(200, 'application/json', Buffer.from(text, 'utf8'));
  }

  /** Empty body; the reference names a type even then. */
  empty(status: number, contentType: 'application/json' | 'text/plain'): void {
    if (!this.begin()) return;
    this.writeHead(status, ['Content-Type', contentType, 'Content-Length', '0']);
    this.res.end();
  }

  /** Any throwable as the error reply of its code. */
  fail(thrown: unknown): void {
    const error = toServerError(thrown);
    if (!(thrown instanceof ServerError)) this.context.logger.error(`unexpected failure: ${error.message}`);
    this.error(STATUS_MAP[error.code].http, error.message);
  }

  error(status: number, message: string, headers: Readonly<Record<string, string>> = {}): void {
    this.#error = message;
    this.send(status, 'application/json', Buffer.from(JSON.stringify({ error: message }), 'utf8'), headers);
  }

  /**
   * Answers a body that is not worth reading to its end with 400 and closes the connection. Nothing more of it is
   * looked at: from here on its bytes cost no more than receiving them.
   */
  refuseBody(message: string): void {
    const { req, res } = this;
    this.context.reading.delete(this);
    req.off('data', onData);
    req.off('end', onEnd);
    this.#body = undefined;
    // Behind an answer that is still to come (pipelined), there is no place for another one.
    const mayAnswer = this.begin() && res.socket !== null && !res.headersSent;
    const cors = this.corsOrigin === undefined ? [] : corsHeaders(this.corsOrigin);
    const answer = mayAnswer ? badRequest(message, cors) : undefined;
    countError(this.client, '400', message);
    // Not at once: the parser that delivers the body is still at work on it.
    setImmediate(() => closeConnection(req.socket, answer));
  }

  /** The load report header of generate replies, if asked for and known. */
  loadReport(): string[] {
    const format = this.req.headers['endpoint-load-metrics-format'];
    if (typeof format !== 'string') return [];
    return loadReportHeader(format, this.context.cacheBlocks());
  }

  /** Claims the reply; false when there is nobody to answer or it was answered before. */
  begin(): boolean {
    if (this.isAnswered || this.res.destroyed) return false;
    this.isAnswered = true;
    if (this.context.isDraining()) this.res.shouldKeepAlive = false;
    return true;
  }

  /** Status and headers (name, value, name, value ...), with those that let an allowed web page read the reply. */
  writeHead(status: number, headers: string[]): void {
    if (this.corsOrigin !== undefined) headers.push(...corsHeaders(this.corsOrigin));
    this.res.writeHead(status, headers);
  }

  /** A whole answer; headers besides type and length by name. */
  protected send(
    status: number,
    contentType: string,
    body: Buffer,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    if (!this.begin()) return;
    this.writeHead(status, [
      'Content-Type',
      contentType,
      'Content-Length',
      String(body.length),
      ...Object.entries(headers).flat(),
    ]);
    this.res.end(body);
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function onData(this: IncomingMessage, chunk: Buffer): void {
  (this as Carrier)[EXCHANGE]?.body?.add(chunk);
}

function onEnd(this: IncomingMessage): void {
  (this as Carrier)[EXCHANGE]?.endBody();
}

function onResponseClose(this: ServerResponse): void {
  (this as Carrier)[EXCHANGE]?.closed();
}

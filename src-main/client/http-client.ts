// The HTTP client: inference in both encodings with times of each part, and any other endpoint as a plain exchange.

import http from 'node:http';
import https from 'node:https';
import type { ConnectionOptions } from 'node:tls';

import { toServerError } from '../../src-shared/errors.ts';
import type { Clock } from '../base/clock.ts';
import { clientErrors } from './client-errors.ts';
import type { HttpEncoding } from './http-codec.ts';
import { decodeHttpResponse, encodeHttpRequest } from './http-codec.ts';
import type {
  ClientExchange,
  ClientRequest,
  ClientResponse,
  ClientTiming,
  InferClient,
  InferOptions,
} from './infer-client.ts';

const RAW_HEAD_LIMIT = 65_536;

interface HttpAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly rawHeaders: readonly (readonly [string, string])[];
  readonly body: Buffer;
  readonly timing: ClientTiming;
}

interface HttpCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Keeps connections to one server alive. Errors of calls carry the code and the text that the server gave.
 */
export class HttpInferClient implements InferClient {
  readonly #host: string;
  readonly #port: number;
  readonly #encoding: HttpEncoding;
  readonly #clock: Clock;
  readonly #agent: http.Agent;
  readonly #isSecure: boolean;
  readonly #userAgent: string | undefined;

  /** `address` is "host:port"; `tls` makes it HTTPS. */
  constructor(
    address: string,
    options: {
      readonly clock: Clock;
      readonly encoding: HttpEncoding;
      readonly tls?: ConnectionOptions | undefined;
      /** undefined = none is sent. */
      readonly userAgent?: string | undefined;
    },
  ) {
    this.#isSecure = options.tls !== undefined;
    this.#agent = this.#isSecure
      ? new https.Agent({ ...options.tls, keepAlive: true })
      : new http.Agent({ keepAlive: true });
    const at = address.lastIndexOf(':');
    this.#host = address.slice(0, at).replace(/^\[|\]$/g, '');
    this.#port = Number(address.slice(at + 1));
    this.#encoding = options.encoding;
    this.#userAgent = options.userAgent;
    this.#clock = options.clock;
  }

  async infer(request: ClientRequest, options: InferOptions = {}): Promise<ClientExchange> {
    const message = encodeHttpRequest(request, this.#encoding);
    const answer = await this.call({ ...message, method: 'POST', signal: options.signal });
    return exchangeOf(answer, message.body.byteLength);
  }

  /** Rejects with UNAVAILABLE when the server cannot be reached. */
  call({ method, path, headers = {}, body, signal }: HttpCall): Promise<HttpAnswer> {
    const startNs = this.#clock.nowNs();
    return new Promise((resolve, reject) => {
      let sentNs = startNs;
      const request = (this.#isSecure ? https : http).request(
        {
          host: this.#host,
          port: this.#port,
          method,
          path,
          agent: this.#agent,
          headers: {
            ...(this.#userAgent !== undefined && { 'user-agent': this.#userAgent }),
            ...headers,
            ...(method === 'POST' && { 'content-length': String(body?.byteLength ?? 0) }),
          },
          ...(signal !== undefined && { signal }),
        },
        (response) => {
          const firstNs = this.#clock.nowNs();
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const endNs = this.#clock.nowNs();
            const ms = (from: number, to: number): number => Math.max(0, to - from) / 1e6;
            resolve({
              status: response.statusCode ?? 0,
              statusText: response.statusMessage ?? '',
              headers: response.headers,
              rawHeaders: pairs(response.rawHeaders),
              body: Buffer.concat(chunks),
              timing: {
                totalMs: ms(startNs, endNs),
                sendMs: ms(startNs, sentNs),
                waitMs: ms(sentNs, firstNs),
                receiveMs: ms(firstNs, endNs),
              },
            });
          });
        },
      );
      request.on('finish', () => {
        sentNs = this.#clock.nowNs();
      });
      request.on('error', (error) => {
        if (signal?.aborted === true) reject(signal.reason as Error);
        else
          reject(
            clientErrors.httpUnreachable(
              { host: this.#host, port: this.#port, reason: error.message },
              { cause: error },
            ),
          );
      });
      request.end(body);
    });
  }

  close(): Promise<void> {
    this.#agent.destroy();
    return Promise.resolve();
  }
}

function pairs(raw: readonly string[]): readonly (readonly [string, string])[] {
  const list: (readonly [string, string])[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) list.push([raw[at] ?? '', raw[at + 1] ?? '']);
  return list;
}

function exchangeOf(answer: HttpAnswer, requestByteSize: number): ClientExchange {
  let ok = answer.status === 200;
  let responses: readonly ClientResponse[] = [];
  let headByteSize = answer.body.byteLength;
  let error = ok ? undefined : errorText(answer.body);
  if (ok) {
    try {
      const decoded = decodeHttpResponse(answer.headers, answer.body);
      responses = [decoded.response];
      headByteSize = decoded.headByteSize;
    } catch (thrown) {
      ok = false;
      error = `the answer cannot be read: ${toServerError(thrown).message}`;
    }
  }
  return {
    ok,
    status: answer.status,
    statusText: answer.statusText,
    error,
    responses,
    headers: answer.rawHeaders,
    rawHead: answer.body.toString('utf8', 0, Math.min(headByteSize, RAW_HEAD_LIMIT)),
    requestByteSize,
    responseByteSize: answer.body.byteLength,
    timing: answer.timing,
  };
}

/** The `error` member of a failure body, or the body itself when there is none. */
export function errorText(body: Buffer): string {
  const text = body.toString('utf8');
  try {
    const value = JSON.parse(text) as { readonly error?: unknown };
    return typeof value.error === 'string' ? value.error : text;
  } catch {
    return text;
  }
}

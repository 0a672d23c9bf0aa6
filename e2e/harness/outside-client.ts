// A client that knows nothing of the window: plain requests over its own connections, paced or kept in flight.

import http from 'node:http';
import { setInterval as every } from 'node:timers/promises';

/** What the client asks. */
export interface OutsideTarget {
  /** "http://127.0.0.1:8000" */
  readonly address: string;
  readonly model: string;
  /** JSON body of every request. */
  readonly body: string;
}

/** Requests, and the wall-clock ms from before the first to after the last of them. */
export interface PacedResult {
  readonly count: number;
  readonly startMs: number;
  readonly endMs: number;
}

const TICK_MS = 5;

/** One row for the sample `batch_mlp`. */
export function mlpTarget(address: string): OutsideTarget {
  const data = Array.from({ length: 64 }, (_, index) => Math.sin(index));
  const inputs = [{ name: 'FEATURES', datatype: 'FP32', shape: [1, 64], data }];
  return { address, model: 'batch_mlp', body: JSON.stringify({ inputs }) };
}

/** Sends `perSecond` for `durationMs`, whether or not answers came; resolves when all have come. */
export async function sendAtRate(
  target: OutsideTarget,
  { perSecond, durationMs }: { readonly perSecond: number; readonly durationMs: number },
): Promise<PacedResult> {
  const client = new Client(target);
  const startMs = Date.now();
  const sent: Promise<void>[] = [];
  for await (const _ of every(TICK_MS)) {
    const elapsedMs = Date.now() - startMs;
    const due = Math.floor((Math.min(elapsedMs, durationMs) * perSecond) / 1000);
    while (sent.length < due) sent.push(client.send());
    if (elapsedMs >= durationMs) break;
  }
  const endMs = Date.now();
  await Promise.all(sent);
  client.close();
  return { count: sent.length, startMs, endMs };
}

/** Keeps so many requests in flight until `signal`, or until `count` were answered. */
export async function keepInFlight(
  target: OutsideTarget,
  options: { readonly concurrency: number; readonly count?: number; readonly signal?: AbortSignal },
): Promise<number> {
  const { concurrency, count = Infinity, signal } = options;
  const client = new Client(target);
  let started = 0;
  const one = async (): Promise<void> => {
    while (started < count && signal?.aborted !== true) {
      started += 1;
      await client.send();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, one));
  client.close();
  return started;
}

class Client {
  readonly #agent = new http.Agent({ keepAlive: true });
  readonly #target: OutsideTarget;

  constructor(target: OutsideTarget) {
    this.#target = target;
  }

  send(): Promise<void> {
    const { address, model, body } = this.#target;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const headers = { 'content-length': Buffer.byteLength(body) };
    const request = http.request(
      `${address}/v2/models/${model}/infer`,
      { method: 'POST', agent: this.#agent, headers },
      (response) => {
        response.resume();
        response.on('error', reject);
        response.on('end', () => {
          if (response.statusCode === 200) resolve();
          else reject(new Error(`the server answered ${response.statusCode}`));
        });
      },
    );
    request.on('error', reject);
    request.end(body);
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }
}

// Mixed traffic at a given rate. Every request is counted once: answered with the right values, refused in words that
// the situation allows, cancelled by its client, wrong, failed, or lost (no answer within the limit).

import { setTimeout as pause } from 'node:timers/promises';

import { systemClock } from '../../src-main/base/clock.ts';
import { GrpcInferClient } from '../../src-main/client/grpc-client.ts';
import { HttpInferClient } from '../../src-main/client/http-client.ts';
import { streamOnce } from '../../src-main/playground/stream-once.ts';
import type { Asked } from './models.ts';
import { repeatRequest, rowsRequest, sequenceRequest, simpleRequest } from './models.ts';

/** Longer than a sequence may idle: one that waits for a slot of a version that is unloaded gets it then. */
const LOST_AFTER_MS = 150_000;
const CANCELLED_SHARE = 0.05;
/** What a server may say while its queues are full, and to a sequence whose model was loaded anew meanwhile. */
const REFUSALS =
  /Exceeds maximum queue size|Request timeout expired|unknown model|START flag|is not ready|unloading|no available/i;

/** `sent` is the sum of the others once nothing is on its way any more. */
export interface Tally {
  sent: number;
  right: number;
  refused: number;
  cancelled: number;
  wrong: number;
  failed: number;
  lost: number;
}

/** Where traffic goes, and the chance that it is made by. `http` and `grpc` are "host:port". */
export interface TrafficOptions {
  readonly http: string;
  readonly grpc: string;
  readonly hasPython: boolean;
  /** 0 <= n < 1. */
  readonly random: () => number;
}

/** What is sent follows from `random`, so that a seed gives the same traffic again. */
export class Traffic {
  readonly tally: Tally = { sent: 0, right: 0, refused: 0, cancelled: 0, wrong: 0, failed: 0, lost: 0 };
  /** What went wrong, and what was refused, numbers left out -> how often. */
  readonly words = new Map<string, number>();
  readonly #random: () => number;
  readonly #clients;
  readonly #grpc: GrpcInferClient;
  readonly #steps: readonly (() => Promise<void>)[];
  #nextSequence = 1n;

  constructor({ http, grpc, hasPython, random }: TrafficOptions) {
    this.#random = random;
    this.#grpc = new GrpcInferClient(grpc, { clock: systemClock });
    this.#clients = [
      new HttpInferClient(http, { clock: systemClock, encoding: 'binary' }),
      new HttpInferClient(http, { clock: systemClock, encoding: 'json' }),
      this.#grpc,
    ];
    const rows = (model: string) => () =>
      this.#unary(rowsRequest(model, this.#below(1e6), 1 + this.#below(3), this.#below(3)));
    this.#steps = [
      rows('queued'),
      rows('queued'),
      rows('chain'),
      () => this.#unary(simpleRequest(this.#below(1000), this.#below(1000))),
      () => this.#unary(simpleRequest(this.#below(1000), this.#below(1000))),
      () => this.#stream(repeatRequest(this.#below(1e6), 1 + this.#below(4))),
      () => this.#sequence(),
      () => this.#unary(rowsRequest('nothing_of_that_name', 0, 1, 0)),
      ...(hasPython ? [rows('double')] : []),
    ];
  }

  /** `workers` at a time, each with `pauseMs` between two steps, until the signal. */
  async run(workers: number, pauseMs: () => number, signal: AbortSignal): Promise<void> {
    const worker = async (): Promise<void> => {
      while (!signal.aborted) {
        await this.#steps[this.#below(this.#steps.length)]?.();
        const ms = pauseMs();
        if (ms > 0) await pause(ms);
      }
    };
    await Promise.all(Array.from({ length: workers }, worker));
  }

  /** Closes the connections; to be called when nothing is sent any more. */
  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #unary(asked: Asked): Promise<void> {
    const client = this.#clients[this.#below(this.#clients.length)] ?? this.#grpc;
    return this.#count(asked, this.#random() < CANCELLED_SHARE, (signal) =>
      client.infer(asked.request, { signal }),
    ).then(() => undefined);
  }

  #stream(asked: Asked): Promise<void> {
    return this.#count(asked, this.#random() < CANCELLED_SHARE, (signal) =>
      streamOnce(this.#grpc, asked.request, { clock: systemClock, signal }),
    ).then(() => undefined);
  }

  async #sequence(): Promise<void> {
    const id = this.#nextSequence++;
    const client = this.#clients[this.#below(this.#clients.length)] ?? this.#grpc;
    let sum = 0;
    for (let at = 0; at < 3; at += 1) {
      const value = this.#below(100);
      sum += value;
      const asked = sequenceRequest(id, value, sum, at === 0, at === 2);
      const isRight = await this.#count(asked, false, (signal) => client.infer(asked.request, { signal }));
      if (!isRight) return;
    }
  }

  /** True when the answer came and was right. */
  async #count(
    { check, request }: Asked,
    isCancelled: boolean,
    send: (signal: AbortSignal) => ReturnType<GrpcInferClient['infer']>,
  ): Promise<boolean> {
    const { tally } = this;
    const controller = new AbortController();
    const cancelAfterMs = isCancelled ? this.#random() * 10 : LOST_AFTER_MS;
    const timer = setTimeout(() => controller.abort(new Error('given up')), cancelAfterMs);
    tally.sent += 1;
    try {
      const exchange = await send(controller.signal);
      const wrong = exchange.ok ? check(exchange) : undefined;
      if (!exchange.ok) {
        const isAllowed = REFUSALS.test(exchange.error ?? '');
        tally[isAllowed ? 'refused' : 'failed'] += 1;
        this.#say(`${isAllowed ? 'refused' : 'failed'}: ${request.model}: ${exchange.error}`);
      } else if (wrong === undefined) tally.right += 1;
      else {
        tally.wrong += 1;
        this.#say(`wrong: ${request.model}: ${wrong}`);
      }
      return exchange.ok && wrong === undefined;
    } catch (thrown) {
      const word =
        isCancelled && controller.signal.aborted
          ? 'cancelled'
          : controller.signal.aborted
            ? 'lost'
            : 'failed';
      tally[word] += 1;
      if (word !== 'cancelled') this.#say(`${word}: ${request.model}: ${String(thrown)}`);
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  #say(text: string): void {
    const key = text.replaceAll(/\d+/g, 'N').slice(0, 200);
    this.words.set(key, (this.words.get(key) ?? 0) + 1);
  }
}

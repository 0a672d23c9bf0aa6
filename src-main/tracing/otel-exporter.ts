// Sends finished spans in batches: when enough are waiting, or after the schedule delay. A full queue drops the newest;
// that and a failed export are said in the log, at most once a minute.

import type { Clock, Timer } from '../base/clock.ts';
import { getLogger } from '../base/log.ts';
import type { OtelOptions } from './otel-options.ts';
import type { SpanSender } from './otel-sender.ts';
import type { Span } from './otel-span.ts';

const REPORT_PERIOD_NS = 60e9;

/** Closing sends what waits, once, and then closes the sender. */
export class OtelExporter {
  readonly #options: OtelOptions;
  readonly #clock: Clock;
  readonly #sender: SpanSender;
  readonly #logger = getLogger('tracing');
  readonly #queue: Span[] = [];
  #timer: Timer | undefined;
  /** Under way while the queue is being sent; one batch at a time, so that a slow collector fills the queue only. */
  #sending: Promise<void> | undefined;
  #reportedAtNs = Number.NEGATIVE_INFINITY;

  constructor(options: OtelOptions, clock: Clock, sender: SpanSender) {
    this.#options = options;
    this.#clock = clock;
    this.#sender = sender;
  }

  /** Never waits or throws: with a full queue the span is dropped. */
  add(span: Span): void {
    const { maxQueueSize, maxExportBatchSize, scheduleDelayMs } = this.#options;
    if (this.#queue.length >= maxQueueSize) {
      this.#report('span queue is full, spans are dropped');
      return;
    }
    this.#queue.push(span);
    if (this.#queue.length >= maxExportBatchSize) this.#export();
    else this.#timer ??= this.#clock.after(scheduleDelayMs, () => this.#export());
  }

  /** Sends what is left. */
  async close(): Promise<void> {
    this.#export();
    await this.#sending;
    await this.#sender.close();
  }

  #export(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  async #sendAll(): Promise<void> {
    const { maxExportBatchSize, url } = this.#options;
    while (this.#queue.length > 0) {
      try {
        await this.#sender.send(this.#queue.splice(0, maxExportBatchSize));
      } catch (thrown) {
        this.#report(`failed to export spans to ${url}: ${reasonOf(thrown)}`);
      }
    }
  }

  #report(message: string): void {
    const nowNs = this.#clock.nowNs();
    if (nowNs - this.#reportedAtNs < REPORT_PERIOD_NS) return;
    this.#reportedAtNs = nowNs;
    this.#logger.error(message);
  }
}

function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.cause instanceof Error ? thrown.cause.message : thrown.message;
}

// Sends spans to an OTLP/HTTP endpoint in batches: when enough are waiting, or after the schedule delay. A full queue
// drops the newest, a failed export is not repeated; both are said in the log, at most once a minute.

import type { Clock, Timer } from '../base/clock.ts';
import { getLogger } from '../base/log.ts';
import type { Span, ToUnixNs } from './otel-span.ts';
import { exportBody } from './otel-span.ts';

export interface OtelOptions {
  readonly url: string;
  readonly resource: readonly (readonly [string, string])[];
  readonly maxQueueSize: number;
  readonly scheduleDelayMs: number;
  readonly maxExportBatchSize: number;
}

const EXPORT_TIMEOUT_MS = 10_000;
const REPORT_PERIOD_NS = 60e9;

/** Options of the mode, as the trace settings keep them. `resource` is `key=value[,key=value...]`. */
export function readOtelOptions(settings: readonly (readonly [string, string])[]): OtelOptions {
  const values = new Map(settings);
  const resource = new Map([['service.name', 'triton-inference-server']]);
  for (const entry of (values.get('resource') ?? '').split(',')) {
    const at = entry.indexOf('=');
    if (at > 0) resource.set(entry.slice(0, at), entry.slice(at + 1));
  }
  return {
    url: values.get('url') ?? 'http://localhost:4318/v1/traces',
    resource: [...resource],
    maxQueueSize: Number(values.get('bsp_max_queue_size') ?? 2048),
    scheduleDelayMs: Number(values.get('bsp_schedule_delay') ?? 5000),
    maxExportBatchSize: Math.max(1, Number(values.get('bsp_max_export_batch_size') ?? 512)),
  };
}

/** Sends one body; rejects when the endpoint does not take it. */
export type Post = (url: string, body: string) => Promise<void>;

const postByFetch: Post = async (url, body) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
    signal: AbortSignal.timeout(EXPORT_TIMEOUT_MS),
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`status ${response.status}`);
};

export class OtelExporter {
  readonly #options: OtelOptions;
  readonly #clock: Clock;
  readonly #post: Post;
  readonly #toUnixNs: ToUnixNs;
  readonly #logger = getLogger('tracing');
  #queue: Span[] = [];
  #timer: Timer | undefined;
  #sending: Promise<void> = Promise.resolve();
  #reportedAtNs = Number.NEGATIVE_INFINITY;

  constructor(options: OtelOptions, clock: Clock, post: Post = postByFetch) {
    this.#options = options;
    this.#clock = clock;
    this.#post = post;
    const offsetNs = BigInt(clock.wallMs()) * 1_000_000n - BigInt(Math.trunc(clock.nowNs()));
    this.#toUnixNs = (ns) => String(BigInt(Math.trunc(ns)) + offsetNs);
  }

  add(spans: readonly Span[]): void {
    const { maxQueueSize, maxExportBatchSize, scheduleDelayMs } = this.#options;
    const room = Math.max(0, maxQueueSize - this.#queue.length);
    this.#queue.push(...spans.slice(0, room));
    if (spans.length > room) this.#report('span queue is full, spans are dropped');
    if (this.#queue.length >= maxExportBatchSize) this.#export();
    else this.#timer ??= this.#clock.after(scheduleDelayMs, () => this.#export());
  }

  /** Sends what is left. */
  async close(): Promise<void> {
    this.#export();
    await this.#sending;
  }

  #export(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    const { maxExportBatchSize, resource, url } = this.#options;
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, maxExportBatchSize);
      this.#sending = this.#sending
        .then(() => this.#post(url, exportBody(batch, resource, this.#toUnixNs)))
        .catch((thrown: unknown) => this.#report(`failed to export spans to ${url}: ${reasonOf(thrown)}`));
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

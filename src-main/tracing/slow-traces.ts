// Traces of a model's slowest requests while a load test asks for them: all its requests are traced, and of each second the
// slowest are kept with the steps that were run for them. Beside the traces of the window and those of the trace setting,
// which do not change by it. While nobody asks, a request pays what it paid before.

import type { TraceRow } from '../../src-shared/contract/trace-row.ts';
import type { Clock } from '../base/clock.ts';
import type { RequestTrace, TracedPayload } from '../inference/request-trace.ts';
import type { LiveTraceHost } from './live-trace.ts';
import { LiveTrace } from './live-trace.ts';
import { PairedTrace } from './paired-trace.ts';
import type { PropagatedContext, RequestTracer } from './request-tracer.ts';

/** Of each second; a level of a load test names its twenty slowest. */
const KEPT_PER_SECOND = 24;
/** Seconds that are kept: the windows of a level that is measured for ten minutes and more. */
const KEPT_SECONDS = 1800;
/** Steps whose request has not ended; beyond it the oldest go. */
const MAX_OPEN_STEPS = 20_000;
/** Ids begin far behind those of the window, so that nobody takes one for the other. */
const FIRST_ID = 1e12;
/** Clocks of two processes, read in whole milliseconds. */
const CLOCK_TOLERANCE_MS = 2;

interface SlowTrace {
  readonly row: TraceRow;
  readonly tookMs: number;
  readonly steps: readonly TraceRow[];
}

/** What a client saw of one request. */
export interface SlowRequest {
  /** Wall clock of its sending. */
  readonly atMs: number;
  readonly latencyUs: number;
}

/** Stands before the traces of the window, and asks them as if it were not there. One model at a time. */
export class SlowTraces implements RequestTracer {
  readonly #inner: RequestTracer;
  readonly #clock: Clock;
  #model: string | undefined;
  #lastId = FIRST_ID;
  #lastExecution = 0;
  #executions = new WeakMap<TracedPayload, number>();
  /** By wall-clock second, oldest first. */
  #seconds = new Map<number, SlowTrace[]>();
  #openSteps = new Map<number, TraceRow[]>();
  #openStepCount = 0;
  readonly #host: LiveTraceHost;

  constructor(inner: RequestTracer, clock: Clock) {
    this.#inner = inner;
    this.#clock = clock;
    this.#host = {
      nextId: () => (this.#lastId += 1),
      executionId: (payload) => this.#executionId(payload),
      wallMs: () => this.#clock.wallMs(),
      opened: () => undefined,
      ended: (row) => this.#ended(row),
    };
  }

  isActive(): boolean {
    return this.#model !== undefined || this.#inner.isActive();
  }

  start(modelName: string, context: PropagatedContext): RequestTrace | undefined {
    return this.#beside(
      this.#inner.isActive() ? this.#inner.start(modelName, context) : undefined,
      modelName,
    );
  }

  startRefused(modelName: string): RequestTrace | undefined {
    return this.#beside(this.#inner.startRefused(modelName), modelName);
  }

  /** Begins anew with this model. */
  follow(model: string): void {
    this.stop();
    this.#model = model;
  }

  /** Forgets what was kept. */
  stop(): void {
    this.#model = undefined;
    this.#seconds = new Map();
    this.#openSteps = new Map();
    this.#openStepCount = 0;
    this.#executions = new WeakMap();
  }

  /**
   * For each request the trace that fits it, its steps behind it: the longest that lies within the time that the client saw, of
   * those that fit no slower one. Empty where none does.
   */
  of(requests: readonly SlowRequest[]): readonly (readonly TraceRow[])[] {
    const free = new Set([...this.#seconds.values()].flat());
    return requests.map(({ atMs, latencyUs }) => {
      const latencyMs = latencyUs / 1000;
      let best: SlowTrace | undefined;
      for (const one of free) {
        const beginMs = (one.row.atMs ?? 0) - atMs;
        if (beginMs < -CLOCK_TOLERANCE_MS || beginMs + one.tookMs > latencyMs + CLOCK_TOLERANCE_MS) continue;
        if (best === undefined || one.tookMs > best.tookMs) best = one;
      }
      if (best === undefined) return [];
      free.delete(best);
      return [best.row, ...best.steps];
    });
  }

  #beside(inner: RequestTrace | undefined, modelName: string): RequestTrace | undefined {
    if (this.#model !== modelName) return inner;
    const own = new LiveTrace(this.#host, modelName);
    return inner === undefined ? own : new PairedTrace(inner, own);
  }

  #executionId(payload: TracedPayload): number {
    let id = this.#executions.get(payload);
    if (id === undefined) this.#executions.set(payload, (id = this.#lastExecution += 1));
    return id;
  }

  #ended(row: TraceRow): void {
    if (this.#model === undefined) return;
    if (row.parentId === 0) this.#keep(row);
    else this.#addStep(row);
  }

  #addStep(row: TraceRow): void {
    const known = this.#openSteps.get(row.parentId);
    if (known === undefined) this.#openSteps.set(row.parentId, [row]);
    else known.push(row);
    this.#openStepCount += 1;
    for (const [parent, steps] of this.#openSteps) {
      if (this.#openStepCount <= MAX_OPEN_STEPS) break;
      this.#openSteps.delete(parent);
      this.#openStepCount -= steps.length;
    }
  }

  #keep(row: TraceRow): void {
    const steps = this.#takeSteps(row.id);
    const tookMs = durationMs(row);
    const second = Math.floor((row.atMs ?? 0) / 1000);
    let kept = this.#seconds.get(second);
    if (kept === undefined) {
      this.#seconds.set(second, (kept = []));
      const oldest = this.#seconds.keys().next().value;
      if (this.#seconds.size > KEPT_SECONDS && oldest !== undefined) this.#seconds.delete(oldest);
    }
    if (kept.length < KEPT_PER_SECOND) {
      kept.push({ row, tookMs, steps });
      return;
    }
    let least = 0;
    for (const [at, { tookMs: other }] of kept.entries()) if (other < (kept[least]?.tookMs ?? 0)) least = at;
    if (tookMs > (kept[least]?.tookMs ?? 0)) kept[least] = { row, tookMs, steps };
  }

  /** Steps of steps, too. */
  #takeSteps(parent: number): TraceRow[] {
    const own = this.#openSteps.get(parent);
    if (own === undefined) return [];
    this.#openSteps.delete(parent);
    this.#openStepCount -= own.length;
    return own.flatMap((step) => [step, ...this.#takeSteps(step.id)]);
  }
}

function durationMs({ stamps }: TraceRow): number {
  const moments = Object.values(stamps);
  return moments.length === 0 ? 0 : (Math.max(...moments) - Math.min(...moments)) / 1e6;
}

// Traces for the window, beside those that the trace setting asks for. Which requests are taken is said by the window
// alone; the setting of the protocol is neither read nor changed. While it is off, a request pays what it paid before.

import type { TraceMode, TraceState } from '../../src-shared/contract/trace-calls.ts';
import type { TraceRow } from '../../src-shared/contract/trace-row.ts';
import type { Clock } from '../base/clock.ts';
import type { RequestTrace, TracedPayload } from '../inference/request-trace.ts';
import { LiveBuffer } from './live-buffer.ts';
import { LiveTrace } from './live-trace.ts';
import type { LiveTraceHost } from './live-trace.ts';
import { PairedTrace } from './paired-trace.ts';
import type { PropagatedContext, RequestTracer } from './request-tracer.ts';

/** Stands before the sampler of the trace setting, and asks it as if it were not there. */
export class LiveTracing implements RequestTracer {
  readonly #sampler: RequestTracer;
  readonly #clock: Clock;
  readonly #buffer: LiveBuffer;
  #mode: TraceMode | undefined;
  #remaining = 0;
  #seenCount = 0;
  #endsAtNs = 0;
  #endsAtMs = 0;
  #openCount = 0;
  #lastId = 0;
  #lastExecution = 0;
  /** Another one after a restart of the server, too. */
  #generation: number;
  #executions = new WeakMap<TracedPayload, number>();
  #host: LiveTraceHost;
  /** Called with every row and every change of the mode. */
  onChange: (() => void) | undefined;

  constructor(sampler: RequestTracer, clock: Clock, buffer = new LiveBuffer()) {
    this.#sampler = sampler;
    this.#clock = clock;
    this.#buffer = buffer;
    this.#generation = clock.wallMs();
    this.#host = this.#createHost();
  }

  isActive(): boolean {
    return this.#mode !== undefined || this.#sampler.isActive();
  }

  start(modelName: string, context: PropagatedContext): RequestTrace | undefined {
    return this.#beside(
      this.#sampler.isActive() ? this.#sampler.start(modelName, context) : undefined,
      modelName,
    );
  }

  startRefused(modelName: string): RequestTrace | undefined {
    return this.#beside(this.#sampler.startRefused(modelName), modelName);
  }

  /** Begins anew with another mode; what was recorded stays. */
  begin(mode: TraceMode): void {
    this.#mode = mode;
    this.#remaining = mode.kind === 'next' ? mode.count : 0;
    this.#seenCount = 0;
    const isTimed = mode.kind === 'all';
    this.#endsAtNs = isTimed ? this.#clock.nowNs() + mode.seconds * 1e9 : 0;
    this.#endsAtMs = isTimed ? this.#clock.wallMs() + mode.seconds * 1000 : 0;
    this.onChange?.();
  }

  /** Requests that are under way are still recorded. */
  stop(): void {
    if (this.#mode === undefined) return;
    this.#mode = undefined;
    this.#remaining = 0;
    this.#endsAtMs = 0;
    this.onChange?.();
  }

  /** Forgets what was recorded, and what is under way. */
  clear(): void {
    this.#buffer.clear();
    this.#openCount = 0;
    this.#generation += 1;
    this.#executions = new WeakMap();
    this.#host = this.#createHost();
    this.onChange?.();
  }

  /** Counts and rows now; ends the mode first where its time is over. */
  state(): TraceState {
    this.#endWhenDue();
    const { firstRow, nextRow, capacity } = this.#buffer;
    return {
      mode: this.#mode,
      remainingCount: this.#remaining,
      endsAtMs: this.#endsAtMs,
      openCount: this.#openCount,
      firstRow,
      nextRow,
      droppedCount: firstRow,
      capacity,
      generation: this.#generation,
    };
  }

  /** undefined when it was dropped, or does not exist yet. */
  row(number: number): TraceRow | undefined {
    return this.#buffer.at(number);
  }

  #beside(set: RequestTrace | undefined, modelName: string): RequestTrace | undefined {
    if (this.#mode === undefined || !this.#takes(this.#mode)) return set;
    const live = new LiveTrace(this.#host, modelName);
    return set === undefined ? live : new PairedTrace(set, live);
  }

  #takes(mode: TraceMode): boolean {
    if (mode.kind === 'all') {
      this.#endWhenDue();
      return this.#mode !== undefined;
    }
    if (mode.kind === 'sampled') {
      this.#seenCount += 1;
      return this.#seenCount % mode.rate === 0;
    }
    this.#remaining -= 1;
    if (this.#remaining === 0) this.stop();
    return true;
  }

  #endWhenDue(): void {
    if (this.#mode?.kind === 'all' && this.#clock.nowNs() >= this.#endsAtNs) this.stop();
  }

  /** Traces that were begun before a clearing keep the host of then, and reach nothing. */
  #createHost(): LiveTraceHost {
    const generation = this.#generation;
    const isCurrent = (): boolean => generation === this.#generation;
    return {
      nextId: () => (this.#lastId += 1),
      executionId: (payload) => this.#executionId(payload),
      wallMs: () => this.#clock.wallMs(),
      opened: () => {
        if (isCurrent()) this.#openCount += 1;
      },
      ended: (row) => {
        if (!isCurrent()) return;
        this.#openCount -= 1;
        this.#buffer.add(row);
        this.onChange?.();
      },
    };
  }

  #executionId(payload: TracedPayload): number {
    let id = this.#executions.get(payload);
    if (id === undefined) this.#executions.set(payload, (id = this.#lastExecution += 1));
    return id;
  }
}

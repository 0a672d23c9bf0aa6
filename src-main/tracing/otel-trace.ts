// A trace as spans, nested as in the reference: `InferRequest` for the frontend, below it one span per model that runs,
// and in that `compute` and the spans of custom activities. Each trace id has a stack of open spans: what starts goes
// below the topmost one, and every activity is an event of the topmost one. A span is handed over when it ends.

import type { Clock } from '../base/clock.ts';
import type { RequestTrace, TraceActivity } from '../inference/request-trace.ts';
import type { Span } from './otel-span.ts';
import type { SpanContext } from './trace-context.ts';
import { contextFields, newSpanId, newTraceId } from './trace-context.ts';
import { nextTraceId } from './triton-trace.ts';

/** What the traces of one request of a client share. */
interface Bundle {
  readonly traceId: string;
  readonly traceState: string;
  readonly offsetNs: bigint;
  readonly clock: Clock;
  readonly root: Span;
  /** Traces that have not ended; the frontend's span ends with the last one. */
  openCount: number;
  readonly onSpan: (span: Span) => void;
}

const FRONTEND = /^(?:HTTP|GRPC)_|^INFER_RESPONSE_COMPLETE$/;
const START = '_START';
const END = '_END';

/**
 * `context` is the W3C text that a backend or a composing model goes on with. Times are nanoseconds; spans carry
 * wall-clock ones.
 */
export class OtelTrace implements RequestTrace {
  /** Tensors have no place in spans. */
  readonly tensors = undefined;
  readonly #bundle: Bundle;
  readonly #id = nextTraceId();
  readonly #parentId: number;
  /** Where a span goes that starts while none of this trace is open. */
  readonly #below: () => Span;
  readonly #stack: Span[] = [];
  #modelName = '';
  #attributes: [string, string | number][] = [];
  #context: Record<string, string> | undefined;
  #isRequestOpen = false;
  #isEndWanted = false;
  #isEnded = false;

  private constructor(bundle: Bundle, parent: OtelTrace | undefined) {
    this.#bundle = bundle;
    this.#parentId = parent === undefined ? 0 : parent.#id;
    this.#below = () => (parent === undefined ? bundle.root : parent.#top());
    bundle.openCount += 1;
  }

  /** `context`: the client's span, undefined for none. */
  static root(context: SpanContext | undefined, clock: Clock, onSpan: (span: Span) => void): OtelTrace {
    const nowNs = clock.nowNs();
    const shared = {
      traceId: context?.traceId ?? newTraceId(),
      traceState: context?.traceState ?? '',
      offsetNs: BigInt(clock.wallMs()) * 1_000_000n - BigInt(Math.trunc(nowNs)),
    };
    const root = newSpan(shared, 'InferRequest', context?.spanId, nowNs);
    return new OtelTrace({ ...shared, clock, root, openCount: 0, onSpan }, undefined);
  }

  /** Of the model's span, once it has started; and the custom activities since then. */
  get context(): string | undefined {
    return this.#context === undefined ? undefined : JSON.stringify(this.#context);
  }

  activity(name: TraceActivity, atNs: number): void {
    if (this.#isEnded) return;
    if (FRONTEND.test(name)) {
      this.#bundle.root.events.push([name, atNs]);
      return;
    }
    if (name === 'REQUEST_START') this.#startRequest(atNs);
    else if (name === 'COMPUTE_START') this.#open('compute', atNs);
    this.#stack.at(-1)?.events.push([name, atNs]);
    if (name === 'REQUEST_END' || name === 'COMPUTE_END') this.#closeTop(atNs);
    if (name === 'REQUEST_END') this.#endRequest();
  }

  customActivity(name: string, atNs: number): void {
    if (this.#isEnded) return;
    if (this.#context !== undefined) this.#context[String(Math.trunc(atNs))] = name;
    if (name.endsWith(START) && name.length > START.length) this.#open(name.slice(0, -START.length), atNs);
    this.#stack.at(-1)?.events.push([name, atNs]);
    if (name.endsWith(END) && name.length > END.length) this.#closeTop(atNs);
  }

  setModel(modelName: string, modelVersion: string, requestId: string): void {
    this.#modelName = modelName;
    this.#attributes = [
      ['triton.model_name', modelName],
      ['triton.model_version', Number(modelVersion === '' ? -1 : modelVersion)],
      ['triton.trace_id', this.#id],
      ['triton.trace_parent_id', this.#parentId],
    ];
    if (requestId !== '') this.#attributes.push(['triton.request_id', requestId]);
  }

  child(): RequestTrace {
    return new OtelTrace(this.#bundle, this);
  }

  refused(): void {
    this.#endRequest();
  }

  /** Takes effect once the request has ended: a model may release it after its last response was sent. */
  end(): void {
    this.#isEndWanted = true;
    if (this.#isEnded || this.#isRequestOpen) return;
    this.#isEnded = true;
    const { root, clock, onSpan } = this.#bundle;
    const nowNs = clock.nowNs();
    while (this.#stack.length > 0) this.#closeTop(nowNs);
    this.#bundle.openCount -= 1;
    if (this.#bundle.openCount > 0) return;
    root.endNs = nowNs;
    onSpan(root);
  }

  #startRequest(atNs: number): void {
    this.#isRequestOpen = true;
    const span = this.#open(this.#modelName, atNs);
    span.attributes.push(...this.#attributes);
    const { traceId, traceState } = this.#bundle;
    this.#context = contextFields({ traceId, traceState, spanId: span.spanId });
  }

  #endRequest(): void {
    this.#isRequestOpen = false;
    if (this.#isEndWanted) this.end();
  }

  #open(name: string, atNs: number): Span {
    const span = newSpan(this.#bundle, name, this.#top().spanId, atNs);
    this.#stack.push(span);
    return span;
  }

  #top(): Span {
    return this.#stack.at(-1) ?? this.#below();
  }

  #closeTop(atNs: number): void {
    const span = this.#stack.pop();
    if (span === undefined) return;
    span.endNs = Math.max(span.startNs, atNs);
    this.#bundle.onSpan(span);
  }
}

function newSpan(
  shared: Pick<Bundle, 'traceId' | 'traceState' | 'offsetNs'>,
  name: string,
  parentSpanId: string | undefined,
  startNs: number,
): Span {
  const { traceId, traceState, offsetNs } = shared;
  return {
    name,
    traceId,
    spanId: newSpanId(),
    parentSpanId,
    traceState,
    offsetNs,
    startNs,
    endNs: startNs,
    events: [],
    attributes: [],
  };
}

// A trace as spans: `InferRequest` for the frontend, one span per model that runs, `compute` below it, and spans for
// custom activities that come in START and END pairs. All spans of a request leave together when it has ended.

import type { RequestTrace, TraceActivity } from '../inference/request-trace.ts';
import type { Span } from './otel-span.ts';
import type { SpanContext } from './trace-context.ts';
import { contextText, newSpanId, newTraceId } from './trace-context.ts';
import { nextTraceId } from './triton-trace.ts';

interface Bundle {
  readonly traceId: string;
  readonly traceState: string;
  readonly spans: Span[];
  openCount: number;
  readonly onComplete: (spans: readonly Span[]) => void;
}

const MODEL_ACTIVITIES: ReadonlySet<string> = new Set(['REQUEST_START', 'QUEUE_START', 'REQUEST_END']);
const COMPUTE_ACTIVITIES: ReadonlySet<string> = new Set([
  'COMPUTE_START',
  'COMPUTE_INPUT_END',
  'COMPUTE_OUTPUT_START',
  'COMPUTE_END',
]);

export class OtelTrace implements RequestTrace {
  /** Tensors have no place in spans. */
  readonly tensors = undefined;
  readonly #bundle: Bundle;
  readonly #id = nextTraceId();
  readonly #parentId: number;
  /** The frontend's span; children have none. */
  readonly #root: Span | undefined;
  readonly #model: Span;
  #compute: Span | undefined;
  readonly #custom = new Map<string, Span>();
  #isRequestOpen = false;
  #isEndWanted = false;
  #isEnded = false;

  private constructor(bundle: Bundle, root: Span | undefined, parentSpanId: string, parentId: number) {
    this.#bundle = bundle;
    this.#root = root;
    this.#parentId = parentId;
    this.#model = newSpan(bundle, '', parentSpanId);
    bundle.openCount += 1;
  }

  static root(context: SpanContext | undefined, onComplete: (spans: readonly Span[]) => void): OtelTrace {
    const traceId = context?.traceId ?? newTraceId();
    const bundle: Bundle = {
      traceId,
      traceState: context?.traceState ?? '',
      spans: [],
      openCount: 0,
      onComplete,
    };
    const root = newSpan(bundle, 'InferRequest', context?.spanId ?? '');
    return new OtelTrace(bundle, root, root.spanId, 0);
  }

  get context(): string {
    const { traceId, traceState } = this.#bundle;
    return contextText({ traceId, traceState, spanId: this.#model.spanId });
  }

  activity(activity: TraceActivity, atNs: number): void {
    this.customActivity(activity, atNs);
  }

  /** Also takes names that backends make up. */
  customActivity(name: string, atNs: number): void {
    if (this.#isEnded) return;
    if (MODEL_ACTIVITIES.has(name)) this.#request(name, atNs);
    else if (COMPUTE_ACTIVITIES.has(name)) {
      this.#compute ??= newSpan(this.#bundle, 'compute', this.#model.spanId);
      mark(this.#compute, name, atNs);
    } else if (this.#root !== undefined && FRONTEND.test(name)) mark(this.#root, name, atNs);
    else this.#other(name, atNs);
  }

  setModel(modelName: string, modelVersion: string, requestId: string): void {
    const attributes: [string, string | number][] = [
      ['triton.model_name', modelName],
      ['triton.model_version', Number(modelVersion === '' ? -1 : modelVersion)],
      ['triton.trace_id', this.#id],
      ['triton.trace_parent_id', this.#parentId],
    ];
    if (requestId !== '') attributes.push(['triton.request_id', requestId]);
    this.#model.attributes.splice(0, this.#model.attributes.length, ...attributes);
  }

  child(): RequestTrace {
    return new OtelTrace(this.#bundle, undefined, this.#model.spanId, this.#id);
  }

  /** Takes effect once the request has ended: a model may release it after its last response was sent. */
  end(): void {
    this.#isEndWanted = true;
    if (this.#isEnded || this.#isRequestOpen) return;
    this.#isEnded = true;
    const bundle = this.#bundle;
    const name = this.#model.attributes.find(([key]) => key === 'triton.model_name')?.[1];
    const model = { ...this.#model, name: String(name ?? '') };
    for (const span of [this.#root, model, this.#compute, ...this.#custom.values()]) {
      if (span !== undefined && span.events.length > 0) bundle.spans.push(span);
    }
    bundle.openCount -= 1;
    if (bundle.openCount === 0) bundle.onComplete(bundle.spans);
  }

  #request(name: string, atNs: number): void {
    mark(this.#model, name, atNs);
    if (name === 'REQUEST_START') this.#isRequestOpen = true;
    else if (name === 'REQUEST_END') {
      this.#isRequestOpen = false;
      if (this.#isEndWanted) this.end();
    }
  }

  #other(name: string, atNs: number): void {
    const pair = /^(.*)_(START|END)$/.exec(name);
    const [, spanName = '', edge] = pair ?? [];
    if (edge === 'START') {
      this.#custom.set(spanName, newSpan(this.#bundle, spanName, (this.#compute ?? this.#model).spanId));
    }
    mark(this.#custom.get(spanName) ?? this.#compute ?? this.#model, name, atNs);
  }
}

const FRONTEND = /^(?:HTTP|GRPC)_|^INFER_RESPONSE_COMPLETE$/;

function newSpan({ traceId, traceState }: Bundle, name: string, parentSpanId: string): Span {
  const spanId = newSpanId();
  return {
    name,
    traceId,
    spanId,
    parentSpanId,
    traceState,
    startNs: 0,
    endNs: 0,
    events: [],
    attributes: [],
  };
}

/** Adds an event; a span lasts from its first event to its last. */
function mark(span: Span, name: string, atNs: number): void {
  if (span.events.length === 0 || atNs < span.startNs) span.startNs = atNs;
  if (atNs > span.endNs) span.endNs = atNs;
  span.events.push([name, atNs]);
}

// A finished or growing span, and its form in OTLP's JSON.

/** name, monotonic ns. */
export type SpanEvent = readonly [string, number];

export interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** "" = none. */
  readonly parentSpanId: string;
  readonly traceState: string;
  startNs: number;
  endNs: number;
  readonly events: SpanEvent[];
  readonly attributes: [string, string | number][];
}

/** Every span of the server is of kind SERVER. */
const SPAN_KIND_SERVER = 2;

/** Monotonic ns to Unix ns as text; the offset is fixed at start. */
export type ToUnixNs = (ns: number) => string;

function attribute([key, value]: readonly [string, string | number]): object {
  return { key, value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value } };
}

function spanJson(span: Span, toUnixNs: ToUnixNs): object {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.traceState === '' ? undefined : { traceState: span.traceState }),
    ...(span.parentSpanId === '' ? undefined : { parentSpanId: span.parentSpanId }),
    name: span.name,
    kind: SPAN_KIND_SERVER,
    startTimeUnixNano: toUnixNs(span.startNs),
    endTimeUnixNano: toUnixNs(span.endNs),
    attributes: span.attributes.map(attribute),
    events: span.events.map(([name, ns]) => ({ timeUnixNano: toUnixNs(ns), name })),
  };
}

/** Body of one export request. */
export function exportBody(
  spans: readonly Span[],
  resource: readonly (readonly [string, string])[],
  toUnixNs: ToUnixNs,
): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: resource.map(attribute) },
        scopeSpans: [
          { scope: { name: 'triton-server' }, spans: spans.map((span) => spanJson(span, toUnixNs)) },
        ],
      },
    ],
  });
}

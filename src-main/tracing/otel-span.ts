// A span as the server keeps it while it grows.

/** name, monotonic ns. */
export type SpanEvent = readonly [string, number];

/** One span; times are monotonic nanoseconds of the engine's clock. */
export interface Span {
  readonly name: string;
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  /** undefined = none. */
  readonly parentSpanId: string | undefined;
  readonly traceState: string;
  /** Added to monotonic ns it gives Unix ns; the same for all spans of a request. */
  readonly offsetNs: bigint;
  readonly startNs: number;
  endNs: number;
  readonly events: SpanEvent[];
  readonly attributes: [string, string | number][];
}

// W3C trace context: reading `traceparent`, making ids, printing the context handed to backends.

import { randomBytes } from 'node:crypto';

/** A span as W3C's headers name it. */
export interface SpanContext {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  readonly traceState: string;
}

/** Undefined when the header is absent or invalid. */
export function parseTraceparent(
  traceparent: string | undefined,
  tracestate: string | undefined,
): SpanContext | undefined {
  const match = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/.exec(
    // Capitals are no fault in the reference.
    (traceparent ?? '').trim().toLowerCase(),
  );
  const [, version = '', traceId = '', spanId = '', rest] = match ?? [];
  const isValid = match !== null && version !== 'ff' && (version !== '00' || rest === undefined);
  if (!isValid || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceState: tracestate ?? '' };
}

/** 32 hexadecimal digits (W3C Trace Context). */
export const newTraceId = (): string => randomBytes(16).toString('hex');
/** 16 hexadecimal digits (W3C Trace Context). */
export const newSpanId = (): string => randomBytes(8).toString('hex');

/** The context as backends get it, in JSON. */
export function contextFields({ traceId, spanId, traceState }: SpanContext): Record<string, string> {
  const traceparent = `00-${traceId}-${spanId}-01`;
  return traceState === '' ? { traceparent } : { traceparent, tracestate: traceState };
}

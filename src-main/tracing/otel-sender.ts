// Hands spans to OpenTelemetry's own exporter: OTLP over HTTP, protobuf. It repeats what a collector asks to repeat, and
// takes headers, compression, certificates and timeouts from the variables OTEL_EXPORTER_OTLP_*. Loaded when the first
// spans leave, since most servers never trace.

import type { HrTime, SpanContext } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

import type { OtelOptions } from './otel-options.ts';
import type { Span } from './otel-span.ts';

/** Takes spans to a collector. Whoever makes one closes it, which sends what is left. */
export interface SpanSender {
  /** Rejects when the collector does not take them. */
  send(spans: readonly Span[]): Promise<void>;
  /** Resolves when what is left was sent, or could not be. */
  close(): Promise<void>;
}

const SCOPE = { name: 'triton-server' };
const NS_PER_S = 1_000_000_000n;

function hrTime(ns: bigint): HrTime {
  return [Number(ns / NS_PER_S), Number(ns % NS_PER_S)];
}

interface Library {
  readonly exporter: SpanExporter;
  readonly readable: (span: Span) => ReadableSpan;
}

async function load({ url, resource }: OtelOptions): Promise<Library> {
  const [api, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
    import('@opentelemetry/resources'),
  ]);
  const described: Resource = resources
    .defaultResource()
    .merge(resources.detectResources({ detectors: [resources.envDetector] }))
    .merge(resources.resourceFromAttributes(Object.fromEntries(resource)));
  const readable = (span: Span): ReadableSpan => {
    const unix = (ns: number): HrTime => hrTime(BigInt(Math.trunc(ns)) + span.offsetNs);
    const context = (spanId: string): SpanContext => ({
      traceId: span.traceId,
      spanId,
      traceFlags: api.TraceFlags.SAMPLED,
      ...(span.traceState === '' ? {} : { traceState: api.createTraceState(span.traceState) }),
    });
    return {
      name: span.name,
      kind: api.SpanKind.SERVER,
      spanContext: () => context(span.spanId),
      ...(span.parentSpanId === undefined ? {} : { parentSpanContext: context(span.parentSpanId) }),
      startTime: unix(span.startNs),
      endTime: unix(span.endNs),
      duration: hrTime(BigInt(Math.max(0, Math.trunc(span.endNs - span.startNs)))),
      ended: true,
      status: { code: api.SpanStatusCode.UNSET },
      attributes: Object.fromEntries(span.attributes),
      events: span.events.map(([name, ns]) => ({ name, time: unix(ns) })),
      links: [],
      resource: described,
      instrumentationScope: SCOPE,
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    };
  };
  return { exporter: new OTLPTraceExporter({ url }), readable };
}

/** `send` rejects with the exporter's reason after its own repetitions; nothing was kept then. */
export function otlpSender(options: OtelOptions): SpanSender {
  let library: Promise<Library> | undefined;
  return {
    async send(spans) {
      library ??= load(options);
      const { exporter, readable } = await library;
      await new Promise<void>((resolve, reject) => {
        exporter.export(spans.map(readable), ({ code, error }) => {
          if (code === 0) resolve();
          else reject(error ?? new Error('the collector refused them'));
        });
      });
    },
    async close() {
      if (library !== undefined) await (await library).exporter.shutdown();
    },
  };
}

// A collector for tests: takes OTLP over HTTP, in protobuf by OpenTelemetry's published schema or in JSON, which some
// servers send.

import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import protobuf from 'protobufjs';

const require = createRequire(import.meta.url);
const PROTOS = path.join(
  path.dirname(require.resolve('@opentelemetry/otlp-grpc-exporter-base/package.json')),
  'build/protos',
);

/** Bytes as hex, 64-bit integers as text. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly traceState: string;
  readonly kind: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly { readonly name: string; readonly timeUnixNano: string }[];
}

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

type SentSpan = Omit<ReceivedSpan, 'attributes'> & { readonly attributes: readonly KeyValue[] };

interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string };
      readonly spans: readonly SentSpan[];
    }[];
  }[];
}

function fields(pairs: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]));
}

const hex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');

function fromProtobuf(type: protobuf.Type, body: Buffer): ExportRequest {
  const options = {
    longs: String,
    enums: String,
    bytes: String,
    arrays: true,
    defaults: true,
    oneofs: false,
  } as const;
  const request = type.toObject(type.decode(body), options) as ExportRequest;
  return withSpans(request, (span) => ({
    ...span,
    traceId: hex(span.traceId),
    spanId: hex(span.spanId),
    parentSpanId: hex(span.parentSpanId),
  }));
}

const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'];

/** Ids are hexadecimal there already, enums numbers, and what is empty is left out. */
function fromJson(body: Buffer): ExportRequest {
  return withSpans(JSON.parse(body.toString()) as ExportRequest, (span) => ({
    ...span,
    parentSpanId: span.parentSpanId ?? '',
    traceState: span.traceState ?? '',
    kind: `SPAN_KIND_${KINDS[Number(span.kind)]}`,
    startTimeUnixNano: String(span.startTimeUnixNano),
    endTimeUnixNano: String(span.endTimeUnixNano),
    attributes: span.attributes ?? [],
    events: (span.events ?? []).map(({ name, timeUnixNano }) => ({
      name,
      timeUnixNano: String(timeUnixNano),
    })),
  }));
}

function withSpans(request: ExportRequest, change: (span: SentSpan) => SentSpan): ExportRequest {
  return {
    resourceSpans: request.resourceSpans.map(({ resource, scopeSpans }) => ({
      resource,
      scopeSpans: scopeSpans.map(({ scope, spans }) => ({ scope, spans: spans.map(change) })),
    })),
  };
}

async function exportType(): Promise<protobuf.Type> {
  const root = new protobuf.Root();
  root.resolvePath = (_, target) => path.join(PROTOS, target);
  await root.load('opentelemetry/proto/collector/trace/v1/trace_service.proto');
  return root.lookupType('opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest');
}

/** Answers 200 to whatever it is sent, on any path; spans are kept in the order of arrival. */
export class OtlpReceiver {
  readonly requests: { readonly path: string; readonly contentType: string }[] = [];
  readonly resources: Record<string, unknown>[] = [];
  readonly scopes: string[] = [];
  readonly spans: ReceivedSpan[] = [];
  readonly #server: Server;

  private constructor(type: protobuf.Type) {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { url = '', headers } = request;
        this.requests.push({ path: url, contentType: headers['content-type'] ?? '' });
        const body = Buffer.concat(chunks);
        this.#take(
          headers['content-type'] === 'application/json' ? fromJson(body) : fromProtobuf(type, body),
        );
        response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
      });
    });
  }

  /** On a free port of 127.0.0.1; resolves when it listens. */
  static async start(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver(await exportType());
    await new Promise<void>((done) => receiver.#server.listen(0, '127.0.0.1', done));
    return receiver;
  }

  /** The one that the system gave. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #take({ resourceSpans }: ExportRequest): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      this.resources.push(fields(resource.attributes));
      for (const { scope, spans } of scopeSpans) {
        this.scopes.push(scope.name);
        for (const span of spans) {
          this.spans.push({ ...span, attributes: fields(span.attributes) });
        }
      }
    }
  }

  /** Resolves when the last connection has ended, so close the exporters first. */
  async close(): Promise<void> {
    await new Promise((done) => this.#server.close(done));
  }
}

// The HTTP frontend over a FakeService on a free port.

import type { Clock } from '../base/clock.ts';
import { systemClock } from '../base/clock.ts';
import type { HttpServerOptions, WireThreadOptions } from '../protocol/http/http-options.ts';
import { defaultHttpServerOptions } from '../protocol/http/http-options.ts';
import { HttpServer } from '../protocol/http/http-server.ts';
import { JsonWorkers } from '../protocol/http/json-offload.ts';
import type { CacheBlocks } from '../protocol/http/load-report.ts';
import type { RequestTracer } from '../tracing/request-tracer.ts';
import { testWireThreads } from './wire-thread-count.ts';
import type { FakeModel } from './fake-service.ts';
import { FakeService } from './fake-service.ts';
import type { WireCall, WireReply } from './wire-http.ts';
import { wireCall } from './wire-http.ts';

/** Options of the server that differ from its defaults; the port is any free one. */
export interface HttpFixtureOptions extends Partial<HttpServerOptions> {
  readonly models?: readonly FakeModel[];
  readonly clock?: Clock;
  readonly tracer?: RequestTracer;
  /** As the server asks for them for its load report; undefined = there is no load to tell. */
  readonly cacheBlocks?: () => CacheBlocks | undefined;
  readonly readsHotRequests?: boolean;
}

function wireThreads({ readsHotRequests }: HttpFixtureOptions): WireThreadOptions {
  return { count: readsHotRequests === false ? 0 : testWireThreads(), waitForLoad: false };
}

/** Disposing closes the server and its worker. */
export class HttpFixture {
  readonly service: FakeService;
  readonly server: HttpServer;
  readonly #offload = new JsonWorkers(1);

  private constructor(options: HttpFixtureOptions) {
    const { models, clock, tracer, cacheBlocks, readsHotRequests, ...change } = options;
    this.service = new FakeService(models);
    this.server = new HttpServer(
      { ...defaultHttpServerOptions, port: 0, wireThreads: wireThreads(options), ...change },
      {
        service: this.service,
        clock: clock ?? systemClock,
        tracer,
        offload: this.#offload,
        cacheBlocks,
        readsHotRequests,
      },
    );
  }

  /** Resolves when the port accepts connections. */
  static async start(options: HttpFixtureOptions = {}): Promise<HttpFixture> {
    const fixture = new HttpFixture(options);
    await fixture.server.listen();
    return fixture;
  }

  /** One request on the server's port; an answer with an error status resolves too. */
  call(call: WireCall): Promise<WireReply> {
    return wireCall(this.server.port, call);
  }

  /** JSON infer request to a model. */
  infer(model: string, body: object | string, headers: WireCall['headers'] = {}): Promise<WireReply> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.call({ path: `/v2/models/${model}/infer`, body: text, headers });
  }

  /** Closes at once; connections that are still open are cut. */
  async close(): Promise<void> {
    await this.server.close({ signal: AbortSignal.abort() });
    await this.#offload.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Config text of an unbatched model that sends its inputs back. */
export function echoConfig(name: string, types: readonly string[], change = ''): string {
  const io = (kind: string): string =>
    types
      .map((type, i) => `${kind} { name: "${kind.toUpperCase()}${i}" data_type: ${type} dims: [ -1 ] }`)
      .join('\n');
  return `name: "${name}" backend: "fake" ${io('input')} ${io('output')} ${change}`;
}

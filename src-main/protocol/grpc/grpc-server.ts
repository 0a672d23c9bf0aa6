// The gRPC frontend: its rpcs by path, who may call them, counts, drain. The wire is in `calls`, rpcs live in their own
// files.

import type { ServerError } from '../../../src-shared/errors.ts';
import type { Clock } from '../../base/clock.ts';
import type { GrpcInferRequest } from '../../grpc-wire/infer-message.ts';
import { decodeInferRequest } from '../../grpc-wire/infer-request-decoder.ts';
import type { WireMessage } from '../../grpc-wire/wire-message.ts';
import { joined } from '../../grpc-wire/wire-message.ts';
import type { MethodDescription, PlainMessage } from '../../grpc-wire/messages.ts';
import { serviceMethods } from '../../grpc-wire/messages.ts';
import type { ClientEntry } from '../../service/client-book.ts';
import { ClientBook, countError } from '../../service/client-book.ts';
import type { InferenceService } from '../../service/inference-service.ts';
import { STATUS_MAP } from '../../service/status-map.ts';
import type { RequestTracer } from '../../tracing/request-tracer.ts';
import type { CallMetadata } from './calls/call-metadata.ts';
import type { CallRoutes } from './calls/grpc-connection.ts';
import { GrpcListener } from './calls/grpc-listener.ts';
import type { CallHandler, ServerCall } from './calls/server-call.ts';
import { UnaryCall } from './calls/unary-call.ts';
import type { GrpcDelays } from './grpc-delays.ts';
import { NO_DELAYS } from './grpc-delays.ts';
import type { GrpcFault } from './grpc-error.ts';
import { toGrpcFault } from './grpc-error.ts';
import type { GrpcServerOptions } from './grpc-options.ts';
import { logCall, logReady, logWaitingHandlers } from './handler-log.ts';
import { logKeepalive, logStarted } from './start-log.ts';
import type { InferContext } from './infer-context.ts';
import { after, HandlerCount } from './infer-context.ts';
import { compileHeaderPattern } from '../../inference/header-pattern.ts';
import { grpcErrors } from './grpc-errors.ts';
import { MANAGEMENT_RPCS } from './management-rpcs.ts';
import { modelInfer } from './model-infer.ts';
import { InferStream } from './stream-infer.ts';

/** The reference starts one handler for each; ours are only told in the log. */
const INFER_THREADS = 2;

/** What the endpoint serves. It closes none of it. */
export interface GrpcServerDependencies {
  readonly service: InferenceService;
  readonly clock: Clock;
  /** Shared by the frontends; default: one of its own. */
  readonly clients?: ClientBook | undefined;
  readonly tracer?: RequestTracer | undefined;
  /** Default: none. */
  readonly delays?: GrpcDelays | undefined;
}

/**
 * The port of `--grpc-port`. `stopAccepting` first lets open calls finish; `close` waits for them, or cuts them
 * off when its signal aborts.
 */
export class GrpcServer {
  readonly #dependencies: GrpcServerDependencies;
  readonly #options: GrpcServerOptions;
  readonly #listener: GrpcListener;
  readonly #handlers = new HandlerCount();
  #isAccepting = true;
  #requestCount = 0;
  readonly #clients: ClientBook;

  constructor(dependencies: GrpcServerDependencies, options: GrpcServerOptions) {
    this.#dependencies = dependencies;
    this.#options = options;
    this.#clients = dependencies.clients ?? new ClientBook(dependencies.clock);
    this.#listener = new GrpcListener(options, dependencies.clock, this.#routes());
  }

  /** Calls taken since the start. */
  get requestCount(): number {
    return this.#requestCount;
  }

  /** Opens the port; resolves with the one in use. Rejects with the system's words when it cannot. */
  async start(): Promise<number> {
    const port = await this.#listener.listen();
    logKeepalive(this.#options);
    for (const rpc of Object.keys(MANAGEMENT_RPCS)) logReady(rpc, 0);
    logWaitingHandlers(INFER_THREADS);
    logStarted(`${this.#options.address}:${port}`);
    return port;
  }

  /** Inference under way: unary calls, streams, and the requests on them. */
  get handlerCount(): number {
    return this.#handlers.count;
  }

  /**
   * From now on the port refuses connections, and connections are told to go away: calls that run may finish, new ones
   * get no stream. Requests on a stream that is already open are refused by message.
   */
  stopAccepting(): void {
    if (!this.#isAccepting) return;
    this.#isAccepting = false;
    this.#listener.drain();
  }

  /** Waits for the running calls; what is still open is cut off when `signal` aborts. Idempotent. */
  async close(signal?: AbortSignal): Promise<void> {
    this.stopAccepting();
    const cut = (): void => this.#listener.cut();
    if (signal?.aborted === true) cut();
    else signal?.addEventListener('abort', cut, { once: true });
    await this.#listener.close();
    signal?.removeEventListener('abort', cut);
  }

  #routes(): CallRoutes {
    const routes = new Map<string, (call: ServerCall) => CallHandler>();
    const context = this.#inferContext();
    for (const service of ['inference.GRPCInferenceService', 'grpc.health.v1.Health']) {
      for (const method of serviceMethods(service).values()) {
        if (method.name === 'ModelInfer') routes.set(method.path, (call) => this.#infer(context, call));
        else if (method.name === 'ModelStreamInfer') {
          routes.set(method.path, (call) => this.#stream(context, call));
        } else routes.set(method.path, this.#management(method));
      }
    }
    return routes;
  }

  #management(method: MethodDescription): (call: ServerCall) => CallHandler {
    const rpc = MANAGEMENT_RPCS[method.name];
    if (rpc === undefined) throw new Error(`rpc ${method.name} has no implementation`);
    const run = async (metadata: CallMetadata, request: PlainMessage): Promise<PlainMessage> => {
      const refusal = this.#restriction(rpc.category, metadata);
      if (refusal !== undefined) throw refusal;
      if (!this.#isAccepting && rpc.category !== 'health') throw refusedWhileStopping();
      return rpc.run(this.#dependencies.service, request);
    };
    let count = 0;
    const start = (call: ServerCall, request: PlainMessage): void => {
      const client = this.#note(call.metadata);
      const done = logCall(method.name, count);
      count += 1;
      const { clock, delays = NO_DELAYS } = this.#dependencies;
      run(call.metadata, request)
        .then((response) => {
          const message = [method.response.encode(response)];
          after(clock, delays.unaryResponseMs, () => {
            call.reply(message);
            done();
          });
        })
        .catch((thrown: unknown) => {
          const fault = toGrpcFault(thrown, method.name);
          countFault(client, fault);
          call.fail(fault);
          done();
        });
    };
    const decode = (message: WireMessage): PlainMessage => method.request.decode(joined(message));
    return (call) => new UnaryCall(call, decode, start);
  }

  #inferContext(): InferContext {
    return {
      service: this.#dependencies.service,
      clock: this.#dependencies.clock,
      tracer: this.#dependencies.tracer,
      delays: this.#dependencies.delays ?? NO_DELAYS,
      forwardPattern: compileHeaderPattern(this.#options.headerForwardPattern),
      isAccepting: () => this.#isAccepting,
      handlers: this.#handlers,
    };
  }

  #infer(context: InferContext, call: ServerCall): CallHandler {
    call.compress(this.#options.responseCompression);
    return new UnaryCall<GrpcInferRequest>(call, decodeInferRequest, (_, message, unary) => {
      const client = this.#note(call.metadata);
      const fail = (fault: GrpcFault): void => {
        countFault(client, fault);
        call.fail(fault);
      };
      const refusal = this.#restriction('inference', call.metadata);
      if (refusal !== undefined) {
        fail(toGrpcFault(refusal, 'ModelInfer'));
        return;
      }
      modelInfer(context, {
        message,
        metadata: call.metadata.map(),
        // No accessors here: V8 makes a hidden class for each object that has some of its own, in the old generation,
        // which keeps all of the call from then on until that is collected.
        isCancelled: () => call.isCancelled,
        whenGone: (run) => (unary.onGone = run),
        reply: (answer, left) => call.reply(answer, left),
        fail,
      });
    });
  }

  #stream(context: InferContext, call: ServerCall): CallHandler {
    this.#note(call.metadata);
    call.compress(this.#options.responseCompression);
    const refusal = this.#restriction('inference', call.metadata);
    if (refusal !== undefined) {
      call.fail(toGrpcFault(refusal, 'ModelStreamInfer'));
      return NOBODY;
    }
    return new InferStream(context, call, { maxResponsePoolSize: this.#options.maxResponsePoolSize });
  }

  /** Counts the call; a stream is one call. */
  #note(metadata: CallMetadata): ClientEntry {
    this.#requestCount += 1;
    const [userAgent = ''] = metadata.get('user-agent');
    return this.#clients.note('gRPC', userAgent);
  }

  #restriction(category: string, metadata: CallMetadata): ServerError | undefined {
    const group = this.#options.restricted.find(({ categories }) => categories.includes(category));
    if (group === undefined) return undefined;
    const key = `triton-grpc-protocol-${group.header}`;
    if (metadata.get(key.toLowerCase()).includes(group.value)) return undefined;
    return grpcErrors.restricted({ key });
  }
}

/** Serves what was refused already. */
const NOBODY: CallHandler = {
  onMessage: () => undefined,
  onHalfClose: () => undefined,
  onDrain: () => undefined,
  onCancelled: () => undefined,
};

const CODE_NAMES = new Map<number, string>(
  Object.entries(STATUS_MAP).map(([name, { grpc }]) => [grpc, name]),
);

function countFault(client: ClientEntry, { code, details }: GrpcFault): void {
  countError(client, CODE_NAMES.get(code) ?? String(code), details);
}

function refusedWhileStopping(): ServerError {
  return grpcErrors.stopping();
}

// The gRPC frontend: listening, limits, TLS, restricted rpcs, drain. The only user of the gRPC library on the server
// side; rpcs live in their own files.

import { readFile } from 'node:fs/promises';
import type { Http2Server } from 'node:http2';

import type {
  handleUnaryCall,
  Metadata,
  ServiceDefinition,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { Server, ServerCredentials } from '@grpc/grpc-js';

import { ServerError, unavailable } from '../../../src-shared/errors.ts';
import type { ClientEntry } from '../../service/client-book.ts';
import { getLogger } from '../../base/log.ts';
import { ClientBook } from '../../service/client-book.ts';
import type { InferenceService } from '../../service/inference-service.ts';
import type { RequestTracer } from '../../tracing/request-tracer.ts';
import { toGrpcFault } from './grpc-error.ts';
import type { GrpcServerOptions } from './grpc-options.ts';
import type { GrpcDelays } from './grpc-delays.ts';
import { NO_DELAYS } from './grpc-delays.ts';
import { spellDeadline } from './deadline-words.ts';
import { limitInflation } from './inflate-limit.ts';
import type { InferContext } from './infer-context.ts';
import { after, HandlerCount } from './infer-context.ts';
import { logCall, logReady, logWaitingHandlers } from './handler-log.ts';
import type { Clock } from '../../base/clock.ts';
import { decodeInferRequest } from '../../grpc-wire/infer-request-decoder.ts';
import type { GrpcInferRequest } from '../../grpc-wire/infer-message.ts';
import { headerPattern } from './infer-parameters.ts';
import { MANAGEMENT_RPCS } from './management-rpcs.ts';
import type { MethodDescription, PlainMessage } from '../../grpc-wire/messages.ts';
import { serviceMethods } from '../../grpc-wire/messages.ts';
import { modelInfer } from './model-infer.ts';
import { watchPings } from './ping-strikes.ts';
import { InferStream } from './stream-infer.ts';

const log = getLogger('grpc');

const MAX_MESSAGE_BYTES = 2_147_483_647;
/** The reference starts one handler for each; ours are only told in the log. */
const INFER_THREADS = 2;
const INFER_RPCS = new Set(['ModelInfer', 'ModelStreamInfer']);

export interface GrpcServerDependencies {
  readonly service: InferenceService;
  readonly clock: Clock;
  /** Shared by the frontends; default: one of its own. */
  readonly clients?: ClientBook | undefined;
  readonly tracer?: RequestTracer | undefined;
  /** Default: none. */
  readonly delays?: GrpcDelays | undefined;
}

export class GrpcServer {
  readonly #dependencies: GrpcServerDependencies;
  readonly #options: GrpcServerOptions;
  readonly #server: Server;
  readonly #handlers = new HandlerCount();
  #isAccepting = true;
  #boundAddress: string | undefined;
  #requestCount = 0;
  readonly #clients: ClientBook;

  constructor(dependencies: GrpcServerDependencies, options: GrpcServerOptions) {
    this.#dependencies = dependencies;
    this.#options = options;
    this.#clients = dependencies.clients ?? new ClientBook(dependencies.clock);
    this.#server = new Server({
      interceptors: [spellDeadline, limitInflation(options.maxDecompressedByteSize)],
      'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
      'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
      'grpc.keepalive_time_ms': options.keepaliveTimeMs,
      'grpc.keepalive_timeout_ms': options.keepaliveTimeoutMs,
      'grpc.keepalive_permit_without_calls': options.keepalivePermitWithoutCalls ? 1 : 0,
      'grpc.so_reuseport': options.reusePort ? 1 : 0,
      ...(options.maxConnectionAgeMs > 0 && {
        'grpc.max_connection_age_ms': options.maxConnectionAgeMs,
        'grpc.max_connection_age_grace_ms': options.maxConnectionAgeGraceMs,
      }),
    });
    allowCancelling(this.#server);
    this.#addService('inference.GRPCInferenceService');
    this.#addService('grpc.health.v1.Health');
  }

  /** Calls taken since the start. */
  get requestCount(): number {
    return this.#requestCount;
  }

  /** Opens the port; resolves with the one in use. Rejects with the system's words when it cannot. */
  async start(): Promise<number> {
    const credentials = await this.#credentials();
    const { address, port } = this.#options;
    const host = address.includes(':') ? `[${address}]` : address;
    return new Promise((resolve, reject) => {
      this.#server.bindAsync(`${host}:${port}`, credentials, (error, boundPort) => {
        if (error !== null) {
          reject(new ServerError('UNAVAILABLE', error.message, { cause: error }));
          return;
        }
        this.#boundAddress = `${host}:${boundPort}`;
        for (const server of http2ServersOf(this.#server)) {
          // Accepting can fail later on (no memory, no descriptors): that connection is lost, the server is not.
          server.on('error', (failed: Error) =>
            log.error(`failed to accept a connection: ${failed.message}`),
          );
        }
        watchPings(http2ServersOf(this.#server), this.#options, this.#dependencies.clock);
        for (const rpc of Object.keys(MANAGEMENT_RPCS)) logReady(rpc, 0);
        logWaitingHandlers(INFER_THREADS);
        resolve(boundPort);
      });
    });
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
    if (this.#boundAddress !== undefined) this.#server.unbind(this.#boundAddress);
  }

  /** Waits for the running calls; what is still open is cut off when `signal` aborts. Idempotent. */
  async close(signal?: AbortSignal): Promise<void> {
    this.stopAccepting();
    if (this.#boundAddress === undefined) return;
    this.#boundAddress = undefined;
    const cut = (): void => this.#server.forceShutdown();
    if (signal?.aborted === true) cut();
    else signal?.addEventListener('abort', cut, { once: true });
    await new Promise<void>((resolve) => this.#server.tryShutdown(() => resolve()));
    signal?.removeEventListener('abort', cut);
    cut();
  }

  async #credentials(): Promise<ServerCredentials> {
    const { tls } = this.#options;
    if (tls === undefined) return ServerCredentials.createInsecure();
    const [certChain, privateKey, root] = await Promise.all([
      readFile(tls.certFile),
      readFile(tls.keyFile),
      tls.rootFile === '' ? Promise.resolve(null) : readFile(tls.rootFile),
    ]);
    return ServerCredentials.createSsl(
      root,
      [{ cert_chain: certChain, private_key: privateKey }],
      tls.mutual,
    );
  }

  #addService(name: string): void {
    const definition: Record<string, ServiceDefinition[string]> = {};
    const implementation: UntypedServiceImplementation = {};
    for (const method of serviceMethods(name).values()) {
      const isInfer = INFER_RPCS.has(method.name);
      definition[method.name] = {
        path: method.path,
        requestStream: method.name === 'ModelStreamInfer',
        responseStream: method.name === 'ModelStreamInfer',
        requestSerialize: method.request.encode,
        requestDeserialize: isInfer ? decodeInferRequest : method.request.decode,
        responseSerialize: isInfer ? (bytes: Buffer) => bytes : method.response.encode,
        responseDeserialize: method.response.decode,
      };
      implementation[method.name] = isInfer
        ? this.#inferHandler(method.name)
        : this.#managementHandler(method);
    }
    this.#server.addService(definition, implementation);
  }

  #managementHandler(method: MethodDescription): handleUnaryCall<PlainMessage, PlainMessage> {
    const rpc = MANAGEMENT_RPCS[method.name];
    if (rpc === undefined) throw new Error(`rpc ${method.name} has no implementation`);
    const run = async (metadata: Metadata, request: PlainMessage): Promise<PlainMessage> => {
      this.#checkRestricted(rpc.category, metadata);
      if (!this.#isAccepting && rpc.category !== 'health') throw refusedWhileStopping();
      return rpc.run(this.#dependencies.service, request);
    };
    let count = 0;
    return (call, callback) => {
      const client = this.#note(call.metadata);
      const done = logCall(method.name, count);
      count += 1;
      const { clock, delays = NO_DELAYS } = this.#dependencies;
      run(call.metadata, call.request).then(
        (response) =>
          after(clock, delays.unaryResponseMs, () => {
            callback(null, response);
            done();
          }),
        (thrown: unknown) => {
          client.errorCount += 1;
          callback(toGrpcFault(thrown, method.name));
          done();
        },
      );
    };
  }

  #inferHandler(name: string): UntypedServiceImplementation[string] {
    const context: InferContext = {
      service: this.#dependencies.service,
      clock: this.#dependencies.clock,
      tracer: this.#dependencies.tracer,
      delays: this.#dependencies.delays ?? NO_DELAYS,
      forwardPattern: headerPattern(this.#options.headerForwardPattern),
      isAccepting: () => this.#isAccepting,
      handlers: this.#handlers,
    };
    if (name === 'ModelInfer') {
      const handler: handleUnaryCall<GrpcInferRequest, Buffer> = (call, callback) => {
        const client = this.#note(call.metadata);
        const answer: typeof callback = (error, ...rest) => {
          if (error !== null) client.errorCount += 1;
          callback(error, ...rest);
        };
        const refusal = this.#restriction('inference', call.metadata);
        if (refusal !== undefined) answer(toGrpcFault(refusal, name));
        else modelInfer(context, call, answer);
      };
      return handler;
    }
    return (call: ConstructorParameters<typeof InferStream>[1]) => {
      this.#note(call.metadata);
      const refusal = this.#restriction('inference', call.metadata);
      if (refusal !== undefined) call.emit('error', toGrpcFault(refusal, name));
      else new InferStream(context, call, { maxResponsePoolSize: this.#options.maxResponsePoolSize });
    };
  }

  /** Counts the call; a stream is one call. */
  #note(metadata: Metadata): ClientEntry {
    this.#requestCount += 1;
    const [userAgent = ''] = metadata.get('user-agent');
    return this.#clients.note('gRPC', String(userAgent));
  }

  #checkRestricted(category: string, metadata: Metadata): void {
    const refusal = this.#restriction(category, metadata);
    if (refusal !== undefined) throw refusal;
  }

  #restriction(category: string, metadata: Metadata): ServerError | undefined {
    const group = this.#options.restricted.find(({ categories }) => categories.includes(category));
    if (group === undefined) return undefined;
    const key = `triton-grpc-protocol-${group.header}`;
    if (metadata.get(key.toLowerCase()).some((value) => String(value) === group.value)) return undefined;
    return unavailable(`This protocol is restricted, expecting header '${key}'`);
  }
}

/** Cancelled calls of one connection: at once, and per second. Node's own limits, 1000 and 33, end busy connections. */
const CANCEL_LIMITS = { streamResetBurst: 100_000, streamResetRate: 10_000 };

/** The library has no option for this and makes its listeners from these ones. */
function allowCancelling(server: Server): void {
  const { commonServerOptions } = server as unknown as { readonly commonServerOptions?: object };
  Object.assign(commonServerOptions ?? {}, CANCEL_LIMITS);
}

/** The library shows its listeners nowhere; without them pings are not counted. */
function http2ServersOf(server: Server): Iterable<Http2Server> {
  const { http2Servers } = server as unknown as { readonly http2Servers?: unknown };
  return http2Servers instanceof Map ? (http2Servers.keys() as Iterable<Http2Server>) : [];
}

function refusedWhileStopping(): ServerError {
  return unavailable('GRPC server is shutting down and has stopped accepting new requests.');
}

// Sends a playground request over real loopback sockets and turns the exchange into what the window shows: previews,
// statistics, classes, timing, and an explanation of an error with the input it is about.

import type { PlaygroundRequest, PlaygroundResult } from '../../src-shared/contract/inference-calls.ts';
import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import type { Clock } from '../base/clock.ts';
import { GrpcInferClient } from '../client/grpc-client.ts';
import { HttpInferClient } from '../client/http-client.ts';
import type {
  ClientExchange,
  ClientParameterValue,
  ClientRequest,
  ClientResponse,
  ClientTensor,
} from '../client/infer-client.ts';
import { explainFailure } from './failure-explanation.ts';
import type { ReadBlob } from './input-builder.ts';
import { buildInput } from './input-builder.ts';
import { shownTensor } from './shown-tensor.ts';
import type { StreamWatch } from './open-streams.ts';
import type { StreamExchange } from './stream-once.ts';
import { streamOnce } from './stream-once.ts';
import { playgroundErrors } from './playground-errors.ts';

/** Among the clients of the Server screen, and in the log of a proxy. */
const USER_AGENT = 'conch-playground';

interface PlaygroundBlobs {
  readonly read: ReadBlob;
  create(bytes: Uint8Array): string;
}

/** Where the server can be reached. */
export interface PlaygroundTarget {
  /** "127.0.0.1:8000", undefined when the endpoint is off. */
  readonly httpAddress: string | undefined;
  readonly grpcAddress: string | undefined;
  readonly metricsAddress: string | undefined;
}

interface SenderOptions {
  readonly clock: Clock;
  readonly blobs: PlaygroundBlobs;
  readonly target: () => PlaygroundTarget;
}

/** How a request is sent. */
export interface SendOptions {
  readonly signal: AbortSignal;
  /** Models with 0..n responses go over a gRPC stream. */
  readonly isDecoupled: boolean;
  /** Follows the stream of a decoupled model, and may end it. */
  readonly watch?: StreamWatch;
}

interface SenderConnection {
  exchange(request: ClientRequest, options: SendOptions): Promise<ClientExchange | StreamExchange>;
  close(): Promise<void>;
}

/**
 * Opens a connection for each request, so that times tell what a first request costs. Refusals of the server are
 * results; it rejects for aborts and for tensors that cannot be built.
 */
export class PlaygroundSender {
  readonly #options: SenderOptions;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Builds the tensors of a request. INVALID_ARG names the input at fault. */
  async build(request: PlaygroundRequest): Promise<ClientRequest> {
    const { blobs } = this.#options;
    const inputs: ClientTensor[] = [];
    for (const input of request.inputs) inputs.push(await buildInput(input, (id) => blobs.read(id)));
    return {
      model: request.model,
      version: request.version,
      id: request.id,
      inputs,
      outputs: request.outputs.map(({ name, classification }) => ({ name, classCount: classification })),
      parameters: parametersOf(request),
    };
  }

  /** Builds, exchanges and shows; a stream is over when it resolves. */
  async send(request: PlaygroundRequest, options: SendOptions): Promise<PlaygroundResult> {
    const built = await this.build(request);
    const exchange = await this.exchange(built, request.protocol, options);
    return this.resultOf(exchange, request);
  }

  /** One exchange with the server's own endpoints. UNAVAILABLE when the endpoint is off. */
  async exchange(
    request: ClientRequest,
    protocol: PlaygroundRequest['protocol'],
    options: SendOptions,
  ): Promise<ClientExchange | StreamExchange> {
    const connection = this.connect(protocol);
    try {
      return await connection.exchange(request, options);
    } finally {
      await connection.close();
    }
  }

  /** For several exchanges over the same sockets; whoever connects closes. UNAVAILABLE when the endpoint is off. */
  connect(protocol: PlaygroundRequest['protocol']): SenderConnection {
    const { clock, target } = this.#options;
    const { httpAddress, grpcAddress } = target();
    const address = protocol === 'grpc' ? grpcAddress : httpAddress;
    if (address === undefined) {
      throw playgroundErrors.endpointOff({ protocol: protocol === 'grpc' ? 'gRPC' : 'HTTP' });
    }
    if (protocol === 'grpc') {
      const client = new GrpcInferClient(address, { clock, userAgent: USER_AGENT });
      return {
        exchange: (request, { signal, isDecoupled, watch }) =>
          isDecoupled
            ? streamOnce(client, request, { clock, signal, watch })
            : client.infer(request, { signal }),
        close: () => client.close(),
      };
    }
    const encoding = protocol === 'http-json' ? 'json' : 'binary';
    const client = new HttpInferClient(address, { clock, encoding, userAgent: USER_AGENT });
    return {
      exchange: (request, { signal }) => client.infer(request, { signal }),
      close: () => client.close(),
    };
  }

  /** What the window shows of an exchange; outputs are kept as blobs. */
  async resultOf(
    exchange: ClientExchange | StreamExchange,
    request: PlaygroundRequest,
  ): Promise<PlaygroundResult> {
    const { explanation, faultyInput } = explainFailure(exchange.error, request);
    const { sendMs, waitMs, receiveMs, totalMs } = exchange.timing;
    const responses: PlaygroundResult['responses'][number][] = [];
    for (const response of exchange.responses) responses.push(await this.#responseOf(response, request));
    return {
      ok: exchange.ok,
      status: exchange.status,
      statusText: exchange.statusText,
      error: exchange.error,
      explanation,
      faultyInput,
      responses,
      streamed: 'streamed' in exchange ? exchange.streamed : undefined,
      headers: exchange.headers,
      rawHead: exchange.rawHead,
      requestByteSize: exchange.requestByteSize,
      responseByteSize: exchange.responseByteSize,
      totalMs,
      timing: [
        { name: 'send', ms: sendMs },
        { name: 'server', ms: waitMs },
        { name: 'receive', ms: receiveMs },
      ],
      batchSize: undefined,
      modelVersion: exchange.responses[0]?.modelVersion ?? '',
    };
  }

  async #responseOf(
    response: ClientResponse,
    request: PlaygroundRequest,
  ): Promise<PlaygroundResult['responses'][number]> {
    const classified = new Set(
      request.outputs.filter((output) => output.classification > 0).map(({ name }) => name),
    );
    const outputs: PlaygroundOutput[] = [];
    const createBlob = (bytes: Uint8Array): string => this.#options.blobs.create(bytes);
    for (const output of response.outputs) {
      outputs.push(await shownTensor(output, createBlob, classified.has(output.name)));
    }
    return { error: undefined, outputs };
  }
}

function parametersOf(request: PlaygroundRequest): ReadonlyMap<string, ClientParameterValue> {
  const parameters = new Map<string, ClientParameterValue>();
  if (request.priority > 0) parameters.set('priority', BigInt(request.priority));
  if (request.timeoutUs > 0) parameters.set('timeout', BigInt(request.timeoutUs));
  if (request.sequence !== undefined) {
    const { id, start, end } = request.sequence;
    parameters.set('sequence_id', /^\d+$/.test(id) ? BigInt(id) : id);
    parameters.set('sequence_start', start);
    parameters.set('sequence_end', end);
  }
  for (const [key, value] of Object.entries(request.parameters)) {
    parameters.set(key, typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value);
  }
  return parameters;
}

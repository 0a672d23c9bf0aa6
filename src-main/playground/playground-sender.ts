// Sends a playground request over real loopback sockets and turns the exchange into what the window shows: previews,
// statistics, classes, timing, and an explanation of an error with the input it is about.

import type {
  PlaygroundOutput,
  PlaygroundRequest,
  PlaygroundResult,
} from '../../src-shared/contract/inference-calls.ts';
import type { DataType } from '../../src-shared/datatypes.ts';
import { isDataType } from '../../src-shared/datatypes.ts';
import { unavailable } from '../../src-shared/errors.ts';
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
import { decodeValues, valueStats } from '../tensor/value-codec.ts';
import { explainFailure } from './failure-explanation.ts';
import { buildInput } from './input-builder.ts';
import { streamOnce } from './stream-once.ts';

const PREVIEW_ELEMENTS = 2000;
/** Statistics of outputs above this are left out. */
const STATS_LIMIT_BYTES = 64 * 1024 * 1024;

export interface PlaygroundBlobs {
  read(id: string): Uint8Array;
  create(bytes: Uint8Array): string;
}

export interface PlaygroundTarget {
  /** "127.0.0.1:8000", "" when the endpoint is off. */
  readonly httpAddress: string;
  readonly grpcAddress: string;
}

export interface SenderOptions {
  readonly clock: Clock;
  readonly blobs: PlaygroundBlobs;
  readonly target: () => PlaygroundTarget;
}

export interface SendOptions {
  readonly signal: AbortSignal;
  /** Models with 0..n responses go over a gRPC stream. */
  readonly isDecoupled: boolean;
}

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

  async send(request: PlaygroundRequest, options: SendOptions): Promise<PlaygroundResult> {
    const built = await this.build(request);
    const exchange = await this.exchange(built, request.protocol, options);
    return this.#resultOf(exchange, request);
  }

  /** One exchange with the server's own endpoints. UNAVAILABLE when the endpoint is off. */
  async exchange(
    request: ClientRequest,
    protocol: PlaygroundRequest['protocol'],
    { signal, isDecoupled }: SendOptions,
  ): Promise<ClientExchange> {
    const { clock, target } = this.#options;
    const { httpAddress, grpcAddress } = target();
    const address = protocol === 'grpc' ? grpcAddress : httpAddress;
    if (address === '') {
      throw unavailable(
        `the ${protocol === 'grpc' ? 'gRPC' : 'HTTP'} endpoint is not listening: start the server first`,
      );
    }
    if (protocol === 'grpc') {
      const client = new GrpcInferClient(address, { clock });
      try {
        return isDecoupled
          ? await streamOnce(client, request, clock, signal)
          : await client.infer(request, { signal });
      } finally {
        await client.close();
      }
    }
    const encoding = protocol === 'http-json' ? 'json' : 'binary';
    const client = new HttpInferClient(address, { clock, encoding });
    try {
      return await client.infer(request, { signal });
    } finally {
      await client.close();
    }
  }

  #resultOf(exchange: ClientExchange, request: PlaygroundRequest): PlaygroundResult {
    const { explanation, faultyInput } = explainFailure(exchange.error, request);
    const { sendMs, waitMs, receiveMs, totalMs } = exchange.timing;
    return {
      ok: exchange.ok,
      status: exchange.status,
      statusText: exchange.statusText,
      error: exchange.error,
      explanation,
      faultyInput,
      responses: exchange.responses.map((response) => this.#responseOf(response, request)),
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

  #responseOf(response: ClientResponse, request: PlaygroundRequest): PlaygroundResult['responses'][number] {
    const classified = new Set(
      request.outputs.filter((output) => output.classification > 0).map(({ name }) => name),
    );
    return {
      error: '',
      outputs: response.outputs.map((output) => this.#outputOf(output, classified.has(output.name))),
    };
  }

  #outputOf(output: ClientTensor, isClassified: boolean): PlaygroundOutput {
    const datatype = isDataType(output.datatype) ? output.datatype : undefined;
    const preview = datatype === undefined ? [] : decodeValues(output.bytes, datatype, PREVIEW_ELEMENTS);
    return {
      name: output.name,
      datatype: output.datatype,
      shape: output.shape,
      byteSize: output.bytes.byteLength,
      preview,
      blob: this.#options.blobs.create(Uint8Array.from(output.bytes)),
      stats: statsOf(output.bytes, datatype),
      classes: isClassified ? preview.map(classOf) : [],
    };
  }
}

function statsOf(bytes: Uint8Array, datatype: DataType | undefined): PlaygroundOutput['stats'] {
  return datatype === undefined || bytes.byteLength > STATS_LIMIT_BYTES
    ? undefined
    : valueStats(bytes, datatype);
}

/** "value:index[:label]", as the classification extension writes it. */
function classOf(text: string): PlaygroundOutput['classes'][number] {
  const [score = '', index = '', ...label] = text.split(':');
  return { score: Number(score), index: Number(index), label: label.join(':') };
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

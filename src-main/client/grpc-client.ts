// The gRPC client: unary and streaming inference with the product's own codecs, and any management rpc by name.

import type { Client as GrpcChannel, ClientDuplexStream, ServiceError } from '@grpc/grpc-js';

import type { ServerError } from '../../src-shared/errors.ts';
import type { Clock } from '../base/clock.ts';
import type { GrpcInferResponse, GrpcStreamResponse } from '../grpc-wire/infer-message.ts';
import { encodeInferRequest } from '../grpc-wire/infer-request-encoder.ts';
import { decodeInferResponse, decodeStreamResponse } from '../grpc-wire/infer-response-decoder.ts';
import type { PlainMessage } from '../grpc-wire/messages.ts';
import { serviceMethods } from '../grpc-wire/messages.ts';
import { MAX_MESSAGE_BYTES } from '../grpc-wire/wire-message.ts';
import { clientErrors } from './client-errors.ts';
import { grpcLibrary } from './grpc-library.ts';
import type { GrpcTlsFiles } from './grpc-load-channel.ts';
import { grpcCredentials } from './grpc-load-channel.ts';
import type {
  ClientExchange,
  ClientParameterValue,
  ClientRegion,
  ClientRequest,
  InferClient,
  InferOptions,
} from './infer-client.ts';

const SERVICE = 'inference.GRPCInferenceService';
const asIs = (bytes: Buffer): Buffer => bytes;

/** One open ModelStreamInfer call. */
export interface GrpcInferStream {
  /** Without limit: what the server does not take yet waits in memory. */
  send(request: ClientRequest): void;
  /** Ends this side; messages go on until the server ends its own. */
  halfClose(): void;
  /** Ends both sides at once; `onEnd` follows with code 1, CANCELLED. */
  cancel(): void;
}

/** What a stream is told; nothing comes after `onEnd`. */
export interface StreamListener {
  /** In the order in which the server sent them; an error of one request is a message too. */
  onMessage(message: GrpcStreamResponse): void;
  /** `code` 0 = the server ended the stream normally. */
  onEnd(code: number, details: string): void;
}

/** One connection to a server. Errors of calls carry the code and the text that the server gave. */
export class GrpcInferClient implements InferClient {
  readonly #client: GrpcChannel;
  readonly #clock: Clock;
  readonly #methods = serviceMethods(SERVICE);

  readonly #managing = new (grpcLibrary().Metadata)();

  /** `address` is "host:port", plain text without `tls`. `headers` go with management calls. */
  constructor(
    address: string,
    options: {
      readonly clock: Clock;
      readonly tls?: GrpcTlsFiles | undefined;
      readonly headers?: readonly { readonly name: string; readonly value: string }[];
      /** Put before the library's own name. */
      readonly userAgent?: string;
    },
  ) {
    this.#clock = options.clock;
    for (const { name, value } of options.headers ?? []) this.#managing.add(name, value);
    this.#client = new (grpcLibrary().Client)(address, grpcCredentials(options.tls), {
      'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
      'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
      'grpc.enable_http_proxy': 0,
      ...(options.userAgent === undefined ? {} : { 'grpc.primary_user_agent': options.userAgent }),
    });
  }

  infer(request: ClientRequest, options: InferOptions = {}): Promise<ClientExchange> {
    const startNs = this.#clock.nowNs();
    const body = encodeGrpcRequest(request);
    const encodedNs = this.#clock.nowNs();
    return new Promise((resolve, reject) => {
      let responseByteSize = 0;
      const decode = (bytes: Buffer): GrpcInferResponse => {
        responseByteSize = bytes.byteLength;
        return decodeInferResponse(bytes);
      };
      const finish = (error: ServiceError | null, response?: GrpcInferResponse): void => {
        options.signal?.removeEventListener('abort', abort);
        if (options.signal?.aborted === true) {
          reject(options.signal.reason as Error);
          return;
        }
        if (error !== null && error.code === grpcLibrary().status.UNAVAILABLE && isTransport(error)) {
          reject(unreachable(error.details, error));
          return;
        }
        const endNs = this.#clock.nowNs();
        resolve({
          ok: error === null,
          status: error?.code ?? 0,
          statusText: grpcLibrary().status[error?.code ?? 0] ?? 'UNKNOWN',
          error: error?.details,
          responses: response === undefined ? [] : [response],
          headers: [],
          rawHead: response === undefined ? '' : describe(response),
          requestByteSize: body.byteLength,
          responseByteSize,
          timing: {
            totalMs: (endNs - startNs) / 1e6,
            sendMs: (encodedNs - startNs) / 1e6,
            waitMs: (endNs - encodedNs) / 1e6,
            receiveMs: 0,
          },
        });
      };
      const call = this.#client.makeUnaryRequest(`/${SERVICE}/ModelInfer`, asIs, decode, body, finish);
      const abort = (): void => call.cancel();
      options.signal?.addEventListener('abort', abort, { once: true });
    });
  }

  /** Opens the call at once. A server that cannot be reached is told to `onEnd`. */
  stream(listener: StreamListener): GrpcInferStream {
    const call: ClientDuplexStream<Buffer, GrpcStreamResponse> = this.#client.makeBidiStreamRequest(
      `/${SERVICE}/ModelStreamInfer`,
      asIs,
      decodeStreamResponse,
    );
    call.on('data', (message: GrpcStreamResponse) => listener.onMessage(message));
    call.on('error', () => undefined);
    call.on('status', ({ code, details }) => listener.onEnd(code, details));
    return {
      send: (request) => void call.write(encodeGrpcRequest(request)),
      halfClose: () => void call.end(),
      cancel: () => call.cancel(),
    };
  }

  /** Any rpc but the inference ones, with plain messages. Rejects with the library's error (code, details). */
  manage(rpc: string, request: PlainMessage): Promise<PlainMessage> {
    const method = this.#methods.get(rpc);
    if (method === undefined) return Promise.reject(new Error(`unknown rpc ${rpc}`));
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        method.path,
        method.request.encode,
        method.response.decode,
        request,
        this.#managing,
        (error: ServiceError | null, response?: PlainMessage) => {
          if (error === null) resolve(response ?? {});
          else reject(error);
        },
      );
    });
  }

  close(): Promise<void> {
    this.#client.close();
    return Promise.resolve();
  }
}

/** An error for a server that cannot be reached, in the library's words; a note that says nothing is left out. */
export function unreachable(details: string, cause: unknown): ServerError {
  const reason = details.replace(/\.?\s*Resolution note:\s*$/, '');
  return clientErrors.grpcUnreachable({ reason }, { cause });
}

/** The library reports a refused connection and a server's own UNAVAILABLE alike; only the former says so. */
function isTransport(error: ServiceError): boolean {
  return /^(No connection established|Connection dropped|Name resolution failed)/.test(error.details);
}

/** The wire bytes of a request, for clients that send the same one many times. */
export function encodeGrpcRequest(request: ClientRequest): Buffer {
  return encodeInferRequest({
    modelName: request.model,
    modelVersion: request.version,
    id: request.id,
    parameters: request.parameters,
    inputs: request.inputs.map((input) => ({
      name: input.name,
      datatype: input.datatype,
      shape: input.shape,
      bytes: input.region === undefined ? input.bytes : undefined,
      parameters: regionParameters(input.region),
    })),
    outputs: request.outputs.map(({ name, classCount, region }) => {
      const parameters = regionParameters(region);
      if (classCount > 0) parameters.set('classification', BigInt(classCount));
      return { name, parameters };
    }),
  });
}

function regionParameters(region: ClientRegion | undefined): Map<string, ClientParameterValue> {
  if (region === undefined) return new Map();
  return new Map<string, ClientParameterValue>([
    ['shared_memory_region', region.region],
    ['shared_memory_offset', BigInt(region.offset)],
    ['shared_memory_byte_size', BigInt(region.byteSize)],
  ]);
}

function describe(response: GrpcInferResponse): string {
  const { modelName, modelVersion, id, parameters, outputs } = response;
  const shown = {
    model_name: modelName,
    model_version: modelVersion,
    id,
    parameters: Object.fromEntries([...parameters].map(([key, value]) => [key, String(value)])),
    outputs: outputs.map(({ name, datatype, shape, bytes }) => ({
      name,
      datatype,
      shape,
      raw_bytes: bytes.byteLength,
    })),
  };
  return JSON.stringify(shown, null, 2).slice(0, 65_536);
}

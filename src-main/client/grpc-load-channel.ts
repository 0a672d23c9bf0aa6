// gRPC calls with messages that are encoded already and answers that stay bytes: what load generation needs. Other
// clients use GrpcInferClient.

import { readFileSync } from 'node:fs';

import type { ChannelCredentials, Client, ServiceError } from '@grpc/grpc-js';

import { decodeStreamResponse } from '../grpc-wire/infer-response-decoder.ts';
import { MAX_MESSAGE_BYTES } from '../grpc-wire/wire-message.ts';
import { grpcLibrary } from './grpc-library.ts';

const SERVICE = '/inference.GRPCInferenceService';
const ALGORITHMS = { none: 0, deflate: 1, gzip: 2 } as const;
const asIs = (bytes: Buffer): Buffer => bytes;

/** Paths of PEM files; "" leaves one out, as the options of perf_analyzer do. */
export interface GrpcTlsFiles {
  readonly rootFile: string;
  readonly keyFile: string;
  readonly certificateFile: string;
}

interface GrpcLoadOptions {
  readonly tls: GrpcTlsFiles | undefined;
  readonly compression: keyof typeof ALGORITHMS;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

/** What a stream of encoded messages is told; nothing comes after `onEnd`. */
export interface LoadStreamListener {
  /** `isFinal`: nothing more comes for the request; `isEmpty`: it only says so. */
  onMessage(bytes: Buffer, message: { error: string; isFinal: boolean; isEmpty: boolean }): void;
  /** The stream is over; no `error` when the server ended it normally. */
  onEnd(error: string | undefined): void;
}

/** `send` takes one encoded message, without the five bytes that go before it. */
export interface LoadStream {
  /** In the order of the calls; nothing is sent after `cancel`. */
  send(bytes: Buffer): void;
  /** Ends the call, without waiting for answers. */
  cancel(): void;
}

/** `error` undefined = success, else "[CODE] text". `isTransport`: the server could not be reached. */
export type UnaryDone = (
  error: string | undefined,
  response: Buffer | undefined,
  isTransport: boolean,
) => void;

/** One connection; any number of calls on it at a time. */
export interface LoadChannel {
  /** ModelInfer with a message that is encoded already. */
  unary(bytes: Buffer, done: UnaryDone): { cancel(): void };
  /** ModelStreamInfer. */
  stream(listener: LoadStreamListener): LoadStream;
  /** No call may begin afterwards; those under way may fail. */
  close(): void;
}

/** Credentials from the named PEM files, read at once; without TLS the connection is open text. */
export function grpcCredentials(tls: GrpcTlsFiles | undefined): ChannelCredentials {
  const { credentials } = grpcLibrary();
  if (tls === undefined) return credentials.createInsecure();
  const read = (file: string): Buffer | null => (file === '' ? null : readFileSync(file));
  return credentials.createSsl(read(tls.rootFile), read(tls.keyFile), read(tls.certificateFile));
}

/** On the gRPC library: with TLS and compression. */
export class GrpcLoadChannel implements LoadChannel {
  readonly #client: Client;
  readonly #metadata = new (grpcLibrary().Metadata)();

  /** `address` is "host:port". Nothing is connected before the first call. */
  constructor(address: string, options: GrpcLoadOptions) {
    for (const { name, value } of options.headers) this.#metadata.add(name, value);
    this.#client = new (grpcLibrary().Client)(address, grpcCredentials(options.tls), {
      'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
      'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
      'grpc.enable_http_proxy': 0,
      'grpc.use_local_subchannel_pool': 1,
      'grpc.default_compression_algorithm': ALGORITHMS[options.compression],
    });
  }

  unary(bytes: Buffer, done: UnaryDone): { cancel(): void } {
    return this.#client.makeUnaryRequest(
      `${SERVICE}/ModelInfer`,
      asIs,
      asIs,
      bytes,
      this.#metadata,
      (error: ServiceError | null, response?: Buffer) => {
        if (error === null) done(undefined, response, false);
        else
          done(
            `[${grpcLibrary().status[error.code]}] ${error.details}`,
            undefined,
            error.code === grpcLibrary().status.UNAVAILABLE,
          );
      },
    );
  }

  stream(listener: LoadStreamListener): LoadStream {
    const call = this.#client.makeBidiStreamRequest(
      `${SERVICE}/ModelStreamInfer`,
      asIs,
      asIs,
      this.#metadata,
    );
    call.on('data', (bytes: Buffer) => {
      const { errorMessage, response } = decodeStreamResponse(bytes);
      const isFinal = response.parameters.get('triton_final_response') !== false;
      listener.onMessage(bytes, { error: errorMessage, isFinal, isEmpty: response.outputs.length === 0 });
    });
    call.on('error', () => undefined);
    call.on('status', ({ code, details }) =>
      listener.onEnd(code === 0 ? undefined : `[${grpcLibrary().status[code]}] ${details}`),
    );
    return { send: (bytes) => void call.write(bytes), cancel: () => call.cancel() };
  }

  close(): void {
    this.#client.close();
  }
}

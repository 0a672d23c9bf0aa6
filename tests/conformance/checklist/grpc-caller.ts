// Calls of the gRPC port with plain messages: unary ones, and a stream whose messages and end can be waited for.

import type { ChannelCredentials, ClientDuplexStream, ServiceError } from '@grpc/grpc-js';
import { Client, credentials, Metadata } from '@grpc/grpc-js';

import type { PlainMessage } from '../../../src-main/grpc-wire/messages.ts';
import { serviceMethods } from '../../../src-main/grpc-wire/messages.ts';
import { MAX_MESSAGE_BYTES } from '../../../src-main/grpc-wire/wire-message.ts';

const METHODS = new Map([
  ...serviceMethods('inference.GRPCInferenceService'),
  ...serviceMethods('grpc.health.v1.Health'),
]);

export interface GrpcAnswer {
  readonly code: number;
  readonly details: string;
  /** Fields by name; undefined when the call failed. */
  readonly response: Record<string, unknown> | undefined;
}

export interface GrpcCallOptions {
  readonly metadata?: Readonly<Record<string, string>>;
  /** Milliseconds until the client gives up. */
  readonly deadlineMs?: number;
  /** Cancels the call when it aborts. */
  readonly signal?: AbortSignal;
}

export interface StreamMessage {
  readonly error_message: string;
  readonly infer_response: {
    readonly id: string;
    readonly model_name: string;
    readonly outputs: readonly { readonly name: string; readonly shape: readonly string[] }[];
    readonly parameters: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly raw_output_contents: readonly Buffer[];
  } | null;
}

export class GrpcCaller {
  readonly #client: Client;

  constructor(address: string, secrets: ChannelCredentials = credentials.createInsecure()) {
    this.#client = new Client(address, secrets, {
      'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
      'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
      'grpc.enable_http_proxy': 0,
    });
  }

  /** A message, or its encoded bytes. */
  call(rpc: string, message: PlainMessage | Buffer, options: GrpcCallOptions = {}): Promise<GrpcAnswer> {
    const method = methodOf(rpc);
    return new Promise((resolve) => {
      const call = this.#client.makeUnaryRequest(
        method.path,
        (sent: PlainMessage | Buffer) => (Buffer.isBuffer(sent) ? sent : method.request.encode(sent)),
        method.response.decode,
        message,
        metadataOf(options),
        deadlineOf(options),
        (error: ServiceError | null, response?: PlainMessage) =>
          resolve({ code: error?.code ?? 0, details: error?.details ?? '', response: response as never }),
      );
      options.signal?.addEventListener('abort', () => call.cancel(), { once: true });
    });
  }

  stream(options: GrpcCallOptions = {}): GrpcStream {
    const { path, request, response } = methodOf('ModelStreamInfer');
    return new GrpcStream(
      this.#client.makeBidiStreamRequest(
        path,
        request.encode,
        response.decode as never,
        metadataOf(options),
        deadlineOf(options),
      ),
    );
  }

  /** Everything that comes back for these requests; the stream is half-closed behind them. */
  async streamAll(requests: readonly PlainMessage[], options: GrpcCallOptions = {}): Promise<GrpcStream> {
    const stream = this.stream(options);
    for (const request of requests) stream.send(request);
    stream.end();
    await stream.status;
    return stream;
  }

  close(): void {
    this.#client.close();
  }
}

export class GrpcStream {
  readonly messages: StreamMessage[] = [];
  readonly status: Promise<{ readonly code: number; readonly details: string }>;
  readonly #call: ClientDuplexStream<PlainMessage, StreamMessage>;
  #waiting: (() => void)[] = [];

  constructor(call: ClientDuplexStream<PlainMessage, StreamMessage>) {
    this.#call = call;
    call.on('data', (message: StreamMessage) => {
      this.messages.push(message);
      for (const wake of this.#waiting.splice(0)) wake();
    });
    call.on('error', () => undefined);
    this.status = new Promise((resolve) =>
      call.on('status', ({ code, details }) => resolve({ code, details })),
    );
  }

  /** INT32 values of the first output of each message that has one. */
  get values(): number[] {
    return this.messages.flatMap(({ infer_response: response }) => {
      const bytes = response?.raw_output_contents[0];
      return bytes === undefined ? [] : int32Values(bytes);
    });
  }

  send(request: PlainMessage): void {
    this.#call.write(request);
  }

  end(): void {
    this.#call.end();
  }

  cancel(): void {
    this.#call.cancel();
  }

  /** Resolves once so many messages have come. */
  async received(count: number): Promise<void> {
    while (this.messages.length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

function methodOf(rpc: string) {
  const method = METHODS.get(rpc);
  if (method === undefined) throw new Error(`unknown rpc ${rpc}`);
  return method;
}

function metadataOf({ metadata = {} }: GrpcCallOptions): Metadata {
  const result = new Metadata();
  for (const [key, value] of Object.entries(metadata)) result.add(key, value);
  return result;
}

/** A length-delimited field of a protobuf message. */
export function field(number: number, content: Uint8Array): Buffer {
  const head = [(number << 3) | 2];
  let { length } = content;
  for (; length > 0x7f; length = Math.floor(length / 128)) head.push((length % 128) | 0x80);
  return Buffer.concat([Buffer.from([...head, length]), content]);
}

function deadlineOf({ deadlineMs }: GrpcCallOptions): { readonly deadline?: number } {
  return deadlineMs === undefined ? {} : { deadline: Date.now() + deadlineMs };
}

export function int32Values(bytes: Uint8Array): number[] {
  return [...new Int32Array(Uint8Array.from(bytes).buffer)];
}

export function int32Bytes(...values: number[]): Buffer {
  return Buffer.from(Int32Array.from(values).buffer);
}

/** BYTES elements in wire layout. */
export function textBytes(...texts: (string | Uint8Array)[]): Buffer {
  return Buffer.concat(
    texts.flatMap((text) => {
      const bytes = Buffer.from(text as string);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return [length, bytes];
    }),
  );
}

/** A ModelInfer request with one raw INT32 input. */
export function int32Request(
  model: string,
  values: readonly number[],
  change: PlainMessage = {},
): PlainMessage {
  return {
    model_name: model,
    inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [values.length] }],
    raw_input_contents: [int32Bytes(...values)],
    ...change,
  };
}

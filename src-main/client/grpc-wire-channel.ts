// GrpcLoadChannel on our own HTTP/2, for servers without TLS and requests without compression: a call costs a fraction of
// what it costs in the gRPC library, so that a load test measures the server and not its client.

import { decodeStreamResponse } from '../grpc-wire/infer-response-decoder.ts';
import { MESSAGE_PREFIX_BYTES } from '../grpc-wire/wire-message.ts';
import type { CallListener } from '../http2/client-connection.ts';
import { ClientConnection } from '../http2/client-connection.ts';
import { encodeHeaderBlock } from '../http2/header-block.ts';
import type { LoadChannel, LoadStream, LoadStreamListener, UnaryDone } from './grpc-load-channel.ts';
import { grpcLibrary } from './grpc-library.ts';

const SERVICE = '/inference.GRPCInferenceService';
/** Copied to be one frame with their length. */
const MAX_COPIED_BYTES = 16 * 1024;
const UNREACHABLE = 'UNAVAILABLE';

interface WireChannelOptions {
  readonly host: string;
  readonly port: number;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

/** Connects at the first call, and again when the connection was lost. One connection for all of its calls. */
export class GrpcWireChannel implements LoadChannel {
  readonly #options: WireChannelOptions;
  readonly #unaryHead: Buffer;
  readonly #streamHead: Buffer;
  #connection: ClientConnection | undefined;

  constructor(options: WireChannelOptions) {
    this.#options = options;
    const head = (method: string): Buffer =>
      encodeHeaderBlock([
        ...[':method', 'POST', ':scheme', 'http', ':path', `${SERVICE}/${method}`],
        ...[':authority', `${options.host}:${options.port}`, 'te', 'trailers'],
        ...['content-type', 'application/grpc', 'user-agent', 'conch-perf'],
        ...options.headers.flatMap(({ name, value }) => [name.toLowerCase(), value]),
      ]);
    this.#unaryHead = head('ModelInfer');
    this.#streamHead = head('ModelStreamInfer');
  }

  unary(bytes: Buffer, done: UnaryDone): { cancel(): void } {
    const connection = this.#connected();
    const messages = new Messages();
    let response: Buffer | undefined;
    const listener: CallListener = {
      onHeaders: (fields, isEnd) => {
        if (!isEnd) return;
        const error = statusText(fields);
        done(error, error === undefined ? response : undefined, isUnreachable(error));
      },
      onData: (part) => messages.take(part, (message) => (response = message)),
      onFailed: (reason) => done(`[${UNREACHABLE}] ${reason}`, undefined, true),
    };
    const stream = connection.begin(this.#unaryHead, listener);
    sendMessage(connection, stream, bytes, true);
    return { cancel: () => connection.cancel(stream) };
  }

  stream(listener: LoadStreamListener): LoadStream {
    const connection = this.#connected();
    const messages = new Messages();
    const take = (bytes: Buffer): void => {
      const { errorMessage, response } = decodeStreamResponse(bytes);
      const isFinal = response.parameters.get('triton_final_response') !== false;
      listener.onMessage(bytes, { error: errorMessage, isFinal, isEmpty: response.outputs.length === 0 });
    };
    const stream = connection.begin(this.#streamHead, {
      onHeaders: (fields, isEnd) => {
        if (isEnd) listener.onEnd(statusText(fields));
      },
      onData: (part) => messages.take(part, take),
      onFailed: (reason) => listener.onEnd(`[${UNREACHABLE}] ${reason}`),
    });
    return {
      send: (bytes) => sendMessage(connection, stream, bytes, false),
      cancel: () => connection.cancel(stream),
    };
  }

  close(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }

  /** The connection that there is; a new one when it has ended. */
  #connected(): ClientConnection {
    if (this.#connection === undefined || this.#connection.isUsedUp) {
      this.#connection = new ClientConnection(this.#options.host, this.#options.port);
    }
    return this.#connection;
  }
}

/** A message behind what says that it is not compressed, and its length. */
function sendMessage(connection: ClientConnection, stream: number, bytes: Buffer, isEnd: boolean): void {
  const prefix = Buffer.alloc(MESSAGE_PREFIX_BYTES);
  prefix.writeUInt32BE(bytes.length, 1);
  if (bytes.length <= MAX_COPIED_BYTES) {
    connection.send(stream, Buffer.concat([prefix, bytes]), isEnd);
    return;
  }
  connection.send(stream, prefix, false);
  connection.send(stream, bytes, isEnd);
}

/** Messages out of the parts in which they come. */
class Messages {
  #parts: Buffer[] = [];
  #byteSize = 0;

  take(part: Buffer, onMessage: (message: Buffer) => void): void {
    this.#parts.push(part);
    this.#byteSize += part.length;
    while (this.#byteSize >= MESSAGE_PREFIX_BYTES) {
      const head = this.#parts[0] as Buffer;
      const bytes = head.length >= MESSAGE_PREFIX_BYTES ? head : this.#joined();
      const end = MESSAGE_PREFIX_BYTES + bytes.readUInt32BE(1);
      if (this.#byteSize < end) return;
      const whole = bytes.length >= end ? bytes : this.#joined();
      onMessage(whole.subarray(MESSAGE_PREFIX_BYTES, end));
      const rest = this.#byteSize - end;
      const behind = whole.subarray(end);
      this.#parts = behind.length === rest ? [behind] : [behind, ...this.#parts.slice(1)];
      this.#byteSize = rest;
      if (rest === 0) this.#parts = [];
    }
  }

  #joined(): Buffer {
    const whole = Buffer.concat(this.#parts, this.#byteSize);
    this.#parts = [whole];
    return whole;
  }
}

function isUnreachable(error: string | undefined): boolean {
  return error?.startsWith(`[${UNREACHABLE}]`) === true;
}

/** "[CODE] message"; undefined = OK. */
function statusText(fields: readonly string[]): string | undefined {
  const valueOf = (name: string): string | undefined => {
    for (let at = 0; at + 1 < fields.length; at += 2) if (fields[at] === name) return fields[at + 1];
    return undefined;
  };
  const code = valueOf('grpc-status');
  if (code === '0') return undefined;
  if (code === undefined)
    return `[UNKNOWN] the server answered with HTTP status ${valueOf(':status') ?? 'none'}`;
  const message = valueOf('grpc-message') ?? '';
  return `[${grpcLibrary().status[Number(code)] ?? code}] ${decodedMessage(message)}`;
}

/** gRPC's percent-encoding; text that is none stays as it is. */
function decodedMessage(message: string): string {
  try {
    return decodeURIComponent(message);
  } catch {
    return message;
  }
}

// One unary call or one stream over gRPC with plain messages, in a comparable form: code, message, response.

import type { ServiceError } from '@grpc/grpc-js';
import { Client, credentials, Metadata } from '@grpc/grpc-js';

import type { PlainMessage } from '../../src-main/grpc-wire/messages.ts';
import { serviceMethods } from '../../src-main/grpc-wire/messages.ts';
import { connected } from './give-up.ts';

const methods = serviceMethods('inference.GRPCInferenceService');

export interface GrpcAnswer {
  readonly code: number;
  readonly details: string;
  readonly response: unknown;
}

function comparable(message: PlainMessage | undefined): unknown {
  if (message === undefined) return undefined;
  return JSON.parse(
    JSON.stringify(message, (_, value: unknown) => {
      const isBuffer =
        typeof value === 'object' && value !== null && (value as { type?: string }).type === 'Buffer';
      return isBuffer ? Buffer.from((value as { data: number[] }).data).toString('hex') : value;
    }),
  ) as unknown;
}

async function withClient<T>(port: number, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  try {
    return await use(client);
  } finally {
    client.close();
  }
}

export function grpcCall(
  port: number,
  rpc: string,
  message: PlainMessage,
  metadata = new Metadata(),
): Promise<GrpcAnswer> {
  const method = methods.get(rpc);
  if (method === undefined) throw new Error(`unknown rpc ${rpc}`);
  return withClient(
    port,
    (client) =>
      new Promise((resolve) => {
        const done = (error: ServiceError | null, response?: PlainMessage): void =>
          resolve({ code: error?.code ?? 0, details: error?.details ?? '', response: comparable(response) });
        client.makeUnaryRequest(
          method.path,
          method.request.encode,
          method.response.decode,
          message,
          metadata,
          done,
        );
      }),
  );
}

/** Sends the messages one after another, half-closes, and gives everything that came until the end. */
export function grpcStream(port: number, messages: readonly PlainMessage[]): Promise<readonly unknown[]> {
  const method = methods.get('ModelStreamInfer');
  if (method === undefined) throw new Error('no stream');
  return withClient(
    port,
    (client) =>
      new Promise((resolve) => {
        const seen: unknown[] = [];
        const call = client.makeBidiStreamRequest(method.path, method.request.encode, method.response.decode);
        call.on('data', (message: PlainMessage) => seen.push(comparable(message)));
        call.on('error', () => undefined);
        call.on('status', ({ code, details }) => {
          seen.push({ code, details });
          resolve(seen);
        });
        for (const message of messages) call.write(message);
        call.end();
      }),
  );
}

/** One unary call that its client cancels after some time; the status that the client sees. */
export function grpcCancelled(
  port: number,
  rpc: string,
  message: PlainMessage,
  afterMs: number,
): Promise<number> {
  const method = methods.get(rpc);
  if (method === undefined) throw new Error(`unknown rpc ${rpc}`);
  return withClient(port, async (client) => {
    await connected(client);
    return new Promise((resolve) => {
      const { encode } = method.request;
      const call = client.makeUnaryRequest(method.path, encode, method.response.decode, message, (error) =>
        resolve(error?.code ?? 0),
      );
      setTimeout(() => call.cancel(), afterMs);
    });
  });
}

/** A stream that its client cancels after some time, with one request; the status that the client sees. */
export function grpcStreamCancelled(port: number, message: PlainMessage, afterMs: number): Promise<number> {
  const method = methods.get('ModelStreamInfer');
  if (method === undefined) throw new Error('no stream');
  return withClient(port, async (client) => {
    await connected(client);
    return new Promise((resolve) => {
      const call = client.makeBidiStreamRequest(method.path, method.request.encode, method.response.decode);
      call.on('data', () => undefined);
      call.on('error', () => undefined);
      call.on('status', ({ code }) => resolve(code));
      call.write(message);
      setTimeout(() => call.cancel(), afterMs);
    });
  });
}

// A gRPC call over Node's own HTTP/2, for tests that look at what a gRPC library hides: the encoding of an answer, and
// which of its messages are compressed.

import http2 from 'node:http2';

/** One message of an answer as it came. */
export interface PlainGrpcMessage {
  readonly isCompressed: boolean;
  readonly bytes: Buffer;
}

/** A whole answer. `encoding` is that of its messages; `status` is undefined where the call ended without one. */
export interface PlainGrpcAnswer {
  readonly encoding: string;
  readonly status: string | undefined;
  readonly messages: readonly PlainGrpcMessage[];
}

/** A call of the inference service; `accepted` is what the client says it can read, undefined = nothing. */
export interface PlainGrpcCall {
  readonly rpc: string;
  readonly accepted: string | undefined;
  /** Messages with their prefixes, one behind the other. */
  readonly body: Buffer;
}

/** The message behind its prefix of five bytes, not compressed. */
export function grpcFrame(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** Sends everything at once and reads to the end. Rejects when the connection or the stream fails. */
export function plainGrpcCall(
  port: number,
  { rpc, accepted, body }: PlainGrpcCall,
): Promise<PlainGrpcAnswer> {
  return new Promise((resolve, reject) => {
    const session = http2.connect(`http://127.0.0.1:${port}`);
    session.on('error', reject);
    const stream = session.request({
      ':method': 'POST',
      ':path': `/inference.GRPCInferenceService/${rpc}`,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...(accepted === undefined ? {} : { 'grpc-accept-encoding': accepted }),
    });
    const chunks: Buffer[] = [];
    let encoding = 'identity';
    let status: string | undefined;
    stream.on('response', (headers) => (encoding = String(headers['grpc-encoding'] ?? encoding)));
    stream.on('trailers', (trailers) => (status = String(trailers['grpc-status'])));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', (error) => {
      session.close();
      reject(error);
    });
    stream.on('end', () => {
      session.close();
      resolve({ encoding, status, messages: messagesIn(Buffer.concat(chunks)) });
    });
    stream.end(body);
  });
}

function messagesIn(bytes: Buffer): readonly PlainGrpcMessage[] {
  const found: PlainGrpcMessage[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + 5 + bytes.readUInt32BE(at + 1);
    found.push({ isCompressed: bytes[at] === 1, bytes: bytes.subarray(at + 5, end) });
    at = end;
  }
  return found;
}

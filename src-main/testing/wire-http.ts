// A bare HTTP client for wire tests: sends exactly the headers it is told to, and raw bytes where even the request
// line is under test.

import http from 'node:http';
import net from 'node:net';

/** POST with a body, else GET, unless `method` says otherwise. */
export interface WireCall {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: string | Uint8Array;
}

/** An answer as it came over the wire. */
export interface WireReply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  /** Body as UTF-8. */
  readonly text: string;
}

/** One request on a connection of its own. The method is POST with a body, else GET, unless told otherwise. */
export function wireCall(port: number, call: WireCall): Promise<WireReply> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        host: '127.0.0.1',
        port,
        path: call.path,
        method: call.method ?? (call.body === undefined ? 'GET' : 'POST'),
        headers: {
          ...(call.body === undefined ? {} : { 'Content-Length': Buffer.byteLength(call.body) }),
          ...call.headers,
        },
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const body = Buffer.concat(chunks);
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body,
            text: body.toString('utf8'),
          });
        });
      },
    );
    request.on('error', reject);
    request.end(call.body);
  });
}

/** Sends raw bytes and resolves with everything that comes back until the server closes or `until` matches. */
export function wireRaw(port: number, bytes: string | Uint8Array, until?: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      if (until?.test(received) === true) socket.destroy();
    });
    socket.on('error', (error) => (received === '' ? reject(error) : undefined));
    socket.on('close', () => resolve(received));
    socket.write(bytes);
  });
}

/** Parts of an infer reply with binary outputs. */
export function splitInferReply(reply: WireReply): {
  readonly json: Record<string, unknown>;
  readonly binary: Buffer;
} {
  const announced = reply.headers['inference-header-content-length'];
  const length = announced === undefined ? reply.body.length : Number(announced);
  return {
    json: JSON.parse(reply.body.toString('utf8', 0, length)) as Record<string, unknown>,
    binary: reply.body.subarray(length),
  };
}

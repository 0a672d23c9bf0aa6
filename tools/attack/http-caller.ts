// HTTP requests over kept connections, for attacks that need answers in great numbers.

import http from 'node:http';

interface HttpReply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
}

/** On 127.0.0.1. Any status is an answer; close it to give its connections back. */
export class HttpCaller {
  readonly port: number;
  readonly #agent = new http.Agent({ keepAlive: true });

  constructor(port: number) {
    this.port = port;
  }

  /** Rejects only when no answer comes. */
  get(path: string, headers: http.OutgoingHttpHeaders = {}): Promise<HttpReply> {
    return this.send('GET', path, undefined, headers);
  }

  /** Rejects only when no answer comes; `headers` are sent as they are. */
  post(path: string, body: string | Uint8Array, headers: http.OutgoingHttpHeaders = {}): Promise<HttpReply> {
    return this.send('POST', path, body, headers);
  }

  /** Rejects when the connection ends without an answer. */
  send(
    method: string,
    path: string,
    body: string | Uint8Array | undefined,
    headers: http.OutgoingHttpHeaders = {},
  ): Promise<HttpReply> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      const options = { agent: this.#agent, host: '127.0.0.1', port: this.port };
      const request = http.request(
        { ...options, method, path, headers: { ...length, ...headers } },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const whole = Buffer.concat(chunks);
            const { statusCode: status = 0 } = response;
            resolve({ status, headers: response.headers, body: whole, text: whole.toString() });
          });
        },
      );
      request.on('error', reject);
      request.end(body);
    });
  }

  /** Cuts the connections, also those that wait. */
  close(): void {
    this.#agent.destroy();
  }
}

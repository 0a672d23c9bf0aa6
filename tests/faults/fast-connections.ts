// Connections that ask as fast as they are answered, on raw sockets: what a client library would cost is not between two
// requests. Every answer carries the numbers of its own request, or it is a fault.

import net from 'node:net';

/** INT32 numbers of one request. */
const COUNT = 16;
const DATA_BYTES = COUNT * Int32Array.BYTES_PER_ELEMENT;
/** Nothing that goes on at all takes so long, on no machine. */
const PATIENCE_MS = 60_000;
const END_OF_HEADER = Buffer.from('\r\n\r\n');

export class FastConnections {
  /** Answers with the numbers that were sent. */
  right = 0;
  readonly wrong: string[] = [];
  readonly #port: number;
  readonly #head: Buffer;
  readonly #open = new Set<net.Socket>();
  #next = 1;

  /** The model answers its one input INPUT, INT32 [1, 16], as its one output. */
  constructor(port: number, model: string) {
    this.#port = port;
    const json = JSON.stringify({
      inputs: [
        {
          name: 'INPUT',
          datatype: 'INT32',
          shape: [1, COUNT],
          parameters: { binary_data_size: DATA_BYTES },
        },
      ],
      parameters: { binary_data_output: true },
    });
    this.#head = Buffer.from(
      [
        `POST /v2/models/${model}/infer HTTP/1.1`,
        'Host: localhost',
        `Inference-Header-Content-Length: ${json.length}`,
        `Content-Length: ${json.length + DATA_BYTES}`,
        '',
        json,
      ].join('\r\n'),
    );
  }

  open(count: number): void {
    for (let index = 0; index < count; index += 1) this.#connect();
  }

  /** Disappears with every request that waits. */
  drop(): void {
    for (const socket of this.#open) socket.resetAndDestroy();
    this.#open.clear();
  }

  /** Whether one request on a connection of its own is answered at all; a model that is deaf never does. */
  async isAnswered(): Promise<boolean> {
    const wanted = this.right + 1;
    const socket = this.#connect();
    const isRight = await this.answered(wanted);
    socket.resetAndDestroy();
    this.#open.delete(socket);
    return isRight;
  }

  /** Waits for `right` to be so many; false when it is not after a minute. */
  async answered(wanted: number): Promise<boolean> {
    const endMs = performance.now() + PATIENCE_MS;
    while (this.right < wanted && performance.now() < endMs) {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return this.right >= wanted;
  }

  #connect(): net.Socket {
    const request = Buffer.concat([this.#head, Buffer.alloc(DATA_BYTES)]);
    const numbers = request.subarray(this.#head.length);
    let received: Buffer = Buffer.alloc(0);
    const socket = net.connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    const ask = (): void => {
      for (let offset = 0; offset < DATA_BYTES; offset += 4) numbers.writeInt32LE(this.#next, offset);
      this.#next += 1;
      socket.write(request);
    };
    this.#open.add(socket);
    socket.on('connect', ask);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const length = answerLength(received);
      if (length === undefined || received.length < length) return;
      const isRight = received.length === length && received.subarray(length - DATA_BYTES).equals(numbers);
      if (isRight) this.right += 1;
      else this.wrong.push(received.toString('latin1').slice(0, 300));
      received = Buffer.alloc(0);
      if (this.#open.has(socket)) ask();
    });
    return socket;
  }
}

/** Bytes of the answer with its header; undefined while its header is not complete. */
function answerLength(received: Buffer): number | undefined {
  const headerEnd = received.indexOf(END_OF_HEADER);
  if (headerEnd < 0) return undefined;
  const header = received.toString('latin1', 0, headerEnd);
  const contentLength = /\r\nContent-Length: (\d+)/i.exec(header)?.[1];
  return headerEnd + END_OF_HEADER.length + Number(contentLength ?? 0);
}

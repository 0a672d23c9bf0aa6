// A small S3 service for tests, on a free port of this machine: lists, reads and heads objects that the test puts into
// it. Knows one key; requests signed with another are refused, as are all while it is `down`.

import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Held {
  readonly body: Buffer;
  readonly time: Date;
}

/** Paths are `bucket/key`. */
export class S3StandIn {
  /** The key id that requests must be signed with. */
  keyId = 'test-key';
  /** Objects that one answer to a listing names at most. */
  pageSize = 1000;
  isDown = false;
  /** Requests are taken and not answered. */
  isHanging = false;
  /** Reads of objects wait for it. */
  gate: Promise<void> = Promise.resolve();
  readonly #objects = new Map<string, Held>();
  readonly #server: Server;
  readonly #requests: string[] = [];
  #ticks = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Listens on a free port of 127.0.0.1 with these objects, by `bucket/key`. */
  static async create(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<S3StandIn> {
    const server = createServer();
    const store = new S3StandIn(server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void store.#answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    store.write(files);
    return store;
  }

  /** The one that the system gave. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Method and target of every request so far. */
  get requests(): readonly string[] {
    return this.#requests;
  }

  /** Each object is newer than all that were written before. */
  write(files: Readonly<Record<string, string | Uint8Array>>): void {
    for (const [name, content] of Object.entries(files)) {
      this.#ticks += 1;
      const time = new Date(Date.UTC(2026, 0, 1) + 1000 * this.#ticks);
      this.#objects.set(name, { body: Buffer.from(content), time });
    }
  }

  /** Of one object, by `bucket/key`; nothing happens when there is none. */
  remove(name: string): void {
    this.#objects.delete(name);
  }

  /** Cuts connections that are open, also in the middle of an answer. */
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume();
    const { method = '', url = '', headers } = request;
    this.#requests.push(`${method} ${url}`);
    if (this.isDown) {
      request.socket.destroy();
      return;
    }
    if (this.isHanging) return;
    const target = new URL(url, 'http://store');
    const name = decodeURIComponent(target.pathname.slice(1)).replace(/\/$/, '');
    const [bucket = ''] = name.split('/');
    const refuse = (status: number, code: string): void => {
      response.writeHead(status, { 'content-type': 'application/xml' });
      const body = `<Error><Code>${code}</Code><Message>refused: ${code}</Message></Error>`;
      response.end(method === 'HEAD' ? undefined : body);
    };
    if (headers.authorization?.includes(`Credential=${this.keyId}/`) !== true)
      return refuse(403, 'InvalidAccessKeyId');
    if (![...this.#objects.keys()].some((key) => key.startsWith(`${bucket}/`)))
      return refuse(404, 'NoSuchBucket');
    if (name === bucket && method === 'HEAD') return void response.writeHead(200).end();
    if (name === bucket) return this.#list(bucket, target.searchParams, response);
    await this.gate;
    const held = this.#objects.get(name);
    if (held === undefined) return refuse(404, 'NoSuchKey');
    response.writeHead(200, {
      'content-length': held.body.byteLength,
      'last-modified': held.time.toUTCString(),
    });
    response.end(method === 'HEAD' ? undefined : held.body);
  }

  #list(bucket: string, query: URLSearchParams, response: ServerResponse): void {
    const prefix = query.get('prefix') ?? '';
    const delimiter = query.get('delimiter') ?? '';
    const keys = [...this.#objects.keys()]
      .filter((name) => name.startsWith(`${bucket}/${prefix}`))
      .map((name) => name.slice(bucket.length + 1))
      .sort();
    const from = Number(query.get('continuation-token') ?? '0');
    const page = keys.slice(from, from + Number(query.get('max-keys') ?? this.pageSize));
    const isMore = from + page.length < keys.length;
    const isFolder = (key: string): boolean =>
      delimiter !== '' && key.slice(prefix.length).includes(delimiter);
    const contents = page
      .filter((key) => !isFolder(key))
      .map((key) => {
        const { body, time } = this.#objects.get(`${bucket}/${key}`) ?? {
          body: Buffer.alloc(0),
          time: new Date(0),
        };
        return (
          `<Contents><Key>${key}</Key><LastModified>${time.toISOString()}</LastModified>` +
          `<Size>${body.byteLength}</Size></Contents>`
        );
      });
    const folders = new Set(
      page.filter(isFolder).map((key) => prefix + (key.slice(prefix.length).split(delimiter)[0] ?? '')),
    );
    const prefixes = [...folders].map(
      (folder) => `<CommonPrefixes><Prefix>${folder}${delimiter}</Prefix></CommonPrefixes>`,
    );
    const next = isMore ? `<NextContinuationToken>${from + page.length}</NextContinuationToken>` : '';
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end(
      `<ListBucketResult><IsTruncated>${isMore}</IsTruncated>${next}${contents.join('')}${prefixes.join('')}</ListBucketResult>`,
    );
  }
}

// An HTTP server of a test that answers as the test says, and knows what it was asked: for services that fail, hang,
// break off and answer in pages.

import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers one request, or leaves it without an answer. `target`: path and query, with a base that means nothing. */
export type HttpScript = (target: URL, response: ServerResponse, request: IncomingMessage) => void;

/** Close it. */
export class ScriptedHttp {
  /** May be changed between requests. */
  script: HttpScript;
  readonly #server: Server;
  readonly #requests: string[] = [];

  private constructor(server: Server, script: HttpScript) {
    this.#server = server;
    this.script = script;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      request.resume();
      const target = new URL(request.url ?? '', 'http://service');
      this.#requests.push(`${request.method} ${target.pathname}`);
      this.script(target, response, request);
    });
  }

  /** Listens on a free port of this machine. */
  static async start(script: HttpScript): Promise<ScriptedHttp> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ScriptedHttp(server, script);
  }

  /** `http://127.0.0.1:PORT`. */
  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Method and path of every request so far. */
  get requests(): readonly string[] {
    return this.#requests;
  }

  /** Cuts connections that are open, also those that wait for an answer. */
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

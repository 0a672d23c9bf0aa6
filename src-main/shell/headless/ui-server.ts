// The port of the window for browsers: the page's files for everybody on this origin; contract and uploads for those
// who hold the token. Owns the listener; what answers the contract is handed in.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Channel } from '../../../src-shared/rpc/channel.ts';
import { OriginGuard } from '../../protocol/http/origin-guard.ts';
import type { StaticFiles } from './static-files.ts';
import { isToken } from './ui-token.ts';
import { serveUpload } from './upload-routes.ts';
import type { UploadStore } from './upload-store.ts';
import { WsBridge } from './ws-bridge.ts';

export interface UiServerOptions {
  readonly address: string;
  readonly token: string;
  readonly files: StaticFiles;
  readonly uploads: UploadStore;
  readonly onChannel: (channel: Channel) => void;
}

export class UiServer {
  readonly #options: UiServerOptions;
  readonly #server = createServer((request, response) => this.#handle(request, response));
  readonly #guard: OriginGuard;
  readonly #bridge: WsBridge;

  constructor(options: UiServerOptions) {
    this.#options = options;
    this.#guard = new OriginGuard({ address: options.address, allowedOrigins: [] });
    const { token, onChannel } = options;
    this.#bridge = new WsBridge({ token, onChannel, guard: this.#guard });
    this.#server.on('upgrade', (request, socket, head) => this.#bridge.handleUpgrade(request, socket, head));
  }

  /** Takes the first of `ports` that is free (0 = any); rejects with the last error. Returns the port taken. */
  async listen(ports: readonly number[]): Promise<number> {
    let failure: unknown = new Error('no port to listen on');
    for (const port of ports) {
      try {
        return await this.#listenOn(port);
      } catch (thrown) {
        failure = thrown;
      }
    }
    throw failure;
  }

  async close(): Promise<void> {
    this.#bridge.close();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  #listenOn(port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ port, host: this.#options.address, exclusive: true }, () => {
        this.#server.removeListener('error', reject);
        resolve((this.#server.address() as AddressInfo).port);
      });
    });
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const refusal = this.#guard.check(request.headers.origin, request.headers.host);
    if (refusal !== undefined) {
      response.writeHead(403, { 'content-type': 'text/plain' }).end(`${refusal}\n`);
      return;
    }
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (url.pathname !== '/upload' && !url.pathname.startsWith('/upload/')) {
      this.#options.files.serve(url.pathname, request, response);
      return;
    }
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    if (!isToken(bearer, this.#options.token)) {
      response.writeHead(401, { 'content-type': 'text/plain' }).end('the token is missing or wrong\n');
      return;
    }
    void serveUpload(this.#options.uploads, url, request, response);
  }
}

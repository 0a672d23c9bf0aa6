// The port of the window for browsers: the page's files for everybody on this origin; contract and uploads for those
// who hold the token. Owns the listener; what answers the contract is handed in.

import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Channel } from '../../../src-shared/rpc/channel.ts';
import { createGuardedServer } from '../../protocol/http/guarded-server.ts';
import { listenOn } from '../../protocol/http/listen-port.ts';
import { OriginGuard } from '../../protocol/http/origin-guard.ts';
import { requestTarget } from './request-target.ts';
import type { StaticFiles } from './static-files.ts';
import { isToken } from './ui-token.ts';
import { serveUpload } from './upload-routes.ts';
import type { UploadStore } from './upload-store.ts';
import { WsBridge } from './ws-bridge.ts';

interface UiServerOptions {
  readonly address: string;
  readonly token: string;
  readonly files: StaticFiles;
  readonly uploads: UploadStore;
  readonly onChannel: (channel: Channel) => void;
}

/** Requests from pages of another origin are refused with 403 before anything else. */
export class UiServer {
  readonly #options: UiServerOptions;
  readonly #server;
  readonly #bridge: WsBridge;

  constructor(options: UiServerOptions) {
    this.#options = options;
    const { address, token, onChannel } = options;
    this.#bridge = new WsBridge({ token, onChannel });
    this.#server = createGuardedServer({
      guard: new OriginGuard({ address, allowedOrigins: [] }),
      onRequest: (request, response) => this.#handle(request, response),
      onRefused: (_, response, message) => sendText(response, 403, message),
      onUpgrade: (request, socket, head) => this.#bridge.handleUpgrade(request, socket, head),
    });
  }

  /** Takes the first of `ports` that is free (0 = any); rejects with the last error. Returns the port taken. */
  async listen(ports: readonly number[]): Promise<number> {
    let failure: unknown = new Error('no port to listen on');
    for (const port of ports) {
      try {
        return await listenOn(this.#server, { address: this.#options.address, port });
      } catch (thrown) {
        failure = thrown;
      }
    }
    throw failure;
  }

  /** Ends the pages' channels and cuts every connection; resolves when the port is free. */
  async close(): Promise<void> {
    this.#bridge.close();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const target = requestTarget(request.url);
    if (target === undefined) {
      sendText(response, 400, 'the address is not one of this server');
      return;
    }
    const { pathname } = target;
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const isKnown = isToken(bearer, this.#options.token);
    if (pathname === '/session') {
      // A page whose WebSocket was refused cannot see why; here it can ask whether its token is the reason.
      if (isKnown) response.writeHead(204, { 'cache-control': 'no-store' }).end();
      else sendText(response, 401, WRONG_TOKEN);
      return;
    }
    if (pathname !== '/upload' && !pathname.startsWith('/upload/')) {
      this.#options.files.serve(pathname, request, response);
      return;
    }
    if (!isKnown) {
      sendText(response, 401, WRONG_TOKEN);
      return;
    }
    void serveUpload(this.#options.uploads, target, request, response);
  }
}

const WRONG_TOKEN = 'the token is missing or wrong; `conch open` prints the address with the right one';

function sendText(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(`${message}\n`);
}

// The contract over WebSocket: `/rpc?token=<token>` on the window's port. One channel per connection; who answers on
// it is the caller's business. Token, origin and host are checked before the upgrade.

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';

import type { Channel } from '../../../src-shared/rpc/channel.ts';
import { socketChannel } from '../../../src-shared/rpc/socket-channel.ts';
import type { OriginGuard } from '../../protocol/http/origin-guard.ts';
import { isToken } from './ui-token.ts';

/** Calls are small; config texts are the largest arguments. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

export interface WsBridgeOptions {
  readonly token: string;
  readonly guard: OriginGuard;
  readonly onChannel: (channel: Channel) => void;
}

export class WsBridge {
  readonly #options: WsBridgeOptions;
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });

  constructor(options: WsBridgeOptions) {
    this.#options = options;
  }

  /** Listener for a server's `upgrade` event. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const status = this.#refusal(request);
    if (status !== undefined) {
      socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      this.#options.onChannel(socketChannel(webSocket));
    });
  }

  /** Ends all connections. */
  close(): void {
    for (const client of this.#server.clients) client.terminate();
    this.#server.close();
  }

  #refusal(request: IncomingMessage): string | undefined {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (url.pathname !== '/rpc') return '404 Not Found';
    const { origin, host } = request.headers;
    if (this.#options.guard.check(origin, host) !== undefined) return '403 Forbidden';
    if (!isToken(url.searchParams.get('token'), this.#options.token)) return '401 Unauthorized';
    return undefined;
  }
}

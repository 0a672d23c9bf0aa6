// The contract over WebSocket: `/rpc?token=<token>` on the window's port. One channel per connection; who answers on
// it is the caller's business. Path and token are checked here, before the upgrade; the listener has asked the guard.

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';

import type { Channel } from '../../../src-shared/rpc/channel.ts';
import { socketChannel } from '../../../src-shared/rpc/socket-channel.ts';
import { refuseUpgrade } from '../../protocol/http/guarded-server.ts';
import { requestTarget } from './request-target.ts';
import { isToken } from './ui-token.ts';

/** Calls are small; config texts are the largest arguments. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

interface WsBridgeOptions {
  readonly token: string;
  readonly onChannel: (channel: Channel) => void;
}

/** A connection without the token is refused with its HTTP status, before it becomes a WebSocket. */
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
      refuseUpgrade(socket, status);
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
    const target = requestTarget(request.url);
    if (target === undefined) return '400 Bad Request';
    if (target.pathname !== '/rpc') return '404 Not Found';
    if (!isToken(target.query.get('token'), this.#options.token)) return '401 Unauthorized';
    return undefined;
  }
}

// When a client gives up: so long after its request has left. A client that counts from before its connection stands may
// have given up what it never sent, on a busy machine, and then either server does not know of the request.

import type { Client } from '@grpc/grpc-js';
import type { ClientRequest } from 'node:http';

const CONNECTED_WITHIN_MS = 8_000;

/** Until the connection stands, so that the next call leaves at once; rejects when it does not come about. */
export const connected = (client: Client): Promise<void> =>
  new Promise((resolve, reject) => {
    client.waitForReady(Date.now() + CONNECTED_WITHIN_MS, (error) => (error ? reject(error) : resolve()));
  });

/** Closes the connection of a request so many milliseconds after all of it was written. */
export function hangUpAfter(request: ClientRequest, ms: number): void {
  request.once('finish', () => setTimeout(() => request.destroy(), ms));
}

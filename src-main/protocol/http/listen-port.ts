// Binding a server to its port, with the message that names a port in use.

import type { Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { httpErrors } from './http-errors.ts';
import { LISTEN_BACKLOG } from '../../base/listen-backlog.ts';

/** Where a port is opened. */
export interface ListenAddress {
  readonly address: string;
  /** 0 = a free port. */
  readonly port: number;
  readonly reusePort?: boolean;
}

/** Resolves to the bound port; throws UNAVAILABLE. */
export async function listenOn(
  server: Server,
  { address, port, reusePort = false }: ListenAddress,
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      const isTaken = error.code === 'EADDRINUSE';
      reject(
        isTaken
          ? httpErrors.portTaken({ address, port }, { cause: error })
          : httpErrors.notListening({ reason: error.message }, { cause: error }),
      );
    };
    server.once('error', onError);
    server.listen({ host: address, port, reusePort, backlog: LISTEN_BACKLOG }, () => {
      server.off('error', onError);
      resolve();
    });
  });
  return boundPort(server);
}

/** Listens where only threads of this process look. */
export async function listenOnPath(server: Server, path: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path, backlog: LISTEN_BACKLOG }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** 0 while the server does not listen. */
export function boundPort(server: Server): number {
  return (server.address() as AddressInfo | null)?.port ?? 0;
}

// Ports of the loopback address that nobody listens on at this moment, for servers that cannot choose one themselves.

import { once } from 'node:events';
import net from 'node:net';

/** Different from each other; nobody holds them, so another program may take one meanwhile. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => net.createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as net.AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

// The way to the Python package index: whether there is one, and a proxy in front of it that can be cut.

import { once } from 'node:events';
import net from 'node:net';
import http from 'node:http';

/** What a proxy does with a client that wants to be connected. */
export type ProxyMode = 'through' | 'silent' | 'refused';

/** Forwards what programs send over HTTPS while it is let. */
export interface IndexProxy extends AsyncDisposable {
  readonly url: string;
  /** How often a client asked to be connected. */
  asked: number;
  mode: ProxyMode;
}

/** Whether the index answers. */
export async function canReachIndex(): Promise<boolean> {
  const asked = fetch('https://pypi.org/simple/numpy/', {
    method: 'HEAD',
    signal: AbortSignal.timeout(10_000),
  });
  return asked.then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Starts one on a free port. */
export async function indexProxy(): Promise<IndexProxy> {
  const open = new Set<net.Socket>();
  const server = http.createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  const proxy: IndexProxy = {
    url: `http://127.0.0.1:${port}`,
    asked: 0,
    mode: 'through',
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  server.on('connection', (socket) => open.add(socket));
  server.on('connect', ({ url }, client, head) => {
    proxy.asked += 1;
    client.on('error', () => client.destroy());
    if (proxy.mode === 'refused') client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    if (proxy.mode !== 'through') return;
    const [host, port] = (url ?? '').split(':');
    const target = net.connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.write(head);
      target.pipe(client).pipe(target);
    });
    open.add(target);
    target.on('error', () => client.destroy());
  });
  return proxy;
}

import net from 'node:net';
import { expect, test } from 'vitest';

import { systemClock } from '../../../base/clock.ts';
import { FakeService } from '../../../testing/fake-service.ts';
import { defaultHttpServerOptions } from '../http-options.ts';
import { HttpServer } from '../http-server.ts';
import { JsonWorkers } from '../json-offload.ts';
import { ThreadedPort } from './threaded-port.ts';

const options = { ...defaultHttpServerOptions, port: 0, wireThreads: { count: 1, waitForLoad: true } };

test.runIf(process.platform === 'linux')('a system that shares no port: the loop has it alone', async () => {
  const server = net.createServer();
  const listen = server.listen.bind(server) as (given: net.ListenOptions, done: () => void) => net.Server;
  server.listen = ((given: net.ListenOptions, done: () => void) => {
    if (given.reusePort === true) process.nextTick(() => server.emit('error', new Error('listen EINVAL')));
    else listen(given, done);
    return server;
  }) as typeof server.listen;
  const rules = {
    context: { service: new FakeService(), clock: systemClock } as never,
    match: () => undefined,
    note: () => undefined,
    start: () => undefined,
  };
  const port = new ThreadedPort(server, options, rules);
  const number = await port.listen();
  expect([number > 0, port.port]).toEqual([true, number]);
  // A thread finds the port taken, then.
  expect(await port.bringThreads()).toBe(false);
  expect(port.furtherConnectionCount).toBe(0);
  const steps: string[] = [];
  await port.drain({
    closeListener: async () => {
      steps.push('close');
      server.close();
    },
    readOn: () => steps.push('read on'),
  });
  expect(steps).toEqual(['close', 'read on']);
  await port.closed();
  expect(server.listening).toBe(false);
});

test('a taken port is told of as ever', async () => {
  const taken = net.createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as net.AddressInfo;
  const offload = new JsonWorkers(1);
  const server = new HttpServer(
    { ...options, port },
    { service: new FakeService(), clock: systemClock, offload },
  );
  await expect(server.listen()).rejects.toThrow(`Socket '127.0.0.1:${port}' already in use`);
  taken.close();
  await offload.close();
});

// The start of a server of our own, with processes from memory: ports that somebody else takes meanwhile, and ends.

import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';

import { systemClock } from '../../base/clock.ts';
import type { ProcessEnd, SpawnedProcess } from '../../base/process-spawner.ts';
import type { Endpoints } from './analyzer-server.ts';
import { LocalServer } from './analyzer-server.ts';

const CHOSEN: Endpoints = { http: '', grpc: '', metricsUrl: '' };
const SETTINGS = { mode: 'local', logFile: '', flags: {}, environment: {} } as never;
const taken: ProcessEnd = {
  code: 1,
  detail: 'exit code 1',
  said: "error: creating server: Unavailable - Socket '127.0.0.1:8000' already in use",
};

const servers: Server[] = [];
let running: LocalServer | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A process that ends at once in this way, or serves where its arguments say. */
function fakeProcess(args: readonly string[], end: ProcessEnd | undefined): SpawnedProcess {
  let onExit: (ended: ProcessEnd) => void = () => undefined;
  if (end === undefined) {
    const port = Number(args.find((arg) => arg.startsWith('--http-port='))?.split('=')[1]);
    servers.push(createServer((_request, reply) => void reply.end('{}')).listen(port, '127.0.0.1'));
  } else setImmediate(() => onExit(end));
  return {
    pid: 1,
    send: () => undefined,
    onMessage: () => undefined,
    onExit: (listener) => (onExit = listener),
    kill: () => onExit({ code: 0, detail: 'exit code 0', said: '' }),
  };
}

/** Starts whose processes end in these ways, the last one for all further starts. */
async function start(
  ends: readonly (ProcessEnd | undefined)[],
  endpoints = CHOSEN,
): Promise<{ readonly starts: readonly (readonly string[])[] }> {
  const starts: (readonly string[])[] = [];
  const spawn = (args: readonly string[]): SpawnedProcess => {
    starts.push(args);
    return fakeProcess(args, ends[Math.min(starts.length, ends.length) - 1]);
  };
  const options = { spawn, repository: '/models', settings: SETTINGS, endpoints, clock: systemClock };
  try {
    running = await LocalServer.start(options);
  } catch (thrown) {
    throw Object.assign(thrown as Error, { startCount: starts.length });
  }
  return { starts };
}

const portsOf = (args: readonly string[]): readonly string[] =>
  args.filter((arg) => /^--(http|grpc|metrics)-port=/.test(arg));

test('a port that somebody took meanwhile is given up for another one', async () => {
  const { starts } = await start([taken, taken, undefined]);
  expect(starts).toHaveLength(3);
  expect(portsOf(starts[0]!)).toHaveLength(3);
  expect(portsOf(starts[2]!)).not.toEqual(portsOf(starts[0]!));
  expect(running?.endpoints.http).toMatch(/^127\.0\.0\.1:\d+$/);
});

test('but not for ever', async () => {
  await expect(start([taken])).rejects.toMatchObject({
    message: expect.stringContaining('already in use') as string,
    startCount: 5,
  });
});

test('ports that were asked for are not given up', async () => {
  const asked = { http: '127.0.0.1:9', grpc: '127.0.0.1:10', metricsUrl: 'http://127.0.0.1:11/metrics' };
  await expect(start([taken], asked)).rejects.toMatchObject({ startCount: 1 });
});

test('a server that ends for another reason is not started again', async () => {
  const broken = { code: 2, detail: 'exit code 2', said: 'no such repository' };
  await expect(start([broken])).rejects.toMatchObject({
    message: expect.stringContaining('no such repository') as string,
    startCount: 1,
  });
});

// What the gRPC client says of a server that is not there.

import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';

import { systemClock } from '../base/clock.ts';
import { GrpcInferClient, unreachable } from './grpc-client.ts';

test('a port on which nobody listens is named, without a note that says nothing', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => holder.once('listening', resolve));
  const { port } = holder.address() as AddressInfo;
  await new Promise((resolve) => holder.close(resolve));
  const client = new GrpcInferClient(`127.0.0.1:${port}`, { clock: systemClock });
  const request = { model: 'm', version: '', id: '', parameters: new Map(), inputs: [], outputs: [] };
  const failure = await client.infer(request).catch(String);
  expect(failure).toMatch(new RegExp(`cannot reach the gRPC server: .*${port}`));
  expect(failure).not.toContain('Resolution note');
  await client.close();
});

test('a note that says something stays', () => {
  expect(unreachable('Last error: refused. Resolution note: ', undefined).message).toMatch(/refused$/);
  expect(unreachable('Last error: none. Resolution note: no such name', undefined).message).toMatch(/name$/);
});

// Bodies that are made to cost more than they weigh.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { echo } from '../conformance/checklist/checklist-models.ts';
import { RawSocket } from './raw-socket.ts';
import { Target } from './target.ts';

let target: Target;
beforeAll(async () => {
  target = await Target.start(echo('m', 'INT32', [1]));
});
afterAll(() => target[Symbol.asyncDispose]());

const chunkedHead = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`;

test('a million chunks of one byte cost one refusal, also on several connections', async () => {
  const before = await target.facts();
  const chunks = Buffer.from('1\r\nx\r\n'.repeat(100_000));
  const replies = await Promise.all(
    ['/v2/models/m/infer', '/v2/repository/index', '/v2/models/m/generate', '/v2/logging'].map(
      async (path) => {
        using socket = await RawSocket.connect(target.ports.http);
        await socket.write(chunkedHead(path));
        for (let part = 0; part < 10 && socket.state === 'open'; part += 1) await socket.write(chunks);
        await socket.closed();
        return [socket.received, socket.state] as const;
      },
    ),
  );
  for (const [received, state] of replies) {
    expect(received).toMatch(/^HTTP\/1\.1 400 [\s\S]*exceeds maximum of 65536 non-empty chunks/);
    expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1);
    // Reset where we were slower to send than the server reads on after a refusal.
    expect(['ended', 'reset']).toContain(state);
  }
  await target.expectAlive();
  const after = await target.facts();
  expect(after.cpuMs - before.cpuMs).toBeLessThan(4000);
});

test('chunks of one byte for a path without a body are thrown away', async () => {
  const before = await target.facts();
  using socket = await RawSocket.connect(target.ports.http);
  await socket.write(chunkedHead('/nowhere'));
  const chunks = Buffer.from('1\r\nx\r\n'.repeat(100_000));
  for (let part = 0; part < 10 && socket.state === 'open'; part += 1) await socket.write(chunks);
  expect(await socket.until(/Not Found/)).toMatch(/^HTTP\/1\.1 404 /);
  await target.expectAlive();
  const after = await target.facts();
  expect(after.cpuMs - before.cpuMs).toBeLessThan(4000);
});

// Bodies that are made to cost more than they weigh.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { echo } from '../conformance/checklist/checklist-models.ts';
import { expectLinear } from './growth.ts';
import { RawSocket } from './raw-socket.ts';
import { Target } from './target.ts';

let target: Target;
beforeAll(async () => {
  target = await Target.start(echo('m', 'INT32', [1]));
});
afterAll(() => target[Symbol.asyncDispose]());

const chunkedHead = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`;

/** Chunks of one byte on a connection, as long as the server takes them. */
async function sendChunks(socket: RawSocket, path: string, count: number): Promise<void> {
  const step = 100_000;
  const chunks = Buffer.from('1\r\nx\r\n'.repeat(step));
  await socket.write(chunkedHead(path));
  for (let sent = 0; sent < count && socket.state === 'open'; sent += step) await socket.write(chunks);
}

test('a million chunks of one byte cost one refusal, also on several connections', async () => {
  const paths = ['/v2/models/m/infer', '/v2/repository/index', '/v2/models/m/generate', '/v2/logging'];
  await expectLinear(target, 1_000_000, async (count) => {
    const replies = await Promise.all(
      paths.map(async (path) => {
        using socket = await RawSocket.connect(target.ports.http);
        await sendChunks(socket, path, count);
        await socket.closed();
        return [socket.received, socket.state] as const;
      }),
    );
    for (const [received, state] of replies) {
      expect(received).toMatch(/^HTTP\/1\.1 400 [\s\S]*exceeds maximum of 65536 non-empty chunks/);
      expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1);
      // Reset where we were slower to send than the server reads on after a refusal.
      expect(['ended', 'reset']).toContain(state);
    }
  });
  await target.expectAlive();
});

test('chunks of one byte for a path without a body are thrown away', async () => {
  await expectLinear(target, 1_000_000, async (count) => {
    using socket = await RawSocket.connect(target.ports.http);
    await sendChunks(socket, '/nowhere', count);
    expect(await socket.until(/Not Found/)).toMatch(/^HTTP\/1\.1 404 /);
  });
  await target.expectAlive();
});

// Checklist: connections. TLS of gRPC, keepalive, a proxy in front of HTTP.

import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { credentials } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect } from 'vitest';
import { parseServeOptions } from '../../../src-main/cli/serve-options.ts';
import { hasOpenssl, makeCertificates } from '../../../src-main/testing/certificates.ts';
import { wireCall } from '../../../src-main/testing/wire-http.ts';
import { checklist } from './checklist.ts';
import { echo } from './checklist-models.ts';
import { ChecklistServer } from './checklist-server.ts';
import { GrpcCaller, int32Request } from './grpc-caller.ts';

const MODELS = echo('m', 'INT32', [-1]);
const missing = hasOpenssl() ? undefined : 'needs the openssl command';
let folder = '';
const file = (name: string): string => path.join(folder, name);
const bytes = (name: string): Buffer => readFileSync(file(name));

if (missing === undefined) {
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'conch-tls-'));
    makeCertificates(folder, ['server', 'client']);
  });
  afterAll(() => rmSync(folder, { recursive: true }));
}

/** A server with the gRPC options that these arguments give. */
function serve(...args: string[]): Promise<ChecklistServer> {
  const options = parseServeOptions([
    '--model-repository=/m',
    ...args,
    `--grpc-server-cert=${file('server.pem')}`,
    `--grpc-server-key=${file('server.key')}`,
    `--grpc-root-cert=${file('root.pem')}`,
  ]);
  if (options === 'help') throw new Error('unexpected help');
  return ChecklistServer.start(MODELS, { grpc: { tls: options.engine.grpc.tls } });
}

/** Code of a call with these secrets; 0 = served. */
async function codeOf(
  server: ChecklistServer,
  secrets: ReturnType<typeof credentials.createSsl>,
): Promise<number> {
  const caller = new GrpcCaller(`localhost:${server.engine.ports.grpc ?? 0}`, secrets);
  const { code } = await caller.call('ModelInfer', int32Request('m', [1]));
  caller.close();
  return code;
}

checklist(
  'TLS of gRPC',
  {
    '--grpc-use-ssl, --grpc-use-ssl-mutual alone, and both: a client with root, key and certificate works':
      async () => {
        for (const args of [
          ['--grpc-use-ssl=1'],
          ['--grpc-use-ssl-mutual=1'],
          ['--grpc-use-ssl=1', '--grpc-use-ssl-mutual=1'],
        ]) {
          await using server = await serve(...args);
          const secrets = credentials.createSsl(bytes('root.pem'), bytes('client.key'), bytes('client.pem'));
          expect([args, await codeOf(server, secrets)]).toEqual([args, 0]);
        }
      },
    'a client without TLS, or without a certificate where one is asked for: its call fails, the server stays up':
      async () => {
        await using server = await serve('--grpc-use-ssl-mutual=1');
        expect(await codeOf(server, credentials.createInsecure())).not.toBe(0);
        expect(await codeOf(server, credentials.createSsl(bytes('root.pem')))).not.toBe(0);
        const damaged = Buffer.from(
          bytes('client.pem')
            .toString()
            .replaceAll(/[A-Za-z0-9+/]{64}/g, 'A'.repeat(64)),
        );
        expect(() => credentials.createSsl(bytes('root.pem'), bytes('client.key'), damaged)).toThrow();
        const secrets = credentials.createSsl(bytes('root.pem'), bytes('client.key'), bytes('client.pem'));
        expect(await codeOf(server, secrets)).toBe(0);
      },
  },
  missing,
);

/** Pings until the server ends the connection or `limit` were answered. Resolves with how many and the reason. */
async function pingUntilClosed(port: number, limit: number): Promise<readonly [number, string]> {
  const session = http2.connect(`http://127.0.0.1:${port}`);
  session.on('error', () => undefined);
  await once(session, 'connect');
  let reason = '';
  session.on('goaway', (_code, _last, data) => (reason = Buffer.from(data ?? []).toString()));
  const closed = new Promise<void>((resolve) => session.on('close', resolve));
  let answered = 0;
  while (answered < limit && !session.destroyed) {
    const pong = new Promise<boolean>((resolve) => {
      if (!session.ping((error: Error | null) => resolve(error === null))) resolve(false);
    });
    if (!(await Promise.race([pong, closed.then(() => false)]))) break;
    answered += 1;
  }
  if (answered < limit) await closed;
  session.destroy();
  return [answered, reason];
}

checklist('Keepalive and proxies', {
  'keepalive violations end the connection with GOAWAY too_many_pings': async () => {
    await using server = await ChecklistServer.start(MODELS);
    const [answered, reason] = await pingUntilClosed(server.engine.ports.grpc ?? 0, 50);
    expect(reason).toBe('too_many_pings');
    expect(answered).toBeLessThan(5);
    expect((await server.grpc.call('ServerLive', {})).code).toBe(0);
    await using patient = await ChecklistServer.start(MODELS, {
      grpc: { keepalivePermitWithoutCalls: true, minRecvPingIntervalWithoutDataMs: 0 },
    });
    expect(await pingUntilClosed(patient.engine.ports.grpc ?? 0, 50)).toEqual([50, '']);
  },
  'HTTP behind a proxy with a base path': async () => {
    await using server = await ChecklistServer.start(MODELS);
    const proxy = http.createServer((request, response) => {
      const { url = '', method, headers } = request;
      const forwarded = http.request(
        {
          host: '127.0.0.1',
          port: server.httpPort,
          path: url.replace(/^\/base_path/, ''),
          method,
          headers: { ...headers, host: 'localhost', authorization: 'Basic dXNlcjpwYXNz' },
        },
        (reply) => {
          response.writeHead(reply.statusCode ?? 0, reply.headers);
          reply.pipe(response);
        },
      );
      request.pipe(forwarded);
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    expect((await wireCall(port, { path: '/base_path/v2/health/ready' })).status).toBe(200);
    const body = '{"inputs":[{"name":"INPUT0","datatype":"INT32","shape":[1],"data":[5]}]}';
    const reply = await wireCall(port, { path: '/base_path/v2/models/m/infer', body });
    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('"data":[5]')]);
    proxy.close();
  },
});

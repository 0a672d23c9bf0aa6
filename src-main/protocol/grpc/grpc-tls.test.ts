import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { Client, credentials } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { systemClock } from '../../base/clock.ts';
import { serviceMethods } from '../../grpc-wire/messages.ts';
import { hasOpenssl, makeCertificates } from '../../testing/certificates.ts';
import { EchoService } from '../../testing/echo-service.ts';
import { defaultGrpcServerOptions } from './grpc-options.ts';
import { GrpcServer } from './grpc-server.ts';

let folder: string;
let server: GrpcServer | undefined;
const file = (name: string): string => path.join(folder, name);

async function start(mutual: boolean): Promise<number> {
  const tls = {
    mutual,
    certFile: file('server.pem'),
    keyFile: file('server.key'),
    rootFile: file('root.pem'),
  };
  const options = { ...defaultGrpcServerOptions, port: 0, tls };
  server = new GrpcServer({ service: new EchoService(), clock: systemClock }, options);
  return server.start();
}

/** Until the client gives a server up that says nothing. */
const PATIENCE_MS = 60_000;

/** The answer of ServerLive, or the code of the failure. */
function isLive(port: number, secrets: ReturnType<typeof credentials.createSsl>): Promise<unknown> {
  const method = serviceMethods('inference.GRPCInferenceService').get('ServerLive')!;
  const client = new Client(`localhost:${port}`, secrets, { 'grpc.enable_http_proxy': 0 });
  return new Promise((resolve) => {
    const deadline = new Date(Date.now() + PATIENCE_MS);
    client.makeUnaryRequest(
      method.path,
      method.request.encode,
      method.response.decode,
      {},
      { deadline },
      (error, reply) => {
        client.close();
        resolve(error === null ? reply : error.code);
      },
    );
  });
}

describe.skipIf(!hasOpenssl())('gRPC over TLS (needs the openssl command)', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'conch-tls-'));
    makeCertificates(folder, ['server', 'client']);
  });
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const ofClient = async () =>
    [
      await readFile(file('root.pem')),
      await readFile(file('client.key')),
      await readFile(file('client.pem')),
    ] as const;

  test('a client that trusts the root is served; a plain one is not, and the server stays', async () => {
    const port = await start(false);
    const [root] = await ofClient();
    expect(await isLive(port, credentials.createInsecure())).not.toEqual({ live: true });
    expect(await isLive(port, credentials.createSsl(root))).toEqual({ live: true });
  });

  test('mutual TLS serves a client with a certificate and refuses one without', async () => {
    const port = await start(true);
    const [root, key, cert] = await ofClient();
    expect(await isLive(port, credentials.createSsl(root))).not.toEqual({ live: true });
    expect(await isLive(port, credentials.createSsl(root, key, cert))).toEqual({ live: true });
  });

  test('a certificate file that is missing fails the start with its name', async () => {
    await rm(file('server.key'));
    await expect(start(false)).rejects.toThrow('server.key');
  });

  test.each(['certFile', 'keyFile'])('TLS without %s says which option is missing', async (missing) => {
    const files = { mutual: false, certFile: file('server.pem'), keyFile: file('server.pem'), rootFile: '' };
    const tls = { ...files, [missing]: '' };
    server = new GrpcServer(
      { service: new EchoService(), clock: systemClock },
      { ...defaultGrpcServerOptions, port: 0, tls },
    );
    await expect(server.start()).rejects.toThrow(
      `TLS needs a file named by '--grpc-server-${missing === 'certFile' ? 'cert' : 'key'}'`,
    );
  });
});

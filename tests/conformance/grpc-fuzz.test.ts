import { Client, credentials } from '@grpc/grpc-js';
import { expect, test } from 'vitest';

import { systemClock } from '../../src-main/base/clock.ts';
import { addLogSink } from '../../src-main/base/log.ts';
import { GrpcServer } from '../../src-main/protocol/grpc/grpc-server.ts';
import { EchoService } from '../../src-main/testing/echo-service.ts';
import { fuzzGrpc } from '../../src-main/testing/grpc-fuzz.ts';

test('bent gRPC messages end with a status, leave no model in use, and the server goes on', async () => {
  const service = new EchoService();
  const errors: string[] = [];
  const removeSink = addLogSink(({ level, message }) => void (level === 'error' && errors.push(message)));
  const server = new GrpcServer(
    { service, clock: systemClock },
    {
      address: '127.0.0.1',
      port: 0,
      reusePort: false,
      headerForwardPattern: '',
      maxResponsePoolSize: 2_147_483_647,
      restricted: [],
      tls: undefined,
      keepaliveTimeMs: 7_200_000,
      keepaliveTimeoutMs: 20_000,
      keepalivePermitWithoutCalls: false,
      maxPingStrikes: 2,
      minRecvPingIntervalWithoutDataMs: 300_000,
      maxConnectionAgeMs: 0,
      maxConnectionAgeGraceMs: 0,
    },
  );
  const client = new Client(`127.0.0.1:${await server.start()}`, credentials.createInsecure(), {
    'grpc.enable_http_proxy': 0,
  });
  const { byCode, faults } = await fuzzGrpc(client, Number(process.env['CONCH_FUZZ_CASES'] ?? '3000'), 11);
  client.close();
  await server.close();
  removeSink();
  expect(faults).toEqual([]);
  expect(errors).toEqual([]);
  expect(byCode['OK']).toBeGreaterThan(0);
  expect(byCode['INVALID_ARGUMENT']).toBeGreaterThan(0);
  expect(service.usesHeld).toBe(0);
});

import { Client, credentials } from '@grpc/grpc-js';
import { expect, test } from 'vitest';

import { systemClock } from '../../src-main/base/clock.ts';
import { addLogSink } from '../../src-main/base/log.ts';
import { defaultGrpcServerOptions } from '../../src-main/protocol/grpc/grpc-options.ts';
import { GrpcServer } from '../../src-main/protocol/grpc/grpc-server.ts';
import { EchoService } from '../../src-main/testing/echo-service.ts';
import { fuzzGrpc } from '../../src-main/testing/grpc-fuzz.ts';

test('bent gRPC messages end with a status, leave no model in use, and the server goes on', async () => {
  const service = new EchoService();
  const errors: string[] = [];
  const removeSink = addLogSink(({ level, message }) => void (level === 'error' && errors.push(message)));
  const server = new GrpcServer({ service, clock: systemClock }, { ...defaultGrpcServerOptions, port: 0 });
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

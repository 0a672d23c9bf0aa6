import { connect, type IncomingHttpHeaders } from 'node:http2';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { encodeGrpcRequest, GrpcInferClient } from '../../client/grpc-client.ts';
import type { ClientRequest } from '../../client/infer-client.ts';
import { EchoService } from '../../testing/echo-service.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import type { GrpcDelays } from './grpc-delays.ts';
import { NO_DELAYS, readGrpcDelays } from './grpc-delays.ts';
import { defaultGrpcServerOptions } from './grpc-options.ts';
import { GrpcServer } from './grpc-server.ts';

const OPTIONS = { ...defaultGrpcServerOptions, port: 0 };

const REQUEST: ClientRequest = {
  model: 'echo',
  version: '',
  id: '',
  inputs: [{ name: 'INPUT', datatype: 'INT32', shape: [1, 1], bytes: new Uint8Array(4) }],
  outputs: [],
  parameters: new Map(),
};

let server: GrpcServer;
let port: number;
let client: GrpcInferClient;
let service: EchoService;
const clock = new FakeClock();

async function start(delays: Partial<GrpcDelays>): Promise<void> {
  service = new EchoService();
  server = new GrpcServer({ service, clock, delays: { ...NO_DELAYS, ...delays } }, OPTIONS);
  port = await server.start();
  client = new GrpcInferClient(`127.0.0.1:${port}`, { clock: systemClock });
}

const taken = (count: number) => vi.waitFor(() => expect(server.requestCount).toBe(count));

describe('delays for tests', () => {
  afterEach(async () => {
    await client.close();
    await server.close();
  });

  test('a call cancelled before it was handled reaches no model', async () => {
    await start({ processMs: 1000 });
    const cancelled = new AbortController();
    const call = client.infer(REQUEST, { signal: cancelled.signal }).catch(() => 'cancelled');
    await taken(1);
    cancelled.abort(new Error('cancelled'));
    expect(await call).toBe('cancelled');
    // Answered behind the cancellation on the same connection.
    await client.manage('ServerLive', {});
    await clock.advance(2000);
    expect(service.requests).toHaveLength(0);
    const served = client.infer(REQUEST);
    await taken(3);
    await clock.advance(1000);
    expect((await served).ok).toBe(true);
  });

  test('a deadline that passes at the server is told in the words of the reference', async () => {
    await start({ processMs: 1000 });
    const session = connect(`http://127.0.0.1:${port}`);
    const call = session.request({
      ':method': 'POST',
      ':path': '/inference.GRPCInferenceService/ModelInfer',
      'content-type': 'application/grpc',
      te: 'trailers',
      'grpc-timeout': '30m',
    });
    const body = encodeGrpcRequest(REQUEST);
    const prefix = Buffer.alloc(5);
    prefix.writeUInt32BE(body.length, 1);
    call.end(Buffer.concat([prefix, body]));
    const ended = new Promise<IncomingHttpHeaders>((resolve) => {
      call.on('response', (headers) => 'grpc-status' in headers && resolve(headers));
      call.on('trailers', resolve);
    });
    call.resume();
    await taken(1);
    await clock.advance(30);
    const { 'grpc-status': code, 'grpc-message': message } = await ended;
    expect([code, message]).toEqual(['4', 'Deadline Exceeded']);
    session.close();
  });

  test('a finished response and management answers wait', async () => {
    await start({ completionMs: 500, unaryResponseMs: 2000 });
    const call = client.infer(REQUEST);
    await vi.waitFor(() => expect(service.requests).toHaveLength(1));
    await clock.advance(500);
    expect((await call).ok).toBe(true);
    let isAnswered = false;
    const live = client.manage('ServerLive', {}).then(() => (isAnswered = true));
    await taken(2);
    await clock.advance(1999);
    expect(isAnswered).toBe(false);
    await clock.advance(1);
    await live;
  });
});

test('are read from the environment', () => {
  expect(readGrpcDelays({ TRITONSERVER_DELAY_GRPC_PROCESS: 'x' })).toEqual(NO_DELAYS);
  expect(
    readGrpcDelays({
      TRITONSERVER_SERVER_DELAY_GRPC_RESPONSE_SEC: '2',
      TRITONSERVER_DELAY_GRPC_PROCESS: '3',
      TRITONSERVER_DELAY_GRPC_NOTIFICATION: '4',
      TRITONSERVER_DELAY_RESPONSE_COMPLETION: '5',
      TRITONSERVER_DELAY_GRPC_RESPONSE: '6',
    }),
  ).toEqual({ unaryResponseMs: 2000, processMs: 3, notificationMs: 4, completionMs: 5, responseMs: 6 });
});

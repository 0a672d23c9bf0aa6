import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { systemClock } from '../base/clock.ts';
import { JsonWorkers } from '../protocol/http/json-offload.ts';
import { defaultHttpServerOptions } from '../protocol/http/http-options.ts';
import { HttpServer } from '../protocol/http/http-server.ts';
import { EchoService } from '../testing/echo-service.ts';
import { encodeTexts } from '../testing/tensors.ts';
import type { HttpEncoding } from './http-codec.ts';
import { HttpInferClient } from './http-client.ts';
import type { ClientRequest } from './infer-client.ts';

let server: HttpServer;
let offload: JsonWorkers;
let service: EchoService;
let port: number;

beforeEach(async () => {
  service = new EchoService();
  offload = new JsonWorkers(1);
  server = new HttpServer({ ...defaultHttpServerOptions, port: 0 }, { service, clock: systemClock, offload });
  port = await server.listen();
});
afterEach(async () => {
  await server.close();
  await offload.close();
});

const bytesOf = (values: ArrayBufferView): Uint8Array => new Uint8Array(values.buffer);
const tensors = [
  { name: 'i', datatype: 'INT32', shape: [1, 2], bytes: bytesOf(Int32Array.of(-1, 7)) },
  { name: 'l', datatype: 'INT64', shape: [1, 1], bytes: bytesOf(BigInt64Array.of(-(2n ** 63n))) },
  { name: 'f', datatype: 'FP32', shape: [1, 3], bytes: bytesOf(Float32Array.of(0.1, NaN, -Infinity)) },
  { name: 'b', datatype: 'BOOL', shape: [1, 2], bytes: Uint8Array.of(1, 0) },
  { name: 's', datatype: 'BYTES', shape: [1, 2], bytes: encodeTexts(['é"\n', '']) },
];

const request = (change: Partial<ClientRequest> = {}): ClientRequest => ({
  model: 'echo',
  version: '',
  id: 'r"1',
  inputs: tensors,
  outputs: [],
  parameters: new Map(),
  ...change,
});

describe.each<HttpEncoding>(['json', 'binary'])('%s', (encoding) => {
  test('tensors come back as they went, bit for bit', async () => {
    const client = new HttpInferClient(`127.0.0.1:${port}`, { clock: systemClock, encoding });
    const exchange = await client.infer(request());
    expect(exchange).toMatchObject({ ok: true, status: 200, error: undefined });
    const [response] = exchange.responses;
    expect(response).toMatchObject({ modelName: 'echo', modelVersion: '1', id: 'r"1' });
    expect(response?.parameters.get('took')).toBe(7n);
    for (const sent of tensors) {
      const got = response?.outputs.find(({ name }) => name === sent.name);
      expect(got?.shape).toEqual(sent.shape);
      expect(Buffer.from(got?.bytes ?? [])).toEqual(Buffer.from(sent.bytes));
    }
    await client.close();
  });

  test('an error keeps status and message', async () => {
    const client = new HttpInferClient(`127.0.0.1:${port}`, { clock: systemClock, encoding });
    const exchange = await client.infer(request({ model: 'nope' }));
    expect(exchange).toMatchObject({
      ok: false,
      status: 404,
      error: "Request for unknown model: 'nope' is not found",
    });
    await client.close();
  });
});

test('FP16 has no JSON form and is refused before anything is sent', async () => {
  const client = new HttpInferClient(`127.0.0.1:${port}`, { clock: systemClock, encoding: 'json' });
  const inputs = [{ name: 'h', datatype: 'FP16', shape: [1], bytes: new Uint8Array(2) }];
  await expect(client.infer(request({ inputs }))).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  expect(service.requests).toHaveLength(0);
  await client.close();
});

test('the parts of the time add up', async () => {
  const client = new HttpInferClient(`127.0.0.1:${port}`, { clock: systemClock, encoding: 'binary' });
  const { totalMs, sendMs, waitMs, receiveMs } = (await client.infer(request())).timing;
  expect(sendMs + waitMs + receiveMs).toBeCloseTo(totalMs, 3);
  await client.close();
});

test('a server that is not there is UNAVAILABLE with its address', async () => {
  await server.close();
  const client = new HttpInferClient(`127.0.0.1:${port}`, { clock: systemClock, encoding: 'json' });
  await expect(client.infer(request())).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining(`127.0.0.1:${port}`) as string,
  });
});

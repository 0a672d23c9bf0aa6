// What leaves is read by a receiver that knows OTLP's own schema, not our idea of it.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';

import { OtlpReceiver } from '../testing/otlp-receiver.ts';
import { DEFAULT_URL, readOtelOptions } from './otel-options.ts';
import { otlpSender } from './otel-sender.ts';
import type { Span } from './otel-span.ts';

let receiver: OtlpReceiver | undefined;

afterEach(async () => {
  await receiver?.close();
  receiver = undefined;
});

const SPAN: Span = {
  name: 'm',
  traceId: 'a1'.repeat(16),
  spanId: 'b2'.repeat(8),
  parentSpanId: 'c3'.repeat(8),
  traceState: 'x=1',
  offsetNs: 1_700_000_000_000_000_000n,
  startNs: 12_345,
  endNs: 3_000_000_001,
  events: [['REQUEST_START', 12_345]],
  attributes: [
    ['triton.model_name', 'm'],
    ['triton.model_version', 3],
  ],
};

test('sends what a collector understands, to an address without a scheme', async () => {
  receiver = await OtlpReceiver.start();
  const options = readOtelOptions([
    ['url', `127.0.0.1:${receiver.port}/v1/traces`],
    ['resource', 'service.name=mine'],
    ['resource', 'a=b=c,d'],
  ]);
  const sender = otlpSender(options);
  await sender.send([SPAN]);
  await sender.close();
  expect(receiver.requests.map(({ path, contentType }) => [path, contentType])).toEqual([
    ['/v1/traces', 'application/x-protobuf'],
  ]);
  expect(receiver.resources[0]).toMatchObject({
    'service.name': 'mine',
    a: 'b=c,d',
    'telemetry.sdk.name': 'opentelemetry',
  });
  expect(receiver.scopes).toEqual(['triton-server']);
  expect(receiver.spans).toMatchObject([
    {
      name: 'm',
      traceId: 'a1'.repeat(16),
      spanId: 'b2'.repeat(8),
      parentSpanId: 'c3'.repeat(8),
      traceState: 'x=1',
      kind: 'SPAN_KIND_SERVER',
      startTimeUnixNano: '1700000000000012345',
      endTimeUnixNano: '1700000003000000001',
      attributes: { 'triton.model_name': 'm', 'triton.model_version': '3' },
      events: [{ name: 'REQUEST_START', timeUnixNano: '1700000000000012345' }],
    },
  ]);
});

test('rejects when the collector refuses', async () => {
  const server = createServer((_, response) => response.writeHead(400).end());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const sender = otlpSender(readOtelOptions([['url', `http://127.0.0.1:${port}/`]]));
  await expect(sender.send([SPAN])).rejects.toThrow();
  await sender.close();
  server.close();
});

test.each([
  [undefined, DEFAULT_URL],
  ['localhost:4318/v1/traces', 'http://localhost:4318/v1/traces'],
  ['https://c.example/t', 'https://c.example/t'],
  ['[::1]:4318/v1/traces', 'http://[::1]:4318/v1/traces'],
])('url %s is %s', (given, url) => {
  expect(readOtelOptions(given === undefined ? [] : [['url', given]]).url).toBe(url);
});

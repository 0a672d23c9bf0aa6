// Requests with very many small parts: what they cost grows with their size, not with its square. Each would take the
// server many seconds if any step on their way looked through all parts for each part.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { wireCall } from '../../src-main/testing/wire-http.ts';
import { echo } from '../conformance/checklist/checklist-models.ts';
import { GrpcCaller, int32Bytes } from '../conformance/checklist/grpc-caller.ts';
import { expectLinear } from './growth.ts';
import { rawExchange } from './raw-socket.ts';
import { Target } from './target.ts';

/** Quadratic work on this many parts takes more than ten seconds, and a hundredth of that on a tenth of them. */
const MANY = 40_000;

let target: Target;
let grpc: GrpcCaller;
beforeAll(async () => {
  target = await Target.start(echo('m', 'INT32', [-1]));
  grpc = new GrpcCaller(`127.0.0.1:${target.ports.grpc}`);
});
afterAll(async () => {
  grpc.close();
  await target[Symbol.asyncDispose]();
});

type Part = (i: number) => string;
const list = (count: number, part: Part): string =>
  Array.from({ length: count }, (_, i) => part(i)).join(',');
const INPUT = '{"name":"INPUT0","datatype":"INT32","shape":[1],"data":[1]}';

/** Each: a path, and the body with so many parts. */
const BODIES: Readonly<Record<string, readonly [path: string, body: (count: number) => string]>> = {
  parameters: [
    'models/m/infer',
    (n) => `{"parameters":{${list(n, (i) => `"p${i}":${i}`)}},"inputs":[${INPUT}]}`,
  ],
  'the same parameter': [
    'models/m/infer',
    (n) => `{"parameters":{${list(n, () => '"p":1')}},"inputs":[${INPUT}]}`,
  ],
  inputs: ['models/m/infer', (n) => `{"inputs":[${list(n, (i) => INPUT.replace('INPUT0', `i${i}`))}]}`],
  outputs: [
    'models/m/infer',
    (n) => `{"inputs":[${INPUT}],"outputs":[${list(n, (i) => `{"name":"o${i}"}`)}]}`,
  ],
  'members of an input': [
    'models/m/infer',
    (n) =>
      `{"inputs":[{${list(n, (i) => `"x${i}":0`)},"name":"INPUT0","datatype":"INT32","shape":[1],"data":[1]}]}`,
  ],
  dimensions: [
    'models/m/infer',
    (n) =>
      `{"inputs":[{"name":"INPUT0","datatype":"INT32","shape":[${list(n, () => '4294967291')}],"data":[1]}]}`,
  ],
  'nested arrays': [
    'models/m/infer',
    (n) =>
      `{"inputs":[{"name":"INPUT0","datatype":"INT32","shape":[1],"data":${'['.repeat(n)}1${']'.repeat(n)}}]}`,
  ],
  'generate parameters': ['models/m/generate', (n) => `{"INPUT0":[1],${list(n, (i) => `"p${i}":${i}`)}}`],
  'nested generate parameters': [
    'models/m/generate',
    (n) => `{"INPUT0":[1],"parameters":{${list(n, (i) => `"p${i}":${i}`)}}}`,
  ],
  'files of a load': [
    'repository/models/m/load',
    (n) => `{"parameters":{"config":"{}",${list(n, (i) => `"file:1/f${i}":""`)}}}`,
  ],
  'settings of a trace': ['trace/setting', (n) => `{${list(n, (i) => `"x${i}":0`)},"trace_rate":"5"}`],
  'settings of a log': ['logging', (n) => `{${list(n, (i) => `"x${i}":0`)},"log_verbose_level":0}`],
};

test.each(Object.entries(BODIES))('HTTP: %s', async (_name, [path, body]) => {
  await expectLinear(target, MANY, async (count) => {
    const reply = await wireCall(target.ports.http, { path: `/v2/${path}`, body: body(count) });
    expect([200, 400, 404, 500]).toContain(reply.status);
  });
});

test.each<readonly [header: string, value: (count: number) => string]>([
  ['Accept-Encoding', (n) => `a,${' '.repeat(n)};x`],
  ['Accept-Encoding', (n) => 'gzip;q=0.1,'.repeat(n / 12)],
  ['Host', (n) => `localhost${':1'.repeat(n / 2)}`],
  ['Origin', (n) => '/:'.repeat(n / 2)],
  ['User-Agent', (n) => 'a'.repeat(n)],
  ['Inference-Header-Content-Length', (n) => `${' '.repeat(n / 2)}+${'1'.repeat(n / 2)}x`],
  ['Content-Length', (n) => '0'.repeat(n)],
  ['endpoint-load-metrics-format', (n) => ' '.repeat(n)],
  ['traceparent', (n) => '00-'.repeat(n / 3)],
  ['Authorization', (n) => `Bearer ${' '.repeat(n)}`],
])('HTTP: header %s', async (name, value) => {
  await expectLinear(target, 60_000, (count) =>
    rawExchange(
      target.ports.http,
      `POST /v2/models/m/infer HTTP/1.1\r\nConnection: close\r\n${name}: ${value(count)}\r\n\r\n`,
    ),
  );
});

test('HTTP: many header lines', async () => {
  await expectLinear(target, 15_000, (count) => {
    const lines = Array.from({ length: count }, (_, i) => `${i}:\r\n`).join('');
    const request = `POST /v2/models/m/infer HTTP/1.1\r\nConnection: close\r\n${lines}\r\n`;
    return rawExchange(target.ports.http, request);
  });
});

test('HTTP: many pipelined requests', async () => {
  const last = 'GET /v2 HTTP/1.1\r\nConnection: close\r\n\r\n';
  await expectLinear(target, 20_000, async (count) => {
    const requests = 'GET /v2/health/live HTTP/1.1\r\n\r\n'.repeat(count);
    const { received } = await rawExchange(target.ports.http, requests + last, { timeoutMs: 60_000 });
    expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(count + 1);
  });
});

const range = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const byName = <T>(count: number, make: (i: number) => T): Record<string, T> =>
  Object.fromEntries(range(count, (i) => [`p${i}`, make(i)] as const));
const input = (i: number): object => ({
  name: i === 0 ? 'INPUT0' : `i${i}`,
  datatype: 'INT32',
  shape: ['1'],
});

const MESSAGES: Readonly<Record<string, (count: number) => object>> = {
  parameters: (n) => ({ parameters: byName(n, (i) => ({ int64_param: String(i) })) }),
  inputs: (n) => ({ inputs: range(n, input), raw_input_contents: range(n, () => int32Bytes(1)) }),
  outputs: (n) => ({ outputs: range(n, (i) => ({ name: `o${i}` })) }),
  dimensions: (n) => ({
    inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: range(n, () => '4294967291') }],
  }),
  'parameters of an input': (n) => ({
    inputs: [
      {
        name: 'INPUT0',
        datatype: 'INT32',
        shape: ['1'],
        parameters: byName(n, () => ({ bool_param: true })),
      },
    ],
  }),
  'parameters of an output': (n) => ({
    outputs: [{ name: 'OUTPUT0', parameters: byName(n, () => ({ bool_param: true })) }],
  }),
  'raw contents': (n) => ({ raw_input_contents: range(n, () => Buffer.alloc(0)) }),
};

test.each(Object.entries(MESSAGES))('gRPC: %s', async (_name, message) => {
  const plain = { inputs: [input(0)], raw_input_contents: [int32Bytes(1)], model_name: 'm' };
  await expectLinear(target, MANY, async (count) => {
    const { code } = await grpc.call('ModelInfer', { ...plain, ...message(count) });
    expect([0, 3, 5, 13]).toContain(code);
  });
});

test('gRPC: many requests on a stream that reads nothing meanwhile', async () => {
  const request = { model_name: 'm', inputs: [input(0)], raw_input_contents: [int32Bytes(1)] };
  await expectLinear(target, 20_000, async (count) => {
    const stream = grpc.stream();
    for (let i = 0; i < count; i += 1) stream.send(request);
    stream.end();
    await stream.status;
    expect(stream.messages).toHaveLength(count);
  });
});

const TOO_MANY = 70_000;
const parts = (part: Part): string => list(TOO_MANY, part);

test.each([
  ['parameters', 'models/m/infer', () => `{"parameters":{${parts((i) => `"p${i}":1`)}},"inputs":[${INPUT}]}`],
  ['inputs', 'models/m/infer', () => `{"inputs":[${parts(() => '{}')}]}`],
  ['outputs', 'models/m/infer', () => `{"inputs":[${INPUT}],"outputs":[${parts(() => '{}')}]}`],
  ['parameters', 'models/m/generate', () => `{${parts((i) => `"p${i}":1`)}}`],
  ['parameters', 'models/m/generate', () => `{"parameters":{${parts((i) => `"p${i}":1`)}}}`],
  ['parameters', 'repository/models/m/load', () => `{"parameters":{${parts((i) => `"file:1/${i}":""`)}}}`],
])('HTTP: 70000 %s to %s are refused by name', async (what, path, body) => {
  const reply = await wireCall(target.ports.http, { path: `/v2/${path}`, body: body() });
  expect(reply.status).toBe(400);
  expect(reply.text).toMatch(new RegExp(`request has 7000[0-9] ${what}, which exceeds the maximum of 65536`));
});

test('HTTP: a shape of 2000 dimensions, and a document of millions of members, are refused by name', async () => {
  const path = '/v2/models/m/infer';
  const shape = Array.from({ length: 2000 }, () => 1).join(',');
  const many = `{"inputs":[{"name":"INPUT0","datatype":"INT32","shape":[${shape}],"data":[1]}]}`;
  const deep = await wireCall(target.ports.http, { path, body: many });
  expect([deep.status, deep.text]).toEqual([
    400,
    `{"error":"shape of input 'INPUT0' has more than 1024 dimensions"}`,
  ]);
  await expectLinear(target, 12_000_000, async (count) => {
    const members = '"":0,'.repeat(count);
    const reply = await wireCall(target.ports.http, { path, body: `{${members}"inputs":[]}` });
    expect(reply.status).toBe(500);
    expect(reply.text).toContain('More than 1000000 objects and members');
  });
});

test('gRPC: too many parts are refused by name', async () => {
  const parts = <T>(make: (i: number) => T): T[] => range(TOO_MANY, make);
  const refused = async (message: object): Promise<unknown> => {
    const { code, details } = await grpc.call('ModelInfer', { model_name: 'm', ...message });
    return [code, details];
  };
  const limit = (what: string): unknown => [
    3,
    `request has 70000 ${what}, which exceeds the maximum of 65536`,
  ];
  expect(await refused({ inputs: parts(input) })).toEqual(limit('inputs'));
  expect(await refused({ outputs: parts((i) => ({ name: `${i}` })) })).toEqual(limit('outputs'));
  const parameters = Object.fromEntries(parts((i) => [`p${i}`, { bool_param: true }] as const));
  expect(await refused({ parameters })).toEqual(limit('parameters'));
  const shape = Array.from({ length: 2000 }, () => '1');
  expect(await refused({ inputs: [{ name: 'INPUT0', datatype: 'INT32', shape }] })).toEqual([
    3,
    `shape of input 'INPUT0' has more than 1024 dimensions`,
  ]);
  // An unknown field with an empty value, over and over.
  const junk = await grpc.call('ModelInfer', Buffer.alloc(4_000_000, Buffer.from([0x98, 0x06, 0x00])));
  expect([junk.code, junk.details]).toEqual([
    3,
    'request has at least 1000001 fields, which exceeds the maximum of 1000000',
  ]);
});

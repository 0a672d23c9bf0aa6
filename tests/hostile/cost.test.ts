// Requests with very many small parts: what they cost grows with their size, not with its square. Each would take the
// server many seconds if any step on their way looked through all parts for each part.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { wireCall } from '../../src-main/testing/wire-http.ts';
import { echo } from '../conformance/checklist/checklist-models.ts';
import { GrpcCaller, int32Bytes } from '../conformance/checklist/grpc-caller.ts';
import { rawExchange } from './raw-socket.ts';
import { Target } from './target.ts';

/** Quadratic work on this many parts takes more than ten seconds, linear work less than a tenth of that. */
const MANY = 40_000;
const MAX_CPU_MS = 3000;

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

/** CPU milliseconds of the server for an action. */
async function costOf(action: () => Promise<unknown>): Promise<number> {
  const before = await target.facts();
  await action();
  return (await target.facts()).cpuMs - before.cpuMs;
}

const many = (part: (i: number) => string): string =>
  Array.from({ length: MANY }, (_, i) => part(i)).join(',');
const INPUT = '{"name":"INPUT0","datatype":"INT32","shape":[1],"data":[1]}';

const BODIES: Readonly<Record<string, () => readonly [path: string, body: string]>> = {
  parameters: () => ['models/m/infer', `{"parameters":{${many((i) => `"p${i}":${i}`)}},"inputs":[${INPUT}]}`],
  'the same parameter': () => [
    'models/m/infer',
    `{"parameters":{${many(() => '"p":1')}},"inputs":[${INPUT}]}`,
  ],
  inputs: () => ['models/m/infer', `{"inputs":[${many((i) => INPUT.replace('INPUT0', `i${i}`))}]}`],
  outputs: () => ['models/m/infer', `{"inputs":[${INPUT}],"outputs":[${many((i) => `{"name":"o${i}"}`)}]}`],
  'members of an input': () => [
    'models/m/infer',
    `{"inputs":[{${many((i) => `"x${i}":0`)},"name":"INPUT0","datatype":"INT32","shape":[1],"data":[1]}]}`,
  ],
  dimensions: () => [
    'models/m/infer',
    `{"inputs":[{"name":"INPUT0","datatype":"INT32","shape":[${many(() => '4294967291')}],"data":[1]}]}`,
  ],
  'nested arrays': () => [
    'models/m/infer',
    `{"inputs":[{"name":"INPUT0","datatype":"INT32","shape":[1],"data":${'['.repeat(MANY)}1${']'.repeat(MANY)}}]}`,
  ],
  'generate parameters': () => ['models/m/generate', `{"INPUT0":[1],${many((i) => `"p${i}":${i}`)}}`],
  'nested generate parameters': () => [
    'models/m/generate',
    `{"INPUT0":[1],"parameters":{${many((i) => `"p${i}":${i}`)}}}`,
  ],
  'files of a load': () => [
    'repository/models/m/load',
    `{"parameters":{"config":"{}",${many((i) => `"file:1/f${i}":""`)}}}`,
  ],
  'settings of a trace': () => ['trace/setting', `{${many((i) => `"x${i}":0`)},"trace_rate":"5"}`],
  'settings of a log': () => ['logging', `{${many((i) => `"x${i}":0`)},"log_verbose_level":0}`],
};

test.each(Object.keys(BODIES))('HTTP: %s', async (name) => {
  const [path, body] = BODIES[name]?.() ?? ['', ''];
  const cost = await costOf(async () => {
    const reply = await wireCall(target.ports.http, { path: `/v2/${path}`, body });
    expect([200, 400, 404, 500]).toContain(reply.status);
  });
  expect(cost).toBeLessThan(MAX_CPU_MS);
});

test.each([
  ['Accept-Encoding', `a,${' '.repeat(60_000)};x`],
  ['Accept-Encoding', 'gzip;q=0.1,'.repeat(5000)],
  ['Host', `localhost${':1'.repeat(30_000)}`],
  ['Origin', '/:'.repeat(30_000)],
  ['User-Agent', 'a'.repeat(60_000)],
  ['Inference-Header-Content-Length', `${' '.repeat(30_000)}+${'1'.repeat(30_000)}x`],
  ['Content-Length', '0'.repeat(60_000)],
  ['endpoint-load-metrics-format', ' '.repeat(60_000)],
  ['traceparent', '00-'.repeat(20_000)],
  ['Authorization', `Bearer ${' '.repeat(60_000)}`],
])('HTTP: header %s', async (name, value) => {
  const path = '/v2/models/m/infer';
  const request = `POST ${path} HTTP/1.1\r\nConnection: close\r\n${name}: ${value}\r\n\r\n`;
  expect(await costOf(() => rawExchange(target.ports.http, request))).toBeLessThan(MAX_CPU_MS);
});

test('HTTP: many header lines', async () => {
  const lines = Array.from({ length: 15_000 }, (_, i) => `${i}:\r\n`).join('');
  const request = `POST /v2/models/m/infer HTTP/1.1\r\nConnection: close\r\n${lines}\r\n`;
  expect(await costOf(() => rawExchange(target.ports.http, request))).toBeLessThan(MAX_CPU_MS);
});

test('HTTP: many pipelined requests', async () => {
  const request = 'GET /v2/health/live HTTP/1.1\r\n\r\n'.repeat(20_000);
  const cost = await costOf(async () => {
    const { received } = await rawExchange(
      target.ports.http,
      `${request}GET /v2 HTTP/1.1\r\nConnection: close\r\n\r\n`,
      {
        timeoutMs: 60_000,
      },
    );
    expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(20_001);
  });
  expect(cost).toBeLessThan(2 * MAX_CPU_MS);
});

const range = <T>(make: (i: number) => T): T[] => Array.from({ length: MANY }, (_, i) => make(i));
const byName = <T>(make: (i: number) => T): Record<string, T> =>
  Object.fromEntries(range((i) => [`p${i}`, make(i)] as const));
const input = (i: number): object => ({
  name: i === 0 ? 'INPUT0' : `i${i}`,
  datatype: 'INT32',
  shape: ['1'],
});

const MESSAGES: Readonly<Record<string, () => object>> = {
  parameters: () => ({ parameters: byName((i) => ({ int64_param: String(i) })) }),
  inputs: () => ({ inputs: range(input), raw_input_contents: range(() => int32Bytes(1)) }),
  outputs: () => ({ outputs: range((i) => ({ name: `o${i}` })) }),
  dimensions: () => ({ inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: range(() => '4294967291') }] }),
  'parameters of an input': () => ({
    inputs: [
      { name: 'INPUT0', datatype: 'INT32', shape: ['1'], parameters: byName(() => ({ bool_param: true })) },
    ],
  }),
  'parameters of an output': () => ({
    outputs: [{ name: 'OUTPUT0', parameters: byName(() => ({ bool_param: true })) }],
  }),
  'raw contents': () => ({ raw_input_contents: range(() => Buffer.alloc(0)) }),
};

test.each(Object.keys(MESSAGES))('gRPC: %s', async (name) => {
  const whole = {
    inputs: [input(0)],
    raw_input_contents: [int32Bytes(1)],
    model_name: 'm',
    ...MESSAGES[name]?.(),
  };
  const cost = await costOf(async () => {
    expect([0, 3, 5, 13]).toContain((await grpc.call('ModelInfer', whole)).code);
  });
  expect(cost).toBeLessThan(MAX_CPU_MS);
});

test('gRPC: many requests on a stream that reads nothing meanwhile', async () => {
  const count = 20_000;
  const request = { model_name: 'm', inputs: [input(0)], raw_input_contents: [int32Bytes(1)] };
  const cost = await costOf(async () => {
    const stream = grpc.stream();
    for (let i = 0; i < count; i += 1) stream.send(request);
    stream.end();
    await stream.status;
    expect(stream.messages).toHaveLength(count);
  });
  expect(cost).toBeLessThan(4 * MAX_CPU_MS);
});

const TOO_MANY = 70_000;
const parts = (part: (i: number) => string): string =>
  Array.from({ length: TOO_MANY }, (_, i) => part(i)).join(',');

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
  const cost = await costOf(async () => {
    const members = '"":0,'.repeat(8_000_000);
    const reply = await wireCall(target.ports.http, { path, body: `{${members}"inputs":[]}` });
    expect(reply.status).toBe(500);
    expect(reply.text).toContain('More than 1000000 objects and members');
  });
  expect(cost).toBeLessThan(MAX_CPU_MS);
});

test('gRPC: too many parts are refused by name', async () => {
  const parts = <T>(make: (i: number) => T): T[] => Array.from({ length: TOO_MANY }, (_, i) => make(i));
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

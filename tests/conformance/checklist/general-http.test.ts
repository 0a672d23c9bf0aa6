// Checklist: general HTTP.

import { afterAll, beforeAll, expect } from 'vitest';
import { wireRaw } from '../../../src-main/testing/wire-http.ts';
import { parseServeOptions } from '../../../src-main/cli/serve-options.ts';
import { checklist } from './checklist.ts';
import { echo } from './checklist-models.ts';
import { ChecklistServer } from './checklist-server.ts';

let server: ChecklistServer;

beforeAll(async () => {
  server = await ChecklistServer.start({
    ...echo('m', 'FP32', [8]),
    ...echo('texts', 'BYTES', [-1]),
    ...echo('longs', 'INT64', [-1]),
  });
});
afterAll(() => server.close());

const METHODS = ['GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'CONNECT'];

/** Known URL -> methods that are not refused with 405. */
const ROUTES: Readonly<Record<string, string>> = {
  '/v2': 'GET',
  '/v2/health/live': 'GET',
  '/v2/health/ready': 'GET',
  '/v2/models/m': 'GET',
  '/v2/models/m/versions/1': 'GET',
  '/v2/models/m/ready': 'GET',
  '/v2/models/m/config': 'GET',
  '/v2/models/m/stats': 'GET',
  '/v2/models/stats': 'GET',
  '/v2/models/m/infer': 'POST',
  '/v2/models/m/versions/1/infer': 'POST',
  '/v2/models/m/generate': 'POST',
  '/v2/models/m/generate_stream': 'POST',
  '/v2/models/m/trace/setting': 'GET POST',
  '/v2/trace/setting': 'GET POST',
  '/v2/logging': 'GET POST',
  '/v2/repository/index': 'POST',
  '/v2/repository/models/m/load': 'POST',
  '/v2/repository/models/m/unload': 'POST',
  '/v2/systemsharedmemory/status': 'GET',
  '/v2/systemsharedmemory/region/r/register': 'POST',
  '/v2/systemsharedmemory/region/r/unregister': 'POST',
  '/v2/systemsharedmemory/unregister': 'POST',
  '/v2/cudasharedmemory/status': 'GET',
  '/v2/cudasharedmemory/region/r/register': 'POST',
  '/v2/cudasharedmemory/unregister': 'POST',
};

/** Status of a bare request that asks for the connection to be closed. */
async function statusOf(method: string, target: string): Promise<number> {
  const reply = await wireRaw(
    server.httpPort,
    `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
  return Number(/^HTTP\/1\.1 (\d+) /.exec(reply)?.[1]);
}

const post = (path: string, body: string, headers = {}) => server.post(path, body, headers);
const nested = (depth: number, element: string): string => '['.repeat(depth) + element + ']'.repeat(depth);
const oneElement = (datatype: string, data: string): string =>
  `{"inputs":[{"name":"INPUT0","datatype":"${datatype}","shape":[1],"data":${data}}]}`;

checklist('General HTTP', {
  'every method on every known URL gets some reply, wrong ones 405': async () => {
    for (const [target, allowed] of Object.entries(ROUTES)) {
      for (const method of METHODS) {
        const status = await statusOf(method, target);
        if (allowed.split(' ').includes(method)) expect([method, target, status]).not.toContain(405);
        else expect([method, target, status]).toEqual([method, target, 405]);
      }
    }
    // One of the calls above unloaded it.
    expect((await server.http({ path: '/v2/repository/models/m/load', method: 'POST' })).status).toBe(200);
    expect(await server.isLive()).toBe(true);
  },
  'random URL text gets some reply, and the server stays live': async () => {
    for (const target of [
      '/%',
      '/v2/%zz',
      '/v2/models/%00',
      '//v2',
      '/v2/models/a%2Fb',
      '*',
      '/v2?x',
      '/\u00e9',
    ]) {
      expect(await statusOf('GET', target)).toBeGreaterThanOrEqual(200);
    }
    expect(await server.isLive()).toBe(true);
  },
  'unknown paths are 404': async () => {
    for (const path of [
      '/notapi/v2',
      '/v2/notapi',
      '/v2/models/notapi/foo',
      '/',
      '/v2/',
      '/v2/models',
      '/metrics',
    ]) {
      expect(await server.answer({ path })).toEqual([404, '{"error":"Not Found"}']);
    }
  },
  'a wrong method is 405': async () => {
    expect(await server.answer({ path: '/v2/models/m/infer' })).toEqual([
      405,
      '{"error":"Method Not Allowed"}',
    ]);
    expect((await server.http({ path: '/v2', method: 'HEAD' })).headers['content-length']).toBeDefined();
  },
  'a chunked raw request with Content-Length beside works': async () => {
    const bytes = Buffer.from(Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8).buffer).toString('latin1');
    const head = `POST /v2/models/m/infer HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nInference-Header-Content-Length: 0\r\nContent-Length: 32\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const whole = Buffer.from(`${head}20\r\n${bytes}\r\n0\r\n\r\n`, 'latin1');
    const reply = await wireRaw(server.httpPort, whole);
    expect(reply).toMatch(/^HTTP\/1\.1 200 /);
    expect(reply.endsWith(bytes)).toBe(true);
  },
  '65537 tiny chunks are 400': async () => {
    const head = `POST /v2/models/m/infer HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const reply = await wireRaw(server.httpPort, `${head}${'1\r\nx\r\n'.repeat(65_537)}0\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1\.1 400 [\s\S]*Chunked request body exceeds maximum of 65536/);
    expect(await server.isLive()).toBe(true);
  },
  'Inference-Header-Content-Length 99999999999 is 400, live afterwards': async () => {
    const reply = await post('m/infer', '{}', { 'Inference-Header-Content-Length': '99999999999' });
    expect([reply.status, reply.text]).toEqual([
      400,
      '{"error":"Unable to parse Inference-Header-Content-Length, value is out of range [ -2147483648, 2147483647 ], got: 99999999999"}',
    ]);
    expect(await server.isLive()).toBe(true);
  },
  'a header length above the body is 400': async () => {
    const reply = await post('m/infer', '{}', { 'Inference-Header-Content-Length': '3' });
    expect([reply.status, reply.text]).toEqual([
      400,
      '{"error":"inference header size should be in range (0, 2), got: 3"}',
    ]);
  },
  '250000 nested arrays in the index `ready` are 400, live afterwards': async () => {
    const body = `{"ready":${nested(250_000, '1')}}`;
    const reply = await server.http({ path: '/v2/repository/index', body });
    expect([reply.status, reply.text]).toEqual([
      400,
      `{"error":"Invalid value for 'ready': expected a boolean"}`,
    ]);
    expect(await server.isLive()).toBe(true);
  },
  'JSON data nested 50 deep is taken, 120 deep refused, BYTES and INT64': async () => {
    for (const [name, datatype, element] of [
      ['texts', 'BYTES', '"a"'],
      ['longs', 'INT64', '1'],
    ] as const) {
      expect((await post(`${name}/infer`, oneElement(datatype, nested(50, element)))).status).toBe(200);
      const deep = await post(`${name}/infer`, oneElement(datatype, nested(120, element)));
      expect([deep.status, deep.text]).toEqual([
        400,
        expect.stringContaining('JSON nesting depth exceeds maximum allowed limit (100)'),
      ]);
    }
  },
  'a maximum input size of 0 or below refuses to start': () => {
    for (const size of ['0', '-1']) {
      expect(() => parseServeOptions(['--model-repository=/m', `--http-max-input-size=${size}`])).toThrow(
        '--http-max-input-size must be greater than 0',
      );
    }
  },
  'a restricted API with no, wrong and right header': async () => {
    await using restricted = await ChecklistServer.start(echo('m', 'INT32', [1]), {
      http: {
        restricted: [
          { categories: ['model-repository', 'health'], header: 'X-Admin', value: 'secret' },
          { categories: ['inference'], header: 'x-user', value: 'u' },
        ],
      },
    });
    const refusal = [403, `{"error":"This API is restricted, expecting header 'X-Admin'"}`];
    const path = '/v2/repository/index';
    expect(await restricted.answer({ path, method: 'POST' })).toEqual(refusal);
    expect(await restricted.answer({ path, method: 'POST', headers: { 'x-admin': 'Secret' } })).toEqual(
      refusal,
    );
    // Before the method is looked at.
    expect(await restricted.answer({ path })).toEqual(refusal);
    expect(await restricted.answer({ path: '/v2/models/m/ready' })).toEqual(refusal);
    expect((await restricted.http({ path, method: 'POST', headers: { 'X-ADMIN': 'secret' } })).status).toBe(
      200,
    );
    expect((await restricted.http({ path: '/v2/models/m' })).status).toBe(200);
    expect((await restricted.post('m/generate', '{}')).status).toBe(403);
  },
});

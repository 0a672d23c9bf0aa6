// Management routes over real sockets: routing, methods, health, metadata and large bodies.

import { describe, expect, test } from 'vitest';
import { managementServer } from './management-server.ts';

const fixture = await managementServer();

const NOT_FOUND = '{"error":"Not Found"}';
const NOT_ALLOWED = '{"error":"Method Not Allowed"}';

describe('routing', () => {
  test.each([
    '/',
    '/v2/',
    '/v2x',
    '/V2',
    '/v2/models',
    '/v2/models/',
    '/v2/notapi',
    '/notapi/v2',
    '/v2/models/m/foo',
    '/v2/models/m/',
    '/v2/models/m/versions/v1',
    '/v2/models/m/versions/1/trace/setting',
    '/v2/models/m/versions',
    '/v2/models/m/versions/1/',
    '/v2/health',
    '/v2/health/live/',
    '/v2/repository/models/m',
    '/v2/repository//index',
    '/v2/repository/a/b/index',
    '/metrics',
    '/v2/systemsharedmemory',
    '/v2/systemsharedmemory/region//status',
    '/v2/othersharedmemory/status',
    '/v2/trace',
    '/v2/logging/',
  ])('answers 404 to %s whatever the method', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const reply = await fixture.call({ path, method });
      expect([reply.status, reply.text]).toEqual([404, NOT_FOUND]);
    }
  });

  test.each([
    ['/v2', 'POST'],
    ['/v2/health/live', 'PUT'],
    ['/v2/health/ready', 'POST'],
    ['/v2/models/m', 'POST'],
    ['/v2/models/m/ready', 'DELETE'],
    ['/v2/models/m/config', 'POST'],
    ['/v2/models/stats', 'POST'],
    ['/v2/models/m/infer', 'GET'],
    ['/v2/models/m/generate', 'GET'],
    ['/v2/models/m/generate_stream', 'PATCH'],
    ['/v2/repository/index', 'GET'],
    ['/v2/repository/models/m/load', 'GET'],
    ['/v2/systemsharedmemory/status', 'POST'],
    ['/v2/systemsharedmemory/region/r/register', 'GET'],
    ['/v2/cudasharedmemory/unregister', 'GET'],
    ['/v2/logging', 'OPTIONS'],
    ['/v2/trace/setting', 'PUT'],
  ])('answers 405 to %s with %s', async (path, method) => {
    const reply = await fixture.call({ path, method });
    expect([reply.status, reply.text]).toEqual([405, NOT_ALLOWED]);
  });

  test('ignores the query and decodes names', async () => {
    const reply = await fixture.call({ path: '/v2/models/with%20blank?a=b&c=%2F' });
    expect((JSON.parse(reply.text) as { name: string }).name).toBe('with blank');
  });
});

describe('health and metadata', () => {
  test.each([
    ['/v2/health/live', 200, 'text/plain', ''],
    ['/v2/health/ready', 200, 'text/plain', ''],
    ['/v2/models/m/ready', 200, 'text/plain', ''],
    ['/v2/models/m/versions/3/ready', 200, 'text/plain', ''],
    ['/v2/models/m/versions/2/ready', 400, 'application/json', '{"error":"Model version not ready"}'],
    ['/v2/models/nope/ready', 400, 'application/json', '{"error":"Model version not ready"}'],
    ['/v2/models/loading/ready', 400, 'application/json', '{"error":"Model version not ready"}'],
  ])('%s is %i', async (path, status, type, text) => {
    const { headers, ...reply } = await fixture.call({ path });
    expect([reply.status, headers['content-type'], reply.text, headers['content-length']]).toEqual([
      status,
      type,
      text,
      String(text.length),
    ]);
  });

  test('is not ready with an empty 400, and says when it is exiting', async () => {
    fixture.service.isServerReady = false;
    const unready = await fixture.call({ path: '/v2/health/ready' });
    expect([unready.status, unready.text]).toEqual([400, '']);
    fixture.service.isStopping = true;
    const exiting = await fixture.call({ path: '/v2/health/live' });
    expect([exiting.status, exiting.text]).toEqual([503, '{"error":"Server exiting"}']);
  });

  test.each([
    ['/v2', '{"name":"triton","version":"2.73.0","extensions":["classification","sequence"]}'],
    [
      '/v2/models/m',
      '{"name":"m","versions":["1","3"],"platform":"fake","inputs":[{"name":"INPUT0","datatype":"INT32","shape":[-1]}],"outputs":[{"name":"OUTPUT0","datatype":"INT32","shape":[-1]}]}',
    ],
    ['/v2/models/m/versions/3', '"versions":["3"]'],
    [
      '/v2/models/m/config',
      '"max_batch_size":0,"input":[{"name":"INPUT0","data_type":"TYPE_INT32","format":"FORMAT_NONE","dims":[-1]',
    ],
    [
      '/v2/models/m/stats',
      '{"model_stats":[{"name":"m","version":"1","last_inference":7,"inference_count":3,"execution_count":2,"inference_stats":{"success":{"count":2,"ns":10},"fail":{"count":0,"ns":0},"queue":{"count":2,"ns":1}',
    ],
  ])('GET %s', async (path, part) => {
    const reply = await fixture.call({ path });
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe('application/json');
    expect(reply.text).toContain(part);
  });

  test('addresses all models by /v2/models/stats', async () => {
    const reply = await fixture.call({ path: '/v2/models/stats' });
    expect((JSON.parse(reply.text) as { model_stats: unknown[] }).model_stats).toHaveLength(3);
  });

  test('answers 400 to statistics of an unknown model', async () => {
    const reply = await fixture.call({ path: '/v2/models/nope/stats' });
    expect([reply.status, reply.text]).toEqual([400, `{"error":"requested model 'nope' is not available"}`]);
  });
});

describe('large bodies of management calls', () => {
  const filler = `"x":[${'{"a":1},'.repeat(50_000)}1]`;

  test.each([
    ['/v2/repository/index', `{${filler},"ready":1}`, 400, "Invalid value for 'ready': expected a boolean"],
    ['/v2/repository/index', `{${filler}`, 500, 'failed to parse the request JSON buffer'],
    ['/v2/logging', `{${filler},"log_info":1}`, 500, 'attempt to access JSON non-boolean as boolean'],
    ['/v2/trace/setting', `{${filler},"trace_rate":5}`, 500, 'attempt to access JSON non-string as string'],
    [
      '/v2/repository/models/m/unload',
      `{"parameters":{${filler},"unload_dependents":"x"}}`,
      500,
      "Unable to parse 'unload_dependents': ",
    ],
    ['/v2/systemsharedmemory/region/r/register', `{${filler}}`, 400, "has no 'key' field"],
  ])('%s means what a small one means', async (path, body, status, message) => {
    const reply = await fixture.call({ path, body });
    expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(message)]);
  });
});

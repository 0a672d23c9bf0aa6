// Management routes over real sockets: routing, methods, health, metadata, repository, shared memory and settings.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ServerError, unavailable } from '../../../src-shared/errors.ts';
import { HttpFixture, echoConfig } from '../../../src-main/testing/http-fixture.ts';

let fixture: HttpFixture;

beforeAll(async () => {
  fixture = await HttpFixture.start({
    maxInputByteSize: 1_000_000,
    models: [
      { config: echoConfig('m', ['TYPE_INT32']), versions: ['1', '3'] },
      { config: echoConfig('with blank', ['TYPE_INT32']) },
      { config: echoConfig('loading', ['TYPE_INT32']), isUnready: true },
    ],
  });
});

beforeEach(() => {
  fixture.service.isStopping = false;
  fixture.service.isServerReady = true;
  fixture.service.loadError = undefined;
});

afterAll(() => fixture.close());

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

describe('repository', () => {
  test('lists the index with empty and with JSON body', async () => {
    const all = await fixture.call({ path: '/v2/repository/index', method: 'POST' });
    expect(all.text).toContain('{"name":"m","version":"3","state":"READY"}');
    expect(all.text).toContain('{"name":"never_loaded"}');
    const ready = await fixture.call({ path: '/v2/repository/any/index', body: '{"ready":true}' });
    expect(ready.text).not.toContain('never_loaded');
  });

  test.each([
    [
      `{"ready":${'['.repeat(250_000)}${']'.repeat(250_000)}}`,
      400,
      "Invalid value for 'ready': expected a boolean",
    ],
    ['{"ready":1}', 400, "Invalid value for 'ready': expected a boolean"],
    ['{', 500, 'failed to parse the request JSON buffer: '],
    [
      'x'.repeat(1_000_001),
      400,
      'request JSON size of 1000001 bytes exceeds the maximum allowed input size of 1000000 bytes. Use --http-max-input-size to increase the limit.',
    ],
  ])('refuses an index body (%#)', async (body, status, message) => {
    const reply = await fixture.call({ path: '/v2/repository/index', body });
    expect(reply.status).toBe(status);
    expect(reply.text).toContain(message);
    expect((await fixture.call({ path: '/v2/health/live' })).status).toBe(200);
  });

  test('loads with configuration and files, small and large', async () => {
    for (const size of [3, 400_000]) {
      const content = Buffer.alloc(size, 'ab');
      const parameters = {
        config: '{"max_batch_size":"16"}',
        'file:1/model.onnx': content.toString('base64'),
      };
      const reply = await fixture.call({
        path: '/v2/repository/models/m/load',
        body: JSON.stringify({ parameters }),
      });
      expect([reply.status, reply.text]).toEqual([200, '']);
      const load = fixture.service.loads.at(-1);
      expect(load?.parameters.configJson).toBe(parameters.config);
      expect(Buffer.from(load?.parameters.files?.get('1/model.onnx') ?? []).equals(content)).toBe(true);
    }
  });

  test.each([
    [
      '/v2/repository/models/m/load',
      '{"parameters":{"other":"x"}}',
      500,
      'unexpected error on creating Triton parameter',
    ],
    [
      '/v2/repository/models/m/load',
      '{"parameters":{"config":{}}}',
      500,
      'attempt to access JSON non-string as string',
    ],
    ['/v2/repository/models/m/load', 'no', 500, 'failed to parse the request JSON buffer'],
    ['/v2/repository/r/models/m/load', '', 501, "'repository_name' specification is not supported"],
    ['/v2/repository/r/models/m/unload', '', 501, "'repository_name' specification is not supported"],
    [
      '/v2/repository/models/m/unload',
      '{"parameters":{"unload_dependents":"x"}}',
      500,
      "Unable to parse 'unload_dependents': ",
    ],
  ])('refuses %s with %s', async (path, body, status, message) => {
    const reply = await fixture.call({ path, body });
    expect([reply.status, (JSON.parse(reply.text) as { error: string }).error]).toEqual([
      status,
      expect.stringContaining(message),
    ]);
  });

  test('passes on the fault of a load, and unloads with dependents', async () => {
    fixture.service.loadError = unavailable(
      'explicit model load / unload is not allowed if polling is enabled',
    );
    const refused = await fixture.call({ path: '/v2/repository/models/m/load', method: 'POST' });
    expect([refused.status, refused.text]).toEqual([
      503,
      '{"error":"explicit model load / unload is not allowed if polling is enabled"}',
    ]);
    const reply = await fixture.call({
      path: '/v2/repository/models/m/unload',
      body: '{"parameters":{"unload_dependents":true}}',
    });
    expect([reply.status, reply.text]).toEqual([200, '']);
    expect(fixture.service.unloads.at(-1)).toEqual({ name: 'm', unloadDependents: true });
  });
});

describe('shared memory', () => {
  const register = (region: string, body: object): Promise<{ status: number; text: string }> =>
    fixture.call({ path: `/v2/systemsharedmemory/region/${region}/register`, body: JSON.stringify(body) });

  test('registers, lists, is used in inference, unregisters', async () => {
    expect((await register('in', { key: '/in', offset: 0, byte_size: 8 })).status).toBe(200);
    expect((await register('in', { key: '/in', byte_size: 8 })).text).toContain(
      "shared memory region 'in' already in manager",
    );
    const status = await fixture.call({ path: '/v2/systemsharedmemory/status' });
    expect(status.text).toBe('[{"name":"in","key":"/in","offset":0,"byte_size":8}]');
    fixture.service.systemSharedMemory.write('in', 0, 8, Uint8Array.of(5, 0, 0, 0, 6));
    const place = { shared_memory_region: 'in', shared_memory_byte_size: 8 };
    const input = { name: 'INPUT0', datatype: 'INT32', shape: [2], parameters: place };
    expect((await fixture.infer('m', { inputs: [input] })).text).toContain('"data":[5,6]');
    const shared = await fixture.infer('m', {
      inputs: [input],
      outputs: [{ name: 'OUTPUT0', parameters: place }],
    });
    expect(shared.text).toContain('"outputs":[{"name":"OUTPUT0","datatype":"INT32","shape":[2]}]');
    const small = await fixture.infer('m', {
      inputs: [input],
      outputs: [{ name: 'OUTPUT0', parameters: { ...place, shared_memory_byte_size: 7 } }],
    });
    expect([small.status, small.text]).toEqual([
      500,
      `{"error":"shared memory size specified with the request for output 'OUTPUT0' (7 bytes) should be at least 8 bytes to hold the results"}`,
    ]);
    const path = '/v2/systemsharedmemory/region/in/unregister';
    expect((await fixture.call({ path, method: 'POST' })).status).toBe(200);
    expect((await fixture.call({ path, method: 'POST' })).status).toBe(200);
    expect((await fixture.call({ path: '/v2/systemsharedmemory/region/in/status' })).status).toBe(404);
  });

  test('refuses places whose end overflows', async () => {
    await register('wide', { key: '/in', byte_size: 8 });
    const body = `{"inputs":[{"name":"INPUT0","datatype":"INT32","shape":[2],"parameters":{"shared_memory_region":"wide","shared_memory_offset":1,"shared_memory_byte_size":18446744073709551615}}]}`;
    const reply = await fixture.infer('m', body);
    expect(reply.text).toBe(
      `{"error":"Integer overflow detected: byte_size (18446744073709551615) + offset (1) exceeds maximum value (18446744073709551615) for region 'wide'"}`,
    );
  });

  test.each([
    [
      '/v2/systemsharedmemory/register',
      '{}',
      400,
      "'region name' is necessary to register system shared memory region",
    ],
    [
      '/v2/cudasharedmemory/register',
      '{}',
      400,
      "'region name' is necessary to register cuda shared memory region",
    ],
    ['/v2/systemsharedmemory/region/r/register', '', 500, 'The document is empty.'],
    [
      '/v2/systemsharedmemory/region/r/register',
      '{"byte_size":4}',
      400,
      "Shared memory register request has no 'key' field",
    ],
    [
      '/v2/systemsharedmemory/region/r/register',
      '{"key":"/r"}',
      400,
      "Shared memory register request has no 'byte_size' field",
    ],
    ['/v2/systemsharedmemory/region/r/register', '{"key":1,"byte_size":4}', 500, 'non-string as string'],
    ['/v2/systemsharedmemory/region/r/register', '{"key":"/r","byte_size":-4}', 500, 'non-unsigned-integer'],
    [
      '/v2/cudasharedmemory/region/r/register',
      '{"byte_size":4}',
      400,
      "Shared memory register request has no 'raw_handle' field",
    ],
    [
      '/v2/cudasharedmemory/region/r/register',
      '{"raw_handle":{"b64":"AA=="},"device_id":0,"byte_size":4}',
      400,
      "'raw_handle' must be a valid base64 encoded cudaIpcMemHandle_t",
    ],
    [
      '/v2/cudasharedmemory/region/r/register',
      '{"raw_handle":{"b64":"AA=="},"device_id":0}',
      500,
      "non-existing object member 'byte_size'",
    ],
  ])('refuses %s with %s', async (path, body, status, message) => {
    const reply = await fixture.call({ path, body });
    expect([reply.status, (JSON.parse(reply.text) as { error: string }).error]).toEqual([
      status,
      expect.stringContaining(message),
    ]);
  });

  test('passes on that client shared memory is disabled', async () => {
    const text =
      "Client shared memory is disabled. Start the server with '--allow-client-shm=true' to enable.";
    fixture.service.systemSharedMemory.refusal = new ServerError('UNSUPPORTED', text);
    const reply = await register('r', { key: '/r', byte_size: 4 });
    expect([reply.status, reply.text]).toEqual([501, JSON.stringify({ error: text })]);
    fixture.service.systemSharedMemory.refusal = undefined;
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

describe('settings', () => {
  const TRACE =
    '{"trace_level":["OFF"],"trace_rate":"1000","trace_count":"-1","log_frequency":"0","trace_file":"trace.json","trace_mode":"triton"}';

  test.each(['[]', '5', '{}'])('names no settings with %s', async (body) => {
    const reply = await fixture.call({ path: '/v2/trace/setting', body });
    expect([reply.status, reply.text]).toEqual([200, TRACE]);
    expect((await fixture.call({ path: '/v2/logging', body })).status).toBe(200);
  });

  test('reads and changes trace settings', async () => {
    expect((await fixture.call({ path: '/v2/trace/setting' })).text).toBe(TRACE);
    const body =
      '{"trace_level":["TIMESTAMPS"],"trace_rate":"5","trace_count":null,"unknown":1,"trace_mode":"x"}';
    expect((await fixture.call({ path: '/v2/models/m/trace/setting', body })).text).toBe(TRACE);
    const update = fixture.service.traceUpdates.at(-1);
    expect([update?.modelName, [...(update?.change ?? [])]]).toEqual([
      'm',
      [
        ['trace_level', ['TIMESTAMPS']],
        ['trace_rate', ['5']],
        ['trace_count', undefined],
      ],
    ]);
  });

  test.each([
    [
      '/v2/trace/setting',
      '{"trace_file":null}',
      501,
      'trace file location can not be updated through network protocol',
    ],
    ['/v2/trace/setting', '{"trace_rate":5}', 500, 'attempt to access JSON non-string as string'],
    ['/v2/trace/setting', '{"trace_level":"OFF"}', 500, 'non-array as array'],
    ['/v2/trace/setting', '{', 500, 'failed to parse the request JSON buffer'],
    ['/v2/models/missing/trace/setting', '{}', 400, 'Request for unknown model : missing'],
    ['/v2/logging', '{"log_info":1}', 500, 'attempt to access JSON non-boolean as boolean'],
    ['/v2/logging', '{"log_info":"false"}', 500, 'non-boolean'],
    ['/v2/logging', '{"log_info":False}', 500, 'Invalid value.'],
    ['/v2/logging', '{"log_verbose_level":-1}', 500, 'non-unsigned-integer'],
    ['/v2/logging', '{"log_verbose_level":"1"}', 500, 'non-unsigned-integer'],
    ['/v2/logging', '{"log_format":"other"}', 503, 'invalid argument for --log_format, got: other'],
    ['/v2/logging', '{"log_format":1}', 500, 'non-string'],
  ])('refuses %s with %s', async (path, body, status, message) => {
    const reply = await fixture.call({ path, body });
    expect([reply.status, (JSON.parse(reply.text) as { error: string }).error]).toEqual([
      status,
      expect.stringContaining(message),
    ]);
  });

  test('refuses a log file with exactly this body', async () => {
    const reply = await fixture.call({ path: '/v2/logging', body: '{"log_file":"x"}' });
    expect([reply.status, reply.text]).toEqual([
      501,
      '{"error":"log file location can not be updated through network protocol"}',
    ]);
  });

  test('applies log settings before the faulty one, ignores null and unknown keys', async () => {
    await fixture.call({
      path: '/v2/logging',
      body: '{"log_format":"bad","log_warning":false,"log_info":true,"log_file":null,"x":1}',
    });
    const reply = await fixture.call({ path: '/v2/logging' });
    expect(reply.text).toBe(
      '{"log_file":"","log_info":true,"log_warning":false,"log_error":true,"log_verbose_level":0,"log_format":"default"}',
    );
  });
});

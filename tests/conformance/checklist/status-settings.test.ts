// Checklist: status, statistics, trace and log settings.

import { afterAll, beforeAll, expect } from 'vitest';
import { checklist } from './checklist.ts';
import { configText, echo } from './checklist-models.ts';
import { ChecklistServer } from './checklist-server.ts';
import { int32Bytes } from './grpc-caller.ts';

let server: ChecklistServer;

beforeAll(async () => {
  server = await ChecklistServer.start({
    'versions/config.pbtxt': configText({
      inputs: [['INPUT0', 'INT32', [1]]],
      more: 'version_policy { all {} }',
    }),
    ...Object.fromEntries([1, 2, 3].map((version) => [`versions/${version}/`, ''])),
    ...echo('counted', 'INT32', [1], { maxBatchSize: 8, more: 'dynamic_batching {}' }),
    ...echo('traced', 'INT32', [1]),
  });
});
afterAll(() => server.close());

const get = async (path: string): Promise<readonly [number, unknown]> => {
  const { status, text } = await server.http({ path });
  return [status, JSON.parse(text)];
};
const post = async (path: string, body: object | string): Promise<readonly [number, unknown]> => {
  const { status, text } = await server.http({
    path,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return [status, JSON.parse(text)];
};
const error = (text: unknown) => ({ error: text });

interface Duration {
  readonly count: number;
  readonly ns: number;
}
interface Statistics {
  readonly last_inference: number;
  readonly inference_count: number;
  readonly execution_count: number;
  readonly inference_stats: Readonly<Record<string, Duration>>;
  readonly response_stats: object;
  readonly batch_stats: readonly { readonly batch_size: number; readonly compute_infer: Duration }[];
}

const TRACE = '/v2/trace/setting';
const MODEL_TRACE = '/v2/models/traced/trace/setting';
const DEFAULTS = {
  trace_level: ['OFF'],
  trace_rate: '1000',
  trace_count: '-1',
  log_frequency: '0',
  trace_file: '',
  trace_mode: 'triton',
};
const grpcTrace = async (message: object): Promise<unknown> => {
  const { code, details, response } = await server.grpc.call('TraceSetting', { ...message });
  const settings = response?.['settings'] as Record<string, { readonly value: string[] }> | undefined;
  if (settings === undefined) return [code, details];
  return Object.fromEntries(
    Object.entries(settings).map(([key, { value }]) => [key, key === 'trace_level' ? value : value[0]]),
  );
};

checklist('Status, statistics, settings', {
  'metadata of the server, of a model with versions 1..3, with an explicit version': async () => {
    const [status, metadata] = await get('/v2');
    expect(status).toBe(200);
    expect(metadata).toEqual({
      name: 'triton',
      version: '2.73.0',
      extensions: [
        'classification',
        'sequence',
        'model_repository',
        'model_repository(unload_dependents)',
        'schedule_policy',
        'model_configuration',
        'system_shared_memory',
        'cuda_shared_memory',
        'binary_tensor_data',
        'parameters',
        'statistics',
        'trace',
        'logging',
      ],
    });
    const shown = (versions: readonly string[]) => ({
      name: 'versions',
      versions,
      platform: 'identity',
      inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [1] }],
      outputs: [{ name: 'OUTPUT0', datatype: 'INT32', shape: [1] }],
    });
    expect(await get('/v2/models/versions')).toEqual([200, shown(['1', '2', '3'])]);
    expect(await get('/v2/models/versions/versions/2')).toEqual([200, shown(['2'])]);
    const batched = await get('/v2/models/counted');
    expect(batched[1]).toMatchObject({ inputs: [{ shape: [-1, 1] }] });
    const { response } = await server.grpc.call('ModelMetadata', { name: 'versions', version: '3' });
    expect(response).toMatchObject({ versions: ['3'], inputs: [{ shape: ['1'] }] });
  },
  'metadata of a missing model or version': async () => {
    for (const [path, name, version, words] of [
      ['nowhere', 'nowhere', '', "Request for unknown model: 'nowhere' is not found"],
      [
        'versions/versions/99',
        'versions',
        '99',
        "Request for unknown model: 'versions' version 99 is not found",
      ],
    ] as const) {
      expect(await get(`/v2/models/${path}`)).toEqual([404, error(words)]);
      expect(await get(`/v2/models/${path}/config`)).toEqual([404, error(words)]);
      for (const rpc of ['ModelMetadata', 'ModelConfig']) {
        expect(await server.grpc.call(rpc, { name, version })).toMatchObject({ code: 5, details: words });
      }
    }
  },
  'statistics of an unloaded version': async () => {
    const words = "requested model version is not available for model 'versions'";
    expect(await get('/v2/models/versions/versions/9/stats')).toEqual([400, error(words)]);
    expect(await server.grpc.call('ModelStatistics', { name: 'versions', version: '9' })).toMatchObject({
      code: 3,
      details: words,
    });
    const unknown = "requested model 'nowhere' is not available";
    expect(await get('/v2/models/nowhere/stats')).toEqual([400, error(unknown)]);
    expect(await server.grpc.call('ModelStatistics', { name: 'nowhere' })).toMatchObject({
      code: 3,
      details: unknown,
    });
  },
  'counts after n requests': async () => {
    const infer = (batch: number, datatype = 'INT32') =>
      server.grpc.call('ModelInfer', {
        model_name: 'counted',
        inputs: [{ name: 'INPUT0', datatype, shape: [batch, 1] }],
        raw_input_contents: [int32Bytes(...Array<number>(batch).fill(1))],
      });
    for (const batch of [1, 8, 1]) expect((await infer(batch)).code).toBe(0);
    expect((await infer(1, 'FP32')).code).toBe(3);
    const [, reply] = await get('/v2/models/counted/stats');
    const [stats] = (reply as { model_stats: [Statistics] }).model_stats;
    expect(Object.keys(stats)).toEqual([
      'name',
      'version',
      'last_inference',
      'inference_count',
      'execution_count',
      'inference_stats',
      'response_stats',
      'batch_stats',
      'memory_usage',
    ]);
    expect([stats.inference_count, stats.execution_count, stats.response_stats]).toEqual([10, 3, {}]);
    const counts = Object.entries(stats.inference_stats).map(([key, { count }]) => [key, count]);
    expect(Object.fromEntries(counts)).toEqual({
      success: 3,
      // Refused before it was a request of the model.
      fail: 0,
      queue: 3,
      compute_input: 3,
      compute_infer: 3,
      compute_output: 3,
      cache_hit: 0,
      cache_miss: 0,
    });
    expect(stats.batch_stats.map((batch) => [batch.batch_size, batch.compute_infer.count])).toEqual([
      [1, 2],
      [8, 1],
    ]);
    const ns = (key: string): number => stats.inference_stats[key]?.ns ?? 0;
    expect(ns('success')).toBeGreaterThanOrEqual(
      ns('queue') + ns('compute_input') + ns('compute_infer') + ns('compute_output'),
    );
    expect(stats.last_inference).toBeGreaterThan(1.7e12);
    const { response } = await server.grpc.call('ModelStatistics', { name: 'counted' });
    expect(response).toMatchObject({
      model_stats: [
        { inference_count: '10', execution_count: '3', inference_stats: { success: { count: '3' } } },
      ],
    });
  },
  'trace settings: read, update and clear on both protocols': async () => {
    expect(await get(TRACE)).toEqual([200, DEFAULTS]);
    expect(await post(TRACE, { trace_rate: '5', log_frequency: '7' })).toEqual([
      200,
      { ...DEFAULTS, trace_rate: '5', log_frequency: '7' },
    ]);
    expect(await post(MODEL_TRACE, { trace_rate: '9' })).toEqual([
      200,
      { ...DEFAULTS, trace_rate: '9', log_frequency: '7' },
    ]);
    // A global change reaches the keys that the model does not set itself.
    await post(TRACE, { trace_rate: '6', trace_count: '10' });
    const overridden = { ...DEFAULTS, trace_rate: '9', trace_count: '10', log_frequency: '7' };
    expect(await get(MODEL_TRACE)).toEqual([200, overridden]);
    expect(await grpcTrace({ model_name: 'traced' })).toEqual(overridden);
    expect(await grpcTrace({ model_name: 'traced', settings: { trace_rate: { value: [] } } })).toEqual({
      ...overridden,
      trace_rate: '6',
    });
    expect(await post(TRACE, { trace_rate: null, trace_count: null })).toEqual([
      200,
      { ...DEFAULTS, log_frequency: '7' },
    ]);
    expect(await grpcTrace({ settings: { log_frequency: { value: [] } } })).toEqual(DEFAULTS);
    const words = 'Request for unknown model : nowhere';
    expect(await get('/v2/models/nowhere/trace/setting')).toEqual([400, error(words)]);
    expect(await post('/v2/models/nowhere/trace/setting', {})).toEqual([400, error(words)]);
    // Whatever else is wrong.
    expect(await post('/v2/models/nowhere/trace/setting', { trace_file: 'x' })).toEqual([400, error(words)]);
    expect(await grpcTrace({ model_name: 'nowhere' })).toEqual([3, words]);
  },
  'trace settings that are refused': async () => {
    const refusal = async (body: object): Promise<unknown> => {
      const [status, reply] = await post(TRACE, body);
      return [status, (reply as { error: string }).error];
    };
    const file = 'trace file location can not be updated through network protocol';
    for (const value of ['x', null]) expect(await refusal({ trace_file: value })).toEqual([501, file]);
    for (const value of [[], ['x'], ['x', 'y']])
      expect(await grpcTrace({ settings: { trace_file: { value } } })).toEqual([12, file]);
    expect(await refusal({ trace_level: ['OFF', 'TIMESTAMPS'] })).toEqual([
      400,
      "Expect only one trace level 'OFF' is specified",
    ]);
    expect(await refusal({ trace_rate: 'x' })).toEqual([400, "Unable to parse 'trace_rate', got: x"]);
    expect(await refusal({ trace_rate: '99999999999' })).toEqual([
      400,
      "Unable to parse 'trace_rate', value is out of range [ 0, 4294967295 ], got: 99999999999",
    ]);
    expect(await refusal({ trace_count: '-2' })).toEqual([
      400,
      expect.stringMatching(/Unable to parse 'trace_count'.*Expecting value >= -1/),
    ]);
    expect(await refusal({ trace_rate: 5 })).toEqual([500, 'attempt to access JSON non-string as string']);
    expect(await grpcTrace({ settings: { trace_rate: { value: ['1', '2'] } } })).toEqual([
      3,
      "expect only 1 value for 'trace_rate'",
    ]);
    expect(await refusal({ trace_level: ['TIMESTAMPS'] })).toEqual([
      400,
      expect.stringContaining('Attempting to set invalid trace setting'),
    ]);
    expect(await get(TRACE)).toEqual([200, DEFAULTS]);
  },
  'trace settings of a model after unload and after reload': async () => {
    expect((await get(MODEL_TRACE))[0]).toBe(200);
    await server.http({ path: '/v2/repository/models/traced/unload', method: 'POST' });
    expect(await get(MODEL_TRACE)).toEqual([400, error('Request for unknown model : traced')]);
    expect(await grpcTrace({ model_name: 'traced' })).toEqual([3, 'Request for unknown model : traced']);
    await server.http({ path: '/v2/repository/models/traced/load', method: 'POST' });
    expect(await get(MODEL_TRACE)).toEqual([200, DEFAULTS]);
  },
  'trace settings are checked one after another, each whole before the next': async () => {
    const alone = "Expect only one trace level 'OFF' is specified";
    const value = (...texts: string[]) => ({ value: texts });
    const settings = { log_frequency: value('1', '2'), trace_level: value('OFF', 'TIMESTAMPS') };
    expect(await grpcTrace({ settings })).toEqual([3, alone]);
    const wrong = { trace_rate: ['7'], trace_level: ['OFF', 'TIMESTAMPS'] };
    expect(await post(TRACE, wrong)).toEqual([400, error(alone)]);
    const range = "Unable to parse 'trace_rate', value is out of range [ 0, 4294967295 ], got: 99999999999";
    expect(await post(TRACE, { trace_count: ['7'], trace_rate: '99999999999' })).toEqual([400, error(range)]);
    expect(await post(TRACE, '\u0000')).toEqual([
      500,
      error('failed to parse the request JSON buffer: The document is empty. at 0'),
    ]);
    expect(await get(TRACE)).toEqual([200, DEFAULTS]);
  },
  'log settings: read, update, wrong types, `log_file`': async () => {
    const path = '/v2/logging';
    const defaults = {
      log_file: '',
      log_info: true,
      log_warning: true,
      log_error: true,
      log_verbose_level: 0,
      log_format: 'default',
    };
    expect((await server.http({ path })).text).toBe(JSON.stringify(defaults));
    const change = { log_info: false, log_verbose_level: 2, log_format: 'ISO8601', log_error: null };
    expect(await post(path, change)).toEqual([
      200,
      { ...defaults, log_info: false, log_verbose_level: 2, log_format: 'ISO8601' },
    ]);
    for (const body of [
      '{"log_info":1}',
      '{"log_info":"false"}',
      '{"log_info":False}',
      '{"log_verbose_level":-1}',
      '{"log_verbose_level":"1"}',
      '{"log_format":1}',
    ]) {
      expect((await post(path, body))[0]).toBe(500);
    }
    const file = 'log file location can not be updated through network protocol';
    expect(await server.answer({ path, body: '{"log_file":"x"}' })).toEqual([501, `{"error":"${file}"}`]);
    expect(await post(path, { log_format: 'x' })).toEqual([
      503,
      error('invalid argument for --log_format, got: x'),
    ]);
    const set = (key: string, value: object) =>
      server.grpc.call('LogSettings', { settings: { [key]: value } });
    for (const [key, value, code, words] of [
      ['log_file', { string_param: 'x' }, 12, file],
      ['log_info', { uint32_param: 1 }, 3, "expect boolean for 'log_info'"],
      ['log_verbose_level', { string_param: '1' }, 3, "expect int32 for 'log_verbose_level'"],
      ['log_format', { bool_param: true }, 3, "expect string for 'log_format'"],
      ['log_format', { string_param: 'x' }, 3, 'invalid argument for log_format, got: x'],
    ] as const) {
      expect(await set(key, value)).toMatchObject({ code, details: words });
    }
    // One after another in an order of their own; those before a faulty one stay.
    const several = await server.grpc.call('LogSettings', {
      settings: {
        log_format: { uint32_param: 5 },
        log_verbose_level: { string_param: '1' },
        log_warning: { bool_param: false },
      },
    });
    expect(several).toMatchObject({ code: 3, details: "expect int32 for 'log_verbose_level'" });
    expect(await get(path)).toMatchObject([200, { log_warning: false, log_format: 'ISO8601' }]);
    expect((await set('log_verbose_level', { uint32_param: 0 })).response).toMatchObject({
      settings: { log_verbose_level: { uint32_param: 0 }, log_info: { bool_param: false } },
    });
  },
});

// Stored settings as options of the engine, and the engine's options as a command line.

import { expect, test } from 'vitest';

import type { SettingValue } from '../../src-shared/contract/setting-definition.ts';
import type { EngineOptions } from './engine-options.ts';
import { defaultEngineOptions } from './engine-options.ts';
import { applySettings, outrankedSettings } from './option-settings.ts';
import { shownCommand, tritonCommand } from './print-command.ts';

function settings(values: Record<string, SettingValue>) {
  return { get: (key: string) => values[key] ?? '', isChanged: (key: string) => key in values };
}

test('a stored setting counts where the command line is silent', () => {
  const stored = settings({
    'server.httpPort': 9100,
    'server.gpuPolicy': 'strict',
    'server.responseCacheBytes': 0,
  });
  const engine = applySettings(defaultEngineOptions, new Set(['http-port']), stored);
  expect(engine.http.port).toBe(8000);
  expect(engine.backends.gpuPolicy).toBe('strict');
  expect(engine.cache).toEqual(defaultEngineOptions.cache);
});

test('every setting of the server reaches the options that it stands for', () => {
  const engine = applySettings(
    { ...defaultEngineOptions, repository: { ...defaultEngineOptions.repository, startupModels: ['*'] } },
    new Set(),
    settings({
      'server.controlMode': 'poll',
      'server.pollSecs': 3,
      'server.configProfile': 'gpu',
      'server.loadThreads': 2,
      'server.rateLimiter': true,
      'server.metricsIntervalMs': 500,
      'server.metricsSummaries': true,
      'server.allowOrigins': 'https://a.example, https://b.example',
      'server.intraOpThreads': 2,
      'server.interOpThreads': 0,
      'server.gpuProviders': 'webgpu cuda',
      'server.grpcKeepaliveMs': 1000,
      'server.grpcMaxAgeMs': 60_000,
      'server.traceLevel': 'TIMESTAMPS TENSORS',
      'server.traceFile': '/traces/a b.json',
    }),
  );
  expect(engine.repository).toMatchObject({
    controlMode: 'poll',
    pollSec: 3,
    modelConfigName: 'gpu',
    loadThreadCount: 2,
    startupModels: [],
  });
  expect(engine.rateLimit.mode).toBe('execution_count');
  expect(engine.metrics).toMatchObject({ intervalMs: 500, settings: [['summary_latencies', 'true']] });
  expect(engine.http.allowedOrigins).toEqual(['https://a.example', 'https://b.example']);
  expect(engine.backends.settings).toEqual([
    { backend: 'onnxruntime', key: 'intra_op_thread_count', value: '2' },
    { backend: 'onnxruntime', key: 'gpu-providers', value: 'webgpu cuda' },
  ]);
  expect(engine.grpc).toMatchObject({ keepaliveTimeMs: 1000, maxConnectionAgeMs: 60_000 });
  expect(engine.trace.settings).toEqual([
    { mode: '', key: 'level', value: 'TIMESTAMPS' },
    { mode: '', key: 'level', value: 'TENSORS' },
    { mode: 'triton', key: 'file', value: '/traces/a b.json' },
  ]);
});

test('an option with many keys outranks the setting of that key alone', () => {
  const backends = {
    ...defaultEngineOptions.backends,
    settings: [backendSetting('intra_op_thread_count', '8')],
  };
  const parsed = { ...defaultEngineOptions, backends };
  const given = new Set(['backend-config', 'grpc-address']);
  const stored = settings({
    'server.intraOpThreads': 2,
    'server.gpuProviders': 'cuda',
    'server.address': '0.0.0.0',
  });
  const engine = applySettings(parsed, given, stored);
  expect(engine.backends.settings).toEqual([
    backendSetting('intra_op_thread_count', '8'),
    backendSetting('gpu-providers', 'cuda'),
  ]);
  expect([engine.http.address, engine.grpc.address]).toEqual(['0.0.0.0', '127.0.0.1']);
  expect(outrankedSettings(parsed, given)).toEqual(new Map([['server.intraOpThreads', 'backend-config']]));
});

function backendSetting(key: string, value: string) {
  return { backend: 'onnxruntime', key, value };
}

test('the models to load at the start are named in explicit mode', () => {
  const repository = {
    ...defaultEngineOptions.repository,
    controlMode: 'explicit',
    startupModels: ['*'],
  } as const;
  const start = (names: string) =>
    applySettings(
      { ...defaultEngineOptions, repository },
      new Set(),
      settings({ 'server.loadAtStart': names }),
    ).repository.startupModels;
  expect(start('simple, batch_mlp')).toEqual(['simple', 'batch_mlp']);
  expect(start('')).toEqual([]);
});

test('without stored settings nothing changes', () => {
  expect(applySettings(defaultEngineOptions, new Set(), settings({}))).toBe(defaultEngineOptions);
});

test('the command line of the reference has what settings set', () => {
  const stored = settings({
    'server.allowClientShm': true,
    'server.grpcPingStrikes': 0,
    'server.metricsHistograms': true,
    'server.traceRate': 5,
    'server.traceFile': '/t.json',
    'server.gpuProviders': 'cuda',
    'experimental.modelNamespacing': true,
  });
  expect(tritonCommand(applySettings(defaultEngineOptions, new Set(), stored), { repositories: [] })).toBe(
    'tritonserver --model-namespacing=true --grpc-http2-max-ping-strikes=0 ' +
      '--metrics-config=histogram_latencies=true --trace-config=rate=5 --trace-config=triton,file=/t.json ' +
      '--backend-config=onnxruntime,gpu-providers=cuda --allow-client-shm=true',
  );
});

test('where the command line is shown, names stand for its secrets', () => {
  const { grpc, cache } = defaultEngineOptions;
  const engine: EngineOptions = {
    ...defaultEngineOptions,
    grpc: { ...grpc, restricted: [{ categories: ['health'], header: 'admin', value: 'hush' }] },
    cache: {
      ...cache,
      name: 'redis',
      settings: [
        ['size', '1024'],
        ['password', 'hush'],
      ],
    },
  };
  expect(tritonCommand(engine, { repositories: [] })).toContain('hush');
  const shown = shownCommand(engine, { repositories: [] });
  expect(shown).not.toContain('hush');
  expect(shown).toContain('<TRITON_GRPC_RESTRICTED_KEY_1>');
  expect(shown).toContain('<TRITON_CACHE_PASSWORD>');
});

test('the command line of the reference names what differs from its defaults', () => {
  const { server, repository } = defaultEngineOptions;
  const engine = {
    ...defaultEngineOptions,
    grpc: { ...defaultEngineOptions.grpc, port: 0 },
    // A program of its own there, whose options tritonserver would refuse.
    openai: { ...defaultEngineOptions.openai, enabled: true, tokenizer: '/tokenizer' },
    server: { ...server, strictReadiness: false },
    repository: { ...repository, controlMode: 'explicit', startupModels: ['*'] } as const,
  };
  expect(tritonCommand(engine, { http: 9000, repositories: ['/my models'] })).toBe(
    "tritonserver '--model-repository=/my models' --strict-readiness=false --model-control-mode=explicit " +
      "'--load-model=*' --http-port=9000 --grpc-port=0",
  );
});

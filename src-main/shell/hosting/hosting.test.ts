// What both shells do before an engine starts: settings, ports, folders.

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { SettingValue } from '../../options/setting-definition.ts';
import { SETTINGS } from '../../control/settings-table.ts';
import { defaultEngineOptions } from '../../options/engine-options.ts';
import { applySettings, outrankedSettings } from './apply-settings.ts';
import { loadsInParallel } from './hosted-server.ts';
import { isPortFree, portSettings, portsToKeep, withPreviousPorts } from './choose-ports.ts';
import { backendDefaultLines } from './start-tables.ts';
import type { StartWorkInput } from './start-work.ts';
import { rememberRepositories, withStartWork } from './start-work.ts';
import { tritonCommand } from './triton-command.ts';
import { userDataFolder } from './user-data.ts';

function settings(values: Record<string, SettingValue>) {
  return { get: (key: string) => values[key] ?? '', isChanged: (key: string) => key in values };
}

test('tells which settings backends are given, and which of them the user chose', () => {
  const setting = (value: string) => ({ backend: '', key: 'default-max-batch-size', value });
  const backends = { ...defaultEngineOptions.backends, settings: [setting('5'), setting('7')] };
  expect(backendDefaultLines({ ...defaultEngineOptions, backends })).toEqual([
    'Adding default backend config setting: auto-complete-config,true',
    'Adding default backend config setting: backend-directory,/opt/tritonserver/backends',
    'Adding default backend config setting: min-compute-capability,7.500000',
    'Found overwritten default setting: default-max-batch-size,7',
  ]);
});

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

test('every setting of the server has an option or a reason to have none', () => {
  const unread = SETTINGS.filter(({ key }) => /^(server|experimental)\./.test(key)).filter(
    ({ key, defaultValue }) => {
      const other =
        typeof defaultValue === 'boolean' ? !defaultValue : typeof defaultValue === 'number' ? 77 : 'poll';
      const stored = settings({ [key]: other });
      return applySettings(defaultEngineOptions, new Set(), stored) === defaultEngineOptions;
    },
  );
  expect(unread.map(({ key }) => key)).toEqual([]);
});

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

async function occupy(): Promise<{ port: number } & AsyncDisposable> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

function engineOn(httpPort: number) {
  const { http, grpc, metrics } = defaultEngineOptions;
  return {
    ...defaultEngineOptions,
    http: { ...http, port: httpPort },
    grpc: { ...grpc, port: 0 },
    metrics: { ...metrics, address: '127.0.0.1', port: 0 },
  };
}

test('a taken port is kept: the window offers others', async () => {
  await using taken = await occupy();
  expect(await isPortFree('127.0.0.1', taken.port)).toBe(false);
  const engine = engineOn(taken.port);
  expect(await withPreviousPorts(engine, {})).toEqual(engine);
});

test('after a restart the ports of the engine before come first', async () => {
  const free = await occupy();
  await free[Symbol.asyncDispose]();
  expect((await withPreviousPorts(engineOn(0), { http: free.port })).http.port).toBe(free.port);
  await using taken = await occupy();
  expect((await withPreviousPorts(engineOn(0), { http: taken.port })).http.port).toBe(0);
  expect((await withPreviousPorts(engineOn(8000), { http: taken.port })).http.port).toBe(taken.port);
});

test('disabled endpoints are left alone', async () => {
  const options = engineOn(8000);
  const off = { ...options, http: { ...options.http, enabled: false } };
  expect(await withPreviousPorts(off, { http: 9000 })).toEqual(off);
});

test('a port whose setting was changed is not kept over a restart', () => {
  const before = portSettings(settings({ 'server.httpPort': 8000, 'server.grpcPort': 8001 }));
  const now = settings({ 'server.httpPort': 9100, 'server.grpcPort': 8001 });
  expect(portsToKeep({ http: 8000, grpc: 4711 }, before, now)).toEqual({ grpc: 4711 });
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
    'tritonserver --model-namespacing=true --grpc-http2-max-ping-strikes=0 --allow-client-shm=true ' +
      '--metrics-config=histogram_latencies=true --trace-config=rate=5 --trace-config=triton,file=/t.json ' +
      '--backend-config=onnxruntime,gpu-providers=cuda',
  );
});

test('the command line of the reference names what differs from its defaults', () => {
  const { server, repository } = defaultEngineOptions;
  const engine = {
    ...engineOn(8000),
    server: { ...server, strictReadiness: false },
    repository: { ...repository, controlMode: 'explicit', startupModels: ['*'] } as const,
  };
  expect(tritonCommand(engine, { http: 9000, repositories: ['/my models'] })).toBe(
    "tritonserver '--model-repository=/my models' --model-control-mode=explicit '--load-model=*' " +
      '--strict-readiness=false --http-port=9000 --grpc-port=0 --metrics-port=0',
  );
});

async function startWork(input: Partial<StartWorkInput> & { readonly userDataPath: string }) {
  const repository = {
    ...defaultEngineOptions.repository,
    controlMode: 'explicit',
    startupModels: ['*'],
  } as const;
  const { paths, startupModels } = await withStartWork({
    repository,
    isWithoutSamples: false,
    work: undefined,
    ...input,
  });
  return { paths, startupModels };
}

describe('what is opened at the start', () => {
  let userDataPath: string;
  beforeAll(async () => {
    userDataPath = await mkdtemp(path.join(os.tmpdir(), 'conch-hosting-'));
  });
  afterAll(() => rm(userDataPath, { recursive: true }));

  test('nothing, when asked for and nothing was open before', async () => {
    expect((await startWork({ userDataPath, isWithoutSamples: true })).paths).toEqual([]);
  });

  test('the samples but the broken one', async () => {
    const { paths, startupModels } = await startWork({ userDataPath });
    expect(paths).toEqual([path.join(userDataPath, 'samples')]);
    expect(startupModels).toContain('batch_mlp');
    expect(startupModels).not.toContain('broken_dims');
  });

  test('after a crash, what was loaded, and not what was unloaded', async () => {
    const samples = path.join(userDataPath, 'samples');
    const work = { repositories: [samples], loaded: ['broken_dims'], unloaded: ['simple'] };
    const { startupModels } = await startWork({ userDataPath, work });
    expect(startupModels).toContain('broken_dims');
    expect(startupModels).not.toContain('simple');
  });

  test('what was open when the app was last used', async () => {
    await rememberRepositories(userDataPath, ['/somewhere']);
    expect(await startWork({ userDataPath, isWithoutSamples: true })).toEqual({
      paths: ['/somewhere'],
      startupModels: ['*'],
    });
  });
});

test.each([
  ['linux', { XDG_CONFIG_HOME: '/xdg' }, path.join('/xdg', 'conch')],
  ['win32', { APPDATA: '/roaming' }, path.join('/roaming', 'conch')],
] as const)('user data on %s', (platform, environment, folder) => {
  expect(userDataFolder(undefined, environment, platform)).toBe(folder);
  expect(userDataFolder('/chosen', environment, platform)).toBe(path.resolve('/chosen'));
});

test.each([
  [undefined, undefined],
  ['', undefined],
  ['1', true],
  ['0', false],
  ['off', false],
])('TRITON_PARALLEL_INSTANCE_LOADING %j: %s', (text, expected) => {
  expect(loadsInParallel(text)).toBe(expected);
});

// What both shells do before an engine starts: settings, ports, folders.

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { SettingValue } from '../../../src-shared/contract/setting-definition.ts';
import { defaultEngineOptions } from '../../options/engine-options.ts';
import { loadsInParallel } from './hosted-server.ts';
import { isPortFree, portSettings, portsToKeep, withPreviousPorts } from './choose-ports.ts';
import type { StartWorkInput } from './start-work.ts';
import { rememberRepositories, withStartWork } from './start-work.ts';
import { userDataFault, userDataFolder } from './user-data.ts';

function settings(values: Record<string, SettingValue>) {
  return { get: (key: string) => values[key] ?? '', isChanged: (key: string) => key in values };
}

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

test('a folder for user data that cannot be written is named with the reason; one that can is left as it is', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'conch-user-data-'));
  try {
    const wanted = path.join(folder, 'new', 'conch');
    expect(userDataFault(wanted)).toBeUndefined();
    expect(await readdir(wanted)).toEqual([]);
    const file = path.join(folder, 'file');
    await writeFile(file, '');
    expect(userDataFault(path.join(file, 'conch'))).toMatch(
      /^The folder '.*conch', where Conch keeps its own files, cannot be written: Not a directory\./,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
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

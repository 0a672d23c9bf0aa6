// What both shells do before an engine starts: settings, ports, folders.

import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';

import type { SettingValue } from '../../control/settings-table.ts';
import { defaultEngineOptions } from '../../engine-options.ts';
import { applySettings } from './apply-settings.ts';
import { choosePorts, isPortFree } from './choose-ports.ts';
import { userDataFolder } from './user-data.ts';

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

test('a taken port is exchanged with a note, unless it was asked for', async () => {
  await using taken = await occupy();
  expect(await isPortFree('127.0.0.1', taken.port)).toBe(false);
  const exchanged = await choosePorts(engineOn(taken.port), new Set(), {});
  expect(exchanged.engine.http.port).toBe(0);
  expect(exchanged.notes).toEqual([`port ${taken.port} is in use; http takes a free one instead`]);
  const asked = await choosePorts(engineOn(taken.port), new Set(['http-port']), {});
  expect(asked.engine.http.port).toBe(taken.port);
});

test('after a restart the ports of the engine before come first', async () => {
  const free = await occupy();
  await free[Symbol.asyncDispose]();
  const { engine, notes } = await choosePorts(engineOn(0), new Set(['http-port']), { http: free.port });
  expect([engine.http.port, notes]).toEqual([free.port, []]);
});

test('disabled endpoints are left alone', async () => {
  await using taken = await occupy();
  const options = engineOn(taken.port);
  const off = { ...options, http: { ...options.http, enabled: false } };
  expect((await choosePorts(off, new Set(), {})).notes).toEqual([]);
});

test.each([
  ['linux', { XDG_CONFIG_HOME: '/xdg' }, path.join('/xdg', 'conch')],
  ['win32', { APPDATA: '/roaming' }, path.join('/roaming', 'conch')],
] as const)('user data on %s', (platform, environment, folder) => {
  expect(userDataFolder(undefined, environment, platform)).toBe(folder);
  expect(userDataFolder('/chosen', environment, platform)).toBe(path.resolve('/chosen'));
});

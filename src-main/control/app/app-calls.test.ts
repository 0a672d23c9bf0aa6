// Calls about the app itself, as the window makes them: providers and their self-test, our own data, licences.

import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { ControlWorld } from '../../testing/control-world.ts';
import { playgroundRequest, startControlWorld, typedInput } from '../../testing/control-world.ts';
import { licencesOf } from './licences.ts';

let world: ControlWorld;
let dataPath: string;

beforeAll(async () => {
  world = await startControlWorld(['simple']);
  dataPath = path.dirname(world.repositoryPath);
}, 60_000);

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

test('the CPU provider is there and computes what plain code computes', async () => {
  const { providers } = await world.client.call('runtime/view', {});
  expect(providers.find(({ name }) => name === 'cpu')).toEqual({ name: 'cpu', isUsable: true });
  const result = await world.client.call('runtime/selfTest', { provider: 'cpu' });
  expect(result.message).toMatch(/^It works: a small model ran 10 times, at best in \d+\.\d\d ms\.$/);
  expect(result.isOk).toBe(true);
});

test('a provider that the library was not built for fails its self-test with the words of the runtime', async () => {
  const result = await world.client.call('runtime/selfTest', { provider: 'nonsense' });
  expect(result.isOk).toBe(false);
  expect(result.message).toContain('nonsense');
});

test('deleting all takes runs, saved requests and uploads, and nothing else', async () => {
  const inputs = ['INPUT0', 'INPUT1'].map((name) => typedInput(name, 'INT32', [1, 16], Array(16).fill(1)));
  const request = playgroundRequest('simple', inputs);
  await world.client.call('playground/save', { id: '', name: 'kept', request, withExpectation: false });
  await mkdir(path.join(dataPath, 'uploads'), { recursive: true });
  await writeFile(path.join(dataPath, 'uploads/part'), '12345');
  const before = new Map((await world.client.call('data/usage', {})).map((entry) => [entry.kind, entry]));
  expect(before.get('uploads')).toMatchObject({ fileCount: 1, byteSize: 5 });
  expect(before.get('runs-and-requests')?.fileCount).toBe(1);
  const { movedTo } = await world.client.call('data/deleteAll', {});
  expect(movedTo).not.toBe(undefined);
  expect(await world.client.call('playground/savedList', { model: 'simple' })).toEqual([]);
  const after = new Map((await world.client.call('data/usage', {})).map((entry) => [entry.kind, entry]));
  expect(after.get('uploads')?.fileCount).toBe(0);
  expect(await readdir(world.repositoryPath)).toContain('simple');
  expect((await world.client.call('data/deleteAll', {})).movedTo).toBe(undefined);
});

test('settings are what the form of the Perf lab starts with', async () => {
  await world.client.call('settings/write', { changes: { 'perf.windowMs': 700, 'perf.maxTrials': 4 } });
  const { plan } = await world.client.call('perf/plan', { model: 'simple' });
  expect(plan.measurement).toMatchObject({ intervalMs: 700, maxWindows: 4, stabilityPercent: 10 });
  const file = await world.client.call('settings/readText', {});
  expect(JSON.parse(file.text)).toMatchObject({ 'perf.windowMs': 700 });
});

test('licences name what the app contains, and leave out what only builds it', async () => {
  const names = new Set((await world.client.call('app/licences', {})).map(({ name }) => name));
  for (const name of ['onnxruntime-node', '@grpc/grpc-js', 'react', 'monaco-editor']) {
    expect(names, name).toContain(name);
  }
  for (const name of ['oxlint', 'vitest', 'typescript']) expect(names, name).not.toContain(name);
});

test('packages that a bundled one needs are part of the app', () => {
  const packages = {
    '': { version: '1' },
    'node_modules/react': { version: '19', license: 'MIT', dev: true, dependencies: { helper: '1' } },
    'node_modules/helper': { version: '1.2', license: 'ISC', dev: true },
    'node_modules/linter': { version: '3', license: 'MIT', dev: true },
    'node_modules/server': { version: '4' },
  };
  expect(licencesOf({ packages })).toEqual([
    { name: 'helper', version: '1.2', licence: 'ISC' },
    { name: 'react', version: '19', licence: 'MIT' },
    { name: 'server', version: '4', licence: 'see package' },
  ]);
});

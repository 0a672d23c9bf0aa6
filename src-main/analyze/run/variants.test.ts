// Variants in a server that others use: what is asked of it, and how it is left.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { AnalyzerServer } from './analyzer-server.ts';
import { remoteVariants, servedVariants } from './variants.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'conch-variants-'));
  await mkdir(path.join(folder, 'm'));
  await writeFile(path.join(folder, 'm', 'config.pbtxt'), 'max_batch_size: 4');
});
afterEach(() => rm(folder, { recursive: true }));

/** What a server hears in which `ready` models are loaded. */
function fakeServer(ready: readonly string[]): { readonly server: AnalyzerServer; readonly heard: string[] } {
  const heard: string[] = [];
  const server: AnalyzerServer = {
    endpoints: { http: 'h:1', grpc: 'h:2', metricsUrl: 'http://h:3/metrics' },
    pid: undefined,
    isReady: (model) => Promise.resolve(ready.includes(model)),
    load: (model, config) => Promise.resolve(void heard.push(`load ${model} ${config ?? 'as it is'}`)),
    unload: (model) => Promise.resolve(void heard.push(`unload ${model}`)),
    config: () => Promise.reject(new Error('not asked')),
    close: () => Promise.resolve(),
  };
  return { server, heard };
}

test('a variant takes the place of its model, whose files are those of the server', async () => {
  const { server, heard } = fakeServer([]);
  const variants = remoteVariants(folder, server);
  expect(await variants.configText('m')).toBe('max_batch_size: 4');
  const variant = { model: 'm', name: 'm_config_0', text: 'max_batch_size: 2' };
  expect(await variants.load(variant)).toBe('m');
  const config = JSON.parse(heard[0]?.replace('load m ', '') ?? '') as Record<string, unknown>;
  expect(config).toMatchObject({ max_batch_size: 2 });
  await variants.unload(variant);
  expect(heard).toHaveLength(1);
});

test('without a configuration the server takes its own', async () => {
  const { server, heard } = fakeServer([]);
  await remoteVariants(folder, server).load({ model: 'm', name: 'm_config_default', text: undefined });
  expect(heard).toEqual(['load m as it is']);
});

test('a model that only the server has is no fault', async () => {
  expect(await remoteVariants(folder, fakeServer([]).server).configText('theirs')).toBeUndefined();
});

test.each([
  { ready: ['m'], left: 'load m as it is' },
  { ready: [], left: 'unload m' },
])('in the end the model is as it was: $left', async ({ ready, left }) => {
  const { server, heard } = fakeServer(ready);
  const variants = remoteVariants(folder, server);
  await variants.restore('m');
  expect(heard).toEqual([]);
  for (const size of [1, 2]) {
    await variants.load({ model: 'm', name: `m_config_${size}`, text: `max_batch_size: ${size}` });
  }
  await variants.restore('m');
  expect(heard).toHaveLength(3);
  expect(heard[2]).toBe(left);
});

test('models that are measured as they are served are never loaded', async () => {
  const variants = servedVariants();
  expect(variants.isFixed).toBe(true);
  expect(await variants.load({ model: 'm', name: 'm_config_default', text: undefined })).toBe('m');
});

// Loading, reloading and unloading as clients of the repository calls meet them, with real model files.

import { describe, expect, it } from 'vitest';
import type { RepositoryFiles } from '../../../src-main/testing/temp-repository.ts';
import { adder, ask, CONFIG, explicit } from './adder-models.ts';
import { identity, models, rows } from './wire-world.ts';
import type { WireWorld } from './wire-world.ts';

const ENSEMBLE = `platform: "ensemble" max_batch_size: 4
input [ { name: "I" data_type: TYPE_INT32 dims: [ 2 ] } ] output [ { name: "O" data_type: TYPE_INT32 dims: [ 2 ] } ]
ensemble_scheduling { step [ { model_name: "M" model_version: -1 input_map { key: "I" value: "I" } output_map { key: "O" value: "O" } } ] }`;

const three: RepositoryFiles = {
  'M/config.pbtxt': `${CONFIG} version_policy { all { } }`,
  'M/1/model.onnx': adder(1),
  'M/2/model.onnx': adder(2),
  'M/3/model.onnx': adder(3),
};

const index = async (server: WireWorld, ready = false): Promise<unknown> =>
  (await server.call('repository/index', { ready })).body;
const isReady = async (server: WireWorld): Promise<boolean> =>
  (await fetch(`${server.http}/v2/health/ready`)).status === 200;

describe('explicit control', () => {
  it('starts with nothing, lists folders by name alone, and loads what is asked for', async () => {
    await using server = await explicit({ ...three, 'E/config.pbtxt': ENSEMBLE, 'E/1/': '' });
    expect(await isReady(server)).toBe(true);
    expect(await index(server)).toEqual([{ name: 'E' }, { name: 'M' }]);
    expect(await ask(server, 'M')).toBe(`Request for unknown model: 'M' is not found`);
    expect(await server.load('unknown_model')).toBe(
      `failed to load 'unknown_model', failed to poll from model repository`,
    );
    expect(await server.load('E')).toBe('');
    expect(await ask(server, 'E')).toBe(13);
    expect(await index(server, true)).toEqual([
      { name: 'E', version: '1', state: 'READY' },
      ...['1', '2', '3'].map((version) => ({ name: 'M', version, state: 'READY' })),
    ]);
    expect((await server.call('repository/models/nobody/unload', {})).status).toBe(200);
  });

  it('an ensemble goes with its composing model and comes back with it, unless it was unloaded by name', async () => {
    await using server = await explicit({ ...three, 'E/config.pbtxt': ENSEMBLE, 'E/1/': '' }, ['E']);
    await server.unload('M');
    expect(await ask(server, 'E')).toBe(`Request for unknown model: 'E' has no available versions`);
    expect(await ask(server, 'M', '2')).toBe(
      `Request for unknown model: 'M' version 2 is not at ready state`,
    );
    await expect.poll(() => isReady(server)).toBe(true);
    expect(await server.load('M')).toBe('');
    expect(await ask(server, 'E')).toBe(13);
    await server.unload('M');
    await server.unload('E');
    await server.load('M');
    expect(await ask(server, 'E')).toBe(`Request for unknown model: 'E' has no available versions`);
    expect(await server.load('E')).toBe('');
    await server.unload('E');
    expect(await ask(server, 'M')).toBe(13);
    await server.load('E');
    // M was loaded by name, so it stays even when dependents go.
    await server.unload('E', { unload_dependents: true });
    expect(await ask(server, 'M')).toBe(13);
  });

  it('unload_dependents takes along what nobody asked for by name', async () => {
    await using server = await explicit({ ...three, 'E/config.pbtxt': ENSEMBLE, 'E/1/': '' }, ['E']);
    await server.unload('E', { unload_dependents: true });
    await expect
      .poll(() => index(server))
      .toEqual([
        { name: 'E', version: '1', state: 'UNAVAILABLE', reason: 'unloaded' },
        ...['1', '2', '3'].map((version) => ({
          name: 'M',
          version,
          state: 'UNAVAILABLE',
          reason: 'unloaded',
        })),
      ]);
  });

  it('a broken model fails on every call, in the words of the runtime, and leaves the server usable', async () => {
    await using server = await explicit({
      ...three,
      'B/config.pbtxt': CONFIG,
      'B/1/model.onnx': 'this is no model',
    });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await server.load('B')).toMatch(
        /^load failed for model 'B': version 1 is at UNAVAILABLE state: Internal: onnx runtime error \d+: /,
      );
    }
    expect(await isReady(server)).toBe(false);
    expect(await ask(server, 'B')).toBe(`Request for unknown model: 'B' has no available versions`);
    expect(await server.load('M')).toBe('');
    expect(await ask(server, 'M')).toBe(13);
  });
});

describe('reload', () => {
  it('touching one version rebuilds that one; a new folder adds one; a shared file rebuilds all', async () => {
    await using server = await explicit(three, ['M']);
    const loadedAt = (version: number): unknown => server.model('M', version);
    const before = [1, 2, 3].map(loadedAt);
    await server.repository.touch('M/2/model.onnx');
    await server.repository.write({ 'M/4/model.onnx': adder(4) });
    expect(await server.load('M')).toBe('');
    expect([1, 2, 3].map((version, at) => loadedAt(version) === before[at])).toEqual([true, false, true]);
    expect(await ask(server, 'M')).toBe(14);
    const middle = [1, 2, 3, 4].map(loadedAt);
    await server.repository.write({ 'M/shared.txt': 'x' });
    await server.repository.touch('M/shared.txt');
    expect(await server.load('M')).toBe('');
    expect([1, 2, 3, 4].map((version, at) => loadedAt(version) === middle[at])).toEqual(
      new Array(4).fill(false),
    );
    const last = [1, 2, 3, 4].map(loadedAt);
    expect(await server.load('M')).toBe('');
    expect([1, 2, 3, 4].map((version, at) => loadedAt(version) === last[at])).toEqual(
      new Array(4).fill(true),
    );
  });

  it('without config.pbtxt it serves on until loaded again, then the newest version with a derived configuration', async () => {
    await using server = await explicit(three, ['M']);
    await server.repository.remove('M/config.pbtxt');
    expect(await ask(server, 'M', '1')).toBe(11);
    expect(await server.load('M')).toBe('');
    expect(await ask(server, 'M')).toBe(13);
    expect(await ask(server, 'M', '1')).toBe(
      `Request for unknown model: 'M' version 1 is not at ready state`,
    );
    expect((await server.call('models/M/config')).body).toMatchObject({
      max_batch_size: 4,
      version_policy: { latest: { num_versions: 1 } },
      dynamic_batching: { preferred_batch_size: [4] },
      instance_group: [{ name: 'M', kind: 'KIND_CPU', count: 2 }],
    });
  });

  it('a version that cannot be loaded keeps what served, and nothing of the load is left', async () => {
    const text = `${CONFIG} version_policy { latest { num_versions: 1 } }`;
    await using server = await explicit({ 'M/config.pbtxt': text, 'M/1/model.onnx': adder(1) }, ['M']);
    await server.repository.write({ 'M/2/model.onnx': 'broken' });
    expect(await server.load('M')).toMatch(
      /^load failed for model 'M': version 2 is at UNAVAILABLE state: Internal: onnx runtime error/,
    );
    expect(await ask(server, 'M')).toBe(11);
    expect(await index(server)).toMatchObject([
      { name: 'M', version: '1', state: 'READY' },
      { name: 'M', version: '2', state: 'UNAVAILABLE' },
    ]);
    await server.repository.write({ 'M/2/model.onnx': adder(2) });
    expect(await server.load('M')).toBe('');
    expect(await ask(server, 'M')).toBe(12);
    await expect
      .poll(() => index(server))
      .toEqual([
        { name: 'M', version: '1', state: 'UNAVAILABLE', reason: 'unloaded' },
        { name: 'M', version: '2', state: 'READY' },
      ]);
  });

  it('the old version serves while a slow reload runs, and the server stays ready', async () => {
    const slow = (more = ''): string =>
      identity({ more: `parameters { key: "creation_delay_sec" value { string_value: "10" } } ${more}` });
    await using server = await explicit({ ...models({ S: slow() }), ...three });
    const first = server.load('S');
    await expect.poll(() => server.clock.timerCount).toBeGreaterThan(0);
    expect(await server.during(first)).toBe('');
    await server.repository.write({ 'S/config.pbtxt': slow('metric_tags { key: "a" value: "b" }') });
    await server.repository.touch('S/config.pbtxt');
    const reload = server.load('S');
    await expect.poll(() => server.engine.repository.busyCount).toBe(1);
    expect((await server.send('S', rows(1)).done).status).toBe(200);
    expect(await isReady(server)).toBe(true);
    expect(await server.load('M')).toBe('');
    expect(await server.during(reload)).toBe('');
    expect((await server.call('models/S/config')).body).toMatchObject({ metric_tags: { a: 'b' } });
  });

  it('the metrics count requests that a replaced or unloaded version ends after it has gone', async () => {
    const slow = (maxBatchSize: number): string => identity({ delayMs: 500, maxBatchSize });
    await using server = await explicit(models({ S: slow(8) }), ['S']);
    const successes = async (): Promise<string | undefined> =>
      /nv_inference_request_success\{model="S",version="1"\} (\d+)/.exec(await server.metrics())?.[1];
    const [replaced] = await server.place('S', [rows(1)]);
    await server.repository.write({ 'S/config.pbtxt': slow(4) });
    await server.repository.touch('S/config.pbtxt');
    expect(await server.load('S')).toBe('');
    expect(replaced?.reply).toBeUndefined();
    await server.advance(500);
    expect((await replaced?.done)?.status).toBe(200);
    await expect.poll(successes).toBe('1');
    const [unloaded] = await server.place('S', [rows(1)]);
    await server.unload('S');
    expect(await successes()).toBe('1');
    await server.advance(500);
    expect((await unloaded?.done)?.status).toBe(200);
    await expect.poll(successes).toBeUndefined();
  });

  it('the metrics of an unloaded version go on in a load that began before its last request was over', async () => {
    const more = 'parameters { key: "creation_delay_sec" value { string_value: "10" } }';
    await using server = await explicit(models({ S: identity({ delayMs: 500, more }) }));
    expect(await server.during(server.load('S'))).toBe('');
    const [running] = await server.place('S', [rows(1)]);
    await server.unload('S');
    const loading = server.load('S');
    await expect.poll(() => server.engine.repository.busyCount).toBe(1);
    await server.advance(500);
    expect((await running?.done)?.status).toBe(200);
    await expect.poll(() => server.engine.repository.live).toEqual(['S v1: LOADING']);
    expect(await server.during(loading)).toBe('');
    expect(await server.metrics()).toContain('nv_inference_request_success{model="S",version="1"} 1\n');
  });
});

describe('overrides', () => {
  const override = (change: object): string =>
    JSON.stringify({
      backend: 'onnxruntime',
      max_batch_size: 4,
      input: [{ name: 'I', data_type: 'TYPE_INT32', dims: [2] }],
      output: [{ name: 'O', data_type: 'TYPE_INT32', dims: [2] }],
      ...change,
    });
  const file = (add: number): string => Buffer.from(adder(add)).toString('base64');

  it('a config override stays until a file is newer or the model was unloaded', async () => {
    await using server = await explicit(three, ['M']);
    const original = (await server.call('models/M/config')).body;
    expect(
      await server.load('M', { config: override({ version_policy: { specific: { versions: [2] } } }) }),
    ).toBe('');
    expect(await ask(server, 'M')).toBe(12);
    expect(await ask(server, 'M', '3')).toContain('is not at ready state');
    expect(await server.load('M')).toBe('');
    expect(await ask(server, 'M')).toBe(12);
    await server.repository.touch('M/config.pbtxt');
    expect(await server.load('M')).toBe('');
    expect((await server.call('models/M/config')).body).toEqual(original);
    await server.load('M', { config: override({ version_policy: { specific: { versions: [1] } } }) });
    await server.unload('M');
    expect(await server.load('M')).toBe('');
    expect(await ask(server, 'M')).toBe(13);
  });

  it.each([
    ['text that is no JSON', { config: '{' }],
    ['an empty text', { config: '' }],
    ['blanks, with files', { config: ' ', 'file:1/model.onnx': file(9) }],
    ['an unknown field', { config: '{"backend":"onnxruntime","nonsense":1}' }],
    ['another name', { config: override({ name: 'other' }) }],
    ['files without a config', { 'file:1/model.onnx': file(9) }],
    ['a file outside of the model', { config: override({}), 'file:../x/model.onnx': file(9) }],
  ])('%s is refused, and what served goes on', async (_name, parameters) => {
    await using server = await explicit(three, ['M']);
    expect(await server.load('M', parameters)).toBe(
      `failed to load 'M', failed to poll from model repository`,
    );
    expect(await ask(server, 'M')).toBe(13);
  });

  it('a file whose path begins with a slash lies below the model, and here leaves no version', async () => {
    await using server = await explicit(three, ['M']);
    expect(await server.load('M', { config: override({}), 'file:/tmp/model.onnx': file(9) })).toBe(
      "load failed for model 'M': at least one version must be available under the version policy of model 'M'\n",
    );
    expect(await ask(server, 'M')).toBe(13);
  });

  it('files under a new name make a model with version 1 only; under an old name they replace its versions', async () => {
    await using server = await explicit(three, ['M']);
    expect(await server.load('new', { config: override({}), 'file:1/model.onnx': file(50) })).toBe('');
    expect([await ask(server, 'new'), await ask(server, 'M')]).toEqual([60, 13]);
    expect(await server.load('M', { config: override({}), 'file:1/model.onnx': file(90) })).toBe('');
    expect(await ask(server, 'M')).toBe(100);
    expect(await ask(server, 'M', '3')).toBe(
      `Request for unknown model: 'M' version 3 is not at ready state`,
    );
    expect(await server.load('M')).toBe('');
    expect([await ask(server, 'M'), await ask(server, 'M', '1')]).toEqual([13, 11]);
    expect(await server.load('new')).toBe(`failed to load 'new', failed to poll from model repository`);
    expect(await ask(server, 'new')).toBe(60);
  });

  it('files that are no model fail the load, and the version that served goes on', async () => {
    await using server = await explicit(three, ['M']);
    const bad = Buffer.from('not a model').toString('base64');
    expect(await server.load('M', { config: override({}), 'file:3/model.onnx': bad })).toContain(
      `load failed for model 'M': version 3 is at UNAVAILABLE state: Internal: onnx runtime error`,
    );
    expect(await ask(server, 'M')).toBe(13);
    expect(await server.load('M')).toBe('');
    expect([await ask(server, 'M', '1'), await ask(server, 'M', '3')]).toEqual([11, 13]);
  });
});

// Explicit control: load, unload, index, and the texts clients see.

import { describe, expect, it } from 'vitest';
import { inferFloats } from '../testing/repository-fixture.ts';
import { echoWorld, indexLines, model } from '../testing/echo-world.ts';
import { addLogSink, setLogSwitches } from '../base/log.ts';

const world = echoWorld();

describe('load', () => {
  it('serves a model and answers a request through it', async () => {
    const { repository } = await world.start({ files: model('m') });
    await repository.load('m');
    const response = await inferFloats(repository.use('m', -1), [1, 2, 3, 4]);
    expect(response.error).toBeUndefined();
    expect(response.modelVersion).toBe('1');
    expect([...new Float32Array(response.outputs[0]?.bytes.slice().buffer ?? new ArrayBuffer(0))]).toEqual([
      1, 2, 3, 4,
    ]);
  });

  const refusals: readonly [string, string, string][] = [
    ['', 'INVALID_ARG', 'Model name cannot be empty. Please enter a valid name to deploy.'],
    ['  ', 'INVALID_ARG', 'Model name cannot be empty. Please enter a valid name to deploy.'],
    ['a/b', 'INVALID_ARG', "invalid model name 'a/b', model name must not contain path traversal characters"],
    [
      ' .. ',
      'INVALID_ARG',
      "invalid model name ' .. ', model name must not contain path traversal characters",
    ],
    ['none', 'INTERNAL', "failed to load 'none', failed to poll from model repository"],
  ];
  it.each(refusals)('refuses the name %j', async (name, code, message) => {
    const { repository } = await world.start({ files: model('m') });
    await expect(repository.load(name)).rejects.toMatchObject({ code, message });
  });

  it('says which version failed and why, and tries again on the next call', async () => {
    const { repository } = await world.start({ files: model('m') });
    world.backend.scripts.set('m', { loadError: new Error('disk on fire') });
    for (const attempt of [1, 2]) {
      await expect(repository.load('m'), `attempt ${attempt}`).rejects.toMatchObject({
        code: 'INVALID_ARG',
        message: "load failed for model 'm': version 1 is at UNAVAILABLE state: Internal: disk on fire;\n",
      });
      expect(world.backend.loadCount).toBe(attempt);
    }
    expect(() => repository.find('m', -1)).toThrow(
      "Request for unknown model: 'm' has no available versions",
    );
    expect(() => repository.find('m', 1)).toThrow("'m' version 1 is not at ready state");
    expect(() => repository.find('m', 7)).toThrow("'m' version 7 is not found");
  });

  it('leaves a model that failed as it is when it cannot be read any more', async () => {
    const f = await world.start({ files: model('m') });
    world.backend.scripts.set('m', { loadError: new Error('first') });
    await expect(f.repository.load('m')).rejects.toThrow('Internal: first');
    world.backend.scripts.set('m', { loadError: new Error('tried again') });
    await f.folder.write({ 'm/config.pbtxt': 'nonsense: 1' });
    await expect(f.repository.load('m')).rejects.toThrow("failed to load 'm', failed to poll");
    expect(await indexLines(f)).toEqual(['m 1 UNAVAILABLE Internal: first']);
  });

  it('does nothing when nothing changed and rebuilds when forced', async () => {
    const { repository } = await world.start({ files: model('m') });
    await repository.load('m');
    await repository.load('m');
    expect(world.backend.loadCount).toBe(1);
    await repository.load('m', { isForced: true });
    expect(world.backend.loadCount).toBe(2);
  });

  it('retries as often as told', async () => {
    const { repository } = await world.start({ files: model('m'), options: { loadRetryCount: 2 } });
    let failures = 2;
    world.backend.scripts.set('m', {
      createError: () => (failures-- > 0 ? new Error('not yet') : undefined),
    });
    await repository.load('m');
    expect(world.backend.loadCount).toBe(3);
    expect(repository.find('m', 1).version).toBe('1');
  });

  it('says so when the policy selects no version', async () => {
    const { repository } = await world.start({
      files: model('m', 'version_policy { specific { versions: [ 9 ] } }'),
    });
    await expect(repository.load('m')).rejects.toMatchObject({
      code: 'INVALID_ARG',
      message:
        "load failed for model 'm': at least one version must be available under the version policy of model 'm'\n",
    });
    expect(() => repository.find('m', -1)).toThrow('has no available versions');
  });

  it('loads only the touched and the new versions', async () => {
    const f = await world.start({
      files: { ...model('m', 'version_policy { all {} }'), 'm/2/model': 'x', 'm/1/model': 'x' },
    });
    await f.repository.load('m');
    const before = [1, 2].map((version) => f.repository.find('m', version));
    await f.folder.write({ 'm/3/model': 'x' });
    await f.folder.touch('m/2/model');
    await f.repository.load('m');
    expect(f.repository.find('m', 1)).toBe(before[0]);
    expect(f.repository.find('m', 2)).not.toBe(before[1]);
    expect(f.repository.find('m', -1).version).toBe('3');
  });

  it('keeps the old version for good when the new one fails', async () => {
    const f = await world.start({ files: model('m') });
    await f.repository.load('m');
    const before = f.repository.find('m', -1);
    world.backend.scripts.set('m', { createError: () => new Error('no room') });
    await f.folder.write({ 'm/2/model': '' });
    await f.folder.touch('m/2/model');
    await expect(f.repository.load('m')).rejects.toThrow(
      'version 2 is at UNAVAILABLE state: Internal: no room;',
    );
    expect(f.repository.find('m', -1)).toBe(before);
    expect(await indexLines(f)).toEqual(['m 1 READY', 'm 2 UNAVAILABLE Internal: no room']);
    world.backend.scripts.delete('m');
    await f.repository.load('m');
    expect(f.repository.find('m', -1).version).toBe('2');
    expect(() => f.repository.find('m', 1)).toThrow('not at ready state');
  });

  it('can be cancelled, leaving what served before', async () => {
    const f = await world.start({ files: model('m') });
    const cancel = new AbortController();
    world.backend.scripts.set('m', { loadDelayMs: 60_000 });
    f.repository.events.subscribe('loadPhase', ({ phase }) => {
      if (phase === 'loading model') cancel.abort(new Error('cancelled by the user'));
    });
    await expect(f.repository.load('m', { signal: cancel.signal })).rejects.toThrow('cancelled by the user');
    expect(() => f.repository.find('m', -1)).toThrow('has no available versions');
  });

  it('publishes the phases of a load', async () => {
    const { repository } = await world.start({
      files: model(
        'm',
        `instance_group [ { kind: KIND_CPU count: 2 } ]
        model_warmup { name: "w" batch_size: 1 count: 2 inputs { key: "INPUT0" value { data_type: TYPE_FP32 dims: [ 4 ] zero_data: true } } }`,
      ),
    });
    const phases: (string | undefined)[] = [];
    repository.events.subscribe('loadPhase', ({ phase }) => phases.push(phase));
    await repository.load('m');
    expect(phases).toEqual([
      'completing config',
      'loading model',
      'instance 1 of 2',
      'instance 2 of 2',
      'warmup 1 of 4',
      'warmup 2 of 4',
      'warmup 3 of 4',
      'warmup 4 of 4',
      undefined,
    ]);
    expect(repository.find('m', 1).runtime.statistics.snapshot()).toMatchObject({
      executionCount: 0,
      inference: { success: { count: 0 } },
    });
  });

  it('runs no warm-up sample before the data of all of them is there', async () => {
    const sample = (name: string, data: string): string =>
      `model_warmup { name: "${name}" batch_size: 1 inputs { key: "INPUT0" value { data_type: TYPE_FP32 dims: [ 4 ] ${data} } } }`;
    const { repository } = await world.start({
      files: model(
        'm',
        `${sample('good', 'zero_data: true')} ${sample('bad', 'input_data_file: "nothing"')}`,
      ),
    });
    let runs = 0;
    world.backend.scripts.set('m', {
      compute: () => {
        runs += 1;
        return [];
      },
    });
    await expect(repository.load('m')).rejects.toThrow('failed to open text file for read');
    expect(runs).toBe(0);
  });

  it('fails a load whose warm-up fails', async () => {
    const { repository } = await world.start({
      files: model(
        'm',
        `model_warmup { name: "zero sample" batch_size: 1 inputs { key: "INPUT0" value { data_type: TYPE_FP32 dims: [ 4 ] zero_data: true } } }`,
      ),
    });
    world.backend.scripts.set('m', {
      compute: () => {
        throw new Error('An Error Occurred');
      },
    });
    await expect(repository.load('m')).rejects.toThrow(
      "failed to run warmup sample 'zero sample': An Error Occurred;",
    );
  });
});

describe('unload', () => {
  it('takes a model out at once, lets its requests finish, and keeps its name known', async () => {
    const f = await world.start({ files: model('m') });
    await f.repository.load('m');
    const use = f.repository.use('m', -1);
    await f.repository.unload('m', { unloadDependents: false });
    expect(() => f.repository.find('m', 1)).toThrow('version 1 is not at ready state');
    expect(() => f.repository.find('m', -1)).toThrow('has no available versions');
    expect(await indexLines(f)).toEqual(['m 1 UNLOADING']);
    const response = await inferFloats(use, [1, 2, 3, 4]);
    expect(response.error).toBeUndefined();
    await f.repository.settled();
    expect(await indexLines(f)).toEqual(['m 1 UNAVAILABLE unloaded']);
  });

  it('succeeds for names nobody knows', async () => {
    const { repository } = await world.start({ files: model('m') });
    await expect(repository.unload('none', { unloadDependents: true })).resolves.toBeUndefined();
    expect(() => repository.find('none', -1)).toThrow("Request for unknown model: 'none' is not found");
  });

  it('keeps the error of a version that failed to load', async () => {
    const f = await world.start({ files: model('m') });
    world.backend.scripts.set('m', { loadError: new Error('broken') });
    await expect(f.repository.load('m')).rejects.toThrow('broken');
    await f.repository.unload('m', { unloadDependents: false });
    expect(await indexLines(f)).toEqual(['m 1 UNAVAILABLE Internal: broken']);
  });
});

it.each([
  [true, 1],
  [false, 0],
])('tells that TRITON_PARALLEL_INSTANCE_LOADING decides: %s', async (parallelInstances, value) => {
  const told: string[] = [];
  const remove = addLogSink(({ message }) => told.push(message));
  setLogSwitches({ verboseLevel: 1 });
  const f = await world.start({ files: model('m'), deps: { parallelInstances } });
  await f.repository.load('m');
  setLogSwitches({ verboseLevel: 0 });
  remove();
  expect(told).toContain(`Using TRITON_PARALLEL_INSTANCE_LOADING environment variable override: ${value}`);
});

// Explicit control: load, reload, override, unload, index, and the texts clients see. Each test ends with no instance,
// no loaded model and no lock left.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeBackend } from '../testing/fake-backend.ts';
import type { RepositoryFixture, RepositoryFixtureOptions } from '../testing/repository-fixture.ts';
import { chainConfig, echoConfig, inferFloats, repositoryFixture } from '../testing/repository-fixture.ts';

let backend: FakeBackend;
let fixture: RepositoryFixture | undefined;

async function start(options: Omit<RepositoryFixtureOptions, 'backends'>): Promise<RepositoryFixture> {
  fixture = await repositoryFixture({ ...options, backends: [backend] });
  return fixture;
}

beforeEach(() => {
  backend = new FakeBackend();
});
afterEach(async () => {
  await fixture?.[Symbol.asyncDispose]();
  fixture = undefined;
  expect({ instances: backend.liveInstanceCount, models: backend.liveModelCount }).toEqual({
    instances: 0,
    models: 0,
  });
});

const model = (name: string, extra = ''): Record<string, string> => ({
  [`${name}/config.pbtxt`]: echoConfig(extra),
  [`${name}/1/`]: '',
});

async function index({ repository }: RepositoryFixture): Promise<string[]> {
  const entries = await repository.index({ readyOnly: false });
  return entries.map(({ name, version, state, reason }) =>
    [name, version, state, reason].filter(Boolean).join(' '),
  );
}

describe('load', () => {
  it('serves a model and answers a request through it', async () => {
    const { repository } = await start({ files: model('m') });
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
    const { repository } = await start({ files: model('m') });
    await expect(repository.load(name)).rejects.toMatchObject({ code, message });
  });

  it('says which version failed and why, and tries again on the next call', async () => {
    const { repository } = await start({ files: model('m') });
    backend.scripts.set('m', { loadError: new Error('disk on fire') });
    for (const attempt of [1, 2]) {
      await expect(repository.load('m'), `attempt ${attempt}`).rejects.toMatchObject({
        code: 'INVALID_ARG',
        message: "load failed for model 'm': version 1 is at UNAVAILABLE state: Internal: disk on fire;\n",
      });
      expect(backend.loadCount).toBe(attempt);
    }
    expect(() => repository.find('m', -1)).toThrow(
      "Request for unknown model: 'm' has no available versions",
    );
    expect(() => repository.find('m', 1)).toThrow("'m' version 1 is not at ready state");
    expect(() => repository.find('m', 7)).toThrow("'m' version 7 is not found");
  });

  it('does nothing when nothing changed and rebuilds when forced', async () => {
    const { repository } = await start({ files: model('m') });
    await repository.load('m');
    await repository.load('m');
    expect(backend.loadCount).toBe(1);
    await repository.load('m', { isForced: true });
    expect(backend.loadCount).toBe(2);
  });

  it('retries as often as told', async () => {
    const { repository } = await start({ files: model('m'), options: { loadRetryCount: 2 } });
    let failures = 2;
    backend.scripts.set('m', {
      createError: () => (failures-- > 0 ? new Error('not yet') : undefined),
    });
    await repository.load('m');
    expect(backend.loadCount).toBe(3);
    expect(repository.find('m', 1).version).toBe('1');
  });

  it('says so when the policy selects no version', async () => {
    const { repository } = await start({
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
    const f = await start({
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
    const f = await start({ files: model('m') });
    await f.repository.load('m');
    const before = f.repository.find('m', -1);
    backend.scripts.set('m', { createError: () => new Error('no room') });
    await f.folder.write({ 'm/2/model': '' });
    await f.folder.touch('m/2/model');
    await expect(f.repository.load('m')).rejects.toThrow(
      'version 2 is at UNAVAILABLE state: Internal: no room;',
    );
    expect(f.repository.find('m', -1)).toBe(before);
    expect(await index(f)).toEqual(['m 1 READY', 'm 2 UNAVAILABLE Internal: no room']);
    backend.scripts.delete('m');
    await f.repository.load('m');
    expect(f.repository.find('m', -1).version).toBe('2');
    expect(() => f.repository.find('m', 1)).toThrow('not at ready state');
  });

  it('can be cancelled, leaving what served before', async () => {
    const f = await start({ files: model('m') });
    const cancel = new AbortController();
    backend.scripts.set('m', { loadDelayMs: 60_000 });
    f.repository.events.subscribe('loadPhase', ({ phase }) => {
      if (phase === 'loading model') cancel.abort(new Error('cancelled by the user'));
    });
    await expect(f.repository.load('m', { signal: cancel.signal })).rejects.toThrow('cancelled by the user');
    expect(() => f.repository.find('m', -1)).toThrow('has no available versions');
  });

  it('publishes the phases of a load', async () => {
    const { repository } = await start({
      files: model(
        'm',
        `instance_group [ { kind: KIND_CPU count: 2 } ]
        model_warmup { name: "w" batch_size: 1 count: 2 inputs { key: "INPUT0" value { data_type: TYPE_FP32 dims: [ 4 ] zero_data: true } } }`,
      ),
    });
    const phases: string[] = [];
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
      '',
    ]);
    expect(repository.find('m', 1).runtime.statistics.snapshot()).toMatchObject({
      executionCount: 0,
      inference: { success: { count: 0 } },
    });
  });

  it('fails a load whose warm-up fails', async () => {
    const { repository } = await start({
      files: model(
        'm',
        `model_warmup { name: "zero sample" batch_size: 1 inputs { key: "INPUT0" value { data_type: TYPE_FP32 dims: [ 4 ] zero_data: true } } }`,
      ),
    });
    backend.scripts.set('m', {
      compute: () => {
        throw new Error('An Error Occurred');
      },
    });
    await expect(repository.load('m')).rejects.toThrow(
      "failed to run warmup sample 'zero sample': An Error Occurred;",
    );
  });
});

describe('in-place update', () => {
  const groups = (count: number, extra = ''): string =>
    echoConfig(`instance_group [ { kind: KIND_CPU count: ${count} ${extra} } ]`);

  it('creates and closes only the difference and keeps the version', async () => {
    const f = await start({ files: { 'm/config.pbtxt': groups(3), 'm/1/': '' } });
    await f.repository.load('m');
    const served = f.repository.find('m', 1);
    const rows: readonly [string, number, number][] = [
      [groups(5), 5, 5],
      [groups(2), 2, 5],
      [groups(2, 'name: "renamed"'), 2, 5],
      [groups(2, 'host_policy: "p"'), 2, 7],
      [groups(0), 1, 8],
    ];
    for (const [text, live, created] of rows) {
      await f.folder.write({ 'm/config.pbtxt': text });
      await f.folder.touch('m/config.pbtxt');
      await f.repository.load('m');
      await served.retired();
      expect({ live: backend.liveInstanceCount, created: backend.instances.length }, text).toEqual({
        live,
        created,
      });
      expect(f.repository.find('m', 1)).toBe(served);
    }
    expect(served.config.instanceGroup[0]?.count).toBe(1);
    expect(backend.loadCount).toBe(1);
  });

  it('changes nothing when a new instance cannot be created, and says so at READY', async () => {
    const f = await start({ files: { 'm/config.pbtxt': groups(2), 'm/1/': '' } });
    await f.repository.load('m');
    backend.scripts.set('m', { createError: () => new Error('unused') });
    const served = f.repository.find('m', 1);
    await f.folder.write({
      'm/config.pbtxt':
        'instance_group [ { kind: KIND_CPU count: 1 gpus: [ 0 ] } ]\n' + echoConfig('instance_group []'),
    });
    await f.folder.touch('m/config.pbtxt');
    await expect(f.repository.load('m')).rejects.toThrow(
      /version 1 is at READY state: Invalid argument: .*KIND_CPU but specifies one or more GPUs;/,
    );
    expect(f.repository.find('m', 1)).toBe(served);
    expect((await index(f))[0]).toMatch(/^m 1 READY Invalid argument: /);
    expect(backend.liveInstanceCount).toBe(2);
  });

  it('keeps serving when the config cannot be parsed', async () => {
    const f = await start({ files: { 'm/config.pbtxt': groups(8), 'm/1/': '' } });
    await f.repository.load('m');
    await f.folder.write({ 'm/config.pbtxt': 'instance_group garbage' });
    await f.folder.touch('m/config.pbtxt');
    await expect(f.repository.load('m')).rejects.toThrow('failed to poll from model repository');
    expect(backend.liveInstanceCount).toBe(8);
    await f.folder.write({ 'm/config.pbtxt': groups(4) });
    await f.folder.touch('m/config.pbtxt');
    await f.repository.load('m');
    await f.repository.find('m', 1).retired();
    expect(backend.liveInstanceCount).toBe(4);
  });
});

describe('overrides', () => {
  const json = (extra: object): string =>
    JSON.stringify({
      backend: 'fake',
      input: [{ name: 'INPUT0', data_type: 'TYPE_FP32', dims: [4] }],
      output: [{ name: 'OUTPUT0', data_type: 'TYPE_FP32', dims: [4] }],
      ...extra,
    });

  it('keeps a config override until a file is newer or the model was unloaded', async () => {
    const f = await start({ files: { ...model('m'), 'm/2/': '' } });
    await f.repository.load('m', {
      override: { configJson: json({ version_policy: { specific: { versions: ['1'] } } }) },
    });
    expect(f.repository.find('m', -1).version).toBe('1');
    await f.repository.load('m');
    expect(f.repository.find('m', -1).version).toBe('1');
    await f.folder.touch('m/config.pbtxt');
    await f.repository.load('m');
    expect(f.repository.find('m', -1).version).toBe('2');
  });

  it('leaves the served version alone when the override is bad', async () => {
    const f = await start({ files: model('m') });
    await f.repository.load('m');
    const served = f.repository.find('m', -1);
    for (const configJson of ['{', '{"no_such_field": 1}', json({ name: 'other' })]) {
      await expect(f.repository.load('m', { override: { configJson } })).rejects.toMatchObject({
        code: 'INTERNAL',
        message: "failed to load 'm', failed to poll from model repository",
      });
    }
    expect(f.repository.find('m', -1)).toBe(served);
  });

  it('builds a model from sent files alone and goes back to the repository afterwards', async () => {
    const f = await start({ files: { ...model('m'), 'm/3/': '' } });
    await f.repository.load('m');
    expect(f.repository.find('m', -1).version).toBe('3');
    const files = new Map([['1/weights', new Uint8Array([1])]]);
    await f.repository.load('m', { override: { configJson: json({}), files } });
    expect(f.repository.find('m', -1).version).toBe('1');
    await f.repository.load('fresh', { override: { configJson: json({}), files } });
    expect(f.repository.find('fresh', -1).version).toBe('1');
    await f.repository.load('m');
    expect(f.repository.find('m', -1).version).toBe('3');
    expect(await index(f)).toEqual(['m 1 UNAVAILABLE unloaded', 'm 3 READY']);
  });

  const badFiles: readonly [string, string | undefined, string][] = [
    ['without a config', undefined, '1/w'],
    ['leaving the folder', json({}), '../escape'],
    ['absolute', json({}), '/tmp/escape'],
    ['with code', json({}), '1/model.py'],
    ['with an overlong name', json({}), `1/${'x'.repeat(300)}`],
  ];
  it.each(badFiles)('refuses files %s', async (_name, configJson, file) => {
    const f = await start({ files: model('m') });
    await f.repository.load('m');
    const served = f.repository.find('m', -1);
    const override = { configJson, files: new Map([[file, new Uint8Array(1)]]) };
    await expect(f.repository.load('m', { override })).rejects.toThrow(
      'failed to poll from model repository',
    );
    expect(f.repository.find('m', -1)).toBe(served);
  });
});

describe('unload', () => {
  it('takes a model out at once, lets its requests finish, and keeps its name known', async () => {
    const f = await start({ files: model('m') });
    await f.repository.load('m');
    const use = f.repository.use('m', -1);
    await f.repository.unload('m', { unloadDependents: false });
    expect(() => f.repository.find('m', 1)).toThrow('version 1 is not at ready state');
    expect(() => f.repository.find('m', -1)).toThrow('has no available versions');
    expect(await index(f)).toEqual(['m 1 UNLOADING']);
    const response = await inferFloats(use, [1, 2, 3, 4]);
    expect(response.error).toBeUndefined();
    await f.repository.settled();
    expect(await index(f)).toEqual(['m 1 UNAVAILABLE unloaded']);
  });

  it('succeeds for names nobody knows', async () => {
    const { repository } = await start({ files: model('m') });
    await expect(repository.unload('none', { unloadDependents: true })).resolves.toBeUndefined();
    expect(() => repository.find('none', -1)).toThrow("Request for unknown model: 'none' is not found");
  });

  it('keeps the error of a version that failed to load', async () => {
    const f = await start({ files: model('m') });
    backend.scripts.set('m', { loadError: new Error('broken') });
    await expect(f.repository.load('m')).rejects.toThrow('broken');
    await f.repository.unload('m', { unloadDependents: false });
    expect(await index(f)).toEqual(['m 1 UNAVAILABLE Internal: broken']);
  });
});

describe('ensembles', () => {
  const files = { ...model('a'), ...model('b'), 'e/config.pbtxt': chainConfig('a', 'b'), 'e/1/': '' };
  const isServed = (f: RepositoryFixture, name: string): boolean => {
    try {
      return f.repository.find(name, -1) !== undefined;
    } catch {
      return false;
    }
  };

  it('pulls in what it needs', async () => {
    const f = await start({ files });
    await f.repository.load('e');
    expect(['a', 'b', 'e'].map((name) => isServed(f, name))).toEqual([true, true, true]);
    expect(f.repository.find('e', -1).config.modelTransactionPolicy?.decoupled).toBe(false);
  });

  it('goes with a model it needs and comes back with it', async () => {
    const f = await start({ files });
    await f.repository.load('e');
    await f.repository.unload('a', { unloadDependents: false });
    expect([isServed(f, 'e'), isServed(f, 'b')]).toEqual([false, true]);
    await f.repository.load('a');
    expect(isServed(f, 'e')).toBe(true);
  });

  it('is not revived when it was unloaded by name', async () => {
    const f = await start({ files });
    await f.repository.load('e');
    await f.repository.unload('a', { unloadDependents: false });
    await f.repository.unload('e', { unloadDependents: false });
    await f.repository.load('a');
    expect(isServed(f, 'e')).toBe(false);
  });

  it('takes along, when told, what nobody else needs and nobody asked for', async () => {
    const f = await start({ files });
    await f.repository.load('a');
    await f.repository.load('e');
    await f.repository.unload('e', { unloadDependents: true });
    expect(['a', 'b', 'e'].map((name) => isServed(f, name))).toEqual([true, false, false]);
  });

  it('names the model it misses, the one that failed, and circles', async () => {
    const f = await start({
      files: {
        ...files,
        'x/config.pbtxt': chainConfig('y', 'y'),
        'x/1/': '',
        'y/config.pbtxt': chainConfig('x', 'x'),
        'y/1/': '',
      },
    });
    backend.scripts.set('b', { loadError: new Error('bad weights') });
    await expect(f.repository.load('e')).rejects.toThrow(
      "ensemble 'e' depends on 'b' which has no loaded version. Model 'b' loading failed with error: version 1 is at UNAVAILABLE state: Internal: bad weights;",
    );
    await expect(f.repository.load('x')).rejects.toThrow(
      /circular dependency between ensembles: (x -> \.\.\. -> y -> x|y -> \.\.\. -> x -> y)/,
    );
    await f.folder.remove('b');
    await expect(f.repository.load('e')).rejects.toThrow(
      "ensemble 'e' depends on 'b' which has no loaded version.",
    );
  });

  it('says which model it misses when that one cannot be read, and that reading failed when it serves on', async () => {
    const f = await start({
      files: { 'e/config.pbtxt': files['e/config.pbtxt'] ?? '', 'e/1/': '', ...model('a') },
    });
    await expect(f.repository.load('e')).rejects.toMatchObject({
      code: 'INVALID_ARG',
      message:
        "load failed for model 'e': ensemble e contains models that are not available or ambiguous: b\n",
    });
    await f.folder.write(model('b'));
    await f.repository.load('e');
    await f.folder.remove('b');
    await expect(f.repository.load('e')).rejects.toMatchObject({
      code: 'INTERNAL',
      message: "failed to load 'e', failed to poll from model repository",
    });
    expect(f.repository.find('e', -1).version).toBe('1');
  });
});

describe('runWarmup', () => {
  it('runs samples on every instance in service and reports each iteration', async () => {
    const { repository } = await start({
      files: model('m', 'instance_group [ { kind: KIND_CPU count: 2 } ]'),
    });
    await repository.load('m');
    const seen: string[] = [];
    const sample = {
      name: 'zeros',
      batchSize: 1,
      count: 3,
      inputs: {
        INPUT0: {
          dataType: 'TYPE_FP32',
          dims: [4],
          zeroData: true,
          randomData: undefined,
          inputDataFile: undefined,
        },
      },
    } as const;
    await repository.runWarmup('m', {
      samples: [sample],
      signal: new AbortController().signal,
      onIteration: ({ instanceName, iteration, latencyNs }) => {
        expect(latencyNs).toBeGreaterThanOrEqual(0);
        seen.push(`${instanceName} ${iteration}`);
      },
    });
    expect(seen.sort()).toEqual(['m_0_0 1', 'm_0_0 2', 'm_0_0 3', 'm_0_1 1', 'm_0_1 2', 'm_0_1 3']);
    expect(repository.find('m', -1).runtime.statistics.snapshot().executionCount).toBe(0);
    const bad = { ...sample, inputs: { INPUT0: { ...sample.inputs.INPUT0, dims: [5] } } };
    await expect(
      repository.runWarmup('m', { samples: [bad], signal: new AbortController().signal }),
    ).rejects.toThrow(/failed to run warmup sample 'zeros': .*INPUT0/);
    await expect(
      repository.runWarmup('m', { samples: [sample], signal: AbortSignal.abort(new Error('stopped')) }),
    ).rejects.toThrow('stopped');
  });
});

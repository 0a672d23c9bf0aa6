// Modes none and poll, duplicates, namespacing, start sets, agents and alternate configurations.
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addLogSink, setLogSwitches } from '../base/log.ts';
import { FakeBackend } from '../testing/fake-backend.ts';
import type { RepositoryFixture, RepositoryFixtureOptions } from '../testing/repository-fixture.ts';
import { chainConfig, echoConfig, inferFloats, repositoryFixture } from '../testing/repository-fixture.ts';
import { isRepositoryReady } from './repository-readiness.ts';

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
  expect(backend.liveInstanceCount).toBe(0);
});

const model = (name: string, extra = ''): Record<string, string> => ({
  [`${name}/config.pbtxt`]: echoConfig(extra),
  [`${name}/1/`]: '',
});

/** "1,3" = ready versions; else the lookup message without its common start. */
function served({ repository }: RepositoryFixture, name: string): string {
  const versions = [...repository.ready()].filter(({ id }) => id.name === name).map(({ version }) => version);
  if (versions.length > 0) return versions.join(',');
  try {
    repository.find(name, -1);
    return 'served';
  } catch (thrown) {
    return (thrown as Error).message.replace(/^Request for unknown model: '[^']*' /, '');
  }
}

it.each([
  [true, 1],
  [false, 0],
])('tells that TRITON_PARALLEL_INSTANCE_LOADING decides: %s', async (parallelInstances, value) => {
  const told: string[] = [];
  const remove = addLogSink(({ message }) => told.push(message));
  setLogSwitches({ verboseLevel: 1 });
  const f = await start({ files: model('m'), deps: { parallelInstances } });
  await f.repository.load('m');
  setLogSwitches({ verboseLevel: 0 });
  remove();
  expect(told).toContain(`Using TRITON_PARALLEL_INSTANCE_LOADING environment variable override: ${value}`);
});

describe('mode poll', () => {
  const poll = { controlMode: 'poll' } as const;

  it('follows what is added, changed and deleted', async () => {
    const f = await start({ files: model('a'), options: poll });
    await f.repository.start();
    expect([served(f, 'a'), served(f, 'b')]).toEqual(['1', 'is not found']);
    await f.folder.write(model('b'));
    await f.repository.poll();
    expect(served(f, 'b')).toBe('1');
    await f.folder.move('a', '../gone-model');
    await f.repository.poll();
    expect(served(f, 'a')).toBe('has no available versions');
    expect((await f.repository.index({ readyOnly: false })).map(({ name }) => name)).toEqual(['b']);
    await f.folder.move('../gone-model', 'a');
    await f.repository.poll();
    expect(served(f, 'a')).toBe('1');
    expect(isRepositoryReady(f.repository.models())).toBe(true);
  });

  it('leaves other versions alone when one is added or removed', async () => {
    const f = await start({
      files: { ...model('m', 'version_policy { all {} }'), 'm/2/': '', 'm/3/': '' },
      options: poll,
    });
    await f.repository.start();
    const second = f.repository.find('m', 2);
    await f.folder.remove('m/1');
    await f.folder.touch('m');
    await f.repository.poll();
    expect(served(f, 'm')).toBe('2,3');
    await f.folder.write({ 'm/7/': '' });
    await f.folder.touch('m/7');
    await f.repository.poll();
    expect(served(f, 'm')).toBe('2,3,7');
    expect(f.repository.find('m', 2)).toBe(second);
    expect(() => f.repository.find('m', 1)).toThrow('version 1 is not at ready state');
  });

  it('retries a broken model in every round', async () => {
    const f = await start({ files: model('m'), options: poll });
    backend.scripts.set('m', { loadError: new Error('broken') });
    const { failed } = await f.repository.start();
    expect([...failed.keys()]).toEqual(['m']);
    await f.repository.poll();
    expect(backend.loadCount).toBe(2);
    backend.scripts.delete('m');
    await f.repository.poll();
    expect(served(f, 'm')).toBe('1');
    await f.repository.poll();
    expect(backend.loadCount).toBe(3);
  });

  it('names a repository that is gone, goes on with the others and serves it again', async () => {
    const f = await start({
      files: { ...model('x/a'), ...model('y/b') },
      roots: ['x', 'y'],
      options: poll,
    });
    await f.repository.start();
    const told: string[] = [];
    const remove = addLogSink(({ level, message }) => told.push(`${level} ${message}`));
    await f.folder.move('y', 'gone');
    await f.repository.poll();
    expect([served(f, 'a'), served(f, 'b')]).toEqual(['1', 'has no available versions']);
    const gone = f.folder.at('y');
    expect(told).toContain(
      `error failed to poll model repository '${gone}': failed to open directory ${gone}`,
    );
    await expect.poll(() => told).toContain("info successfully unloaded 'b' version 1");
    await f.folder.move('gone', 'y');
    await f.repository.poll();
    remove();
    expect(served(f, 'b')).toBe('1');
  });

  it('tells when the one that a changed model replaces is gone', async () => {
    const f = await start({ files: model('m'), options: poll });
    await f.repository.start();
    const told: string[] = [];
    const remove = addLogSink(({ level, message }) => {
      if (!message.startsWith('TRITONBACKEND')) told.push(`${level} ${message}`);
    });
    await f.folder.touch('m/1');
    await f.repository.poll();
    await expect.poll(() => told.length).toBe(3);
    remove();
    expect(told).toEqual([
      'info loading: m:1',
      "info successfully loaded 'm'",
      "info successfully unloaded 'm' version 1",
    ]);
  });

  it('unloads a model that appears twice and serves the survivor', async () => {
    const f = await start({
      files: { 'x/': '', 'y/': '', ...model('x/m') },
      roots: ['x', 'y'],
      options: poll,
    });
    await f.repository.start();
    await f.folder.write({ 'y/m/config.pbtxt': echoConfig(), 'y/m/5/': '' });
    await f.repository.poll();
    expect(served(f, 'm')).toBe('has no available versions');
    expect(await f.repository.index({ readyOnly: true })).toEqual([
      { name: 'm', state: 'UNAVAILABLE', reason: 'model appears in two or more repositories' },
    ]);
    await f.folder.remove('x/m');
    await f.repository.poll();
    expect(served(f, 'm')).toBe('5');
  });

  it('does not bring back what the window unloaded', async () => {
    const f = await start({ files: model('m'), options: poll });
    await f.repository.start();
    await f.repository.unload('m', { unloadDependents: false });
    await f.repository.poll();
    expect(served(f, 'm')).toBe('has no available versions');
    await f.repository.load('m');
    expect(served(f, 'm')).toBe('1');
  });

  it('switches to an alternate configuration and back', async () => {
    const f = await start({
      files: { ...model('m'), 'm/2/': '', 'm/3/': '' },
      options: { ...poll, modelConfigName: 'custom' },
    });
    await f.repository.start();
    expect(served(f, 'm')).toBe('3');
    await f.folder.write({
      'm/configs/custom.pbtxt': echoConfig('version_policy { specific { versions: [ 2 ] } }'),
    });
    await f.repository.poll();
    expect(served(f, 'm')).toBe('2');
    await f.folder.remove('m/configs/custom.pbtxt');
    await f.folder.touch('m/configs');
    await f.repository.poll();
    expect(served(f, 'm')).toBe('3');
  });
});

describe('start', () => {
  const files = { ...model('a'), ...model('b'), 'e/config.pbtxt': chainConfig('a'), 'e/1/': '' };
  const rows: readonly [string[], string[]][] = [
    [[], []],
    [['b'], ['b']],
    [['e'], ['a', 'e']],
    [['*'], ['a', 'b', 'e']],
  ];
  it.each(rows)('with --load-model %j serves %j', async (startupModels, names) => {
    const f = await start({ files, options: { startupModels } });
    const { failed } = await f.repository.start();
    expect(failed.size).toBe(0);
    expect([...f.repository.ready()].map(({ id }) => id.name).sort()).toEqual(names);
  });

  it('reports an unknown model of the start set', async () => {
    const f = await start({ files, options: { startupModels: ['a', 'none'] } });
    const { failed } = await f.repository.start();
    expect([...failed.keys()]).toEqual(['none']);
    expect(served(f, 'a')).toBe('1');
  });

  it('leaves out what crashed the engine before, until it is loaded by hand', async () => {
    const f = await start({
      files,
      options: { startupModels: ['*'], quarantined: new Map([['a', 'crashed']]) },
    });
    await f.repository.start();
    expect([served(f, 'a'), served(f, 'b')]).toEqual(['is not found', '1']);
    expect([...f.repository.quarantined]).toEqual([['a', 'crashed']]);
    await expect(f.repository.load('e')).rejects.toThrow(
      'contains models that are not available or ambiguous: a',
    );
    await f.repository.load('a');
    expect([served(f, 'a'), served(f, 'e')]).toEqual(['1', '1']);
    expect(f.repository.quarantined.size).toBe(0);
  });

  it('is not ready while an asked-for model failed, and is when it only failed to be read', async () => {
    const f = await start({
      files: { ...model('a'), 'broken/config.pbtxt': 'nonsense {', 'broken/1/': '' },
      options: { controlMode: 'none' },
    });
    await f.repository.start();
    expect(served(f, 'broken')).toBe('is not found');
    expect(isRepositoryReady(f.repository.models())).toBe(true);
    backend.scripts.set('a', { loadError: new Error('x') });
    await f.repository.load('a', { isForced: true }).catch(() => undefined);
    expect(isRepositoryReady(f.repository.models())).toBe(true);
    await f.repository.unload('a', { unloadDependents: false });
    await f.repository.load('a').catch(() => undefined);
    expect(isRepositoryReady(f.repository.models())).toBe(false);
  });
});

describe('explicit duplicates', () => {
  it('keep what is served and fail the load', async () => {
    const f = await start({ files: { 'y/': '', ...model('x/m') }, roots: ['x', 'y'] });
    await f.repository.load('m');
    await f.folder.write({ 'y/m/config.pbtxt': echoConfig(), 'y/m/5/': '' });
    await expect(f.repository.load('m')).rejects.toThrow('failed to poll from model repository');
    expect(served(f, 'm')).toBe('1');
    await f.folder.remove('x/m');
    await f.repository.unload('m', { unloadDependents: false });
    await f.repository.load('m');
    expect(served(f, 'm')).toBe('5');
  });
});

describe('namespacing', () => {
  const files = {
    ...model('x/m'),
    ...model('y/m'),
    'x/ex/config.pbtxt': chainConfig('m'),
    'x/ex/1/': '',
    'y/ey/config.pbtxt': chainConfig('m'),
    'y/ey/1/': '',
  };
  const options = { controlMode: 'poll', namespacing: true } as const;

  it('serves both, and each ensemble uses the model of its own repository', async () => {
    const f = await start({ files, roots: ['x', 'y'], options });
    const { failed } = await f.repository.start();
    expect(failed.size).toBe(0);
    expect(served(f, 'm')).toBe('1,1');
    expect(() => f.repository.find('m', -1)).toThrow(
      "There are 2 identifiers of model 'm' in global map, model namespace must be provided to resolve ambiguity.",
    );
    expect((await f.repository.index({ readyOnly: true })).map(({ name }) => name)).toEqual([
      'ex',
      'm',
      'ey',
      'm',
    ]);
  });

  it('re-links ensembles when a copy goes and comes back', async () => {
    const f = await start({ files, roots: ['x', 'y'], options });
    await f.repository.start();
    const answers = async (): Promise<boolean> =>
      (await inferFloats(f.repository.use('ey', -1), [1, 2, 3, 4])).error === undefined;
    const namespaces = (): unknown =>
      f.repository.find('ey', -1).config.ensembleScheduling?.step.map((step) => step.modelNamespace);
    expect(namespaces()).toEqual([f.folder.at('y')]);
    await f.folder.move('y/m', 'kept');
    await f.repository.poll();
    expect(await answers()).toBe(true);
    expect(namespaces()).toEqual([f.folder.at('x')]);
    expect([served(f, 'ex'), served(f, 'ey'), f.repository.find('m', -1).id.namespace]).toEqual([
      '1',
      '1',
      f.folder.at('x'),
    ]);
    await f.folder.move('kept', 'y/m');
    await f.repository.poll();
    expect([served(f, 'ex'), served(f, 'ey')]).toEqual(['1', '1']);
    expect(await answers()).toBe(true);
    expect(() => f.repository.find('m', -1)).toThrow('ambiguity');
    await f.folder.remove('x/m');
    await f.folder.remove('y/m');
    await f.repository.poll();
    expect([served(f, 'ex'), served(f, 'ey')]).toEqual([
      'has no available versions',
      'has no available versions',
    ]);
  });

  it('names models by namespace where they have no version, and says when no such model is left', async () => {
    const f = await start({ files: { ...files, ...model('x/one') }, roots: ['x', 'y'], options });
    await f.repository.start();
    const namespace = f.folder.at('x');
    expect(() => f.repository.find('one', 7)).toThrow(
      `Request for unknown model: '${namespace}::one' version 7 is not found`,
    );
    await f.repository.unload('m', { unloadDependents: false });
    expect(() => f.repository.find('ex', -1)).toThrow(
      `Request for unknown model: '${namespace}::ex' has no available versions`,
    );
    expect(() => f.repository.find('m', -1)).toThrow("Identifier of model 'm' is not found in global map");
    expect(() => f.repository.find('none', -1)).toThrow("Request for unknown model: 'none' is not found");
  });
});

describe('agents', () => {
  const withAgent = (name: string, parameters: string): string =>
    echoConfig(`model_repository_agents { agents [ { name: "${name}" ${parameters} } ] }`);
  const md5 = createHash('md5').update('abc').digest('hex');
  const checksum = (digest: string): string =>
    withAgent('checksum', `parameters { key: "MD5:data_file" value: "${digest}" }`);

  it('checks digests before a model loads', async () => {
    const f = await start({ files: { 'm/config.pbtxt': checksum(md5), 'm/1/': '', 'm/data_file': 'abc' } });
    await f.repository.load('m');
    await f.folder.write({ 'm/config.pbtxt': checksum('00') });
    await f.folder.touch('m/config.pbtxt');
    await expect(f.repository.load('m')).rejects.toThrow('failed to poll from model repository');
    expect(f.repository.problemOf('m')?.message).toContain('Mismatched MD5 hash for file data_file');
    expect(served(f, 'm')).toBe('1');
  });

  it('are told how the load went and when the model left', async () => {
    const seen: string[] = [];
    const f = await start({
      files: { 'm/config.pbtxt': withAgent('spy', ''), 'm/1/': '' },
      deps: { agents: [{ name: 'spy', act: (action) => Promise.resolve(void seen.push(action)) }] },
    });
    await f.repository.load('m');
    await f.repository.load('m');
    await f.repository.unload('m', { unloadDependents: false });
    await f.repository.settled();
    expect(seen).toEqual(['LOAD', 'LOAD_COMPLETE', 'UNLOAD', 'UNLOAD_COMPLETE']);
    backend.scripts.set('m', { loadError: new Error('no') });
    await expect(f.repository.load('m')).rejects.toThrow('no');
    expect(seen.slice(4)).toEqual(['LOAD', 'LOAD_FAIL']);
  });
});

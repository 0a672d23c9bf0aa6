// Ensembles and the models they need: what is loaded, unloaded and brought back along with them.

import { describe, expect, it } from 'vitest';
import type { RepositoryFixture } from '../testing/repository-fixture.ts';
import { chainConfig } from '../testing/repository-fixture.ts';
import { echoWorld, model } from '../testing/echo-world.ts';

const world = echoWorld();

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
    const f = await world.start({ files });
    await f.repository.load('e');
    expect(['a', 'b', 'e'].map((name) => isServed(f, name))).toEqual([true, true, true]);
    expect(f.repository.find('e', -1).config.modelTransactionPolicy?.decoupled).toBe(false);
  });

  it('goes with a model it needs and comes back with it', async () => {
    const f = await world.start({ files });
    await f.repository.load('e');
    await f.repository.unload('a', { unloadDependents: false });
    expect([isServed(f, 'e'), isServed(f, 'b')]).toEqual([false, true]);
    await f.repository.load('a');
    expect(isServed(f, 'e')).toBe(true);
  });

  it('comes back with the version folders that are there by then', async () => {
    const f = await world.start({ files });
    await f.repository.load('e');
    await f.repository.unload('a', { unloadDependents: false });
    await f.folder.write({ 'e/5/': '' });
    await f.folder.remove('e/1');
    await f.repository.load('a');
    expect(f.repository.find('e', -1).version).toBe('5');
  });

  it('is not revived when it was unloaded by name', async () => {
    const f = await world.start({ files });
    await f.repository.load('e');
    await f.repository.unload('a', { unloadDependents: false });
    await f.repository.unload('e', { unloadDependents: false });
    await f.repository.load('a');
    expect(isServed(f, 'e')).toBe(false);
  });

  it('takes along, when told, what nobody else needs and nobody asked for', async () => {
    const f = await world.start({ files });
    await f.repository.load('a');
    await f.repository.load('e');
    await f.repository.unload('e', { unloadDependents: true });
    expect(['a', 'b', 'e'].map((name) => isServed(f, name))).toEqual([true, false, false]);
  });

  it('names the model it misses, the one that failed, and circles', async () => {
    const f = await world.start({
      files: {
        ...files,
        'x/config.pbtxt': chainConfig('y', 'y'),
        'x/1/': '',
        'y/config.pbtxt': chainConfig('x', 'x'),
        'y/1/': '',
      },
    });
    world.backend.scripts.set('b', { loadError: new Error('bad weights') });
    await expect(f.repository.load('e')).rejects.toThrow(
      "ensemble 'e' depends on 'b' which has no loaded version. Model 'b' loading failed with error: version 1 is at UNAVAILABLE state: Internal: bad weights;",
    );
    await f.folder.write(model('b', 'version_policy { specific { versions: [ 9 ] } }'));
    await expect(f.repository.load('e')).rejects.toThrow(
      "which has no loaded version. Model 'b' loading failed with error: at least one version must be available",
    );
    await expect(f.repository.load('x')).rejects.toThrow(
      /circular dependency between ensembles: (x -> \.\.\. -> y -> x|y -> \.\.\. -> x -> y)/,
    );
    await f.folder.remove('b');
    await expect(f.repository.load('e')).rejects.toThrow(
      "ensemble 'e' depends on 'b' which has no loaded version.",
    );
  });

  /** A model that is no ensemble, and has no such version. */
  const withoutVersion = (): string => {
    const io = ['input', 'output'].map((kind, at) => [
      kind,
      [{ name: `${['INPUT', 'OUTPUT'][at]}0`, data_type: 'TYPE_FP32', dims: [4] }],
    ]);
    return JSON.stringify({
      backend: 'fake',
      version_policy: { specific: { versions: [9] } },
      ...Object.fromEntries(io),
    });
  };

  it('takes nothing along that it no longer needs, although its last load failed', async () => {
    const f = await world.start({ files });
    await f.repository.load('e');
    await expect(f.repository.load('e', { override: { configJson: withoutVersion() } })).rejects.toThrow(
      'at least one version',
    );
    const served = f.repository.find('a', -1);
    await f.folder.write({ ...model('a', 'max_batch_size: 2'), 'e/config.pbtxt': 'nonsense: 5' });
    await expect(f.repository.load('e')).rejects.toThrow("failed to load 'e', failed to poll");
    expect(f.repository.find('a', -1)).toBe(served);
  });

  it('is not loaded with what was read earlier once its folder is gone', async () => {
    const f = await world.start({ files });
    await f.repository.load('e');
    await f.repository.unload('a', { unloadDependents: false });
    const configJson = withoutVersion();
    await expect(f.repository.load('e', { override: { configJson } })).rejects.toThrow(
      'at least one version',
    );
    await f.repository.load('a');
    await f.folder.remove('e');
    await expect(f.repository.load('e')).rejects.toThrow("failed to load 'e', failed to poll");
    expect(isServed(f, 'e')).toBe(false);
  });

  it('says which model it misses when that one cannot be read, and that reading failed when it serves on', async () => {
    const f = await world.start({
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

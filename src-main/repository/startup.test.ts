// What a server loads when it starts, what it leaves out, and when it counts as ready.

import { describe, expect, it } from 'vitest';
import { chainConfig } from '../testing/repository-fixture.ts';
import { isRepositoryReady } from './repository-readiness.ts';
import { echoWorld, model, served } from '../testing/echo-world.ts';

const world = echoWorld();

describe('start', () => {
  const files = { ...model('a'), ...model('b'), 'e/config.pbtxt': chainConfig('a'), 'e/1/': '' };
  const rows: readonly [string[], string[]][] = [
    [[], []],
    [['b'], ['b']],
    [['e'], ['a', 'e']],
    [['*'], ['a', 'b', 'e']],
  ];
  it.each(rows)('with --load-model %j serves %j', async (startupModels, names) => {
    const f = await world.start({ files, options: { startupModels } });
    const { failed } = await f.repository.start();
    expect(failed.size).toBe(0);
    expect([...f.repository.ready()].map(({ id }) => id.name).sort()).toEqual(names);
  });

  it('reports an unknown model of the start set', async () => {
    const f = await world.start({ files, options: { startupModels: ['a', 'none'] } });
    const { failed } = await f.repository.start();
    expect([...failed.keys()]).toEqual(['none']);
    expect(served(f, 'a')).toBe('1');
  });

  it('leaves out what crashed the engine before, until it is loaded by hand', async () => {
    const f = await world.start({
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
    const f = await world.start({
      files: { ...model('a'), 'broken/config.pbtxt': 'nonsense {', 'broken/1/': '' },
      options: { controlMode: 'none' },
    });
    await f.repository.start();
    expect(served(f, 'broken')).toBe('is not found');
    expect(isRepositoryReady(f.repository.models())).toBe(true);
    world.backend.scripts.set('a', { loadError: new Error('x') });
    await f.repository.load('a', { isForced: true }).catch(() => undefined);
    expect(isRepositoryReady(f.repository.models())).toBe(true);
    await f.repository.unload('a', { unloadDependents: false });
    await f.repository.load('a').catch(() => undefined);
    expect(isRepositoryReady(f.repository.models())).toBe(false);
  });
});

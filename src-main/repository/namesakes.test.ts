// Models of one name in two repositories: refused, or told apart by their namespaces.

import { describe, expect, it } from 'vitest';
import { chainConfig, echoConfig, inferFloats } from '../testing/repository-fixture.ts';
import { echoWorld, model, served } from '../testing/echo-world.ts';

const world = echoWorld();

describe('explicit duplicates', () => {
  it('keep what is served and fail the load', async () => {
    const f = await world.start({ files: { 'y/': '', ...model('x/m') }, roots: ['x', 'y'] });
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
    const f = await world.start({ files, roots: ['x', 'y'], options });
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
    const f = await world.start({ files, roots: ['x', 'y'], options });
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
    const f = await world.start({ files: { ...files, ...model('x/one') }, roots: ['x', 'y'], options });
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

  it('counts those that cannot be loaded among the models of a name', async () => {
    const lost = { 'config.pbtxt': chainConfig('gone'), '1/': '' };
    const under = (folder: string): Record<string, string> =>
      Object.fromEntries(Object.entries(lost).map(([file, text]) => [`${folder}/${file}`, text]));
    const f = await world.start({
      files: {
        ...under('x/lost'),
        ...under('x/half'),
        ...model('y/half'),
        ...under('x/torn'),
        ...under('y/torn'),
      },
      roots: ['x', 'y'],
      options,
    });
    await f.repository.start();
    expect(() => f.repository.find('lost', -1)).toThrow(
      `Request for unknown model: '${f.folder.at('x')}::lost' is not found`,
    );
    for (const name of ['half', 'torn']) {
      expect(() => f.repository.find(name, -1)).toThrow(`There are 2 identifiers of model '${name}'`);
      expect(f.repository.isAmbiguous(name)).toBe(true);
    }
    expect(f.repository.isAmbiguous('lost')).toBe(false);
  });

  it('names each model of the name that could not be loaded, and those that it is made of', async () => {
    const f = await world.start({
      files: {
        'x/e/config.pbtxt': chainConfig('gone'),
        'x/e/1/': '',
        'y/e/config.pbtxt': chainConfig('over'),
        'y/e/1/': '',
        'y/over/config.pbtxt': chainConfig('gone'),
        'y/over/1/': '',
        'y/ring/config.pbtxt': chainConfig('ring'),
        'y/ring/1/': '',
      },
      roots: ['x', 'y'],
      options: { ...options, controlMode: 'explicit' },
    });
    const [x, y] = [f.folder.at('x'), f.folder.at('y')];
    await expect(f.repository.load('e')).rejects.toThrow(
      [
        `load failed for model '${x}::e': ensemble ${x}::e contains models that are not available or ambiguous: gone`,
        `load failed for model '${y}::e': ensemble '${y}::e' depends on '${y}::over' which is not valid. Model '${y}::over' failed with error: ensemble ${y}::over contains models that are not available or ambiguous: gone\n`,
      ].join('\n'),
    );
    await expect(f.repository.load('ring')).rejects.toThrow(
      `circular dependency between ensembles: ${y}::ring -> ... -> ${y}::ring -> ${y}::ring\n`,
    );
  });
});

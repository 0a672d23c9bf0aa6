// Loading again what serves: instances change in place, and configurations and files that a client sent come first.

import { describe, expect, it } from 'vitest';
import { echoConfig } from '../testing/repository-fixture.ts';
import { echoWorld, indexLines, model } from '../testing/echo-world.ts';

const world = echoWorld();

describe('in-place update', () => {
  const groups = (count: number, extra = ''): string =>
    echoConfig(`instance_group [ { kind: KIND_CPU count: ${count} ${extra} } ]`);

  it('creates and closes only the difference and keeps the version', async () => {
    const f = await world.start({ files: { 'm/config.pbtxt': groups(3), 'm/1/': '' } });
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
      expect(
        { live: world.backend.liveInstanceCount, created: world.backend.instances.length },
        text,
      ).toEqual({
        live,
        created,
      });
      expect(f.repository.find('m', 1)).toBe(served);
    }
    expect(served.config.instanceGroup[0]?.count).toBe(1);
    expect(world.backend.loadCount).toBe(1);
  });

  it('keeps the version policy under which the version was loaded', async () => {
    const f = await world.start({ files: { 'm/config.pbtxt': groups(1), 'm/1/': '' } });
    await f.repository.load('m');
    await f.folder.write({ 'm/config.pbtxt': `${groups(2)} version_policy { all {} }` });
    await f.folder.touch('m/config.pbtxt');
    await f.repository.load('m');
    expect(f.repository.find('m', 1).config).toMatchObject({
      instanceGroup: [{ count: 2 }],
      versionPolicy: { latest: { numVersions: 1 }, all: undefined },
    });
  });

  it('changes nothing when a new instance cannot be created, and says so at READY', async () => {
    const f = await world.start({ files: { 'm/config.pbtxt': groups(2), 'm/1/': '' } });
    await f.repository.load('m');
    world.backend.scripts.set('m', { createError: () => new Error('unused') });
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
    expect((await indexLines(f))[0]).toMatch(/^m 1 READY Invalid argument: /);
    expect(world.backend.liveInstanceCount).toBe(2);
  });

  it('keeps serving when the config cannot be parsed', async () => {
    const f = await world.start({ files: { 'm/config.pbtxt': groups(8), 'm/1/': '' } });
    await f.repository.load('m');
    await f.folder.write({ 'm/config.pbtxt': 'instance_group garbage' });
    await f.folder.touch('m/config.pbtxt');
    await expect(f.repository.load('m')).rejects.toThrow('failed to poll from model repository');
    expect(world.backend.liveInstanceCount).toBe(8);
    await f.folder.write({ 'm/config.pbtxt': groups(4) });
    await f.folder.touch('m/config.pbtxt');
    await f.repository.load('m');
    await f.repository.find('m', 1).retired();
    expect(world.backend.liveInstanceCount).toBe(4);
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
    const f = await world.start({ files: { ...model('m'), 'm/2/': '' } });
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
    const f = await world.start({ files: model('m') });
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

  it('takes a path with a slash in front as one below the model', async () => {
    const f = await world.start({ files: model('m') });
    const files = new Map([['/7/weights', new Uint8Array([1])]]);
    await f.repository.load('m', { override: { configJson: json({}), files } });
    expect(f.repository.find('m', -1).version).toBe('7');
  });

  it('builds a model from sent files alone and goes back to the repository afterwards', async () => {
    const f = await world.start({ files: { ...model('m'), 'm/3/': '' } });
    await f.repository.load('m');
    expect(f.repository.find('m', -1).version).toBe('3');
    const files = new Map([['1/weights', new Uint8Array([1])]]);
    await f.repository.load('m', { override: { configJson: json({}), files } });
    expect(f.repository.find('m', -1).version).toBe('1');
    await f.repository.load('fresh', { override: { configJson: json({}), files } });
    expect(f.repository.find('fresh', -1).version).toBe('1');
    await f.repository.load('m');
    expect(f.repository.find('m', -1).version).toBe('3');
    expect(await indexLines(f)).toEqual(['m 1 UNAVAILABLE unloaded', 'm 3 READY']);
  });

  const badFiles: readonly [string, string | undefined, string][] = [
    ['without a config', undefined, '1/w'],
    ['leaving the folder', json({}), '../escape'],
    ['with code', json({}), '1/model.py'],
    ['with an overlong name', json({}), `1/${'x'.repeat(300)}`],
  ];
  it.each(badFiles)('refuses files %s', async (_name, configJson, file) => {
    const f = await world.start({ files: model('m') });
    await f.repository.load('m');
    const served = f.repository.find('m', -1);
    const override = { configJson, files: new Map([[file, new Uint8Array(1)]]) };
    await expect(f.repository.load('m', { override })).rejects.toThrow(
      'failed to poll from model repository',
    );
    expect(f.repository.find('m', -1)).toBe(served);
  });
});

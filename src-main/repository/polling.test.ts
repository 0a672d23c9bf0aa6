// Mode poll: each round serves what the folders hold now.

import { describe, expect, it } from 'vitest';
import { addLogSink } from '../base/log.ts';
import { echoConfig } from '../testing/repository-fixture.ts';
import { isRepositoryReady } from './repository-readiness.ts';
import { echoWorld, model, served } from '../testing/echo-world.ts';

const world = echoWorld();

describe('mode poll', () => {
  const poll = { controlMode: 'poll' } as const;

  it('follows what is added, changed and deleted', async () => {
    const f = await world.start({ files: model('a'), options: poll });
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
    const f = await world.start({
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
    const f = await world.start({ files: model('m'), options: poll });
    world.backend.scripts.set('m', { loadError: new Error('broken') });
    const { failed } = await f.repository.start();
    expect([...failed.keys()]).toEqual(['m']);
    await f.repository.poll();
    expect(world.backend.loadCount).toBe(2);
    world.backend.scripts.delete('m');
    await f.repository.poll();
    expect(served(f, 'm')).toBe('1');
    await f.repository.poll();
    expect(world.backend.loadCount).toBe(3);
  });

  it('names a repository that is gone, goes on with the others and serves it again', async () => {
    const f = await world.start({
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
    const f = await world.start({ files: model('m'), options: poll });
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
    const f = await world.start({
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
    const f = await world.start({ files: model('m'), options: poll });
    await f.repository.start();
    await f.repository.unload('m', { unloadDependents: false });
    await f.repository.poll();
    expect(served(f, 'm')).toBe('has no available versions');
    await f.repository.load('m');
    expect(served(f, 'm')).toBe('1');
  });

  it('switches to an alternate configuration and back', async () => {
    const f = await world.start({
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

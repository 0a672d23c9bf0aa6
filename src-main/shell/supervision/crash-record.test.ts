// What a crashed engine is held against: models, providers, nobody.

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { SupervisionWorld } from '../../testing/supervision-world.ts';
import { isNativeFault } from './crash-blame.ts';
import { CrashRecord } from './crash-record.ts';

let world: SupervisionWorld;

beforeEach(async () => {
  world = await SupervisionWorld.create();
});
afterEach(() => world.close());

describe('the crash record', () => {
  test('the only model that was loading is quarantined, now and after a restart of the app', async () => {
    await world.supervise();
    world.engines[0]?.say({ type: 'listening', ports: {} });
    world.engines[0]?.say({ type: 'activity', loading: ['bad'], executing: ['good'] });
    await world.crash();
    expect(world.engines[1]?.sent[0]).toMatchObject({
      quarantined: [['bad', 'the server process ended while it ran (signal SIGSEGV after 0 s)']],
    });
    expect((await CrashRecord.open(world.folder)).quarantined).toHaveLength(1);
  });

  test('a GPU provider is left out for the model it crashed with; without it the model is quarantined', async () => {
    await world.supervise();
    world.engines[0]?.say({ type: 'listening', ports: {} });
    world.engines[0]?.say({ type: 'gpu-session', model: 'bad', provider: 'webgpu' });
    world.engines[0]?.say({ type: 'activity', loading: [], executing: ['bad'] });
    await world.crash();
    const leftOut = [
      {
        model: 'bad',
        provider: 'webgpu',
        reason: 'the server process ended while it ran this model (signal SIGSEGV after 0 s)',
      },
    ];
    expect(world.engines[1]?.sent[0]).toMatchObject({
      leftOut,
      quarantined: [],
      crashes: [{ model: 'bad' }],
    });
    expect((await CrashRecord.open(world.folder)).leftOut).toEqual(leftOut);
    world.engines[1]?.say({ type: 'listening', ports: {} });
    world.engines[1]?.say({ type: 'activity', loading: [], executing: ['bad'] });
    await world.crash();
    expect(world.engines[2]?.sent[0]).toMatchObject({ leftOut, quarantined: [['bad', expect.any(String)]] });
  });

  test('of several suspects none is blamed until one is a suspect again', async () => {
    await world.supervise();
    world.engines[0]?.say({ type: 'listening', ports: {} });
    world.engines[0]?.say({ type: 'activity', loading: [], executing: ['a', 'b'] });
    await world.crash();
    expect(world.crashes[0]?.model).toBeUndefined();
    world.engines[1]?.say({ type: 'activity', loading: [], executing: ['b', 'c'] });
    await world.crash();
    expect(world.crashes[1]?.model).toBe('b');
  });

  test('after two crashes in a row models are loaded one at a time', async () => {
    await world.supervise();
    await world.crash();
    await world.crash();
    const careful = world.engines.map(({ sent }) => sent[0]?.type === 'start' && sent[0].isCareful);
    expect(careful).toEqual([false, false, true]);
  });

  test('activity of an earlier process is not held against the next one', async () => {
    await world.supervise();
    world.engines[0]?.say({ type: 'activity', loading: ['bad'], executing: [] });
    await world.crash();
    await world.crash();
    expect(world.crashes.map(({ model }) => model)).toEqual(['bad', undefined]);
  });

  test('a model that the user loads again is released', async () => {
    await world.supervise();
    world.engines[0]?.say({ type: 'activity', loading: ['bad'], executing: [] });
    await world.crash();
    world.engines[1]?.say({ type: 'unquarantine', model: 'bad' });
    await vi.waitFor(async () => {
      const kept = JSON.parse(await readFile(path.join(world.folder, 'crashes.json'), 'utf8')) as object;
      expect(kept).toHaveProperty('quarantined', {});
    });
  });

  test('a damaged file counts as empty', async () => {
    await writeFile(path.join(world.folder, 'crashes.json'), '{"crashes":');
    expect((await CrashRecord.open(world.folder)).crashes).toEqual([]);
  });

  test('an end from outside is not held against a model that answers requests', async () => {
    await world.supervise();
    for (const signal of ['SIGKILL', 'SIGTERM', 'SIGKILL']) {
      world.engines.at(-1)?.say({ type: 'listening', ports: {} });
      world.engines.at(-1)?.say({ type: 'activity', loading: [], executing: ['good'] });
      await world.crash(signal);
    }
    expect(world.crashes.map(({ model }) => model)).toEqual([undefined, undefined, undefined]);
    expect(world.engines[3]?.sent[0]).toMatchObject({ quarantined: [] });
  });

  test.each([
    ['the system, for want of memory', () => world.engines.length, [undefined, 'big']],
    ['somebody', () => 7, [undefined, undefined]],
    ['nobody knows whom', () => undefined, [undefined, 'big']],
  ])(
    'a model that is loading each time when the engine is killed by %s',
    async (_who, memoryKills, blamed) => {
      await world.supervise({ memoryKills });
      world.engines[0]?.say({ type: 'activity', loading: ['big', 'small'], executing: [] });
      await world.crash('SIGKILL');
      world.engines[1]?.say({ type: 'activity', loading: ['big'], executing: [] });
      await world.crash('SIGKILL');
      expect(world.crashes.map(({ model }) => model)).toEqual(blamed);
    },
  );

  test('errors of the engine itself are held against no model, however often they come', async () => {
    await world.supervise();
    for (const model of ['one', 'two', 'three', 'three']) {
      world.engines.at(-1)?.say({ type: 'listening', ports: {} });
      world.engines.at(-1)?.say({ type: 'activity', loading: [model], executing: ['good'] });
      await world.crash(1);
    }
    expect(world.crashes.map(({ model }) => model)).toEqual([undefined, undefined, undefined, undefined]);
    expect((await CrashRecord.open(world.folder)).quarantined).toEqual([]);
  });

  test('a model that was loading while another one ended the engine is cleared by the next end', async () => {
    await world.supervise();
    world.engines[0]?.say({ type: 'activity', loading: ['innocent'], executing: ['bad', 'good'] });
    await world.crash();
    expect(world.crashes[0]?.model).toBe('innocent');
    world.engines[1]?.say({ type: 'activity', loading: ['other'], executing: ['bad'] });
    await world.crash();
    expect(world.crashes[1]?.model).toBe('bad');
    expect((await CrashRecord.open(world.folder)).quarantined.map(([model]) => model)).toEqual(['bad']);
  });

  test.each([
    [{ signal: 'SIGSEGV' }, true],
    [{ signal: 'SIGABRT' }, true],
    [{ signal: 'SIGKILL' }, false],
    [{ signal: 'SIGTERM' }, false],
    [{ code: 1 }, false],
    [{ code: 134 }, true],
    [{ code: 0xc000_0005 }, true],
    [{ code: -1_073_741_819 }, true],
  ])('%j is a native fault: %j', (end, isFault) => {
    expect(isNativeFault({ code: undefined, signal: undefined, ...end })).toBe(isFault);
  });
});

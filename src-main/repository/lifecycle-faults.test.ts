// What goes wrong while models load, serve and leave: files vanish, workers die, disks fail, calls cross. Whatever
// happens, requests are answered, other models serve on, and nothing is left at the end.

import { rm } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { toServerError } from '../../src-shared/errors.ts';
import type { BackendModel, ModelLoadContext } from '../inference/backend.ts';
import { FakeBackend } from '../testing/fake-backend.ts';
import { chainConfig, echoConfig, inferFloats } from '../testing/repository-fixture.ts';
import { echoWorld, model } from '../testing/echo-world.ts';

const world = echoWorld();

const two = 'instance_group [ { kind: KIND_CPU count: 2 } ]';

describe('faults while loading', () => {
  it('closes the instances made before one could not be created', async () => {
    const f = await world.start({ files: model('m', two) });
    world.backend.scripts.set('m', {
      createError: ({ ordinal }) => (ordinal === 1 ? new Error('worker died with code 134') : undefined),
    });
    await expect(f.repository.load('m')).rejects.toThrow('worker died with code 134');
    expect({ instances: world.backend.liveInstanceCount, models: world.backend.liveModelCount }).toEqual({
      instances: 0,
      models: 0,
    });
    world.backend.scripts.delete('m');
    await f.repository.load('m');
    expect(world.backend.liveInstanceCount).toBe(2);
  });

  it('releases the good versions of a load in which one failed', async () => {
    const f = await world.start({ files: { ...model('m', 'version_policy { all {} }'), 'm/2/': '' } });
    let created = 0;
    world.backend.scripts.set('m', { createError: () => (++created === 2 ? new Error('no') : undefined) });
    await expect(f.repository.load('m')).rejects.toThrow(
      /version \d is at UNAVAILABLE state: Internal: no;\n$/,
    );
    expect(world.backend.liveInstanceCount).toBe(0);
    const reasons = (await f.repository.index({ readyOnly: false })).map(({ reason }) => reason).sort();
    expect(reasons).toEqual(['Internal: no', 'unloaded']);
  });

  it('fails cleanly when a label file vanishes in the middle of the load', async () => {
    const f = await world.start({
      files: {
        'm/config.pbtxt': echoConfig().replace(
          'dims: [ 4 ] } ]\ninstance',
          'dims: [ 4 ] label_filename: "l.txt" } ]\ninstance',
        ),
        'm/1/': '',
        'm/l.txt': 'a',
      },
    });
    let removal: Promise<void> | undefined;
    const removing = f.repository.events.subscribe('versionState', ({ state }) => {
      if (state === 'LOADING') removal = rm(f.folder.at('m'), { recursive: true });
    });
    await rm(f.folder.at('m/l.txt'));
    await expect(f.repository.load('m')).rejects.toThrow('Internal: failed to open text file for read');
    removing[Symbol.dispose]();
    await removal;
    await expect(f.repository.load('m')).rejects.toThrow('failed to poll from model repository');
  });

  it('reports a disk error in the words of the system', async () => {
    const f = await world.start({ files: { ...model('m'), 'm/config.pbtxt': '' } });
    await f.folder.remove('m/config.pbtxt');
    await f.folder.write({ 'm/config.pbtxt/': '' });
    await expect(f.repository.load('m')).rejects.toThrow('failed to poll from model repository');
    expect(f.repository.problemOf('m')?.message).toMatch(/Could not determine backend for model 'm'/);
  });

  const strategies: readonly [string, string][] = [
    ['../lib.so', 'Batching library path escapes model repository.'],
    ['none.so', 'Batching library path not found: '],
    ['lib.so', "asks for the native batching library 'lib.so'"],
  ];
  it.each(strategies)('refuses the batching library %s', async (file, text) => {
    const parameter = `parameters { key: "TRITON_BATCH_STRATEGY_PATH" value { string_value: "${file}" } }`;
    const f = await world.start({ files: { ...model('m', parameter), 'm/lib.so': 'x' } });
    await expect(f.repository.load('m')).rejects.toThrow(text);
  });

  it.each(['m/batchstrategy.so', 'm/1/batchstrategy.so'])(
    'refuses %s beside a dynamic batcher',
    async (file) => {
      const f = await world.start({
        files: { ...model('m', 'dynamic_batching { }'), ...model('plain'), [file]: 'x' },
      });
      await expect(f.repository.load('m')).rejects.toThrow(
        /comes with the native batching library '.*batchstrategy.so'/,
      );
      await f.folder.write({ 'plain/batchstrategy.so': 'x' });
      await f.repository.load('plain');
    },
  );

  it('keeps labels inside the model folder', async () => {
    const labelled = (file: string): string =>
      `backend: "fake" input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 4 ] } ]
       output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 4 ] label_filename: "${file}" } ]`;
    const f = await world.start({
      files: {
        'm/config.pbtxt': labelled('../secret.txt'),
        'm/1/': '',
        'secret.txt': 'x',
        'n/config.pbtxt': labelled('labels.txt'),
        'n/1/': '',
        'n/labels.txt': 'cat\ndog\n',
      },
    });
    await expect(f.repository.load('m')).rejects.toThrow(
      "for output 'OUTPUT0' in model 'm' is outside model directory",
    );
    await f.repository.load('n');
    expect(f.repository.find('n', -1).labels.get('OUTPUT0')).toEqual(['cat', 'dog']);
  });
});

describe('crossing operations', () => {
  it('loses no request while a model is reloaded under traffic', async () => {
    const f = await world.start({ files: model('m', two) });
    await f.repository.load('m');
    let isDone = false;
    let answered = 0;
    const client = async (): Promise<void> => {
      while (!isDone) {
        const { error } = await inferFloats(f.repository.use('m', -1), [1, 2, 3, 4]);
        if (error !== undefined) throw error;
        answered += 1;
        await new Promise(setImmediate);
      }
    };
    const clients = [client(), client(), client(), client()];
    for (let round = 0; round < 100; round += 1) await f.repository.load('m', { isForced: true });
    isDone = true;
    await Promise.all(clients);
    expect(answered).toBeGreaterThan(100);
    expect(world.backend.loadCount).toBe(101);
  });

  it('answers every request while a model comes and goes 200 times', async () => {
    const f = await world.start({ files: model('m') });
    let isDone = false;
    const seen = new Map<string, number>();
    const ask = async (): Promise<string> => {
      try {
        const { error } = await inferFloats(f.repository.use('m', -1), [1, 2, 3, 4]);
        return error?.message ?? 'ok';
      } catch (thrown) {
        return toServerError(thrown).message;
      }
    };
    const client = async (): Promise<void> => {
      while (!isDone) {
        const text = await ask();
        seen.set(text, (seen.get(text) ?? 0) + 1);
        await new Promise(setImmediate);
      }
    };
    await f.repository.load('m');
    const clients = [client(), client()];
    for (let round = 0; round < 100; round += 1) {
      await f.repository.unload('m', { unloadDependents: false });
      await f.repository.load('m');
    }
    isDone = true;
    await Promise.all(clients);
    const allowed = new Set(['ok', "Request for unknown model: 'm' has no available versions"]);
    expect([...seen.keys()].filter((text) => !allowed.has(text))).toEqual([]);
    expect(seen.get('ok')).toBeGreaterThan(0);
  });

  it('survives many lanes loading and unloading one model', async () => {
    const f = await world.start({ files: model('m') });
    const lane = async (offset: number): Promise<void> => {
      for (let step = 0; step < 25; step += 1) {
        if ((step + offset) % 2 === 0) await f.repository.load('m');
        else await f.repository.unload('m', { unloadDependents: false });
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, offset) => lane(offset)));
    await f.repository.load('m');
    expect((await inferFloats(f.repository.use('m', -1), [1, 2, 3, 4])).error).toBeUndefined();
  });

  it('makes a second load wait for the first and then load the newer content', async () => {
    const f = await world.start({ files: model('m') });
    world.backend.scripts.set('m', { loadDelayMs: 20 });
    const first = f.repository.load('m');
    await new Promise<void>((resolve) => {
      f.repository.events.subscribe('loadPhase', ({ phase }) => {
        if (phase === 'loading model') resolve();
      });
    });
    await f.folder.write({ 'm/2/': '' });
    await f.folder.touch('m/2');
    const second = f.repository.load('m');
    await Promise.all([first, second]);
    expect(f.repository.find('m', -1).version).toBe('2');
    expect(world.backend.loadCount).toBe(2);
  });

  it('unloads a model, and the ensemble above it, once their load is done', async () => {
    const f = await world.start({
      files: { ...model('a'), 'e/config.pbtxt': chainConfig('a', 'a'), 'e/1/': '' },
    });
    world.backend.scripts.set('a', { loadDelayMs: 20 });
    const loading = f.repository.load('e');
    await new Promise<void>((resolve) => {
      f.repository.events.subscribe('loadPhase', () => resolve());
    });
    await Promise.all([loading, f.repository.unload('a', { unloadDependents: false })]);
    expect(() => f.repository.find('a', -1)).toThrow('no available versions');
    expect(() => f.repository.find('e', -1)).toThrow('no available versions');
  });

  it('loads unrelated models at the same time', async () => {
    const bothStarted = Promise.withResolvers<void>();
    world.backend = new (class extends FakeBackend {
      override async load(context: ModelLoadContext): Promise<BackendModel> {
        const model = await super.load(context);
        if (this.loadCount === 2) bothStarted.resolve();
        await bothStarted.promise;
        return model;
      }
    })();
    const f = await world.start({ files: { ...model('a'), ...model('b') } });
    await Promise.all([f.repository.load('a'), f.repository.load('b')]);
    expect([...f.repository.ready()].map(({ id }) => id.name).sort()).toEqual(['a', 'b']);
  });

  it('ends a load that runs while the repository closes', async () => {
    const f = await world.start({ files: model('m') });
    world.backend.scripts.set('m', { loadDelayMs: 60_000 });
    const loading = f.repository.load('m');
    await new Promise<void>((resolve) => {
      f.repository.events.subscribe('loadPhase', ({ phase }) => {
        if (phase === 'loading model') resolve();
      });
    });
    await Promise.all([expect(loading).rejects.toThrow('closing'), f.repository.close()]);
    await expect(f.repository.load('m')).rejects.toThrow('closing');
  });

  it('keeps no more loads running than told', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const f = await world.start({
      files: Object.assign({}, ...names.map((name) => model(name))) as Record<string, string>,
      options: { loadThreadCount: 1 },
    });
    let running = 0;
    let most = 0;
    f.repository.events.subscribe('loadPhase', ({ phase }) => {
      if (phase === 'completing config') running += 1;
      if (phase === undefined) running -= 1;
      most = Math.max(most, running);
    });
    await Promise.all(names.map((name) => f.repository.load(name)));
    expect(most).toBe(1);
  });
});

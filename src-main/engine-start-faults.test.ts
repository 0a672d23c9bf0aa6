// Starts in which something is missing or told twice: what is served then, and whether the engine starts at all.
import { describe, expect, it, vi } from 'vitest';
import { createEngine } from './create-engine.ts';
import type { Engine } from './engine.ts';
import { FakeClock } from './testing/fake-clock.ts';
import { startTestEngine, testEngineOptions } from './testing/start-test-engine.ts';
import { TempRepository } from './testing/temp-repository.ts';

const IDENTITY = `backend: "identity"
input [ { name: "INPUT0" data_type: TYPE_INT32 dims: [ 16 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_INT32 dims: [ 16 ] } ]
instance_group [ { kind: KIND_CPU } ]`;

describe('starts that fail in part', () => {
  it('answers nothing about models where no repository could be opened', async () => {
    await using engine = await startTestEngine('/nowhere/at/all', { server: { exitOnError: false } });
    const { service } = engine;
    const questions: Readonly<Record<string, () => unknown>> = {
      index: () => service.repositoryIndex({ readyOnly: false }),
      ready: () => service.isModelReady('m', ''),
      load: () => service.loadModel('m', {}),
      unload: () => service.unloadModel('m', { unloadDependents: false }),
      metadata: () => service.modelMetadata('m', ''),
      config: () => service.modelConfig('m', ''),
      statistics: () => service.statistics('', ''),
      'trace settings': () => service.traceSettings.get('m'),
    };
    for (const [name, ask] of Object.entries(questions))
      await expect((async () => await ask())(), name).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        message: 'Server not ready',
      });
    expect(service.traceSettings.get('').traceRate).toBe('1000');
    const ready = await fetch(`http://127.0.0.1:${engine.ports.http}/v2/models/m/ready`);
    expect([ready.status, await ready.text()]).toEqual([503, '{"error":"Server not ready"}']);
  });

  it('does not poll when one of the folders is missing', async () => {
    await using repository = await TempRepository.create({ 'm/config.pbtxt': IDENTITY, 'm/1/': '' });
    const clock = new FakeClock();
    const options = testEngineOptions(repository.path, {
      server: { exitOnError: false },
      repository: { controlMode: 'poll', pollSec: 1 },
    });
    const paths = [repository.path, '/nowhere/at/all'];
    const engine = createEngine({ ...options, repository: { ...options.repository, paths } }, { clock });
    const polls = vi.spyOn(engine.repository, 'poll');
    await engine.start();
    try {
      await clock.advance(5000);
      expect(polls).not.toHaveBeenCalled();
    } finally {
      await engine.close();
    }
  });

  it('counts a model that two folders have as one that failed', async () => {
    await using repository = await TempRepository.create({
      'x/m/config.pbtxt': IDENTITY,
      'x/m/1/': '',
      'y/m/config.pbtxt': IDENTITY,
      'y/m/1/': '',
      'y/own/config.pbtxt': IDENTITY,
      'y/own/1/': '',
    });
    const engineWith = (exitOnError: boolean): Engine => {
      const options = testEngineOptions('', { server: { exitOnError } });
      const paths = ['x', 'y'].map((folder) => repository.at(folder));
      return createEngine({ ...options, repository: { ...options.repository, controlMode: 'none', paths } });
    };
    await expect(engineWith(true).start()).rejects.toMatchObject({ message: 'failed to load all models' });
    const engine = engineWith(false);
    await engine.start();
    try {
      expect(engine.service.isReady()).toBe(true);
      expect(await engine.service.isModelReady('own', '')).toBe(true);
    } finally {
      await engine.close();
    }
  });

  it('serves without models when the wildcard is not alone', async () => {
    await using repository = await TempRepository.create({ 'm/config.pbtxt': IDENTITY, 'm/1/': '' });
    const wanted = { controlMode: 'explicit', startupModels: ['m', '*'] } as const;
    await expect(startTestEngine(repository.path, { repository: wanted })).rejects.toThrow(
      "Wildcard model name '*' must be the ONLY startup model if specified at all.",
    );
    await using engine = await startTestEngine(repository.path, {
      server: { exitOnError: false },
      repository: wanted,
    });
    expect([engine.service.isLive(), engine.service.isReady()]).toEqual([true, true]);
    await engine.service.loadModel('m', {});
    expect(await engine.service.isModelReady('m', '')).toBe(true);
  });
});

// Loads that never come back: what waits for them is told so, and they can be ended from outside.

import { describe, expect, it, onTestFinished } from 'vitest';
import { addLogSink } from '../base/log.ts';
import { echoWorld, indexLines, model, served } from '../testing/echo-world.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import type { RepositoryFixture } from '../testing/repository-fixture.ts';

const world = echoWorld();
const FOR_EVER_MS = 1e9;
const WAITED = { loadDelayMs: FOR_EVER_MS };

/** Resolves when the load of a model is where its backend would never come back from. */
function hanging({ repository }: RepositoryFixture, name: string): Promise<void> {
  return new Promise((resolve) => {
    const phases = repository.events.subscribe('loadPhase', ({ id, phase }) => {
      if (id.name !== name || phase !== 'loading model') return;
      phases[Symbol.dispose]();
      resolve();
    });
  });
}

function followLog(): readonly string[] {
  const told: string[] = [];
  onTestFinished(addLogSink(({ message }) => told.push(message)));
  return told;
}

describe('a load that never comes back', () => {
  it('can be stopped: who asked for it is told, and the model can be loaded again', async () => {
    const f = await world.start({ files: model('m') });
    world.backend.scripts.set('m', WAITED);
    const isHanging = hanging(f, 'm');
    const loading = expect(f.repository.load('m')).rejects.toThrow(
      "load failed for model 'm': version 1 is at UNAVAILABLE state: Unavailable: loading was stopped in the window;",
    );
    await isHanging;
    f.repository.stopLoading('other');
    expect(await indexLines(f)).toEqual(['m 1 LOADING']);
    f.repository.stopLoading('m');
    await loading;
    expect(await indexLines(f)).toEqual(['m 1 UNAVAILABLE Unavailable: loading was stopped in the window']);
    world.backend.scripts.delete('m');
    await f.repository.load('m');
    f.repository.stopLoading('m');
    expect(served(f, 'm')).toBe('1');
  });

  it('leaves the version that serves when it is stopped', async () => {
    const f = await world.start({ files: model('m') });
    await f.repository.load('m');
    world.backend.scripts.set('m', WAITED);
    const isHanging = hanging(f, 'm');
    const loading = expect(f.repository.load('m', { isForced: true })).rejects.toThrow('was stopped');
    await isHanging;
    f.repository.stopLoading('m');
    await loading;
    expect(served(f, 'm')).toBe('1');
  });

  it('is waited for by an unload, which the log tells once, with the step it is at', async () => {
    const f = await world.start({ files: { ...model('m'), ...model('other') } });
    world.backend.scripts.set('m', WAITED);
    const told = followLog();
    const isHanging = hanging(f, 'm');
    const loading = f.repository.load('m').catch(() => undefined);
    await isHanging;
    const unloading = f.repository.unload('m', { unloadDependents: false });
    const again = f.repository.load('m').catch(() => undefined);
    await f.repository.load('other');
    await f.repository.unload('other', { unloadDependents: false });
    expect(told.filter((text) => text.includes('waits'))).toEqual([
      "the call to unload 'm' waits for what is under way with 'm' (loading model)",
      "the call to load 'm' waits for what is under way with 'm' (loading model)",
    ]);
    // The second load hangs as the first did, whichever of the two that wait is first.
    const stopping = setInterval(() => f.repository.stopLoading('m'), 5);
    await Promise.all([loading, unloading, again]);
    clearInterval(stopping);
  });

  it('says which step of its completion does not end, and can be stopped there', async () => {
    const completing = 'its process imports the code and runs auto_complete_config()';
    const f = await world.start({ files: model('m') });
    Object.assign(world.backend, {
      completing,
      autoComplete: (_files: unknown, _config: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        ),
    });
    onTestFinished(
      () => void Object.assign(world.backend, { completing: undefined, autoComplete: undefined }),
    );
    const phase = new Promise<void>((resolve) => {
      const phases = f.repository.events.subscribe('loadPhase', ({ phase: text }) => {
        if (text !== `completing config: ${completing}`) return;
        phases[Symbol.dispose]();
        resolve();
      });
    });
    const loading = expect(f.repository.load('m')).rejects.toThrow('loading was stopped in the window');
    await phase;
    f.repository.stopLoading('m');
    await loading;
  });

  it('says in its phase that it makes no progress', async () => {
    const clock = new FakeClock();
    const f = await world.start({ files: model('m'), clock });
    world.backend.scripts.set('m', WAITED);
    const phases: (string | undefined)[] = [];
    const told = followLog();
    f.repository.events.subscribe('loadPhase', ({ phase }) => phases.push(phase));
    const isHanging = hanging(f, 'm');
    const loading = f.repository.load('m').catch(() => undefined);
    await isHanging;
    await clock.advance(30_000);
    expect(phases.at(-1)).toBe('no progress for 30 s: loading model');
    await clock.advance(30_000);
    expect(phases.at(-1)).toBe('no progress for 60 s: loading model');
    for (let times = 0; times < 7; times += 1) await clock.advance(30_000);
    expect(phases.at(-1)).toBe('no progress for 4 min: loading model');
    expect(told.filter((text) => text.includes('no progress'))).toHaveLength(1);
    f.repository.stopLoading('m');
    await loading;
    expect(phases.at(-1)).toBeUndefined();
  });
});

// The engine's side of one load generator, with a process made of callbacks.

import { expect, test } from 'vitest';

import type { ProcessEnd, ProcessSpawner } from '../../base/process-spawner.ts';
import type { FromGenerator, ToGenerator } from '../process/perf-messages.ts';
import { GeneratorRun } from './generator-run.ts';
import type { GeneratorListener } from './generator-run.ts';

function fakeGenerator() {
  const sent: ToGenerator['type'][] = [];
  let hear: (message: FromGenerator) => void = () => undefined;
  let exit: (end: ProcessEnd) => void = () => undefined;
  const spawner: ProcessSpawner = {
    spawn: () => ({
      pid: 1,
      send: (message) => void sent.push((message as ToGenerator).type),
      onMessage: (listener) => (hear = listener),
      onExit: (listener) => (exit = listener),
      kill: () => undefined,
    }),
  };
  const listener: GeneratorListener = {
    prepared: () => undefined,
    progress: () => undefined,
    level: () => undefined,
  };
  const run = new GeneratorRun(spawner, {} as never, listener);
  return { run, sent, say: (message: FromGenerator) => hear(message), end: (end: ProcessEnd) => exit(end) };
}

test('it is started when it is ready, and let go when its result has come', async () => {
  const { run, sent, say, end } = fakeGenerator();
  say({ type: 'ready' });
  say({ type: 'done', warnings: ['fair'] });
  end({ code: 0, detail: 'exit code 0' });
  expect(await run.done).toEqual(['fair']);
  expect(sent).toEqual(['start', 'end']);
});

test('what it failed with is what the run fails with', async () => {
  const { run, sent, say } = fakeGenerator();
  const error = { code: 'UNAVAILABLE', message: 'nobody answers', details: { remedy: 'Start it.' } } as const;
  say({ type: 'failed', error });
  await expect(run.done).rejects.toMatchObject(error);
  expect(sent).toEqual(['end']);
});

test('an end without a result is an error that says how it ended', async () => {
  const { run, end } = fakeGenerator();
  end({ code: undefined, detail: 'signal SIGKILL' });
  await expect(run.done).rejects.toThrow('the load generator ended unexpectedly (signal SIGKILL)');
});

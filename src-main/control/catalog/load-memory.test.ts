// Memory of loads and unloads, told only when it can be told apart.

import { expect, test } from 'vitest';

import { EventBus } from '../../base/event-bus.ts';
import type { VersionState } from '../../repository/lifecycle-state.ts';
import type { RepositoryEvents } from '../../repository/repository-events.ts';
import { LoadMemory } from './load-memory.ts';

function world({ isFresh = false } = {}) {
  const events = new EventBus<RepositoryEvents>((thrown) => {
    throw thrown as Error;
  });
  let bytes = 1000;
  const memory = new LoadMemory({ events, residentBytes: () => bytes });
  const id = (name: string) => ({ name, namespace: '' });
  const phase = (name: string, text: string | undefined) =>
    events.publish('loadPhase', { id: id(name), version: '1', phase: text });
  if (!isFresh) {
    phase('first', 'instance 1 of 1');
    phase('first', undefined);
  }
  return {
    memory,
    use: (change: number) => (bytes += change),
    phase,
    state: (name: string, state: VersionState) =>
      events.publish('versionState', { id: id(name), version: '1', state, reason: '', model: undefined }),
  };
}

test('a load that ran alone took what the process grew by', () => {
  const { memory, phase, use } = world();
  phase('a', 'instance 1 of 2');
  use(300);
  phase('a', 'instance 2 of 2');
  use(200);
  phase('a', undefined);
  expect(memory.taken('a', '1')).toBe(500);
});

test('a load for which the process did not grow took nothing, which is not the same as not known', () => {
  const { memory, phase, use } = world();
  phase('a', 'instance 1 of 1');
  use(-100);
  phase('a', undefined);
  expect(memory.taken('a', '1')).toBe(0);
});

test('the first load brings the runtime along and is not told, a load of it again is', () => {
  const { memory, phase, use } = world({ isFresh: true });
  for (const bytes of [20_000, 500]) {
    phase('a', 'instance 1 of 1');
    use(bytes);
    phase('a', undefined);
    expect(memory.taken('a', '1')).toBe(bytes === 500 ? 500 : undefined);
  }
});

test('loads that overlap are not told apart', () => {
  const { memory, phase, use } = world();
  phase('a', 'instance 1 of 1');
  phase('b', 'instance 1 of 1');
  use(300);
  phase('a', undefined);
  phase('b', undefined);
  expect([memory.taken('a', '1'), memory.taken('b', '1')]).toEqual([undefined, undefined]);
});

test('an unload during a load spoils its number, and an unloaded version has none', () => {
  const { memory, phase, state, use } = world();
  phase('a', 'instance 1 of 1');
  state('b', 'UNLOADING');
  use(300);
  phase('a', undefined);
  expect(memory.taken('a', '1')).toBeUndefined();
  phase('a', 'instance 1 of 1');
  use(10);
  phase('a', undefined);
  expect(memory.taken('a', '1')).toBe(10);
  state('a', 'UNAVAILABLE');
  expect(memory.taken('a', '1')).toBeUndefined();
});

test('an unload tells what it gave back, unless something was loaded meanwhile', () => {
  const { memory, phase, state, use } = world();
  const end = memory.measureUnload('a');
  state('a', 'UNLOADING');
  use(-180);
  expect(end()).toBe(180);
  const disturbed = memory.measureUnload('a');
  phase('b', 'instance 1 of 1');
  expect(disturbed()).toBeUndefined();
});

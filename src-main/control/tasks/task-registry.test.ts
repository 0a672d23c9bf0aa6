import { expect, test } from 'vitest';

import type { TaskView } from '../../../src-shared/contract/observe-views.ts';
import { systemClock } from '../../base/clock.ts';
import { TaskRegistry } from './task-registry.ts';

function registry(): { tasks: TaskRegistry; seen: TaskView[] } {
  const seen: TaskView[] = [];
  return { tasks: new TaskRegistry({ clock: systemClock, onChange: (view) => seen.push(view) }), seen };
}

test('progress and the end are told', async () => {
  const { tasks, seen } = registry();
  const work = tasks.run('t', 'Import', ({ report }) => {
    report(0.5, '1 of 2 files');
    return Promise.resolve(7);
  });
  await expect(work).resolves.toBe(7);
  expect(seen.map(({ state, progress }) => [state, progress])).toEqual([
    ['running', undefined],
    ['running', 0.5],
    ['done', 1],
  ]);
});

test('a cancelled task is cancelled, not failed', async () => {
  const { tasks } = registry();
  const work = tasks.run(
    't',
    'Import',
    ({ signal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      ),
  );
  tasks.cancel('t');
  await expect(work).rejects.toThrow('cancelled');
  expect(tasks.list()[0]?.state).toBe('cancelled');
});

test('a failed task keeps its reason', async () => {
  const { tasks } = registry();
  await expect(tasks.run('t', 'Import', () => Promise.reject(new Error('disk full')))).rejects.toThrow(
    'disk full',
  );
  expect(tasks.list()[0]).toMatchObject({ state: 'failed', detail: 'disk full' });
});

test('only the latest ended tasks are kept', async () => {
  const { tasks } = registry();
  for (let i = 0; i < 30; i += 1) await tasks.run(`t${i}`, 'x', () => Promise.resolve());
  expect(tasks.list()).toHaveLength(20);
  expect(tasks.list()[0]?.id).toBe('t10');
});

// Calls and runs that take long, as tasks.

import { expect, test } from 'vitest';

import type { CallHandlers } from '../../../src-shared/contract/contract.ts';
import type { TaskView } from '../../../src-shared/contract/observe-views.ts';
import type { PerfProgress, PerfRunSummary } from '../../../src-shared/contract/perf-views.ts';
import { PageGone } from '../../../src-shared/rpc/page-gone.ts';
import { EventBus } from '../../base/event-bus.ts';
import type { RepositoryEvents } from '../../repository/repository-events.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { withLongCalls } from './long-calls.ts';
import { PerfTasks } from '../perf/perf-tasks.ts';
import { TaskRegistry } from './task-registry.ts';

function world() {
  const clock = new FakeClock();
  const seen: TaskView[] = [];
  const tasks = new TaskRegistry({ clock, onChange: (view) => seen.push(view) });
  const events = new EventBus<RepositoryEvents>((thrown) => {
    throw thrown;
  });
  const gate = Promise.withResolvers<void>();
  const load = async (_args: unknown, { signal }: { signal: AbortSignal }): Promise<unknown> => {
    const aborted = new Promise<never>((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
    );
    await Promise.race([gate.promise, aborted]);
    return 'loaded';
  };
  const handlers = withLongCalls({ 'repository/load': load } as unknown as CallHandlers, { tasks, events });
  const page = new AbortController();
  const call = () => handlers['repository/load']({ model: 'bert' }, { signal: page.signal });
  return { clock, tasks, seen, events, gate, page, call };
}

test('a load that is over within a second leaves no trace', async () => {
  const { clock, seen, gate, call } = world();
  const loading = call();
  await clock.advance(900);
  gate.resolve();
  expect(await loading).toBe('loaded');
  await clock.advance(5000);
  expect(seen).toEqual([]);
});

test('a load that takes longer is a task that says which step it is at', async () => {
  const { clock, tasks, events, gate, call } = world();
  const loading = call();
  const id = { namespace: '', name: 'bert' };
  events.publish('loadPhase', { id, version: '1', phase: 'reading config' });
  await clock.advance(1000);
  expect(tasks.list()).toMatchObject([{ title: 'Load bert', state: 'running', detail: 'reading config' }]);
  events.publish('loadPhase', { id, version: '1', phase: 'instance 1 of 2' });
  expect(tasks.list()).toMatchObject([{ detail: 'instance 1 of 2' }]);
  gate.resolve();
  await loading;
  expect(tasks.list()).toMatchObject([{ state: 'done', progress: 1 }]);
});

test('a load is cancelled from the list of tasks, and by the page that asked for it', async () => {
  const first = world();
  const loading = first.call();
  await first.clock.advance(1000);
  first.tasks.cancel(first.tasks.list()[0]?.id ?? '');
  await expect(loading).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(first.tasks.list()).toMatchObject([{ state: 'cancelled' }]);

  const second = world();
  const abandoned = second.call();
  await second.clock.advance(1000);
  second.page.abort(new Error('cancelled by the caller'));
  await expect(abandoned).rejects.toThrow('cancelled by the caller');
  expect(second.tasks.list()).toMatchObject([{ state: 'cancelled' }]);
});

test('a load goes on when the connection of its page breaks, and is in the list when it is back', async () => {
  const { clock, tasks, gate, page, call } = world();
  const loading = call();
  page.abort(new PageGone());
  await clock.advance(1000);
  expect(tasks.list()).toMatchObject([{ title: 'Load bert', state: 'running' }]);
  gate.resolve();
  expect(await loading).toBe('loaded');
  expect(tasks.list()).toMatchObject([{ state: 'done' }]);
});

test('what only answers a page ends with it', async () => {
  const { tasks, events } = world();
  const page = new AbortController();
  const parity = (_args: unknown, { signal }: { signal: AbortSignal }): Promise<unknown> =>
    new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
    );
  const handlers = withLongCalls({ 'playground/parity': parity } as unknown as CallHandlers, {
    tasks,
    events,
  });
  const checking = handlers['playground/parity']({ model: 'bert' } as never, { signal: page.signal });
  page.abort(new PageGone());
  await expect(checking).rejects.toBeInstanceOf(PageGone);
});

test('a copy goes on when the connection of its page breaks', async () => {
  const { tasks } = world();
  const page = new AbortController();
  const gate = Promise.withResolvers<void>();
  const copying = tasks.run(
    'copy',
    'Copy bert',
    async ({ signal }) => {
      await gate.promise;
      return signal.aborted;
    },
    { signal: page.signal },
  );
  page.abort(new PageGone());
  gate.resolve();
  expect(await copying).toBe(false);
  expect(tasks.list()).toMatchObject([{ state: 'done' }]);
});

test('a performance run is a task while it goes on', () => {
  const { tasks } = world();
  const stopped: string[] = [];
  const perf = new PerfTasks({ tasks, stop: (run) => stopped.push(run) });
  const run = (state: PerfRunSummary['state']) =>
    ({ id: 'r1', name: 'baseline', model: 'bert', state, error: '' }) as PerfRunSummary;
  perf.changed(run('queued'));
  expect(tasks.list()).toEqual([]);
  perf.changed(run('running'));
  perf.progressed({
    runId: 'r1',
    state: 'measuring',
    level: { unit: 'concurrency', value: 4 },
    share: 0.25,
  } as PerfProgress);
  expect(tasks.list()).toMatchObject([
    { title: 'Measure bert: baseline', progress: 0.25, detail: 'measuring, concurrency 4' },
  ]);
  tasks.cancel('perf r1');
  expect(stopped).toEqual(['r1']);
  perf.changed(run('stopped'));
  expect(tasks.list()).toMatchObject([{ state: 'cancelled' }]);
});

test('a performance run with levels that were not stable is not simply done', () => {
  const { tasks } = world();
  const perf = new PerfTasks({ tasks, stop: () => undefined });
  const base = { id: 'r1', name: '', model: 'bert', error: '', levelCount: 4 };
  const run = (changes: Partial<PerfRunSummary>) => ({ ...base, ...changes }) as PerfRunSummary;
  perf.changed(run({ state: 'running', unstableCount: 0 }));
  perf.changed(run({ state: 'done', unstableCount: 2 }));
  expect(tasks.list()).toMatchObject([
    { state: 'done', fallsShort: true, detail: '2 of 4 levels not stable' },
  ]);
  perf.changed(run({ id: 'r2', state: 'running', unstableCount: 0 }));
  perf.changed(run({ id: 'r2', state: 'done', unstableCount: 0 }));
  expect(tasks.list()[1]).toMatchObject({ state: 'done', detail: '' });
  expect(tasks.list()[1]?.fallsShort).toBeUndefined();
});

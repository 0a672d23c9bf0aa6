// Long work: what runs stands first, can be cancelled, and says how it ended.

import { afterEach, expect, test, vi } from 'vitest';

import type { TaskView } from '../../../src-shared/contract/observe-views.ts';
import { notFound } from '../../../src-shared/errors.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import type { FakeShell } from '../../testing/fake-shell.ts';
import { installShell } from '../../testing/fake-shell.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, renderView, until } from '../../testing/render.tsx';
import { ToastHost } from '../../ui/toast.tsx';
import { TasksPanel } from './tasks-panel.tsx';

let page: Rendered | undefined;
let shell: FakeShell | undefined;
afterEach(async () => {
  vi.unstubAllGlobals();
  shell?.remove();
  await page?.close();
});

const task = (id: string, changes: Partial<TaskView> = {}): TaskView => ({
  id,
  title: `Import ${id}`,
  state: 'running',
  progress: 0.4,
  detail: '4 of 10 MiB',
  startedAtMs: new Date(2026, 4, 4, 12, 4, 5).getTime(),
  losesWork: true,
  ...changes,
});

async function start(tasks: readonly TaskView[]): Promise<Rendered> {
  const fake = new FakeEngine();
  fake.overrides['observe/tasks'] = () => tasks;
  page = await renderView(
    <>
      <TasksPanel />
      <ToastHost />
    </>,
    fake,
  );
  return page;
}

test('nothing to do says what would be here', async () => {
  const { get } = await start([]);
  expect(get('tasks-empty').textContent).toContain('No tasks');
});

test('what runs stands above what ended, with its progress and since when', async () => {
  const { get } = await start([
    task('ended', { state: 'failed', detail: 'disk full' }),
    task('gone', { state: 'cancelled', detail: '' }),
    task('runs'),
  ]);
  const list = await until(() => get('tasks-list'));
  expect([...list.children].map((item) => (item as HTMLElement).dataset['testid'])).toEqual([
    'task-runs',
    'task-ended',
    'task-gone',
  ]);
  expect(get('task-runs').textContent).toContain('since 12:04:05');
  expect(get('task-runs').querySelector('[role=progressbar]')?.getAttribute('aria-valuenow')).toBe('40');
  expect(get('task-ended').textContent).toContain('Failed');
  expect(get('task-ended').textContent).toContain('disk full');
  expect(get('task-ended').textContent).toContain('started 12:04:05');
  expect(get('task-ended').querySelector('button')).toBeNull();
  expect(await accessibilityFaults()).toEqual([]);
});

test('what ended without steady numbers is not called done', async () => {
  const detail = '2 of 4 levels not stable';
  const { get } = await start([task('short', { state: 'done', fallsShort: true, detail })]);
  const row = await until(() => get('task-short'));
  expect(row.textContent).toContain(`Ended${detail}`);
  expect(row.textContent).not.toContain('Done');
});

test('a task that runs is cancelled by its button, and a cancel that comes too late is told', async () => {
  const { get, fake } = await start([task('a')]);
  fake.overrides['observe/cancelTask'] = () => undefined;
  const button = await until(() => get('task-a').querySelector('button') as HTMLElement);
  await click(button);
  await until(() => expect(fake.argsOf('observe/cancelTask')).toEqual([{ id: 'a' }]));
  fake.overrides['observe/cancelTask'] = () => {
    throw notFound('it has ended already');
  };
  await click(button);
  await until(() => expect(get('toast-error').textContent).toContain('it has ended already'));
});

test('news of a task change its row', async () => {
  const { get, fake } = await start([task('a')]);
  await until(() => get('task-a'));
  fake.publish('observe/task', task('a', { state: 'done', detail: 'imported' }));
  await until(() => expect(get('task-a').dataset['state']).toBe('done'));
  fake.publish('observe/task', task('b'));
  await until(() => expect(get('tasks-list').children).toHaveLength(2));
});

test('a browser is asked whether it may tell; the desktop app is not, nor one that decided', async () => {
  let asked = 0;
  const notices = (permission: string) => ({
    permission,
    requestPermission: () => {
      asked += 1;
      return Promise.resolve('granted');
    },
  });
  vi.stubGlobal('Notification', notices('default'));
  const { get, query } = await start([task('a')]);
  await click(await until(() => get('tasks-notify')));
  await until(() => expect(query('tasks-notify')).toBeNull());
  expect(asked).toBe(1);
  await page?.close();
  shell = installShell();
  await start([task('a')]);
  await until(() => page?.get('task-a'));
  expect(page?.query('tasks-notify')).toBeNull();
  shell.remove();
  await page?.close();
  vi.stubGlobal('Notification', notices('denied'));
  await start([task('a')]);
  await until(() => page?.get('task-a'));
  expect(page?.query('tasks-notify')).toBeNull();
});

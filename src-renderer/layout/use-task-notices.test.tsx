// The system tells the end of long work while nobody looks, once, and nothing else.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { TaskView } from '../../src-shared/contract/observe-views.ts';
import type { Rendered } from '../testing/render.tsx';
import { renderView, until } from '../testing/render.tsx';
import { useTaskNotices } from './use-task-notices.ts';

let page: Rendered | undefined;
let told: string[];

beforeEach(() => {
  told = [];
  vi.stubGlobal(
    'Notification',
    class {
      static permission = 'granted';
      constructor(title: string, { body }: { readonly body: string }) {
        told.push(`${title} ${body}`);
      }
    },
  );
});
afterEach(async () => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  await page?.close();
});

function Listener() {
  useTaskNotices();
  return <p data-testid="listener" />;
}

function task(id: string, state: TaskView['state'], seconds: number): TaskView {
  const startedAtMs = Date.now() - seconds * 1000;
  const title = `Task ${id}`;
  return { id, title, state, progress: undefined, detail: 'disk full', startedAtMs, losesWork: true };
}

/** Answers once events arrive. */
async function start(): Promise<Rendered> {
  const hasFocus = vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  const view = await renderView(<Listener />);
  page = view;
  await until(() => {
    view.fake.publish('observe/task', task('probe', 'done', 60));
    expect(told).toEqual(['Task probe Done.']);
  });
  told.length = 0;
  hasFocus.mockReset();
  return view;
}

test('long work that ended is told once, short or cancelled work is not', async () => {
  const { fake } = await start();
  vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  for (const one of [
    task('a', 'running', 60),
    task('a', 'done', 60),
    task('a', 'done', 60),
    task('b', 'failed', 16),
    task('c', 'done', 5),
    task('d', 'cancelled', 60),
    task('last', 'done', 20),
  ]) {
    fake.publish('observe/task', one);
  }
  await until(() => expect(told.at(-1)).toBe('Task last Done.'));
  expect(told).toEqual(['Task a Done.', 'Task b Failed: disk full', 'Task last Done.']);
});

test('who looks at the window is told nothing', async () => {
  const { fake } = await start();
  const hasFocus = vi.spyOn(document, 'hasFocus').mockReturnValue(true);
  fake.publish('observe/task', task('a', 'done', 60));
  await until(() => expect(hasFocus).toHaveBeenCalled());
  hasFocus.mockReturnValue(false);
  fake.publish('observe/task', task('b', 'done', 60));
  await until(() => expect(told).toEqual(['Task b Done.']));
});

// The bottom row: what it says of server, models, problems and work, with a server and without, and where its buttons lead.

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { TaskView } from '../../src-shared/contract/observe-views.ts';
import { INITIAL_WORKSPACE, workspace } from '../lib/workspace-store.ts';
import { FakeEngine } from '../testing/fake-engine.ts';
import { fakeModel } from '../testing/fake-models.ts';
import { fakeSample, fakeServer } from '../testing/fake-views.ts';
import type { Rendered } from '../testing/render.tsx';
import { accessibilityFaults, click, renderWithHosts, until } from '../testing/render.tsx';
import { StatusBar } from './status-bar.tsx';

let fake: FakeEngine;
let page: Rendered;

beforeEach(async () => {
  workspace.setState(INITIAL_WORKSPACE, true);
  fake = new FakeEngine();
  fake.snapshot = {
    ...fake.snapshot,
    models: [
      fakeModel('one', { state: 'ready' }),
      fakeModel('two', { state: 'unloaded' }),
      fakeModel('three', { state: 'failed', issueCounts: { error: 2, warning: 1, info: 4 } as never }),
    ],
  };
  page = await renderWithHosts(<StatusBar />, fake);
  await until(() => expect(text('server')).toContain('8000'));
});
afterEach(() => page.close());

const text = (id: string): string => page.get(`status-${id}`).textContent;

/** Numbers change once per second. */
const later = (): number => Date.now() + 5000;

const task = (changes: Partial<TaskView> = {}): TaskView => ({
  id: 'copy',
  title: 'Copy of densenet',
  state: 'running',
  progress: 0.42,
  detail: '',
  startedAtMs: 0,
  losesWork: true,
  ...changes,
});

test('it counts what is ready and what is wrong, without hints', async () => {
  await until(() => expect(text('ready')).toBe('Ready 1 of 3'));
  expect(page.get('status-problems').dataset['count']).toBe('3');
  fake.change('three', { state: 'ready', issueCounts: { error: 0, warning: 0, info: 4 } as never });
  await until(() => expect(text('problems')).toBe('No problems'));
  expect(text('ready')).toBe('Ready 2 of 3');
  expect(await accessibilityFaults()).toEqual([]);
});

test('numbers are those of the last second, and none while there is no server', async () => {
  fake.publish('observe/sample', fakeSample(later(), { inFlight: 7, waiting: 11, cpuPercent: 212.4 }));
  await until(() => expect(text('inflight')).toContain('7'));
  expect(text('waiting')).toContain('11');
  expect(text('cpu')).toContain('212 %');
  fake.isDown = true;
  fake.disconnect();
  await until(() => expect(page.get('status-server').dataset['state']).toBe('offline'));
  for (const id of ['inflight', 'waiting', 'cpu', 'rate', 'p99', 'memory']) expect(text(id)).toContain('–');
  expect(page.query('status-port-http')).toBeNull();
});

test.each([
  ['stopped', 'Stopped'],
  ['starting', 'Starting'],
  ['stopping', 'Stopping'],
] as const)('a server that is %s says so', async (state, words) => {
  fake.changeServer({ state });
  await until(() => expect(page.get('status-server').dataset['state']).toBe(state));
  expect(text('server')).toContain(words);
});

test('a port that is not open is crossed out, one that has no address is left out', async () => {
  const [http, grpc, metrics] = fakeServer().endpoints;
  fake.changeServer({
    state: 'port-problem',
    endpoints: [{ ...http!, isListening: false }, grpc!, { ...metrics!, address: undefined }],
  });
  await until(() => expect(page.get('status-port-http').className).toContain('line-through'));
  expect(page.get('status-port-grpc').className).not.toContain('line-through');
  expect(page.query('status-port-metrics')).toBeNull();
});

test('the address of a port is copied by a click', async () => {
  const copied: string[] = [];
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: (given: string) => Promise.resolve(void copied.push(given)) },
  });
  await click(page.get('status-port-http'));
  await until(() => expect(copied).toEqual(['http://127.0.0.1:8000']));
});

test('problems and work lead to their panels', async () => {
  expect(page.get('status-problems').getAttribute('aria-expanded')).toBe('false');
  await click(page.get('status-problems'));
  await until(() => expect(page.get('status-problems').getAttribute('aria-expanded')).toBe('true'));
  expect(workspace.getState()).toMatchObject({ isBottomOpen: true, bottomTab: 'problems' });
  expect(page.query('status-task')).toBeNull();
  fake.publish('observe/task', task());
  await click(await until(() => page.get('status-task')));
  expect(workspace.getState().bottomTab).toBe('tasks');
  expect(text('task')).toContain('42 %');
  fake.publish('observe/task', task({ state: 'done', progress: 1 }));
  await until(() => expect(page.query('status-task')).toBeNull());
});

test('work that does not know how far it is names no share', async () => {
  fake.publish('observe/task', task({ progress: undefined }));
  await until(() => expect(text('task')).toContain('Copy of densenet'));
  expect(text('task')).not.toContain('%');
});

test('updates that were skipped are told with the version', async () => {
  fake.publish('observe/sample', fakeSample(later(), { droppedCount: 3 }));
  await until(() =>
    expect(page.get('status-version').firstElementChild?.getAttribute('title')).toContain(
      '3 updates skipped',
    ),
  );
});

// The welcome page and the first steps: when they come, what they say of this machine, and what counts as done.

import { afterEach, beforeEach, expect, test } from 'vitest';

import { internal } from '../../../src-shared/errors.ts';
import { registerCommand } from '../../lib/command-registry.ts';
import { activeTab, HOME_ID, INITIAL_WORKSPACE, workspace } from '../../lib/workspace-store.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel, fakeSnapshot } from '../../testing/fake-models.ts';
import { fakeSample, fakeServer } from '../../testing/fake-views.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, renderView, until } from '../../testing/render.tsx';
import { ToastHost } from '../../ui/toast.tsx';
import { coach, tick } from '../../actions/coach-store.ts';
import { BOTTOM_STRIP } from '../../ui/use-bottom-strip.ts';
import { FirstRunHost } from './first-run-host.tsx';
import { FirstRunView } from './first-run-view.tsx';

let page: Rendered | undefined;
beforeEach(() => {
  workspace.setState(INITIAL_WORKSPACE, true);
  coach.setState({ isShown: false, done: new Set() });
});
afterEach(() => page?.close());

const welcome = async (fake = new FakeEngine()): Promise<Rendered> => {
  page = await renderView(
    <>
      <FirstRunView />
      <ToastHost />
    </>,
    fake,
  );
  await until(() => page?.get('system-check'));
  return page;
};
const hosted = async (fake: FakeEngine): Promise<Rendered> => {
  page = await renderView(<FirstRunHost />, fake);
  return page;
};
const without = (): FakeEngine => {
  const fake = new FakeEngine();
  fake.snapshot = { repositories: [], models: [], isScanning: false };
  return fake;
};

test('without a repository the welcome page opens, and goes when one is opened', async () => {
  const fake = without();
  await hosted(fake);
  await until(() => expect(activeTab()?.id).toBe('first-run'));
  fake.publish('repository/list', { repositories: fakeSnapshot().repositories, isScanning: false });
  await until(() => expect(activeTab()?.id).toBe(HOME_ID));
});

test('a user who is somewhere else is not sent to the welcome page', async () => {
  workspace.setState({
    tabs: [
      ...INITIAL_WORKSPACE.tabs,
      { id: 'settings', address: { area: 'settings', model: '', tab: '', query: {} } },
    ],
    activeId: 'settings',
  });
  const { fake } = await hosted(without());
  await until(() => expect(fake.argsOf('repository/snapshot')).not.toEqual([]));
  await until(() => expect(activeTab()?.id).toBe('settings'));
});

test('with models there is no welcome page', async () => {
  const fake = new FakeEngine();
  await hosted(fake);
  await until(() => expect(fake.argsOf('observe/sparklines')).not.toEqual([]));
  expect(workspace.getState().tabs.map(({ id }) => id)).toEqual([HOME_ID]);
});

test('three ways in, and one line about this machine', async () => {
  const asked: string[] = [];
  const offs = ['repository.add', 'repository.importOnnx'].map((id) =>
    registerCommand(id, { run: () => void asked.push(id), disabledReason: () => undefined }),
  );
  const { get } = await welcome();
  await click(get('first-run-repository'));
  await click(get('first-run-onnx'));
  offs.forEach((off) => off());
  expect(asked).toEqual(['repository.add', 'repository.importOnnx']);
  const check = get('system-check').textContent;
  for (const words of ['CPU 8 cores', 'GPU: none found', 'ports 8000, 8001, 8002 open']) {
    expect(check).toContain(words);
  }
  expect(get('first-run-samples').textContent).toContain('/home/ada/.local/share/conch/samples');
  expect(await accessibilityFaults()).toEqual([]);
});

test('a GPU, a port that is taken and a stopped server are said', async () => {
  const fake = new FakeEngine();
  fake.server = fakeServer({
    gpus: ['NVIDIA H200'],
    portConflict: { endpoint: 'http', port: 8000, holder: 'python', free: [] } as never,
  });
  const { get } = await welcome(fake);
  expect(get('system-check').textContent).toContain('GPU: NVIDIA H200');
  const busy = [...get('system-check').querySelectorAll('button')].find(({ textContent }) =>
    textContent.includes('port 8000 is in use'),
  );
  await click(busy as HTMLElement);
  expect(activeTab()?.address.area).toBe('server');
  await page?.close();
  const stopped = new FakeEngine();
  const endpoints = stopped.server.endpoints.map((one) => ({ ...one, isListening: false }));
  stopped.server = { ...stopped.server, state: 'stopped', endpoints };
  const second = await welcome(stopped);
  expect(second.get('system-check').textContent).toContain('server stopped');
});

test('the samples are opened, a stopped server is started, and the first steps appear', async () => {
  const fake = new FakeEngine();
  fake.server = { ...fake.server, state: 'stopped' };
  fake.overrides['repository/openSamples'] = () => undefined as never;
  const { get } = await welcome(fake);
  await click(get('first-run-samples'));
  await until(() => expect(fake.argsOf('server/start')).toHaveLength(1));
  await until(() => expect(coach.getState().isShown).toBe(true));
  expect(fake.argsOf('repository/openSamples')).toHaveLength(1);
});

test('samples that cannot be opened are told, and nothing moves', async () => {
  const fake = new FakeEngine();
  fake.overrides['repository/openSamples'] = () => {
    throw internal('the disk is full');
  };
  const { get } = await welcome(fake);
  await click(get('first-run-samples'));
  await until(() => expect(get('toast-error').textContent).toContain('the disk is full'));
  expect(coach.getState().isShown).toBe(false);
});

test('a step is taken when it has happened, however it was done, and stays taken', async () => {
  coach.setState({ isShown: true });
  const fake = new FakeEngine();
  fake.snapshot = fakeSnapshot([fakeModel('broken_dims', { state: 'failed' })]);
  fake.overrides['observe/sample'] = () => fakeSample(Date.now(), { models: [] });
  const { get } = await hosted(fake);
  await until(() => expect(get('coach-fix').dataset['done']).toBe('false'));
  fake.change('broken_dims', { state: 'ready' });
  await until(() => expect(get('coach-fix').dataset['done']).toBe('true'));
  fake.change('broken_dims', { state: 'failed' });
  fake.publish('observe/task', {
    id: 't',
    title: 'Measure batch_mlp',
    state: 'done',
    progress: 1,
    detail: '',
    startedAtMs: 0,
    losesWork: true,
  });
  await until(() => expect(coach.getState().done.has('perf')).toBe(true));
  expect(get('coach-fix').dataset['done']).toBe('true');
  expect(coach.getState().done.has('send')).toBe(false);
  fake.publish('observe/sample', fakeSample(Date.now()));
  await until(() => expect(coach.getState().done.has('send')).toBe(true));
});

test('steps lead to their places, and the strip can be closed', async () => {
  coach.setState({ isShown: true });
  const { get, query } = await hosted(new FakeEngine());
  await click(await until(() => get('coach-fix')));
  expect(activeTab()?.address.model).toBe('broken_dims');
  const room = (): string => document.documentElement.style.getPropertyValue(BOTTOM_STRIP);
  expect(room()).toMatch(/^\d+px$/);
  await click(document.querySelector('[aria-label="Close first steps"]') as HTMLElement);
  await until(() => expect(query('coach-strip')).toBeNull());
  expect(room()).toBe('');
});

test('steps that lead to samples are shown where there are samples', async () => {
  coach.setState({ isShown: true });
  const fake = new FakeEngine();
  fake.snapshot = fakeSnapshot([fakeModel('mine')]);
  const { get, query } = await hosted(fake);
  await until(() => expect(fake.argsOf('repository/snapshot')).not.toEqual([]));
  expect(query('coach-strip')).toBeNull();
  fake.publish('repository/models', { changed: [fakeModel('broken_dims')], removed: [] });
  await until(() => get('coach-strip'));
});

test('a step that was taken is not taken again', () => {
  tick('send');
  const { done } = coach.getState();
  tick('send');
  expect(coach.getState().done).toBe(done);
});

// What is kept over a restart: nothing is written before it was read, changes are written together, and what waits is
// written when the page goes away.

import { afterEach, beforeEach, expect, test } from 'vitest';

import { unavailable } from '../../src-shared/errors.ts';
import { coach, tick } from '../actions/coach-store.ts';
import { address } from '../lib/address.ts';
import { keymap } from '../lib/keymap.ts';
import { workspaceToJson } from '../lib/workspace-json.ts';
import { INITIAL_WORKSPACE, open, showBottom, workspace } from '../lib/workspace-store.ts';
import { FakeEngine } from '../testing/fake-engine.ts';
import type { Rendered } from '../testing/render.tsx';
import { renderView, until } from '../testing/render.tsx';
import { usePersistence } from './use-persistence.ts';

let fake: FakeEngine;
let page: Rendered | undefined;

beforeEach(() => {
  fake = new FakeEngine();
  workspace.setState(INITIAL_WORKSPACE, true);
  keymap.setState({ overrides: {} });
  coach.setState({ isShown: false, done: new Set() });
});
afterEach(() => page?.close());

function Keeper() {
  usePersistence();
  return null;
}

const key = (): string => `workspace ${fake.snapshot.repositories[0]?.path ?? ''}`;
const written = (): readonly string[] => fake.argsOf('settings/writeLayout').map(({ key: name }) => name);
const isRead = (): Promise<void> =>
  until(() =>
    expect(
      fake
        .argsOf('settings/readLayout')
        .map(({ key: name }) => name)
        .sort(),
    ).toEqual(['first steps', 'keymap', key()].sort()),
  );

test('what was open comes back, and reading it writes nothing', async () => {
  open(address('models', { model: 'simple' }));
  showBottom('problems');
  const json = workspaceToJson(workspace.getState());
  workspace.setState(INITIAL_WORKSPACE, true);
  fake.overrides['settings/readLayout'] = (args) => ({ json: args.key === key() ? json : '' });
  page = await renderView(<Keeper />, fake);
  await until(() => expect(workspace.getState().tabs).toHaveLength(2));
  expect(workspace.getState()).toMatchObject({ isBottomOpen: true, bottomTab: 'problems' });
  window.dispatchEvent(new Event('pagehide'));
  expect(written()).toEqual([]);
});

/** Its answers wait for `release`. */
function slowLayout(json: string): { readonly release: () => void } {
  const gate = Promise.withResolvers<void>();
  fake.overrides['settings/readLayout'] = async (args) => {
    await gate.promise;
    return { json: args.key === key() ? json : '' };
  };
  return { release: () => gate.resolve() };
}

test('where the user went before the kept tabs arrived is where the user stays', async () => {
  open(address('models', { model: 'simple' }));
  const json = workspaceToJson(workspace.getState());
  workspace.setState(INITIAL_WORKSPACE, true);
  const { release } = slowLayout(json);
  page = await renderView(<Keeper />, fake);
  await isRead();
  open(address('models'));
  release();
  await until(() => expect(workspace.getState().tabs).toHaveLength(2));
  expect(workspace.getState().activeId).toBe('models');
});

test('what was opened before the kept tabs arrived is open beside them, and is kept', async () => {
  open(address('models', { model: 'simple' }));
  const json = workspaceToJson(workspace.getState());
  workspace.setState(INITIAL_WORKSPACE, true);
  const { release } = slowLayout(json);
  page = await renderView(<Keeper />, fake);
  await isRead();
  open(address('server'));
  showBottom('tasks');
  release();
  await until(() => expect(workspace.getState().tabs.map(({ address: { area } }) => area)).toHaveLength(3));
  expect(workspace.getState()).toMatchObject({ activeId: 'server', isBottomOpen: true, bottomTab: 'tasks' });
  await until(() => expect(written()).toEqual([key()]));
  expect(fake.argsOf('settings/writeLayout')[0]?.json).toContain('server');
});

test('several changes are one write, and another repository has a layout of its own', async () => {
  page = await renderView(<Keeper />, fake);
  await isRead();
  showBottom('logs');
  open(address('models', { model: 'simple' }));
  open(address('server'));
  await until(() => expect(written()).toEqual([key()]));
  expect(fake.argsOf('settings/writeLayout')[0]?.json).toContain('simple');
});

test('a page that goes away writes what waits', async () => {
  page = await renderView(<Keeper />, fake);
  await isRead();
  open(address('server'));
  window.dispatchEvent(new Event('pagehide'));
  await until(() => expect(written()).toEqual([key()]));
});

test('shortcuts are kept for all repositories', async () => {
  fake.overrides['settings/readLayout'] = ({ key: name }) => ({
    json: name === 'keymap' ? '{"model.load":"F7","bad":3}' : '',
  });
  page = await renderView(<Keeper />, fake);
  await until(() => expect(keymap.getState().overrides).toEqual({ 'model.load': 'F7' }));
  keymap.setState({ overrides: { 'model.load': 'F8' } });
  await until(() => expect(written()).toEqual(['keymap']));
});

test('the first steps go on where they were left, with what was done before they were read', async () => {
  const gate = Promise.withResolvers<void>();
  fake.overrides['settings/readLayout'] = async ({ key: name }) => {
    await gate.promise;
    return { json: name === 'first steps' ? '{"isShown":true,"done":["send","none"]}' : '' };
  };
  page = await renderView(<Keeper />, fake);
  await isRead();
  tick('perf');
  gate.resolve();
  await until(() => expect(coach.getState()).toEqual({ isShown: true, done: new Set(['send', 'perf']) }));
  coach.setState({ isShown: false });
  await until(() =>
    expect(fake.argsOf('settings/writeLayout').at(-1)).toEqual({
      key: 'first steps',
      json: '{"isShown":false,"done":["send","perf"]}',
    }),
  );
});

test('a layout that cannot be read or written troubles nobody, and the next change is written', async () => {
  let fails = true;
  fake.overrides['settings/readLayout'] = () => ({ json: '{"tabs":' });
  fake.overrides['settings/writeLayout'] = () => {
    if (fails) throw unavailable('the disk is full');
  };
  page = await renderView(<Keeper />, fake);
  await isRead();
  open(address('server'));
  await until(() => expect(written()).toHaveLength(1));
  fails = false;
  open(address('settings'));
  await until(() => expect(written()).toHaveLength(2));
  expect(workspace.getState().tabs).toHaveLength(3);
});

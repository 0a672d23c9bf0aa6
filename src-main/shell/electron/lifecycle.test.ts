// The end of the app, in which order and within what time, with a stand-in for Electron.

import { EventEmitter } from 'node:events';

import { beforeEach, expect, test, vi } from 'vitest';

import { Lifecycle } from './lifecycle.ts';

const electron = vi.hoisted(() => ({
  app: undefined as unknown as EventEmitter,
  powerMonitor: undefined as unknown as EventEmitter,
  calls: [] as string[],
}));

vi.mock('electron', async () => {
  const { EventEmitter: Emitter } = await import('node:events');
  electron.app = Object.assign(new Emitter(), {
    quit: () => electron.calls.push('quit'),
    exit: (code: number) => electron.calls.push(`exit ${code}`),
  });
  electron.powerMonitor = new Emitter();
  return { app: electron.app, powerMonitor: electron.powerMonitor };
});

let ended: (exitCode: number) => void;
/** Titles of long work, and what the user says about it. */
let work: readonly string[] = [];
let answer = true;

function begin(): Lifecycle {
  const { promise, resolve } = Promise.withResolvers<number>();
  ended = resolve;
  const lifecycle = new Lifecycle({
    windows: {
      show: () => electron.calls.push('show'),
      leave: () => electron.calls.push('leave'),
      remember: () => electron.calls.push('remember'),
      current: undefined,
    },
    supervisor: {
      stop: (withinSec) => electron.calls.push(`stop ${withinSec ?? 'in time'}`),
      ended: promise,
    },
    longWork: () => work,
    mayEndWork: (titles) => {
      electron.calls.push(`ask ${titles.join()}`);
      return Promise.resolve(answer);
    },
    keepsServing: () => false,
    onFailed: (code) => {
      electron.calls.push(`failed ${code}`);
      return Promise.resolve();
    },
    onEnd: () => electron.calls.push('end'),
  });
  lifecycle.start();
  return lifecycle;
}

beforeEach(() => {
  electron.calls.length = 0;
  work = [];
  answer = true;
  electron.app.removeAllListeners();
  electron.powerMonitor.removeAllListeners();
});

test('a session that ends saves the windows and drains in the time that the system gives', async () => {
  begin();
  const event = { preventDefault: () => electron.calls.push('wait') };
  electron.powerMonitor.emit('shutdown', event);
  expect(electron.calls).toEqual(['wait', 'remember', 'leave', 'stop 3', 'quit']);
  // Windows tells every window of it too: once is enough.
  const window = new EventEmitter();
  electron.app.emit('browser-window-created', {}, window);
  window.emit('session-end');
  expect(electron.calls).toHaveLength(5);
  ended(0);
  await vi.waitFor(() => expect(electron.calls.slice(5)).toEqual(['remember', 'end', 'exit 0']));
});

test('on Windows the window tells that the session ends', () => {
  begin();
  const window = new EventEmitter();
  electron.app.emit('browser-window-created', {}, window);
  window.emit('session-end');
  expect(electron.calls).toEqual(['remember', 'leave', 'stop 3', 'quit']);
});

const quitEvent = { preventDefault: () => electron.calls.push('wait') };

test('long work is asked for before it ends with the app', async () => {
  const lifecycle = begin();
  work = ['Sweep of batch_mlp'];
  electron.app.emit('before-quit', quitEvent);
  await vi.waitFor(() => expect(electron.calls).toEqual(['wait', 'ask Sweep of batch_mlp', 'quit']));
  electron.app.emit('before-quit', quitEvent);
  expect(electron.calls).toHaveLength(3);
  expect(lifecycle.isQuitting).toBe(true);
});

test('work that the user keeps keeps the app, with its window, and is asked for again', async () => {
  const lifecycle = begin();
  work = ['Sweep of batch_mlp'];
  answer = false;
  electron.app.emit('before-quit', quitEvent);
  electron.app.emit('before-quit', quitEvent);
  const asked = ['wait', 'ask Sweep of batch_mlp', 'wait', 'show'];
  await vi.waitFor(() => expect(electron.calls).toEqual(asked));
  expect(lifecycle.isQuitting).toBe(false);
  electron.app.emit('before-quit', quitEvent);
  await vi.waitFor(() => expect(electron.calls).toHaveLength(7));
});

test('the end of the session asks for no work', () => {
  const lifecycle = begin();
  work = ['Sweep of batch_mlp'];
  lifecycle.endSession();
  electron.app.emit('before-quit', quitEvent);
  expect(electron.calls).not.toContain('wait');
});

test('a quit waits for the engine, and ends with its code', async () => {
  begin();
  const held: string[] = [];
  const event = { preventDefault: () => held.push('held') };
  electron.app.emit('before-quit');
  electron.app.emit('will-quit', event);
  expect([held, electron.calls]).toEqual([['held'], ['stop in time']]);
  ended(7);
  await vi.waitFor(() => expect(electron.calls).toContain('exit 7'));
  expect(electron.calls).not.toContain('failed 7');
  electron.app.emit('will-quit', event);
  expect(held).toEqual(['held']);
});

test('an engine that ends by itself is told before the app goes', async () => {
  begin();
  ended(3);
  await vi.waitFor(() => expect(electron.calls).toEqual(['failed 3', 'remember', 'end', 'exit 3']));
});

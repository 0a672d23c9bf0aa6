// The end of the app, in which order and within what time, with a stand-in for Electron.

import { EventEmitter } from 'node:events';

import { beforeEach, expect, test, vi } from 'vitest';

import type { LifecycleParts } from './lifecycle.ts';
import { Lifecycle } from './lifecycle.ts';

const calls: string[] = [];
const app = Object.assign(new EventEmitter(), {
  quit: () => calls.push('quit'),
  exit: (code: number) => calls.push(`exit ${code}`),
});
const powerMonitor = new EventEmitter();

let ended: (exitCode: number) => void;
/** Titles of long work, and what the user says about it. */
let work: readonly string[] = [];
let answer = true;

function begin(): Lifecycle {
  const { promise, resolve } = Promise.withResolvers<number>();
  ended = resolve;
  const lifecycle = new Lifecycle({
    app: app as unknown as LifecycleParts['app'],
    powerMonitor: powerMonitor as unknown as LifecycleParts['powerMonitor'],
    windows: {
      show: () => calls.push('show'),
      leave: () => calls.push('leave'),
      remember: () => calls.push('remember'),
      current: undefined,
    },
    supervisor: {
      stop: (withinSec) => calls.push(`stop ${withinSec ?? 'in time'}`),
      ended: promise,
    },
    longWork: () => work,
    mayEndWork: (titles) => {
      calls.push(`ask ${titles.join()}`);
      return Promise.resolve(answer);
    },
    keepsServing: () => false,
    onFailed: (code) => {
      calls.push(`failed ${code}`);
      return Promise.resolve();
    },
    onEnd: () => calls.push('end'),
  });
  lifecycle.start();
  return lifecycle;
}

beforeEach(() => {
  calls.length = 0;
  work = [];
  answer = true;
  app.removeAllListeners();
  powerMonitor.removeAllListeners();
});

test('a session that ends saves the windows and drains in the time that the system gives', async () => {
  begin();
  const event = { preventDefault: () => calls.push('wait') };
  powerMonitor.emit('shutdown', event);
  expect(calls).toEqual(['wait', 'remember', 'leave', 'stop 3', 'quit']);
  // Windows tells every window of it too: once is enough.
  const window = new EventEmitter();
  app.emit('browser-window-created', {}, window);
  window.emit('session-end');
  expect(calls).toHaveLength(5);
  ended(0);
  await vi.waitFor(() => expect(calls.slice(5)).toEqual(['remember', 'end', 'exit 0']));
});

test('on Windows the window tells that the session ends', () => {
  begin();
  const window = new EventEmitter();
  app.emit('browser-window-created', {}, window);
  window.emit('session-end');
  expect(calls).toEqual(['remember', 'leave', 'stop 3', 'quit']);
});

const quitEvent = { preventDefault: () => calls.push('wait') };

test('long work is asked for before it ends with the app', async () => {
  const lifecycle = begin();
  work = ['Sweep of batch_mlp'];
  app.emit('before-quit', quitEvent);
  await vi.waitFor(() => expect(calls).toEqual(['wait', 'ask Sweep of batch_mlp', 'quit']));
  app.emit('before-quit', quitEvent);
  expect(calls).toHaveLength(3);
  expect(lifecycle.isQuitting).toBe(true);
});

test('work that the user keeps keeps the app, with its window, and is asked for again', async () => {
  const lifecycle = begin();
  work = ['Sweep of batch_mlp'];
  answer = false;
  app.emit('before-quit', quitEvent);
  app.emit('before-quit', quitEvent);
  const asked = ['wait', 'ask Sweep of batch_mlp', 'wait', 'show'];
  await vi.waitFor(() => expect(calls).toEqual(asked));
  expect(lifecycle.isQuitting).toBe(false);
  app.emit('before-quit', quitEvent);
  await vi.waitFor(() => expect(calls).toHaveLength(7));
});

test('a session that ends while it is asked brings no window back', async () => {
  const lifecycle = begin();
  work = ['Sweep of batch_mlp'];
  answer = false;
  app.emit('before-quit', quitEvent);
  lifecycle.endSession();
  await new Promise((resolve) => setImmediate(resolve));
  expect(calls).toEqual(['wait', 'ask Sweep of batch_mlp', 'remember', 'leave', 'stop 3', 'quit']);
});

test('the end of the session asks for no work', () => {
  const lifecycle = begin();
  work = ['Sweep of batch_mlp'];
  lifecycle.endSession();
  app.emit('before-quit', quitEvent);
  expect(calls).not.toContain('wait');
});

test('a quit waits for the engine, and ends with its code', async () => {
  begin();
  const held: string[] = [];
  const event = { preventDefault: () => held.push('held') };
  app.emit('before-quit');
  app.emit('will-quit', event);
  expect([held, calls]).toEqual([['held'], ['stop in time']]);
  ended(7);
  await vi.waitFor(() => expect(calls).toContain('exit 7'));
  expect(calls).not.toContain('failed 7');
  app.emit('will-quit', event);
  expect(held).toEqual(['held']);
});

test('an engine that ends by itself is told before the app goes', async () => {
  begin();
  ended(3);
  await vi.waitFor(() => expect(calls).toEqual(['failed 3', 'remember', 'end', 'exit 3']));
});

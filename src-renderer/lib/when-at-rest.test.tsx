// When work that holds up the window is done: not while its user scrolls, moves or types.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { whenAtRest } from './when-at-rest.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Longer than the rest, and than the wait for idle time where there are no idle callbacks. */
const LONG_MS = 20_000;

test('work waits while somebody scrolls, moves or types, and is done once', () => {
  const work = vi.fn<() => void>();
  whenAtRest(work);
  for (const sign of ['wheel', 'pointermove', 'keydown', 'scroll', 'pointerdown', 'wheel']) {
    for (let turn = 0; turn < 10; turn += 1) {
      document.body.dispatchEvent(new Event(sign));
      vi.advanceTimersByTime(1000);
    }
    expect(work, sign).not.toHaveBeenCalled();
  }
  vi.advanceTimersByTime(LONG_MS);
  expect(work).toHaveBeenCalledOnce();
  document.body.dispatchEvent(new Event('wheel'));
  vi.advanceTimersByTime(LONG_MS);
  expect(work).toHaveBeenCalledOnce();
});

test('who begins again before idle time came is left in peace', () => {
  const idle: IdleRequestCallback[] = [];
  vi.stubGlobal('requestIdleCallback', (callback: IdleRequestCallback) => idle.push(callback));
  const work = vi.fn<() => void>();
  const beIdle = (): void => idle.splice(0).forEach((callback) => callback({} as IdleDeadline));
  whenAtRest(work);
  vi.advanceTimersByTime(LONG_MS);
  expect(idle).toHaveLength(1);
  document.body.dispatchEvent(new Event('wheel'));
  beIdle();
  expect(work).not.toHaveBeenCalled();
  vi.advanceTimersByTime(LONG_MS);
  beIdle();
  vi.unstubAllGlobals();
  expect(work).toHaveBeenCalledOnce();
});

test('a page that nobody sees waits until it is seen', () => {
  const state = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  vi.stubGlobal('requestIdleCallback', (callback: IdleRequestCallback) => setTimeout(callback, 0));
  const work = vi.fn<() => void>();
  whenAtRest(work);
  vi.advanceTimersByTime(LONG_MS);
  expect(work).not.toHaveBeenCalled();
  state.mockReturnValue(false);
  document.dispatchEvent(new Event('visibilitychange'));
  vi.advanceTimersByTime(1000);
  expect(work, 'who comes back has just arrived').not.toHaveBeenCalled();
  vi.advanceTimersByTime(LONG_MS);
  state.mockRestore();
  vi.unstubAllGlobals();
  expect(work).toHaveBeenCalledOnce();
});

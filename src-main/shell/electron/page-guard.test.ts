import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';

import type { GuardedContents } from './page-guard.ts';
import { guardPage } from './page-guard.ts';

type OpenHandler = (details: { readonly url: string }) => unknown;

function guarded(open: (url: string) => Promise<void>, developmentUrl?: string) {
  const contents = Object.assign(new EventEmitter(), {
    setWindowOpenHandler: vi.fn<(to: OpenHandler) => void>(),
  });
  guardPage(contents as unknown as GuardedContents, developmentUrl, open);
  const isRefused = (way: string, url = ''): boolean => {
    const preventDefault = vi.fn();
    contents.emit(way, { url, preventDefault });
    return preventDefault.mock.calls.length > 0;
  };
  const openWindow = (url: string): unknown => contents.setWindowOpenHandler.mock.calls[0]?.[0]({ url });
  return { isRefused, openWindow };
}

test.each(['will-navigate', 'will-frame-navigate', 'will-redirect'])('%s leads nowhere else', (way) => {
  const { isRefused } = guarded(() => Promise.resolve());
  expect(isRefused(way, 'https://evil.example')).toBe(true);
  expect(isRefused(way, 'conch://other/index.html')).toBe(true);
  expect(isRefused(way, 'file:///etc/passwd')).toBe(true);
  expect(isRefused(way, 'conch://window/index.html')).toBe(false);
});

test('no web view is attached', () => {
  expect(guarded(() => Promise.resolve()).isRefused('will-attach-webview')).toBe(true);
});

test('a new window is none of ours: its address is handed on, also one that cannot be opened', async () => {
  const open = vi.fn(() => Promise.reject(new Error('refused')));
  const { openWindow } = guarded(open);
  expect(openWindow('https://docs.example')).toEqual({ action: 'deny' });
  expect(open).toHaveBeenCalledExactlyOnceWith('https://docs.example');
  await Promise.resolve();
});

test('with a development server its page may be reloaded, that of the build not', () => {
  const { isRefused } = guarded(() => Promise.resolve(), 'http://localhost:5173/');
  expect(isRefused('will-navigate', 'http://localhost:5173/')).toBe(false);
  expect(isRefused('will-navigate', 'conch://window/index.html')).toBe(true);
});

// What the page may and may not do, in a real Electron: permissions, frames, other windows, and the calls it makes.

import type { ElectronApplication, Page } from '@playwright/test';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import path from 'node:path';

import { expect, test } from '../harness/app-test.ts';
import type { AppUnderTest } from '../harness/launch-app.ts';
import { AppPage } from '../pages/app-page.ts';

interface Bridge {
  readonly conchShell: { call(name: string, args: unknown): Promise<unknown> };
}

/** A shell call of the page, past what the window's own code would make of it. */
function call(page: Page, name: string, args: unknown): Promise<unknown> {
  return page.evaluate(
    ([callName, callArgs]) => (globalThis as unknown as Bridge).conchShell.call(callName as string, callArgs),
    [name, args],
  );
}

const refusal = (code: string, message: string): object => ({
  error: expect.objectContaining({ code, message: expect.stringContaining(message) }),
});

/** The shell of the system opens and reveals nothing; what it was asked for is kept. */
async function watchSystem(shell: ElectronApplication): Promise<() => Promise<readonly string[]>> {
  await shell.evaluate(({ shell: system }) => {
    const asked: string[] = [];
    Object.assign(globalThis, { askedOfSystem: asked });
    system.openExternal = (url) => Promise.resolve(void asked.push(url));
    system.showItemInFolder = (file) => void asked.push(file);
  });
  return () => shell.evaluate(() => (globalThis as unknown as { askedOfSystem: string[] }).askedOfSystem);
}

function windowCount(app: AppUnderTest): Promise<number> {
  return app.electron!.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
}

test('the window is sandboxed, and one is enough', async ({ app }) => {
  const preferences = await app.electron!.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    const { webContents } = window as unknown as {
      readonly webContents: { getLastWebPreferences(): Record<string, unknown> };
    };
    return { ...webContents.getLastWebPreferences(), smallest: window?.getMinimumSize() };
  });
  expect(preferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    smallest: [960, 640],
  });
  expect(await app.page.evaluate(`[typeof require, typeof process]`)).toEqual(['undefined', 'undefined']);
  await app.electron!.evaluate(({ app: main }) => void main.emit('activate'));
  expect(await windowCount(app)).toBe(1);
});

test('harmless permissions are given, no other', async ({ app }) => {
  const states = await app.page.evaluate(`
    Promise.all(['notifications', 'camera', 'microphone', 'geolocation', 'midi'].map(
      async (name) => (await navigator.permissions.query({ name })).state,
    ))`);
  expect(states).toEqual(['granted', 'granted', 'granted', 'denied', 'denied']);
  const code = await app.page.evaluate(`
    new Promise((resolve) => {
      navigator.geolocation.getCurrentPosition(() => resolve('a place'), (error) => resolve(error.code));
    })`);
  expect(code).toBe(1);
});

test('Chromium asks nobody on another machine for anything', async ({ launch }) => {
  // All that is for other machines goes through it.
  const asked: string[] = [];
  const proxy = createServer((socket) => {
    socket.once('data', (data) => {
      asked.push(data.toString('latin1').split('\r\n', 1).join());
      socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n');
    });
    socket.on('error', () => undefined);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const { port } = proxy.address() as AddressInfo;
  try {
    const app = await launch({ samples: ['simple'], args: [`--proxy-server=http://127.0.0.1:${port}`] });
    await expect(new AppPage(app.page).modelState('simple')).toHaveAttribute('data-state', 'ready');
    await app.page.getByRole('textbox', { name: 'Filter models' }).fill('speling');
    await app.electron!.evaluate(({ net }) => net.fetch('http://seen.example/').then(() => undefined));
    // The one that the test sends itself; Chromium's own come before.
    expect(asked).toEqual(['GET http://seen.example/ HTTP/1.1']);
  } finally {
    proxy.close();
  }
});

test('a window that is not the one of the app may call nothing', async ({ app }) => {
  const preload = path.join(import.meta.dirname, '../../out/preload/preload.cjs');
  const answer = await app.electron!.evaluate(async ({ BrowserWindow }, preloadFile) => {
    const window = new BrowserWindow({ show: false, webPreferences: { preload: preloadFile } });
    try {
      await window.loadURL('conch://window/index.html');
      return (await window.webContents.executeJavaScript(`conchShell.call('shell/facts', {})`)) as unknown;
    } finally {
      window.destroy();
    }
  }, preload);
  expect(answer).toEqual(refusal('INVALID_ARG', 'only the window of this app may call'));
});

test('addresses that are not of the web are never opened', async ({ app }) => {
  const asked = await watchSystem(app.electron!);
  for (const url of ['file:///etc/passwd', 'javascript:alert(1)', 'smb://host', ''])
    expect([url, await call(app.page, 'shell/openExternal', { url })]).toEqual([
      url,
      refusal('INVALID_ARG', 'only http and https addresses can be opened'),
    ]);
  expect(await asked()).toEqual([]);
  expect(await call(app.page, 'shell/openExternal', { url: 'https://docs.example/' })).toEqual({});
  expect(await asked()).toEqual(['https://docs.example/']);
});

test('only what exists is revealed', async ({ app }) => {
  const asked = await watchSystem(app.electron!);
  const none = path.join(app.userDataPath, 'none');
  expect(await call(app.page, 'shell/reveal', { path: none })).toEqual(
    refusal('NOT_FOUND', 'is no longer there'),
  );
  await call(app.page, 'shell/reveal', { path: app.userDataPath });
  expect(await asked()).toEqual([app.userDataPath]);
});

test('calls that the app does not know, or with wrong arguments, are refused', async ({ app }) => {
  expect(await call(app.page, 'shell/format', {})).toEqual(
    refusal('NOT_FOUND', "the app has no call 'shell/format'"),
  );
  expect(await call(app.page, 'shell/openExternal', { url: 1 })).toEqual(
    refusal('INVALID_ARG', "call 'shell/openExternal'"),
  );
  const dragged = { name: '../escaped.json', content: '{}', isBase64: false };
  expect(await call(app.page, 'shell/dragOut', dragged)).toEqual(
    refusal('INVALID_ARG', "'../escaped.json' is not the name of a file"),
  );
  expect(existsSync(path.join(app.userDataPath, 'escaped.json'))).toBe(false);
});

test('a dialog that is closed has chosen nothing, and text is saved where the user says', async ({ app }) => {
  const shell = app.electron!;
  const file = path.join(app.userDataPath, 'report.json');
  await shell.evaluate(({ dialog }) => {
    const { showOpenDialog, showSaveDialog } = dialog;
    Object.assign(globalThis, { dialogs: { showOpenDialog, showSaveDialog } });
    dialog.showOpenDialog = () => Promise.resolve({ canceled: true, filePaths: ['/left/over'] });
    dialog.showSaveDialog = () => Promise.resolve({ canceled: true, filePath: '' });
  });
  const text = { title: 't', defaultName: 'report.json', text: '{}' };
  try {
    const pick = { title: 't', multiple: false };
    expect(await call(app.page, 'shell/pickFolders', pick)).toEqual({ value: [] });
    expect(await call(app.page, 'shell/pickFiles', { ...pick, filters: [] })).toEqual({ value: [] });
    expect(await call(app.page, 'shell/saveText', text)).toEqual({ value: undefined });
    expect(existsSync(file)).toBe(false);
    await shell.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
    }, file);
    expect(await call(app.page, 'shell/saveText', text)).toEqual({ value: undefined });
    expect(await readFile(file, 'utf8')).toBe('{}');
  } finally {
    await shell.evaluate(({ dialog }) => {
      Object.assign(dialog, (globalThis as unknown as { dialogs: object }).dialogs);
    });
  }
});

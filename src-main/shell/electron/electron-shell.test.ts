// The Electron files against a fake `electron` module: what a page may do, and who may call.

import { EventEmitter } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { SHELL_CHANNELS } from '../../../src-shared/contract/shell-channels.ts';

type Callback = (...args: unknown[]) => unknown;

const electron = vi.hoisted(() => ({
  handlers: new Map<string, Callback>(),
  listeners: new Map<string, Callback>(),
  appEvents: new Map<string, Callback>(),
  permissionRequest: undefined as Callback | undefined,
  opened: [] as string[],
  revealed: [] as string[],
  windows: [] as {
    options: Record<string, unknown>;
    loaded: string[];
    sent: unknown[][];
    emit: Callback;
    webContents: EventEmitter;
  }[],
  displays: [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }],
  openDialog: { canceled: false, filePaths: ['/picked'] },
  saveDialog: { canceled: false, filePath: '' },
}));

vi.mock('electron', async () => {
  const { EventEmitter: Emitter } = await import('node:events');
  class FakeWindow extends Emitter {
    readonly loaded: string[] = [];
    readonly sent: unknown[][] = [];
    readonly webContents = Object.assign(new Emitter(), {
      send: (...message: unknown[]) => this.sent.push(message),
    });
    readonly options: Record<string, unknown>;
    focusCount = 0;
    constructor(options: Record<string, unknown>) {
      super();
      this.options = options;
      electron.windows.push(this as never);
    }
    loadURL(url: string): Promise<void> {
      this.loaded.push(url);
      return Promise.resolve();
    }
    isMinimized = () => false;
    isMaximized = () => false;
    isDestroyed = () => false;
    close = () => undefined;
    getNormalBounds = () => ({ x: 1, y: 2, width: 1000, height: 700 });
    focus = () => void this.focusCount++;
    show = () => undefined;
  }
  return {
    app: {
      on: (name: string, listener: Callback) => electron.appEvents.set(name, listener),
      getVersion: () => '1.2.3',
      getPath: () => '/home',
    },
    BrowserWindow: FakeWindow,
    dialog: {
      showOpenDialog: () => Promise.resolve(electron.openDialog),
      showSaveDialog: () => Promise.resolve(electron.saveDialog),
      showMessageBox: () => Promise.resolve({ response: 0 }),
    },
    ipcMain: {
      on: (name: string, listener: Callback) => electron.listeners.set(name, listener),
      handle: (name: string, handler: Callback) => electron.handlers.set(name, handler),
    },
    Menu: { buildFromTemplate: (template: unknown) => template, setApplicationMenu: () => undefined },
    nativeImage: {},
    nativeTheme: { themeSource: 'system' },
    net: {},
    protocol: {},
    screen: { getAllDisplays: () => electron.displays },
    session: {
      defaultSession: {
        setPermissionRequestHandler: (handler: Callback) => {
          electron.permissionRequest = handler;
        },
        setPermissionCheckHandler: () => undefined,
      },
    },
    shell: {
      openExternal: (url: string) => Promise.resolve(void electron.opened.push(url)),
      showItemInFolder: (file: string) => void electron.revealed.push(file),
    },
  };
});

const { fileOfAddress, isOurPage, pageAddress } = await import('./page-address.ts');
const { openExternal, setupSecurity } = await import('./security.ts');
const { createShellHandlers, setupShellHandlers } = await import('./shell-handlers.ts');
const { WindowState } = await import('./window-state.ts');
const { Windows } = await import('./windows.ts');

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'conch-electron-'));
  electron.windows.length = 0;
  electron.opened.length = 0;
});

afterEach(() => rm(folder, { recursive: true }));

function newWindows(): InstanceType<typeof Windows> {
  const address = pageAddress('');
  const files = { preloadFile: '/p.cjs', iconFile: '/i.png' };
  return new Windows({ address, developmentUrl: '', ...files, state: new WindowState(folder) });
}

describe('the page', () => {
  test.each([
    ['conch://window/index.html', true],
    ['conch://other/index.html', false],
    ['https://window/', false],
    ['file:///etc/passwd', false],
    ['nonsense', false],
  ])('%s is ours: %s', (url, ours) => {
    expect(isOurPage(url, '')).toBe(ours);
  });

  test('addresses name files of the build only', () => {
    expect(fileOfAddress('conch://window/', '/b')).toBe(path.join('/b', 'index.html'));
    expect(fileOfAddress('conch://window/assets/a.js', '/b')).toBe(path.join('/b', 'assets', 'a.js'));
    expect(fileOfAddress('conch://window/%2e%2e%2fsecret', '/b')).toBeUndefined();
  });

  test('may not navigate away, open windows or attach web views', async () => {
    setupSecurity('');
    let openHandler: Callback = () => undefined;
    const contents = Object.assign(new EventEmitter(), {
      setWindowOpenHandler: (handler: Callback) => {
        openHandler = handler;
      },
    });
    electron.appEvents.get('web-contents-created')?.({}, contents);
    const refused = (name: string, url = ''): boolean => {
      const event = { url, preventDefault: vi.fn() };
      contents.emit(name, event);
      return event.preventDefault.mock.calls.length > 0;
    };
    for (const way of ['will-navigate', 'will-frame-navigate', 'will-redirect']) {
      expect([way, refused(way, 'https://evil.example')]).toEqual([way, true]);
      expect([way, refused(way, 'conch://window/index.html')]).toEqual([way, false]);
    }
    expect(refused('will-attach-webview')).toBe(true);
    expect(openHandler({ url: 'https://docs.example' })).toEqual({ action: 'deny' });
    await vi.waitFor(() => expect(electron.opened).toEqual(['https://docs.example']));
  });

  test.each(['file:///etc/passwd', 'javascript:alert(1)', 'smb://host', ''])(
    '%j is never opened',
    async (url) => {
      await expect(openExternal(url)).rejects.toMatchObject({ code: 'INVALID_ARG' });
      expect(electron.opened).toEqual([]);
    },
  );

  test('gets harmless permissions only, and only as our page', () => {
    setupSecurity('');
    const ask = (url: string, permission: string): unknown => {
      const decide = vi.fn();
      electron.permissionRequest?.({ getURL: () => url }, permission, decide);
      return decide.mock.calls[0]?.[0];
    };
    expect(ask('conch://window/', 'notifications')).toBe(true);
    expect(ask('conch://window/', 'media')).toBe(true);
    expect(ask('conch://window/', 'geolocation')).toBe(false);
    expect(ask('https://evil.example', 'notifications')).toBe(false);
    expect(ask('https://evil.example', 'media')).toBe(false);
  });
});

describe('windows', () => {
  test('are sandboxed, and one is enough', () => {
    const windows = newWindows();
    windows.show();
    windows.show();
    expect(electron.windows).toHaveLength(1);
    expect(electron.windows[0]?.options).toMatchObject({
      width: 1360,
      height: 860,
      minWidth: 960,
      minHeight: 640,
      webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false },
    });
    expect(electron.windows[0]?.loaded).toEqual(['conch://window/index.html']);
  });

  test('come back in size and place, unless that screen is gone', () => {
    newWindows().show();
    electron.windows[0]?.emit('close');
    newWindows().show();
    expect(electron.windows[1]?.options).toMatchObject({ x: 1, y: 2, width: 1000, height: 700 });
    electron.displays = [{ workArea: { x: 5000, y: 0, width: 100, height: 100 } }];
    newWindows().show();
    expect(electron.windows[2]?.options).toMatchObject({ width: 1000, height: 700 });
    expect(electron.windows[2]?.options).not.toHaveProperty('x');
  });

  test('a closed window can be made again', () => {
    const windows = newWindows();
    windows.show();
    electron.windows[0]?.emit('closed');
    windows.show();
    expect(electron.windows).toHaveLength(2);
  });
});

describe('messages', () => {
  const page = { url: 'conch://window/index.html', parent: null };

  test('are ours from the page of our window only', () => {
    const windows = newWindows();
    windows.show();
    const sender = electron.windows[0]?.webContents;
    const isOurs = (event: object): boolean => windows.isOurs(event as never);
    expect(isOurs({ sender, senderFrame: page })).toBe(true);
    expect(isOurs({ sender, senderFrame: { ...page, parent: page } })).toBe(false);
    expect(isOurs({ sender, senderFrame: { ...page, url: 'https://evil.example/' } })).toBe(false);
    expect(isOurs({ sender, senderFrame: null })).toBe(false);
    expect(isOurs({ sender: {}, senderFrame: page })).toBe(false);
  });

  test('to a page that does not listen yet wait for it, and after it went for the next', () => {
    const windows = newWindows();
    windows.listen();
    windows.request({ kind: 'command', command: 'server.stop' });
    windows.show();
    const [window] = electron.windows;
    expect(window?.sent).toEqual([]);
    const listens = (): unknown =>
      electron.listeners.get(SHELL_CHANNELS.wantRequests)?.({
        sender: window?.webContents,
        senderFrame: page,
      });
    listens();
    expect(window?.sent).toEqual([[SHELL_CHANNELS.request, { kind: 'command', command: 'server.stop' }]]);
    window?.webContents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: false });
    windows.request({ kind: 'go', address: 'wb://models' });
    expect(window?.sent).toHaveLength(1);
    listens();
    expect(window?.sent[1]).toEqual([SHELL_CHANNELS.request, { kind: 'go', address: 'wb://models' }]);
  });
});

describe('shell calls', () => {
  const ours = {};
  const call = (event: unknown, name: string, args: unknown): unknown =>
    electron.handlers.get(SHELL_CHANNELS.call)?.(event, name, args);
  const refusal = (code: string, message: string): object => ({
    error: {
      code,
      message: expect.stringContaining(message) as string,
      // What happened and what to do, as the window shows them.
      details: expect.objectContaining({ errorId: expect.stringMatching(/^shell\//) as string }) as object,
    },
  });

  beforeEach(() => {
    const windows = { current: undefined };
    const handlers = createShellHandlers({ windows, iconFile: '/i.png', onKeys: () => undefined });
    setupShellHandlers(handlers, (event) => event === (ours as never));
  });

  test('answer our window', async () => {
    expect(await call(ours, 'shell/facts', {})).toMatchObject({ value: { appVersion: '1.2.3' } });
    expect(await call(ours, 'shell/pickFolders', { title: 't', multiple: true })).toEqual({
      value: ['/picked'],
    });
  });

  test('answer others, unknown names and wrong arguments with an error and its code', async () => {
    expect(await call({}, 'shell/facts', {})).toEqual(refusal('INVALID_ARG', 'only the window of this app'));
    expect(await call(ours, 'shell/format', {})).toEqual(
      refusal('NOT_FOUND', "the app has no call 'shell/format'"),
    );
    expect(await call(ours, 'shell/openExternal', { url: 1 })).toEqual(
      refusal('INVALID_ARG', "call 'shell/openExternal'"),
    );
  });

  test('a cancelled dialog is empty', async () => {
    electron.openDialog = { canceled: true, filePaths: [] };
    const answer = call(ours, 'shell/pickFiles', { title: 't', multiple: false, filters: [] });
    expect(await answer).toEqual({ value: [] });
  });

  test('text is saved where the user says', async () => {
    const filePath = path.join(folder, 'report.json');
    electron.saveDialog = { canceled: false, filePath };
    await call(ours, 'shell/saveText', { title: 't', defaultName: 'report.json', text: '{}' });
    expect(await readFile(filePath, 'utf8')).toBe('{}');
  });

  test('only what exists is revealed', async () => {
    await call(ours, 'shell/reveal', { path: folder });
    expect(electron.revealed).toEqual([folder]);
    const answer = call(ours, 'shell/reveal', { path: path.join(folder, 'none') });
    expect(await answer).toEqual(refusal('NOT_FOUND', 'is no longer there'));
  });

  test('what is dragged out has a plain name', async () => {
    const dragged = { name: '../escaped.json', content: '{}', isBase64: false };
    expect(await call(ours, 'shell/dragOut', dragged)).toEqual(
      refusal('INVALID_ARG', "'../escaped.json' is not the name of a file"),
    );
  });
});

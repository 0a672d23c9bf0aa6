// The Electron files against a fake `electron` module: what a page may do, who may call, and how ports are handed out.

import { EventEmitter } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
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
    emit: Callback;
    webContents: unknown;
  }[],
  forked: [] as { entry: string; args: string[]; sent: unknown[]; emit: Callback }[],
  displays: [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }],
  openDialog: { canceled: false, filePaths: ['/picked'] },
  saveDialog: { canceled: false, filePath: '' },
}));

vi.mock('electron', async () => {
  const { EventEmitter: Emitter } = await import('node:events');
  class FakeWindow extends Emitter {
    readonly loaded: string[] = [];
    readonly webContents = { getURL: () => this.loaded.at(-1) ?? '' };
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
    },
    ipcMain: {
      on: (name: string, listener: Callback) => electron.listeners.set(name, listener),
      handle: (name: string, handler: Callback) => electron.handlers.set(name, handler),
    },
    Menu: { buildFromTemplate: (template: unknown) => template, setApplicationMenu: () => undefined },
    MessageChannelMain: class {
      readonly port1 = { end: 1 };
      readonly port2 = { end: 2 };
    },
    nativeTheme: { themeSource: 'system' },
    net: {},
    Notification: { isSupported: () => false },
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
    utilityProcess: {
      fork: (entry: string, args: string[]) => {
        const child = Object.assign(new Emitter(), {
          entry,
          args,
          sent: [] as unknown[],
          postMessage: (...message: unknown[]) => child.sent.push(message),
        });
        electron.forked.push(child as never);
        return child;
      },
    },
  };
});

const { argumentValue, engineArguments, ownArguments } = await import('./app-paths.ts');
const { forkEngine, spawnConch } = await import('./engine-host.ts');
const { menuTemplate } = await import('./menu.ts');
const { fileOfAddress, isOurPage, pageAddress } = await import('./page-address.ts');
const { PortBroker } = await import('./port-broker.ts');
const { openExternal, setupSecurity } = await import('./security.ts');
const { createShellHandlers, setupShellHandlers } = await import('./shell-handlers.ts');
const { keepsServing } = await import('./tray.ts');
const { WindowState } = await import('./window-state.ts');
const { Windows } = await import('./windows.ts');

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'conch-electron-'));
  electron.windows.length = 0;
  electron.forked.length = 0;
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
    const refused = (name: string, ...args: unknown[]): boolean => {
      const event = { preventDefault: vi.fn() };
      contents.emit(name, event, ...args);
      return event.preventDefault.mock.calls.length > 0;
    };
    expect(refused('will-navigate', 'https://evil.example')).toBe(true);
    expect(refused('will-navigate', 'conch://window/index.html')).toBe(false);
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
    expect(ask('conch://window/', 'media')).toBe(false);
    expect(ask('https://evil.example', 'notifications')).toBe(false);
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

describe('shell calls', () => {
  const call = (sender: unknown, name: string, args: unknown): unknown =>
    electron.handlers.get(SHELL_CHANNELS.call)?.({ sender }, name, args);
  const ours = {};

  beforeEach(() => {
    const handlers = createShellHandlers({ current: undefined });
    setupShellHandlers(handlers, (contents) => contents === (ours as never));
  });

  test('answer our window', async () => {
    expect(call(ours, 'shell/facts', {})).toMatchObject({ appVersion: '1.2.3' });
    expect(await call(ours, 'shell/pickFolders', { title: 't', multiple: true })).toEqual(['/picked']);
  });

  test('refuse others, unknown names and wrong arguments', () => {
    expect(() => call({}, 'shell/facts', {})).toThrow('only the window of this app');
    expect(() => call(ours, 'shell/format', {})).toThrow("unknown call 'shell/format'");
    expect(() => call(ours, 'shell/openExternal', { url: 1 })).toThrow("call 'shell/openExternal'");
  });

  test('a cancelled dialog is empty', async () => {
    electron.openDialog = { canceled: true, filePaths: [] };
    expect(await call(ours, 'shell/pickFiles', { title: 't', multiple: false, filters: [] })).toEqual([]);
  });

  test('text is saved where the user says', async () => {
    const filePath = path.join(folder, 'report.json');
    electron.saveDialog = { canceled: false, filePath };
    await call(ours, 'shell/saveText', { title: 't', defaultName: 'report.json', text: '{}' });
    expect(await readFile(filePath, 'utf8')).toBe('{}');
  });

  test('only what exists is revealed', () => {
    call(ours, 'shell/reveal', { path: folder });
    expect(electron.revealed).toEqual([folder]);
    expect(() => call(ours, 'shell/reveal', { path: path.join(folder, 'none') })).toThrow('does not exist');
  });
});

describe('engine ports', () => {
  const newPage = () => Object.assign(new EventEmitter(), { isDestroyed: () => false, postMessage: vi.fn() });
  const ask = (page: unknown): unknown =>
    electron.listeners.get(SHELL_CHANNELS.wantEnginePort)?.({ sender: page });

  test('a page that asks gets one end, the engine the other; a new engine reaches it unasked', () => {
    const broker = new PortBroker();
    const [first, second] = [{ takePort: vi.fn() }, { takePort: vi.fn() }];
    const page = newPage();
    broker.listen(() => true);
    broker.setEngine(first);
    ask(page);
    expect(first.takePort).toHaveBeenCalledWith({ end: 1 });
    expect(page.postMessage).toHaveBeenCalledWith(SHELL_CHANNELS.enginePort, null, [{ end: 2 }]);
    broker.setEngine(second);
    expect(second.takePort).toHaveBeenCalledOnce();
    page.emit('destroyed');
    broker.setEngine(first);
    expect(first.takePort).toHaveBeenCalledOnce();
  });

  test('a page that is not ours gets none', () => {
    const broker = new PortBroker();
    const engine = { takePort: vi.fn() };
    broker.listen(() => false);
    broker.setEngine(engine);
    ask(newPage());
    expect(engine.takePort).not.toHaveBeenCalled();
  });

  test.each([
    [0, [0, undefined]],
    [1, [1, undefined]],
    [11, [undefined, 'SIGSEGV']],
    [139, [undefined, 'SIGSEGV']],
  ])('engine exit %i', (code, expected) => {
    const seen = vi.fn();
    forkEngine('/engine.js').onExit(seen);
    electron.forked[0]?.emit('exit', code);
    expect(seen).toHaveBeenCalledWith(...expected);
  });

  test('children run the command line of the build', () => {
    spawnConch('/conch.js', ['perf', '-m', 'simple']).send('go');
    expect(electron.forked[0]).toMatchObject({ entry: '/conch.js', args: ['perf', '-m', 'simple'] });
    expect(electron.forked[0]?.sent).toEqual([['go']]);
  });
});

describe('arguments', () => {
  test.each([
    [['/e', '--inspect=0', '/app', '--http-port=0', '--no-sandbox'], false, ['--http-port=0']],
    [['/e', '--no-sandbox', '--http-port=1'], true, ['--http-port=1']],
    [['/e', '/app'], false, []],
  ])('own part of %j (packaged: %s)', (argv, isPackaged, own) => {
    expect(ownArguments({ argv, isPackaged, appPath: '/app' })).toEqual(own);
  });

  test('a packaged app without a repository shows its first page', () => {
    expect(engineArguments([], true)).toEqual(['--ui', '--no-repository']);
    expect(engineArguments(['--model-repository=/m'], true)).toEqual(['--ui', '--model-repository=/m']);
    expect(engineArguments([], false)).toEqual(['--ui']);
  });

  test('a value in both spellings', () => {
    expect(argumentValue(['--user-data=/a', '--user-data', '/b'], 'user-data')).toBe('/b');
    expect(argumentValue([], 'user-data')).toBeUndefined();
  });
});

test('menu commands reach the page, and keys stay with the page', () => {
  const send = vi.fn();
  const template = menuTemplate(send, false);
  const file = template[0]?.submenu as { label?: string; registerAccelerator?: boolean; click?: Callback }[];
  file[0]?.click?.();
  expect(send).toHaveBeenCalledWith('repository.add');
  expect(file[0]?.registerAccelerator).toBe(false);
  expect(menuTemplate(send, true)[0]).toEqual({ role: 'appMenu' });
});

test('serving without a window is the choice of the user', async () => {
  expect(keepsServing(folder)).toBe(false);
  await writeFile(path.join(folder, 'settings.json'), '{"general.keepServing":true}');
  expect(keepsServing(folder)).toBe(true);
});

// What surrounds the window, as data: menu, tray, recent repositories, notices, window places, the start at log-in.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import type { MenuItemConstructorOptions } from 'electron';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import type { ServerView, TaskView } from '../../../src-shared/contract/observe-views.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { acceleratorOf } from './accelerators.ts';
import { jumpList } from './jump-list.ts';
import type { Starter } from './login-start.ts';
import { autostartEntry, setLoginStart } from './login-start.ts';
import type { MenuState } from './menu-template.ts';
import { menuTemplate } from './menu-template.ts';
import type { Notice } from './notices.ts';
import { Notices } from './notices.ts';
import { RecentList } from './recent-list.ts';
import { servingText, trayTemplate } from './tray-menu.ts';
import { fittingSize, leastSize, visibleBounds, WindowState } from './window-state.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'conch-around-'));
});
afterEach(() => rm(folder, { recursive: true }));

type Item = MenuItemConstructorOptions;

function itemsOf(menu: Item | undefined): readonly Item[] {
  return (menu?.submenu ?? []) as Item[];
}

function click(item: Item | undefined): void {
  (item?.click as (() => void) | undefined)?.();
}

describe('the menu', () => {
  const actions = { send: vi.fn(), openRecent: vi.fn(), clearRecent: vi.fn(), showAbout: vi.fn() };
  const state: MenuState = { isMac: false, keys: {}, recent: [], server: 'running' };
  const find = (items: readonly Item[], label: string): Item | undefined =>
    items.flatMap((menu) => itemsOf(menu)).find((item) => item.label === label);

  test('sends commands to the page and shows the keys that work there', () => {
    const items = menuTemplate(actions, { ...state, keys: { 'repository.add': 'Mod+Alt+R' } });
    const add = find(items, 'Add repository...');
    click(add);
    expect(actions.send).toHaveBeenCalledWith('repository.add');
    expect(add).toMatchObject({ accelerator: 'CmdOrCtrl+Alt+R', registerAccelerator: false });
  });

  test('of macOS begins with the app, and takes keys that the page does not', () => {
    const items = menuTemplate(actions, { ...state, isMac: true });
    expect(items[0]).toMatchObject({ role: 'appMenu' });
    expect(find(items, 'Settings...')).toMatchObject({
      accelerator: 'CmdOrCtrl+,',
      registerAccelerator: true,
    });
    expect(find(items, 'About Conch')).toBeUndefined();
  });

  test.each([true, false])('closes the window by another key than a tab, on macOS: %s', (isMac) => {
    const items = menuTemplate(actions, { ...state, isMac });
    expect(find(items, 'Close window')).toMatchObject({
      role: 'close',
      accelerator: 'CmdOrCtrl+Shift+W',
    });
    const roles = items.flatMap((menu) => itemsOf(menu)).map(({ role }) => role);
    // Does nothing elsewhere; on macOS it comes with the menu of that role.
    expect(roles).not.toContain('zoom');
    expect(items.some(({ role }) => role === 'windowMenu')).toBe(isMac);
  });

  test('a command without a key has none', () => {
    expect(find(menuTemplate(actions, state), 'Toggle theme')).not.toHaveProperty('accelerator');
    const without = menuTemplate(actions, { ...state, keys: { 'goto.open': '' } });
    expect(find(without, 'Go to...')).not.toHaveProperty('accelerator');
  });

  test('shows who made the app, elsewhere than on macOS, whose own menu does', () => {
    click(find(menuTemplate(actions, state), 'About Conch'));
    expect(actions.showAbout).toHaveBeenCalledOnce();
  });

  test('lists recent repositories', () => {
    const items = menuTemplate(actions, { ...state, recent: ['/home/ada/models', '/r&d'] });
    const recent = itemsOf(find(items, 'Open recent'));
    expect(recent.map(({ label }) => label)).toEqual([
      'models - /home/ada',
      'r&&d - /',
      undefined,
      'Clear list',
    ]);
    click(recent[0]);
    expect(actions.openRecent).toHaveBeenCalledWith('/home/ada/models');
    click(recent[3]);
    expect(actions.clearRecent).toHaveBeenCalledOnce();
    expect(itemsOf(find(menuTemplate(actions, state), 'Open recent'))).toEqual([
      { label: 'No recent repositories', enabled: false },
    ]);
  });

  test.each([
    ['running', false, true],
    ['stopped', true, false],
    ['unknown', false, false],
  ] as const)('a server that is %s can be started: %s, stopped: %s', (server, start, stop) => {
    const items = menuTemplate(actions, { ...state, server });
    expect([find(items, 'Start')?.enabled, find(items, 'Stop')?.enabled]).toEqual([start, stop]);
  });

  test.each([
    ['Mod+Shift+P', 'CmdOrCtrl+Shift+P'],
    ['Ctrl+ArrowUp', 'Control+Up'],
    ['Mod++', 'CmdOrCtrl+Plus'],
    ['+', 'Plus'],
    ['?', '?'],
    ['', undefined],
    ['Mod+\u00e4', undefined],
  ])('the key %j is %j', (shortcut, accelerator) => {
    expect(acceleratorOf(shortcut)).toBe(accelerator);
  });
});

const server = (state: ServerView['state'], listening: boolean): ServerView =>
  ({
    state,
    endpoints: [
      { kind: 'http', address: '127.0.0.1:8000', isListening: listening },
      { kind: 'grpc', address: '127.0.0.1:8001', isListening: listening },
    ],
  }) as unknown as ServerView;

describe('the tray', () => {
  const actions = { open: vi.fn(), startServer: vi.fn(), stopServer: vi.fn(), quit: vi.fn() };
  const labels = (view: ServerView | undefined): unknown[] =>
    trayTemplate(view, actions).map(({ label, enabled }) => [label, enabled]);

  test('says where it serves, and stops it', () => {
    expect(servingText(server('serving', true))).toBe('Serving: HTTP 8000, gRPC 8001');
    expect(labels(server('serving', true))).toContainEqual(['Stop serving', true]);
    trayTemplate(server('serving', true), actions).forEach((item) => click(item));
    for (const action of [actions.open, actions.stopServer, actions.quit]) {
      expect(action).toHaveBeenCalledOnce();
    }
  });

  test('starts what is stopped', () => {
    expect(servingText(server('stopped', false))).toBe('Stopped');
    expect(labels(server('stopped', false))).toContainEqual(['Start serving', undefined]);
  });

  test('says so when there is no engine', () => {
    expect(servingText(undefined)).toBe('The server process is not running');
    expect(labels(undefined)).toContainEqual(['Stop serving', false]);
  });
});

describe('recent repositories', () => {
  test('are kept over a start, the newest first, ten at most', async () => {
    const seen = vi.fn();
    const list = new RecentList(folder, seen);
    list.note(['/a']);
    list.note(['/a', '/b']);
    expect(list.paths).toEqual(['/b', '/a']);
    list.note(['/a', '/b']);
    expect(seen).toHaveBeenCalledTimes(2);
    list.touch('/a');
    expect(new RecentList(folder, seen).paths).toEqual(['/a', '/b']);
    list.note(Array.from({ length: 12 }, (_, index) => `/r${index}`));
    expect(list.paths).toHaveLength(10);
    list.clear();
    expect(new RecentList(folder, seen).paths).toEqual([]);
    await writeFile(path.join(folder, 'recent.json'), '{"repositories":7}');
    expect(new RecentList(folder, seen).paths).toEqual([]);
  });

  test('are a category of the jump list', () => {
    expect(jumpList('C:\\Conch\\Conch.exe', [], ['D:\\my models'])).toMatchObject([
      { type: 'custom', items: [{ title: 'my models', args: '"D:\\my models"' }] },
    ]);
    expect(jumpList('C:\\Conch.exe', [], [])).toEqual([]);
  });
});

describe('notices', () => {
  const clock = new FakeClock();
  const told: Notice[] = [];
  let isInFront = false;
  const notices = new Notices({
    clock,
    isInFront: () => isInFront,
    show: (notice) => told.push(notice),
  });
  const model = (name: string, state: ModelView['state'], reason = 'bad file'): ModelView =>
    ({ name, state, reason, failure: undefined }) as ModelView;
  const task = (id: string, state: TaskView['state'], seconds: number): TaskView =>
    ({ id, title: id, state, detail: 'disk full', startedAtMs: clock.wallMs() - seconds * 1000 }) as TaskView;

  beforeEach(() => {
    told.length = 0;
    isInFront = false;
  });

  test('of a failed load come once, until it is loaded again', async () => {
    notices.models([model('a b', 'failed'), model('fine', 'ready')]);
    notices.models([model('a b', 'failed')]);
    await clock.advance(1000);
    expect(told).toEqual([
      { title: "'a b' could not be loaded", body: 'bad file', address: 'wb://models/a%20b' },
    ]);
    notices.models([model('a b', 'loading')]);
    notices.models([model('a b', 'failed')]);
    await clock.advance(1000);
    expect(told).toHaveLength(2);
  });

  test('of many failed loads are one', async () => {
    notices.models([model('x', 'failed'), model('y', 'failed')]);
    await clock.advance(1000);
    expect(told).toEqual([{ title: '2 models could not be loaded', body: 'x, y', address: 'wb://models' }]);
  });

  test('of long work say how it ended', () => {
    notices.task(task('run', 'running', 60));
    notices.task(task('run', 'done', 60));
    notices.task(task('run', 'done', 60));
    notices.task(task('short', 'done', 3));
    notices.task(task('stopped', 'cancelled', 60));
    notices.task(task('copy', 'failed', 60));
    expect(told.map(({ title, body }) => `${title}: ${body}`)).toEqual([
      'run: It is done.',
      'copy: It failed: disk full',
    ]);
  });

  test('stay away while the user looks', async () => {
    isInFront = true;
    notices.models([model('z', 'failed')]);
    notices.task(task('seen', 'done', 60));
    await clock.advance(1000);
    expect(told).toEqual([]);
  });
});

describe('the place of the window', () => {
  const left = { x: 0, y: 0, width: 1920, height: 1080 };
  const right = { x: 1920, y: 0, width: 1280, height: 1024 };
  const size = { width: 1000, height: 700 };

  test.each([
    ['on the second screen', { x: 2000, y: 100 }, [left, right], { x: 2000, y: 100, ...size }],
    ['where that screen is gone', { x: 2000, y: 100 }, [left], size],
    ['across both', { x: 1500, y: 100 }, [left, right], { x: 1500, y: 100, ...size }],
    ['with its title above the screen', { x: 100, y: -300 }, [left], size],
    ['almost outside', { x: 1850, y: 100 }, [left], size],
  ] as const)('%s', (_name, corner, screens, expected) => {
    expect(visibleBounds({ ...corner, ...size }, screens)).toEqual(expected);
  });

  const small = { x: 0, y: 24, width: 1024, height: 576 };

  test('is no larger than the screens that it reaches', () => {
    const stored = { x: 300, y: 60, width: 1360, height: 500 };
    expect(visibleBounds(stored, [small])).toEqual({ x: 0, y: 60, width: 1024, height: 500 });
    const high = { x: 300, y: 60, width: 700, height: 860 };
    expect(visibleBounds(high, [small, right])).toEqual({ x: 300, y: 24, width: 700, height: 576 });
    const across = { x: 100, y: 0, width: 3000, height: 1000 };
    expect(visibleBounds(across, [left, right])).toEqual(across);
    expect(visibleBounds({ ...stored, x: 9000 }, [small])).toEqual({ width: 1024, height: 500 });
  });

  test('fits a small screen from the first start on, and may be made so small', () => {
    expect(fittingSize({ width: 1360, height: 860 }, [small, left])).toEqual({ width: 1024, height: 576 });
    expect(leastSize({ width: 960, height: 640 }, [left, small])).toEqual({ width: 960, height: 576 });
    expect(leastSize({ width: 960, height: 640 }, [left])).toEqual({ width: 960, height: 640 });
  });

  test('is kept over a start, and a damaged file is none', async () => {
    const place = { x: 1, y: 2, ...size, isMaximized: true };
    new WindowState(folder).remember(place);
    expect(new WindowState(folder).place).toEqual(place);
    await writeFile(path.join(folder, 'window.json'), '{"x":"left"}');
    expect(new WindowState(folder).place).toBeUndefined();
  });
});

describe('the start at log-in', () => {
  const setLoginItem = vi.fn<Starter['setLoginItem']>();
  const starter = (platform: NodeJS.Platform): Starter => ({
    platform,
    command: ['/opt/my "app"/100%/conch'],
    configFolder: folder,
    setLoginItem,
  });

  beforeEach(() => void setLoginItem.mockReset());

  test('is a desktop file on Linux', async () => {
    const linux = starter('linux');
    setLoginStart(true, linux);
    const file = path.join(folder, 'autostart', 'conch.desktop');
    const exec = 'Exec="/opt/my \\"app\\"/100%%/conch" "--hidden"';
    expect((await readFile(file, 'utf8')).split('\n')).toContain(exec);
    expect(autostartEntry(linux)).toContain('Type=Application');
    setLoginStart(false, linux);
    await expect(readFile(file)).rejects.toThrow('ENOENT');
    expect(setLoginItem).not.toHaveBeenCalled();
  });

  test.each(['darwin', 'win32'] as const)('is on the list that %s keeps', (platform) => {
    setLoginStart(true, starter(platform));
    const item = { openAtLogin: true, path: '/opt/my "app"/100%/conch', args: ['--hidden'] };
    expect(setLoginItem.mock.calls).toEqual([[item]]);
  });

  test('that the system refuses costs a warning', () => {
    setLoginItem.mockImplementation(() => {
      throw new Error('not allowed');
    });
    expect(() => setLoginStart(true, starter('darwin'))).not.toThrow();
  });
});

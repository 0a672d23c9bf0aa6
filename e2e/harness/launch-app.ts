// The app in the shell under test, as tests see it, and how it is opened in a browser: there it is the headless engine,
// and the window a page of a Chromium that all apps of a worker share. The desktop app is opened by electron-app.ts.

import type { Browser, CDPSession, ElectronApplication, Page } from '@playwright/test';
import { chromium } from '@playwright/test';
import { execFileSync } from 'node:child_process';

import type { Tab } from './kept-tabs.ts';
import { KeptTabs } from './kept-tabs.ts';
import type { ServedApp } from './serve-app.ts';
import { serveApp } from './serve-app.ts';

/** A file that the app let its user save. */
export interface SavedFile {
  /** Where it lies now. */
  readonly file: string;
  /** The name that was offered. */
  readonly name: string;
}

/** The app as a test gets it. */
export interface AppUnderTest {
  readonly shell: 'browser' | 'electron';
  /** The desktop app's main process; undefined in a browser. */
  readonly electron?: ElectronApplication;
  readonly page: Page;
  /** Sample repository; served unless the launch named another. */
  readonly repositoryPath: string;
  readonly userDataPath: string;
  /** Base address of the HTTP endpoint as the status bar shows it now. */
  httpAddress(): Promise<string>;
  /** DevTools session of the window. */
  devTools(): Promise<CDPSession>;
  /** Does what saves a file; the system's dialog, where there is one, is answered. */
  savedFile(save: () => Promise<void>): Promise<SavedFile>;
  /** Text on the clipboard. */
  copiedText(): Promise<string>;
  /** What the app printed. */
  output(): string;
  /** Process above the engine. */
  readonly pid: number;
  /** Of the process that runs now: another one after a restart. */
  enginePid(): Promise<number>;
}

/** How the app is started. */
export interface LaunchOptions {
  readonly args?: readonly string[];
  /** Folder of an earlier run, which is kept. */
  readonly userDataPath?: string;
  /** The samples that it has, all by default. A load of them all is most of the work of a start: name what is used. */
  readonly samples?: readonly string[];
  /** False where the ports are expected to be taken. */
  readonly waitsForEndpoints?: boolean;
  readonly colorScheme?: 'light' | 'dark';
  /** Further variables of the environment of its processes. */
  readonly env?: Readonly<Record<string, string>>;
  /** Told the address of every request and socket of the window, from its first on. */
  readonly onRequest?: (url: string) => void;
}

/** The app as whoever started it has it; disposing of it ends it. */
export type LaunchedApp = AppUnderTest & AsyncDisposable;

/** Opens apps in one shell; closed by the worker. */
export interface Launcher extends AsyncDisposable {
  /** The app is the caller's to close. */
  launch(options?: LaunchOptions): Promise<LaunchedApp>;
}

/** For any Chromium: it plays the part of a camera, which sees a green room, and of a microphone, which hears beeps. */
export const FAKE_DEVICES = '--use-fake-device-for-media-stream';

/** What headless Chromium needs as root and on a closed network. */
const BROWSER_FLAGS: readonly string[] = [
  // A camera and a microphone of Chromium's own; a page still has to be allowed to use them.
  FAKE_DEVICES,
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
];

/** CONCH_BROWSER names the program, /usr/bin/chromium when it is not set. Whoever launches it closes it. */
export async function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const executablePath = process.env['CONCH_BROWSER'] ?? '/usr/bin/chromium';
  return chromium.launch({ executablePath, args: [...BROWSER_FLAGS, ...args] });
}

/** Address of the HTTP endpoint, read where every user can read it. */
export async function shownHttpAddress(page: Page): Promise<string> {
  const port = (await page.getByTestId('status-port-number-http').textContent()) ?? '';
  return `http://127.0.0.1:${port.trim()}`;
}

/** Addresses of requests and WebSockets from now on; those before are not told. */
export function followRequests(page: Page, { onRequest }: LaunchOptions): void {
  if (onRequest === undefined) return;
  page.on('request', (request) => onRequest(request.url()));
  page.on('websocket', (socket) => onRequest(socket.url()));
}

/** Pid of the engine process below the headless parent. */
function enginePidBelow(parent: number): number {
  const found = execFileSync('pgrep', ['-f', '-P', String(parent), 'engine-process'], { encoding: 'utf8' });
  return Number(found.trim());
}

/** The app whose window is to be in this tab: at the tab's port, where nothing else has taken that meanwhile. */
async function serveFor(tab: Tab, options: LaunchOptions): Promise<ServedApp> {
  try {
    if (tab.port === 0) return await serveApp(options);
    return await serveApp({ ...options, uiPort: tab.port }).catch(() => serveApp(options));
  } catch (thrown) {
    await tab.close();
    throw thrown;
  }
}

/** One browser for all apps that it launches, each in a tab that no other has at the time; disposing closes it. */
export async function browserLauncher(): Promise<Launcher> {
  const browser = await launchBrowser();
  const tabs = new KeptTabs(browser);
  return {
    launch: async (options = {}) => {
      await using opened = new AsyncDisposableStack();
      const tab = await tabs.take(options);
      const served = opened.use(await serveFor(tab, options));
      // Before the server ends, whose page it then leaves.
      opened.defer(() => tabs.giveBack(tab));
      const { page } = tab;
      followRequests(page, options);
      await page.goto(served.addresses.window);
      const whole = opened.move();
      return {
        shell: 'browser',
        page,
        repositoryPath: served.repositoryPath,
        userDataPath: served.userDataPath,
        httpAddress: () => shownHttpAddress(page),
        devTools: () => tab.devTools(),
        savedFile: async (save) => {
          const download = page.waitForEvent('download');
          await save();
          const saved = await download;
          return { file: await saved.path(), name: saved.suggestedFilename() };
        },
        copiedText: () => page.evaluate('navigator.clipboard.readText()'),
        output: () => served.output(),
        pid: served.pid,
        enginePid: () => Promise.resolve(enginePidBelow(served.pid)),
        [Symbol.asyncDispose]: () => whole.disposeAsync(),
      };
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

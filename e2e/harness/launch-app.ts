// Opens the app in the shell under test. In the project `browser` the app is the headless engine and the window a page
// of a Chromium that all apps of a worker share; in `electron` both are the Electron app.

import type { Browser, BrowserContextOptions, CDPSession, Page } from '@playwright/test';
import { _electron as electron, chromium } from '@playwright/test';
import { rm } from 'node:fs/promises';
import path from 'node:path';

import { isolatedArguments, newUserDataFolder, serveApp } from './serve-app.ts';

const root = path.resolve(import.meta.dirname, '../..');

export interface AppUnderTest {
  readonly shell: 'browser' | 'electron';
  readonly page: Page;
  /** Sample repository; served unless the launch named another. */
  readonly repositoryPath: string;
  readonly userDataPath: string;
  /** Base address of the HTTP endpoint as the status bar shows it now. */
  httpAddress(): Promise<string>;
  /** DevTools session of the window. */
  devTools(): Promise<CDPSession>;
  /** What the app printed; "" in Electron. */
  output(): string;
  /** Process above the engine. */
  readonly pid: number;
}

export interface LaunchOptions {
  readonly args?: readonly string[];
  /** Folder of an earlier run, which is kept. */
  readonly userDataPath?: string;
  /** False where the ports are expected to be taken. */
  readonly waitsForEndpoints?: boolean;
  readonly colorScheme?: 'light' | 'dark';
  /** Further variables of the environment of its processes. */
  readonly env?: Readonly<Record<string, string>>;
  /** Told the address of every request and socket of the window, from its first on. */
  readonly onRequest?: (url: string) => void;
}

export type LaunchedApp = AppUnderTest & AsyncDisposable;

/** Opens apps in one shell; closed by the worker. */
export interface Launcher extends AsyncDisposable {
  launch(options?: LaunchOptions): Promise<LaunchedApp>;
}

/** What headless Chromium needs as root and on a closed network. */
const BROWSER_FLAGS: readonly string[] = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
];

export async function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const executablePath = process.env['CONCH_BROWSER'] ?? '/usr/bin/chromium';
  return chromium.launch({ executablePath, args: [...BROWSER_FLAGS, ...args] });
}

const VIEWPORT = { width: 1360, height: 860 };

/** Address of the HTTP endpoint, read where every user can read it. */
async function shownHttpAddress(page: Page): Promise<string> {
  const port = (await page.getByTestId('status-port-http').textContent()) ?? '';
  return `http://127.0.0.1:${port.trim()}`;
}

function contextOptions(options: LaunchOptions): BrowserContextOptions {
  const { colorScheme = 'light' } = options;
  return {
    viewport: VIEWPORT,
    colorScheme,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  };
}

function followRequests(page: Page, { onRequest }: LaunchOptions): void {
  if (onRequest === undefined) return;
  page.on('request', (request) => onRequest(request.url()));
  page.on('websocket', (socket) => onRequest(socket.url()));
}

export async function browserLauncher(): Promise<Launcher> {
  const browser = await launchBrowser();
  return {
    launch: async (options = {}) => {
      const served = await serveApp(options);
      const context = await browser.newContext(contextOptions(options));
      const page = await context.newPage();
      followRequests(page, options);
      await page.goto(served.addresses.window);
      return {
        shell: 'browser',
        page,
        repositoryPath: served.repositoryPath,
        userDataPath: served.userDataPath,
        httpAddress: () => shownHttpAddress(page),
        devTools: () => context.newCDPSession(page),
        output: () => served.output(),
        pid: served.pid,
        [Symbol.asyncDispose]: async () => {
          await context.close();
          await served[Symbol.asyncDispose]();
        },
      };
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

export function electronLauncher(executablePath: string): Launcher {
  return {
    launch: async (options = {}) => {
      const userDataPath = options.userDataPath ?? (await newUserDataFolder());
      const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
      const app = await electron.launch({
        executablePath,
        args: [...sandbox, root, ...isolatedArguments(userDataPath, options.args)],
        colorScheme: options.colorScheme ?? 'light',
        env: { ...definedEnvironment(), XDG_DATA_HOME: path.join(userDataPath, 'xdg-data'), ...options.env },
      });
      const page = await app.firstWindow();
      followRequests(page, options);
      return {
        shell: 'electron',
        page,
        repositoryPath: path.join(userDataPath, 'samples'),
        userDataPath,
        httpAddress: () => shownHttpAddress(page),
        devTools: () => app.context().newCDPSession(page),
        output: () => '',
        pid: app.process().pid ?? 0,
        [Symbol.asyncDispose]: async () => {
          await app.close();
          if (options.userDataPath === undefined) await rm(userDataPath, { recursive: true, force: true });
        },
      };
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

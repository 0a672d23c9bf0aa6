// `test` for both shells: gives each test file an app and a page in it. In the project `browser` the app is the headless
// engine and the page a Chromium; in `electron` both are the Electron app.

import type { Browser, Page } from '@playwright/test';
import { _electron as electron, chromium, test as base } from '@playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { isolatedArguments, serveApp } from './serve-app.ts';

const root = path.resolve(import.meta.dirname, '../..');

export interface AppUnderTest {
  readonly shell: 'browser' | 'electron';
  readonly page: Page;
  /** Repository that the app serves. */
  readonly repositoryPath: string;
  readonly userDataPath: string;
  /** Base address of the HTTP endpoint; read from the page's status bar in Electron, so only known in a browser. */
  readonly httpAddress: string;
}

/** What headless Chromium needs as root and on a closed network. */
export const BROWSER_FLAGS: readonly string[] = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
];

export async function launchBrowser(): Promise<Browser> {
  const executablePath = process.env['CONCH_BROWSER'] ?? '/usr/bin/chromium';
  return chromium.launch({ executablePath, args: [...BROWSER_FLAGS] });
}

async function useBrowser(use: (app: AppUnderTest) => Promise<void>): Promise<void> {
  await using app = await serveApp();
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1360, height: 860 }, reducedMotion: 'reduce' });
    await page.goto(app.addresses.window);
    await use({
      shell: 'browser',
      page,
      repositoryPath: app.repositoryPath,
      userDataPath: app.userDataPath,
      httpAddress: app.addresses.http,
    });
  } finally {
    await browser.close();
  }
}

async function useElectron(executablePath: string, use: (app: AppUnderTest) => Promise<void>): Promise<void> {
  const userDataPath = await mkdtemp(path.join(os.tmpdir(), 'conch-e2e-'));
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const app = await electron.launch({
    executablePath,
    args: [...sandbox, root, ...isolatedArguments(userDataPath)],
  });
  try {
    const page = await app.firstWindow();
    const repositoryPath = path.join(userDataPath, 'samples');
    await use({ shell: 'electron', page, repositoryPath, userDataPath, httpAddress: '' });
  } finally {
    await app.close();
    await rm(userDataPath, { recursive: true, force: true });
  }
}

/** Undefined where this machine lacks what the shell needs. */
type SharedApp = AppUnderTest | undefined;

export const test = base.extend<{ app: AppUnderTest }, { sharedApp: SharedApp }>({
  sharedApp: [
    async ({ browserName: _browserName }, use, info) => {
      const executablePath = process.env['CONCH_ELECTRON'] ?? '';
      if (info.project.name === 'electron') {
        if (executablePath === '') await use(undefined);
        else await useElectron(executablePath, use);
      } else if (process.env['CONCH_BROWSER'] === '') {
        await use(undefined);
      } else {
        await useBrowser(use);
      }
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  app: async ({ sharedApp }, use, info) => {
    if (sharedApp === undefined) {
      info.skip(
        true,
        `this machine has no ${info.project.name === 'electron' ? 'Electron with a display' : 'browser'}`,
      );
      return;
    }
    await use(sharedApp);
  },
});

export { expect } from '@playwright/test';

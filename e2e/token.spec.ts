// The address of the window over restarts: tabs and bookmarks go on working, and one that cannot is told how to go on.

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import type { Browser } from '@playwright/test';

import { expect, launchBrowser, test } from './harness/app-test.ts';
import { serveApp } from './harness/serve-app.ts';

let browser: Browser;
let folder: string;

test.beforeAll(async ({ browserName: _browserName }, info) => {
  if (info.project.name !== 'browser') return;
  browser = await launchBrowser();
  folder = await mkdtemp(path.join(os.tmpdir(), 'conch-e2e-token-'));
});
test.afterAll(async ({ browserName: _browserName }, info) => {
  if (info.project.name !== 'browser') return;
  await browser.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});
test.beforeEach(({ browserName: _browserName }, info) => {
  test.skip(info.project.name !== 'browser', 'tokens are for pages in a browser');
});

test('an open page comes back after a restart, and a wrong token is asked for again', async () => {
  const user = await browser.newContext();
  const page = await user.newPage();
  const first = await serveApp({ userDataPath: folder, samples: ['simple'] });
  const { window: address } = first.addresses;
  await page.goto(address);
  await expect(page.getByTestId('models-table')).toBeVisible();
  await first[Symbol.asyncDispose]();
  await expect(page.getByTestId('connection-lost')).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-offline');

  const { port } = new URL(address);
  await using second = await serveApp({ userDataPath: folder, args: [`--ui-port=${port}`] });
  expect(second.addresses.window).toBe(address);
  await expect(page.locator('html')).not.toHaveAttribute('data-offline');
  await expect(page.getByTestId('models-table')).toBeVisible();

  // A bookmark of what the address bar shows: without token, in a new tab.
  const bookmark = await user.newPage();
  await bookmark.goto(new URL('/', address).href);
  await expect(bookmark.getByTestId('models-table')).toBeVisible();

  const stranger = await browser.newPage();
  await stranger.goto(`${new URL('/', address).href}?token=of-another-start`);
  await expect(stranger.getByTestId('token-page')).toContainText('conch open');
  await stranger.getByTestId('token-field').fill(address);
  await stranger.getByTestId('token-connect').click();
  await expect(stranger.getByTestId('models-table')).toBeVisible();
  await stranger.close();
  await user.close();
});

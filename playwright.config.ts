// End-to-end tests are written once and run in both shells: a browser on the headless engine, and the Electron window.

import os from 'node:os';

import { defineConfig } from '@playwright/test';

const isOnCi = process.env['CI'] !== undefined;

// Recording costs a fifth of the time of a test, so where a failed one runs again only that is recorded.
const trace = isOnCi ? 'on-first-retry' : 'retain-on-failure';

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  // Each worker has an app of its own, on free ports and in a folder of its own.
  workers: Math.max(1, Math.min(4, Math.floor(os.availableParallelism() / 2))),
  timeout: 60_000,
  expect: { timeout: 10_000 },
  retries: isOnCi ? 1 : 0,
  forbidOnly: isOnCi,
  use: { actionTimeout: 45_000, viewport: { width: 1360, height: 860 }, trace },
  projects: [
    // What only the desktop app can answer lies in a folder of its own.
    { name: 'browser', metadata: { shell: 'browser' }, testIgnore: 'desktop/**' },
    { name: 'electron', metadata: { shell: 'electron' } },
  ],
});

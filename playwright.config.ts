// End-to-end tests are written once and run in both shells: a browser on the headless engine, and the Electron window.

import os from 'node:os';

import { defineConfig } from '@playwright/test';

const isOnCi = process.env['CI'] !== undefined;

// Recording costs a fifth of the time of a test, so only the second run of a failed one is recorded; by hand:
// `npx playwright test e2e/models.spec.ts --trace=retain-on-failure`. A failed test leaves a picture in any case.
const trace = 'on-first-retry';

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  // Each worker has an app of its own, on free ports and in a folder of its own.
  workers: Math.max(1, Math.min(4, Math.floor(os.availableParallelism() / 2))),
  timeout: 120_000,
  expect: { timeout: 30_000 },
  retries: isOnCi ? 1 : 0,
  forbidOnly: isOnCi,
  use: {
    actionTimeout: 45_000,
    viewport: { width: 1360, height: 860 },
    trace,
    screenshot: 'only-on-failure',
  },
  projects: [
    // What only the desktop app can answer lies in a folder of its own.
    { name: 'browser', metadata: { shell: 'browser' }, testIgnore: 'desktop/**' },
    { name: 'electron', metadata: { shell: 'electron' } },
  ],
});

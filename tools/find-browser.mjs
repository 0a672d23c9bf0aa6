// Finds a Chromium for the end-to-end tests: an environment variable, the system's, Playwright's own, and on Debian as
// root one from the package system. Answers with a path or a reason; never fails a test run by itself.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root, run, say } from './bootstrap.mjs';

const INSTALL_LIMIT_MS = 300_000;

const WELL_KNOWN = {
  linux: [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/usr/bin/microsoft-edge',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
};

function onDisk() {
  const playwright = createRequire(path.join(root, 'package.json'))('@playwright/test');
  return [
    process.env.CONCH_BROWSER,
    ...(WELL_KNOWN[process.platform] ?? []),
    playwright.chromium.executablePath(),
  ]
    .filter((file) => file !== undefined && file !== '')
    .find((file) => existsSync(file));
}

async function installOnDebian() {
  const isDebian = existsSync('/etc/debian_version') && spawnSync('apt-get', ['--version']).status === 0;
  if (!isDebian || process.getuid?.() !== 0) return;
  say('installing chromium (apt-get)');
  const options = {
    stdio: 'ignore',
    timeout: INSTALL_LIMIT_MS,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  const updated = await run('apt-get', ['update'], options);
  if (updated === 0) await run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], options);
}

/** `{ file }` or `{ reason }`. */
export async function findBrowser() {
  let file = onDisk();
  if (file === undefined) {
    await installOnDebian();
    file = onDisk();
  }
  if (file !== undefined) return { file };
  return { reason: 'no Chromium, Chrome or Edge found; set CONCH_BROWSER to one' };
}

// A native crash of the engine takes neither the window nor the addresses with it.

import { execFileSync } from 'node:child_process';
import { expect, test } from '@playwright/test';

import { launchBrowser } from './harness/app-test.ts';
import { serveApp } from './harness/serve-app.ts';
import { AppPage } from './pages/app-page.ts';

/** Pid of the engine process below the parent. */
function enginePid(parent: number): number {
  return Number(execFileSync('pgrep', ['-P', String(parent)], { encoding: 'utf8' }).trim());
}

test('after a crash the same page goes on at the same addresses', async () => {
  test.skip(process.env['CONCH_BROWSER'] === '', 'no browser on this machine');
  test.skip(test.info().project.name !== 'browser', 'the headless parent is what is tested');
  test.skip(process.platform === 'win32', 'signals end processes on this platform only by force');
  await using app = await serveApp();
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(app.addresses.window);
    const frame = new AppPage(page);
    await expect(frame.modelState('simple')).toHaveAttribute('data-state', 'ready');
    const first = enginePid(app.pid);
    process.kill(first, 'SIGSEGV');
    await expect.poll(() => app.output()).toContain('signal SIGSEGV');
    await expect
      .poll(async () => (await fetch(`${app.addresses.http}/v2/health/live`).catch(() => undefined))?.status)
      .toBe(200);
    expect(enginePid(app.pid)).not.toBe(first);
    await expect(page.getByTestId('banner-crashed')).toContainText(
      'The server process stopped unexpectedly (signal SIGSEGV',
    );
    await expect(frame.modelState('simple')).toHaveAttribute('data-state', 'ready', { timeout: 20_000 });
  } finally {
    await browser.close();
  }
});

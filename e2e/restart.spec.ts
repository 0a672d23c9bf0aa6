// A native crash of the engine takes neither the window, nor the addresses, nor what was being typed with it (E34).

import type { Page } from '@playwright/test';

import { expect, test } from './harness/app-test.ts';
import { AppPage } from './pages/app-page.ts';

const LINE = 'response_cache { enable: false }';

async function readyModels(page: Page): Promise<readonly string[]> {
  const ready = page.locator('[data-testid^="model-state-"][data-state="ready"]');
  return (
    await ready.evaluateAll((chips) => chips.map((chip) => chip.getAttribute('data-testid') ?? ''))
  ).sort();
}

/** Status of one request to `simple`; undefined while nobody listens. */
async function infer(http: string): Promise<number | undefined> {
  const data = Array.from({ length: 16 }, (_, index) => index);
  const input = (name: string) => ({ name, shape: [1, 16], datatype: 'INT32', data });
  const body = JSON.stringify({ inputs: [input('INPUT0'), input('INPUT1')] });
  const answer = await fetch(`${http}/v2/models/simple/infer`, { method: 'POST', body }).catch(
    () => undefined,
  );
  return answer?.status;
}

test('E34 after a crash the same page goes on, with the same models and the unsaved text', async ({
  launch,
}) => {
  test.skip(process.platform === 'win32', 'signals end processes on this platform only by force');
  const app = await launch();
  const { page } = app;
  const frame = new AppPage(page);
  const http = await app.httpAddress();
  await expect(page.locator('[data-testid^="model-state-"][data-state="ready"]')).toHaveCount(8);
  const before = await readyModels(page);
  await frame.openModel('simple');
  await page.getByTestId('model-tab-config').click();
  await page.getByTestId('config-editor').locator('.view-lines').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type(LINE);
  await expect(page.getByTestId('config-dirty')).toHaveAttribute('data-dirty', 'true');

  const first = await app.enginePid();
  process.kill(first, 'SIGSEGV');
  const told = page.getByTestId('banner-crashed');
  await expect(told).toContainText('The server process stopped unexpectedly (signal SIGSEGV');
  await expect(told).toContainText('was restarted');
  for (const action of ['Crash report', 'Logs'])
    await expect(told.getByRole('button', { name: action })).toBeVisible();
  expect(app.output()).toContain('signal SIGSEGV');
  expect(await app.enginePid()).not.toBe(first);
  await expect
    .poll(async () => (await fetch(`${http}/v2/health/live`).catch(() => undefined))?.status)
    .toBe(200);

  await expect(page.getByTestId('config-dirty')).toHaveAttribute('data-dirty', 'true');
  // The banner takes room, and the editor draws only the lines that are in view.
  await page.getByTestId('config-editor').locator('.view-lines').click();
  await page.keyboard.press('ControlOrMeta+End');
  await expect(
    page.getByTestId('config-editor').locator('.view-line', { hasText: 'response_cache' }),
  ).toHaveText(LINE.replaceAll(' ', '\u00a0'));
  await frame.openScreen('models');
  await expect.poll(() => readyModels(page)).toEqual(before);

  // Killed from outside while it answers requests: no model is held responsible, so all of them come back again.
  const answered = await infer(http);
  expect(answered).toBe(200);
  const second = await app.enginePid();
  process.kill(second, 'SIGKILL');
  await expect.poll(() => infer(http)).toBe(200);
  expect(await app.enginePid()).not.toBe(second);
  await expect.poll(() => readyModels(page)).toEqual(before);
  await told.getByRole('button', { name: 'Crash report' }).click();
  await expect(page.getByRole('main')).toContainText('signal SIGKILL');
});

/** Everything that readers are told from now on. */
async function listenToAnnouncer(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(`{
    const region = document.querySelector('[data-testid="announcer"]');
    globalThis.announced = [];
    new MutationObserver(() => globalThis.announced.push(region.textContent)).observe(region, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  }`);
  return () => page.evaluate('globalThis.announced');
}

test('an engine that stands still is told, and the window goes on when it does', async ({ launch }) => {
  const app = await launch({ samples: ['simple'] });
  const { page } = app;
  const frame = new AppPage(page);
  await frame.expectState('simple', 'ready');
  const engine = await app.enginePid();
  const announced = await listenToAnnouncer(page);
  process.kill(engine, 'SIGSTOP');
  try {
    await expect(page.getByTestId('connection-silent')).toContainText('has not answered since');
    await expect(page.locator('html')).toHaveAttribute('data-offline', '');
  } finally {
    process.kill(engine, 'SIGCONT');
  }
  await expect(page.getByTestId('connection-silent')).toHaveCount(0);
  // Models that load meanwhile are announced, too, before or after it.
  await expect.poll(announced).toContain('Connected again.');
  expect(await app.enginePid()).toBe(engine);
  await frame.expectState('simple', 'ready');
});

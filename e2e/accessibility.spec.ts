// Every screen and every tab of a model, in all themes: no serious finding, and every chart can be read as a table (E33).

import type { Page } from '@playwright/test';

import { expect, test } from './harness/app-test.ts';
import { seriousFindings } from './harness/axe-scan.ts';
import { expectLoaded } from './harness/expect-loaded.ts';
import { AppPage } from './pages/app-page.ts';

test.setTimeout(300_000);
// Findings name their place; a trace of every scan would take longer than the scans.
test.use({ trace: 'off' });

async function chartsWithoutTable(page: Page, where: string): Promise<readonly string[]> {
  // Asked in one moment: charts come and go with what the server says.
  const charts = page
    .locator('figure')
    .filter({ hasNot: page.getByRole('button', { name: 'View as table' }) });
  const labels = await charts.evaluateAll((nodes) => nodes.map((node) => node.getAttribute('aria-label')));
  return labels.map((label) => `${where}: ${label ?? ''}`);
}

async function chooseTheme(page: Page, theme: string, shown = theme): Promise<void> {
  await page.getByTestId('rail-settings').click();
  await page.getByTestId('settings-section-appearance').click();
  await page.getByTestId('setting-input-appearance.theme').click();
  await page.getByRole('option', { name: new RegExp(`^${theme.replace('-', ' ')}$`, 'i') }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', shown);
}

/** One answered request, so that outputs and charts have something to show. */
async function sendOne(page: Page): Promise<void> {
  await page.getByTestId('pg-send').click();
  await expect(page.getByTestId('pg-response')).toHaveAttribute('data-state', 'ok');
}

async function lookAround(page: Page, theme: string): Promise<readonly string[]> {
  const found: string[] = [];
  const look = async (place: string): Promise<void> => {
    const where = `${theme}, ${place}`;
    await expectLoaded(page);
    found.push(
      ...(await seriousFindings(page, { theme, where: place })),
      ...(await chartsWithoutTable(page, where)),
    );
  };
  const frame = new AppPage(page);
  for (const area of await frame.railAreas()) {
    await page.getByTestId(`rail-${area}`).click();
    await look(area);
  }
  const sections = await page
    .locator('[data-testid^="settings-section-"]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-testid') ?? ''));
  for (const section of sections) {
    await page.getByTestId(section).click();
    await look(section);
  }
  await frame.openModel('batch_mlp');
  for (const tab of await frame.modelTabs()) {
    await page.getByTestId(`model-tab-${tab}`).click();
    if (tab === 'playground') await sendOne(page);
    await look(tab);
  }
  await frame.command('Welcome page and samples');
  await look('first run');
  for (const panel of ['logs', 'problems', 'tasks', 'requests']) {
    await page.getByTestId(`bottom-${panel}`).click();
    await look(panel);
  }
  await frame.openPalette();
  await look('palette');
  await page.keyboard.press('Escape');
  return found;
}

for (const theme of ['light', 'dark', 'high-contrast']) {
  test(`E33 no serious finding on any screen, ${theme}`, async ({ app }) => {
    const { page } = app;
    const frame = new AppPage(page);
    await frame.openScreen('models');
    await expect(frame.modelState('batch_mlp')).toHaveAttribute('data-state', 'ready');
    await chooseTheme(page, theme);
    if (!(await page.getByTestId('bottom-panel').isVisible())) await page.keyboard.press('ControlOrMeta+j');
    expect(await lookAround(page, theme)).toEqual([]);
    await page.keyboard.press('ControlOrMeta+j');
    await chooseTheme(page, 'system', 'light');
  });
}

/** Only what a screen reader tells: roles and names, no test ids. */
test('five journeys can be taken by names alone, with forced colours, without motion, at 200 % zoom', async ({
  launch,
}) => {
  const { page } = await launch({ samples: ['simple'] });
  await page.setViewportSize({ width: 680, height: 430 });
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  const rail = page.getByRole('navigation').first();
  const openTab = (name: string) => page.getByRole('tab', { name, exact: true }).click();

  await test.step('find a model and unload and load it', async () => {
    await rail.getByRole('button', { name: /^Models/ }).click();
    await page.getByRole('button', { name: 'Unload simple', exact: true }).click();
    // The message about it goes by itself; in so small a window it lies over the row.
    await page.mouse.move(0, 0);
    await expect(page.locator('[data-testid^="toast-"]')).toHaveCount(0);
    await page.getByRole('button', { name: 'Load simple', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Unload simple', exact: true })).toBeVisible();
    const row = page.getByRole('row', { name: /simple/ }).first();
    await row.focus();
    await row.press('Enter');
  });

  await test.step('send a request and read its answer', async () => {
    await openTab('Playground');
    await page
      .getByRole('button', { name: /^Send(?! request)/ })
      .first()
      .click();
    // What is chosen has a frame, since the colours that told it are gone.
    await expect(page.getByRole('radio', { name: 'JSON', exact: true })).toHaveCSS('outline-width', '2px');
    await expect(page.getByRole('radio', { name: 'gRPC', exact: true })).not.toHaveCSS(
      'outline-width',
      '2px',
    );
    const response = page.getByRole('region', { name: 'Response' });
    await expect(response.getByRole('status').first()).toContainText('200');
    await expect(response.getByRole('region', { name: 'OUTPUT0', exact: true })).toBeVisible();
  });

  await test.step('read the configuration and its findings', async () => {
    await openTab('Config');
    await expect(page.getByRole('textbox', { name: /^Text of config\.pbtxt of simple/ })).toBeAttached();
    await expect(page.getByRole('region', { name: 'Problems in this text' })).toBeAttached();
  });

  await test.step('plan a load test', async () => {
    await rail.getByRole('button', { name: /^Perf lab/ }).click();
    const plan = page.getByRole('form', { name: 'Plan of the load test' });
    await expect(plan.getByRole('button', { name: 'Quick look' })).toBeVisible();
    await plan.getByRole('button', { name: 'Quick look' }).click();
    await expect(plan.getByRole('button', { name: 'Quick look' })).toHaveAttribute('aria-pressed', 'true');
  });

  await test.step('see what the server does', async () => {
    await rail.getByRole('button', { name: /^Server/ }).click();
    await expect(page.getByRole('button', { name: 'Stop server' })).toBeVisible();
    await expect(page.getByRole('button', { name: /Copy.*HTTP|Copy/ }).first()).toBeVisible();
  });

  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  expect(overflow).toBeLessThanOrEqual(0);
  const moving = await page.evaluate<number>('document.getAnimations().length');
  expect(moving).toBe(0);
});

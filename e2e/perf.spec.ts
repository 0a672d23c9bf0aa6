// Load tests from the window: a sweep of loads with its exports; two configurations compared, applied and taken back.

import { AxeBuilder } from '@axe-core/playwright';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from './harness/app-test.ts';
import { AppPage } from './pages/app-page.ts';
import { PerfPage } from './pages/perf-page.ts';

test.setTimeout(240_000);

test.beforeEach(async ({ app }) => {
  await app.page.getByTestId('rail-models').click();
  await expect(new AppPage(app.page).modelState('batch_mlp')).toHaveAttribute('data-state', 'ready');
});

test('a concurrency sweep gives a row per level and exports that others can read', async ({ app }) => {
  test.skip(app.shell === 'electron', 'saving a file opens a native dialog there');
  const perf = new PerfPage(app.page);
  await perf.open('batch_mlp');
  await perf.plan('1, 2, 4', 1000);
  await perf.run('loads');
  await expect(perf.levels).toHaveCount(3);
  for (const rate of await perf.levels.locator('td:nth-child(3)').allTextContents())
    expect(Number(rate.replaceAll(',', ''))).toBeGreaterThan(0);

  const csv = (await perf.export('CSV')).trim().split('\n');
  expect(csv[0]).toMatch(/^Concurrency,Inferences\/Second,/);
  expect(csv).toHaveLength(4);
  const json = JSON.parse(await perf.export('JSON')) as { levels: unknown[] };
  expect(json.levels).toHaveLength(3);
  expect(await perf.export('Markdown')).toContain('| Concurrency |');
});

test('a run can be stopped from the keyboard and keeps what it measured', async ({ app }) => {
  const { page } = app;
  const perf = new PerfPage(page);
  await perf.open('batch_mlp');
  await perf.plan('1, 2, 4, 8', 1000);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByTestId('perf-live')).toBeVisible();
  await expect(page.getByTestId('perf-level-1')).toBeVisible({ timeout: 30_000 });
  await page.keyboard.press('ControlOrMeta+.');
  await expect(perf.shownRun).toHaveAttribute('data-state', 'stopped');
  await expect(page.getByTestId('perf-level-1')).toBeVisible();
});

test('a command line fills the form, and what is unknown is listed', async ({ app }) => {
  const { page } = app;
  const perf = new PerfPage(page);
  await perf.open('batch_mlp');
  await page
    .getByTestId('perf-command')
    .fill('perf_analyzer -m batch_mlp -b 2 --concurrency-range 2:6:2 --no-such-flag=1');
  await page.getByTestId('perf-command-apply').click();
  await expect(page.getByTestId('perf-batch')).toHaveValue('2');
  await expect(page.getByTestId('perf-range-end')).toHaveValue('6');
  await expect(page.getByTestId('perf-command-unknown')).toContainText('no-such-flag');
});

test('two configurations are compared, the better one is applied, checked and taken back', async ({
  app,
}) => {
  const { page } = app;
  const perf = new PerfPage(page);
  const file = path.join(app.repositoryPath, 'batch_mlp/config.pbtxt');
  const before = await readFile(file, 'utf8');
  await perf.open('batch_mlp');
  await page.getByTestId('perf-protocol').getByText('HTTP').click();
  await perf.plan('1, 2', 500);
  await perf.run('as served');
  await page.getByTestId('perf-compare-add').click();

  await page.getByTestId('perf-override').click();
  const text = page.getByTestId('perf-override-text');
  const served = await text.inputValue();
  await text.fill(withTwoInstances(served));
  await perf.run('two instances');
  await page.getByTestId('perf-compare-add').click();

  await page.getByTestId('perf-tab-compare').click();
  await page.getByTestId('perf-chart-compare-table').click();
  const curves = page.getByTestId('perf-chart-compare');
  await expect(curves.locator('td[data-key="run0"][data-value]')).toHaveCount(2);
  await expect(curves.locator('td[data-key="run1"][data-value]')).toHaveCount(2);
  await expect(page.getByTestId('perf-config-diff')).toContainText('instance_group');

  await page.getByTestId('perf-tab-run').click();
  await page.getByTestId('perf-apply').click();
  await expect(page.getByTestId('perf-apply-changes')).toContainText('instance_group');
  await page.getByTestId('perf-apply-confirm').click();
  await expect(page.getByTestId('perf-applied')).toContainText('inf/s', { timeout: 120_000 });
  expect(await readFile(file, 'utf8')).toMatch(/count: 2/);

  await page.getByTestId('perf-undo').click();
  await expect(page.getByTestId('perf-applied')).toBeHidden();
  expect(await readFile(file, 'utf8')).toBe(before);
});

test('no serious accessibility fault in either theme', async ({ app }) => {
  const { page } = app;
  await page.getByTestId('rail-perf').click();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const tab of ['run', 'history', 'compare', 'sweep']) {
      await page.getByTestId(`perf-tab-${tab}`).click();
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      expect(serious.map(({ id, nodes }) => `${tab} ${id} ${nodes[0]?.html}`)).toEqual([]);
    }
  }
});

function withTwoInstances(text: string): string {
  return /count: \d+/.test(text)
    ? text.replace(/count: \d+/, 'count: 2')
    : `${text}\ninstance_group [{ count: 2 kind: KIND_CPU }]\n`;
}

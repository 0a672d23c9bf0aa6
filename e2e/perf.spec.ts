// Load tests from the window: a sweep of loads with its exports; two configurations compared, applied and taken back.

import type { Page } from '@playwright/test';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { AppUnderTest } from './harness/app-test.ts';
import { expect, test } from './harness/app-test.ts';
import { seriousFindings } from './harness/axe-scan.ts';
import { sampleFiles } from './harness/fixture-models.ts';
import { AppPage } from './pages/app-page.ts';
import { PerfPage } from './pages/perf-page.ts';

test.setTimeout(240_000);

test.beforeEach(async ({ app }) => {
  await app.page.getByTestId('rail-models').click();
  await expect(new AppPage(app.page).modelState('batch_mlp')).toHaveAttribute('data-state', 'ready');
});

test('E23 a concurrency sweep gives a row per level and exports that others can read', async ({ app }) => {
  const perf = new PerfPage(app.page);
  await perf.open('batch_mlp');
  await perf.plan('1, 2, 4', 1000);
  await perf.run('loads');
  await expect(perf.levels).toHaveCount(3);
  for (const rate of await perf.levels.locator('td:nth-child(3)').allTextContents())
    expect(Number(rate.replaceAll(',', ''))).toBeGreaterThan(0);

  const csv = (await perf.export(app, 'CSV')).trim().split('\n');
  expect(csv[0]).toMatch(/^Concurrency,Inferences\/Second,/);
  expect(csv).toHaveLength(4);
  const json = JSON.parse(await perf.export(app, 'JSON, all windows')) as { levels: unknown[] };
  expect(json.levels).toHaveLength(3);
  expect(await perf.export(app, 'Markdown')).toContain('| Concurrency |');
});

test('a run can be stopped from the keyboard and keeps what it measured', async ({ app }) => {
  const { page } = app;
  const perf = new PerfPage(page);
  await perf.open('batch_mlp');
  await perf.plan('1, 2, 4, 8', 1000);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByTestId('perf-live')).toBeVisible();
  await expect(page.getByTestId('perf-level-1')).toBeVisible();
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
  // The line named no server: the run that follows measures this one.
  await perf.planRequests('1', 200);
  await perf.run('after a pasted line');
  await expect(perf.levels).toHaveCount(1);
});

test('E24 two configurations are compared, the better one is applied, checked and taken back', async ({
  app,
}) => {
  const { page } = app;
  const perf = new PerfPage(page);
  const file = path.join(app.repositoryPath, 'batch_mlp/config.pbtxt');
  const before = await readFile(file, 'utf8');
  await checkFor(page, 2);
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

test('a chosen level shows its latencies, batches and slowest requests, and charts leave as pictures', async ({
  app,
}) => {
  const { page } = app;
  const perf = new PerfPage(page);
  await perf.open('batch_mlp');
  await perf.planRequests('1, 4', 400);
  await perf.run('closely');
  await page.getByTestId('perf-level-4').click();
  await page.getByTestId('perf-chart-histogram-table').click();
  const counts = page.getByTestId('perf-chart-histogram').locator('td[data-key="count"]');
  const total = (): Promise<number> =>
    counts.evaluateAll((cells) => cells.reduce((sum, cell) => sum + Number(cell.dataset['value']), 0));
  const level = perf.levels.nth(1);
  await expect.poll(total).toBeGreaterThan(10);
  await expect(level.getByRole('button', { pressed: true })).toHaveText('4');
  await expect(page.getByTestId('perf-chart-batches')).toBeVisible();
  await expect(page.getByTestId('perf-slowest').locator('tbody tr')).toHaveCount(20);

  await page.getByTestId('perf-chart-levels-log').click();
  await expect(page.getByTestId('perf-chart-levels').locator('.recharts-line-dots circle')).toHaveCount(2);

  const svg = await perf.export(app, 'Charts as SVG');
  expect(svg).toContain('Throughput against p99 latency');
  expect(svg).not.toContain('var(--');
  const png = await perf.exportBytes(app, 'Charts as PNG');
  expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
  expect(png.readUInt32BE(16)).toBeGreaterThan(800);

  await page.getByTestId('perf-export').click();
  await page.getByRole('menuitem', { name: 'Copy as issue text' }).click();
  await expect.poll(() => app.copiedText()).toContain('| Concurrency | inf/s |');
});

test('a run can be paused, a level skipped, and another run waits for its turn', async ({ app }) => {
  const { page } = app;
  const perf = new PerfPage(page);
  await perf.open('batch_mlp');
  await perf.planWithoutEnd('1, 2');
  await perf.start('first');
  await expect(page.getByTestId('perf-live')).toHaveAttribute('data-state', 'measuring');
  await page.getByTestId('perf-pause').click();
  await expect(page.getByTestId('perf-live')).toHaveAttribute('data-state', 'paused');
  await page.getByTestId('perf-pause').click();
  await expect(page.getByTestId('perf-live')).toHaveAttribute('data-state', 'measuring');
  await page.getByTestId('perf-skip').click();
  await expect(page.getByTestId('perf-level-state-1')).toHaveText('skipped');

  // Held, so that it is still there when the next one comes.
  await page.getByTestId('perf-pause').click();
  await expect(page.getByTestId('perf-live')).toHaveAttribute('data-state', 'paused');
  await perf.planRequests('1', 200);
  await perf.start('second');
  await expect(page.getByTestId('perf-queued')).toBeVisible();
  await page.getByTestId('perf-other-run').getByRole('button').click();
  await page.getByTestId('perf-stop').click();
  await expect(perf.shownRun).toHaveAttribute('data-state', 'stopped');
  await page.getByTestId('perf-tab-history').click();
  await page.getByRole('button', { name: 'second', exact: true }).click();
  await expect(perf.shownRun).toHaveAttribute('data-state', 'done', { timeout: 60_000 });
});

test('runs keep a name and a note, and starred ones come first', async ({ app }) => {
  const { page } = app;
  const perf = new PerfPage(page);
  await perf.open('batch_mlp');
  await perf.planRequests('1', 200);
  await perf.run('to be named');
  await perf.run('later');
  await page.getByTestId('perf-tab-history').click();
  await page.getByRole('button', { name: 'Name and note of to be named' }).click();
  const dialog = page.getByTestId('perf-note-dialog');
  await dialog.getByRole('textbox', { name: 'Name of the run' }).fill('baseline');
  await dialog.getByTestId('perf-note-text').fill('before the new driver');
  await dialog.getByTestId('perf-note-save').click();
  await expect(dialog).toBeHidden();
  const rows = page.locator('[data-testid="perf-history-table"] tbody tr');
  await expect(rows.first()).toContainText('later');
  await page.getByRole('button', { name: 'Star baseline' }).click();
  await expect(rows.first()).toContainText('baseline');
  await expect(rows.first()).toContainText('before the new driver');
});

test('a run whose requests all fail stops with the first error and the way to the playground', async ({
  app,
}) => {
  const { page } = app;
  const perf = new PerfPage(page);
  await perf.open('simple');
  await perf.plan('1, 2', 300);
  await page.getByTestId('perf-data').click();
  await page.getByRole('option', { name: 'JSON text' }).click();
  const row = { content: Array.from({ length: 16 }, () => 1), shape: [16] };
  await page.getByTestId('perf-json').fill(JSON.stringify({ data: [{ INPUT0: row, INPUT1: row }] }));
  await perf.start('all wrong');
  const banner = page.getByTestId('perf-failed');
  await expect(banner).toContainText(/unexpected shape for input 'INPUT\d' for model 'simple'/);
  await expect(perf.levels).toHaveCount(1);
  await banner.getByRole('button').click();
  await expect(page.getByTestId('pg-send')).toBeVisible();
});

test('a model that is unloaded meanwhile interrupts its run, and what was measured stays', async ({
  app,
}) => {
  const { page } = app;
  const perf = new PerfPage(page);
  await perf.open('image_tiny');
  await perf.planWithoutEnd('2');
  await perf.start('cut off');
  await expect(page.getByTestId('perf-stability')).toContainText(/^Window \d/);
  const models = `${await app.httpAddress()}/v2/repository/models/image_tiny`;
  expect((await fetch(`${models}/unload`, { method: 'POST' })).status).toBe(200);
  await expect(perf.shownRun).toHaveAttribute('data-state', 'interrupted');
  await expect(page.getByTestId('perf-interrupted')).toContainText('unloaded');
  await expect(page.getByTestId('perf-level-2')).toBeVisible();
  expect((await fetch(`${models}/load`, { method: 'POST' })).status).toBe(200);
});

/** A copy of the sample with dynamic batching that wants batches of 4 and 8, loaded. */
async function loadWithPreferredSizes(
  { repositoryPath, httpAddress }: AppUnderTest,
  name: string,
): Promise<string> {
  for (const [file, content] of Object.entries(sampleFiles('batch_mlp', name))) {
    await mkdir(path.dirname(path.join(repositoryPath, file)), { recursive: true });
    await writeFile(path.join(repositoryPath, file), content);
  }
  const config = path.join(repositoryPath, name, 'config.pbtxt');
  const text = await readFile(config, 'utf8');
  await writeFile(
    config,
    text.replace('dynamic_batching {', 'dynamic_batching {\n  preferred_batch_size: [ 4, 8 ]'),
  );
  const loaded = await fetch(`${await httpAddress()}/v2/repository/models/${name}/load`, { method: 'POST' });
  expect(loaded.status).toBe(200);
  return config;
}

test('a sweep over configurations names a winner only when it is clear, shows why one was refused, and applies', async ({
  app,
}) => {
  const { page } = app;
  const perf = new PerfPage(page);
  const file = await loadWithPreferredSizes(app, 'prefers_sizes');
  const before = await readFile(file, 'utf8');
  expect(before).toContain('preferred_batch_size');
  await perf.open('prefers_sizes');
  await perf.plan('8', 300);
  await page.getByTestId('perf-sweep').click();
  await expect(page.getByTestId('perf-start')).toBeDisabled();
  await page.getByTestId('perf-sweep-instances').fill('2');
  await page.getByTestId('perf-sweep-batch').fill('2, 16');
  await page.getByTestId('perf-sweep-delay').fill('0');
  await page.keyboard.press('Tab');
  await expect(page.getByTestId('perf-start')).toHaveText('Sweep 3 configurations');
  await page.getByTestId('perf-start').click();
  await expect(page.getByTestId('perf-sweep-outcome')).toBeVisible({ timeout: 90_000 });
  const rows = page.locator('[data-testid="perf-sweep-table"] tbody tr');
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toContainText('as served');
  await expect(rows.nth(1)).toContainText('preferred size must be <= max batch size');
  await expect(rows.nth(2)).toContainText(/done|unstable/);
  // Whether there is a winner depends on how busy this machine is; that it is not claimed without one does not.
  const isNamed = (await page.getByTestId('perf-sweep-best').count()) === 1;
  const outcome = isNamed ? 'clearly more than as served' : /^No /;
  await expect(page.getByTestId('perf-sweep-outcome')).toContainText(outcome);
  await expect(page.getByTestId('perf-sweep-apply')).toHaveCount(isNamed ? 1 : 0);
  await page.getByTestId('perf-chart-pareto-table').click();
  const trials = page.getByTestId('perf-chart-pareto').locator('td[data-key="trial"][data-value]');
  await expect(trials).toHaveCount(2);
  expect(await readFile(file, 'utf8')).toBe(before);

  // Whichever was faster on this machine: the tried one is applied from its run.
  await rows.nth(2).getByRole('button').click();
  await page.getByTestId('perf-apply').click();
  await page.getByRole('checkbox', { name: /Measure before and after/ }).uncheck();
  await page.getByTestId('perf-apply-confirm').click();
  await expect(page.getByTestId('perf-applied')).toContainText('max_batch_size 8 -> 16');
  expect(await readFile(file, 'utf8')).toContain('max_batch_size: 16');
  await page.getByTestId('perf-undo').click();
  await expect(page.getByTestId('perf-applied')).toBeHidden();
  expect(await readFile(file, 'utf8')).toBe(before);
  await page.getByTestId('perf-sweep').click();
  await perf.open('batch_mlp');
  await fetch(`${await app.httpAddress()}/v2/repository/models/prefers_sizes/unload`, { method: 'POST' });
  await rm(path.dirname(file), { recursive: true });
});

test('no serious accessibility fault in either theme', async ({ app }) => {
  const { page } = app;
  await page.getByTestId('rail-perf').click();
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    for (const tab of ['run', 'history', 'compare', 'sweep']) {
      await page.getByTestId(`perf-tab-${tab}`).click();
      expect(await seriousFindings(page, { theme, where: tab })).toEqual([]);
    }
  }
});

/** How long an applied configuration is measured, before and after. */
async function checkFor(page: Page, seconds: number): Promise<void> {
  await page.getByTestId('rail-settings').click();
  await page.getByTestId('settings-section-performance tests').click();
  const field = page.getByTestId('setting-input-perf.verifySecs');
  await field.fill(String(seconds));
  await field.press('Tab');
}

function withTwoInstances(text: string): string {
  return /count: \d+/.test(text)
    ? text.replace(/count: \d+/, 'count: 2')
    : `${text}\ninstance_group [{ count: 2 kind: KIND_CPU }]\n`;
}

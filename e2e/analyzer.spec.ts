// The Analyzer: a search in a server of its own, which outlives the app.

import type { Page } from '@playwright/test';

import { expect, test } from './harness/app-test.ts';
import { AppPage } from './pages/app-page.ts';

test.setTimeout(300_000);

const SEARCHED_WITHIN_MS = 200_000;

test('E25 a time-boxed search finds the best of several configurations, and is there after a restart', async ({
  launch,
  userDataPath,
}) => {
  const first = await launch({ userDataPath, samples: ['batch_mlp'] });
  const { page } = first;
  await page.getByTestId('rail-models').click();
  await expect(new AppPage(page).modelState('batch_mlp')).toHaveAttribute('data-state', 'ready');
  const address = await first.httpAddress();
  const before = await statistics(address);

  await page.getByTestId('rail-analyzer').click();
  await expect(page.getByTestId('analyzer-empty')).toBeVisible();
  await page.getByTestId('analyzer-model').click();
  await page.getByRole('option', { name: 'batch_mlp', exact: true }).click();
  await fillForm(page, { instances: '2', batch: '2', concurrency: '1', window: '60', minutes: '10' });
  await page.getByTestId('analyzer-start').click();
  const result = page.getByTestId('analyzer-result');
  await expect(result).toHaveAttribute('data-state', 'running');
  await expect(page.getByTestId('analyzer-running')).toBeVisible();
  await expect(result).toHaveAttribute('data-state', 'done', { timeout: SEARCHED_WITHIN_MS });
  const rows = page.getByTestId('analyzer-trials').locator('tbody tr');
  const count = await rows.count();
  expect(count).toBeGreaterThanOrEqual(3);
  await expect(page.getByTestId('analyzer-best')).toHaveCount(1);
  await expect(page.getByTestId('analyzer-sentence')).toContainText('configurations');
  // Neither used nor loaded anew: it was another server that was measured.
  expect(await statistics(address)).toBe(before);
  await first[Symbol.asyncDispose]();

  const second = await launch({ userDataPath });
  await second.page.getByTestId('rail-analyzer').click();
  await expect(second.page.getByTestId('analyzer-result')).toHaveAttribute('data-state', 'done');
  await expect(second.page.getByTestId('analyzer-trials').locator('tbody tr')).toHaveCount(count);
});

test('a search that is stopped keeps what it measured, and goes on', async ({ launch }) => {
  const { page } = await launch({ samples: ['batch_mlp'] });
  await page.getByTestId('rail-models').click();
  await expect(new AppPage(page).modelState('batch_mlp')).toHaveAttribute('data-state', 'ready');
  await page.getByTestId('rail-analyzer').click();
  await page.getByTestId('analyzer-model').click();
  await page.getByRole('option', { name: 'batch_mlp', exact: true }).click();
  await fillForm(page, { instances: '1', batch: '1', concurrency: '2', window: '60', minutes: '0' });
  await page.getByTestId('analyzer-start').click();
  const result = page.getByTestId('analyzer-result');
  await expect(page.getByTestId('analyzer-trials')).toBeVisible({ timeout: SEARCHED_WITHIN_MS });
  await page.getByTestId('analyzer-stop').click();
  await expect(result).toHaveAttribute('data-state', 'stopped', { timeout: SEARCHED_WITHIN_MS });
  await page.getByTestId('analyzer-resume').click();
  await expect(result).toHaveAttribute('data-state', 'done', { timeout: SEARCHED_WITHIN_MS });
  await expect(page.getByTestId('analyzer-trials').locator('tbody tr')).toHaveCount(2);
});

async function fillForm(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    await page.getByTestId(`analyzer-${name}`).fill(value);
    await page.getByTestId(`analyzer-${name}`).press('Tab');
  }
}

/** What the served model did; a load begins it anew. */
async function statistics(address: string): Promise<string> {
  const answer = await fetch(`${address}/v2/models/batch_mlp/stats`);
  return answer.text();
}

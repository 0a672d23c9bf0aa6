// The warm-up runner: an edited sample that fails says which input is at fault; a request of the playground becomes a
// sample whose data files lie in the model's folder; a suggested sample is run, inserted and part of the next load (E20).

import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import type { Page } from '@playwright/test';

import { expect, test } from './harness/app-test.ts';
import { AppPage } from './pages/app-page.ts';

async function openTab(page: Page, tab: string): Promise<void> {
  await page.getByTestId('rail-models').click();
  await expect(page.getByTestId('model-state-batch_mlp')).toHaveAttribute('data-state', 'ready');
  await page.getByTestId('model-row-batch_mlp').dblclick();
  await page.getByTestId(`model-tab-${tab}`).click();
}

test('a sample with a wrong shape stays red and names its input', async ({ app: { page } }) => {
  await openTab(page, 'warmup');
  const row = page.getByTestId('warmup-sample-batch_1');
  await page.getByTestId('warmup-edit-batch_1').click();
  await page.getByTestId('warmup-input-FEATURES').getByRole('textbox').fill('63');
  await page.getByTestId('warmup-run-batch_1').click();
  await expect(row).toHaveAttribute('data-state', 'failed');
  await expect(page.getByTestId('warmup-failure')).toContainText('Expected [-1,64], got [1,63]');
  await expect(page.getByTestId('warmup-input-FEATURES')).toHaveAttribute('data-state', 'faulty');
  await page.getByTestId('warmup-input-FEATURES').getByRole('textbox').fill('64');
  await page.getByTestId('warmup-run-batch_1').click();
  await expect(row).toHaveAttribute('data-state', 'ok');
  await expect(page.getByTestId('warmup-sentence')).toContainText('First');
});

test('a request of the playground becomes a sample with its data file', async ({ launch }) => {
  const { page, repositoryPath } = await launch({ samples: ['batch_mlp'] });
  const folder = path.join(repositoryPath, 'batch_mlp');
  await openTab(page, 'playground');
  await page.getByTestId('pg-save').click();
  await page.getByTestId('pg-save-kind').getByText('Warm-up sample').click();
  await page.getByTestId('pg-save-name').fill('first_request');
  await page.getByTestId('pg-save-confirm').click();
  await expect(page.getByTestId('toast-success')).toContainText('first_request');
  expect((await stat(path.join(folder, 'warmup/first_request.FEATURES.raw'))).size).toBe(256);
  expect(await readFile(path.join(folder, 'config.pbtxt'), 'utf8')).toContain('first_request.FEATURES.raw');
  await page.getByTestId('model-tab-warmup').click();
  const row = page.getByTestId('warmup-sample-first_request');
  await expect(row).toContainText('in the file');
  await page.getByTestId('warmup-run-first_request').click();
  await expect(row).toHaveAttribute('data-state', 'ok');
  await page.getByTestId('warmup-remove-first_request').click();
  await expect(row).toHaveCount(0);
  expect(await readFile(path.join(folder, 'config.pbtxt'), 'utf8')).not.toContain('model_warmup');
});

test('E20 a suggested warm-up is run cold, inserted, and part of the next load', async ({ launch }) => {
  const app = await launch({ samples: ['batch_mlp'] });
  const { page } = app;
  const frame = new AppPage(page);
  const file = path.join(app.repositoryPath, 'batch_mlp/config.pbtxt');
  await frame.expectState('batch_mlp', 'ready');
  expect(await readFile(file, 'utf8')).not.toContain('model_warmup');
  await frame.openModel('batch_mlp');
  await page.getByTestId('model-tab-warmup').click();

  await page.getByTestId('warmup-run-batch_8').click();
  await expect(page.getByTestId('warmup-sentence')).toContainText(/^First .+ms/);
  await expect(page.getByTestId('warmup-chart')).toContainText('first');
  await page.getByTestId('warmup-chart-table').click();
  const rows = page.getByTestId('warmup-chart').locator('tbody tr');
  await expect(rows).toHaveCount(20);
  await expect(rows.filter({ hasText: 'first' })).toHaveCount(1);
  await expect(rows.last().locator('th')).toHaveText('1 (first)');
  await expect(rows.last().locator('td[data-value]')).toHaveCount(1);

  await page.getByTestId('warmup-insert-batch_8').click();
  await expect(page.getByTestId('warmup-insert-batch_8')).toHaveCount(0);
  const text = await readFile(file, 'utf8');
  expect(text).toMatch(/model_warmup \[/);
  expect(text).toMatch(/batch_size: 8/);

  await page.getByTestId('banner-changed-reload').click();
  await expect(page.getByTestId('banner-changed')).toHaveCount(0);
  await page.getByTestId('model-tab-overview').click();
  await expect(page.getByTestId('load-phases')).toContainText(/warmup [\d.]+ (µs|ms|s)/);
});

// What the window says while things are not as they were: a reload that failed, a folder that is gone, a model without
// a file, more tabs than fit.

import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from './harness/app-test.ts';
import { AppPage } from './pages/app-page.ts';

test('a failed reload says what failed and what serves, until a reload succeeds', async ({ launch }) => {
  const { page, repositoryPath } = await launch({ samples: ['simple'] });
  const frame = new AppPage(page);
  await frame.openModel('simple');
  const file = path.join(repositoryPath, 'simple/config.pbtxt');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replaceAll('16 ]', '17 ]'));
  await expect(page.getByTestId('banner-changed')).toBeVisible();
  await page.getByTestId('model-reload').click();
  const card = page.getByTestId('failure-simple');
  await expect(card).toContainText('Reload failed: Shape of INPUT0 does not fit the model');
  await expect(page.getByTestId('failure-serving-simple')).toContainText('Version 1');
  await expect(frame.toasts.filter({ hasText: 'could not' })).toHaveCount(0);
  await writeFile(file, text);
  await page.getByTestId('model-reload').click();
  await expect(card).toBeHidden();
});

test('models whose repository is gone are listed while they serve', async ({ launch }) => {
  const app = await launch({ samples: ['simple', 'text_bytes', 'broken_dims'] });
  const { page, repositoryPath } = app;
  await expect(page.locator('[data-testid^="model-state-"][data-state="ready"]')).toHaveCount(2);
  const http = await app.httpAddress();
  await rename(repositoryPath, `${repositoryPath}-away`);
  await expect(page.getByTestId('banner-unreadable')).toContainText('2 models of it still serve');
  await expect(page.getByTestId('model-row-simple')).toBeVisible();
  await expect(page.getByTestId('status-ready')).toHaveText('Ready 2 of 2');
  expect((await fetch(`${http}/v2/models/simple/ready`)).status).toBe(200);
  await rename(`${repositoryPath}-away`, repositoryPath);
  // Nobody has to press Retry.
  await expect(page.getByTestId('banner-unreadable')).toBeHidden();
  await expect(page.getByTestId('status-ready')).toHaveText('Ready 2 of 3');
  await expect(page.getByTestId('status-problems')).toHaveText('1 problem');
});

test('a version without a model file is said to have none, and takes one', async ({ launch }) => {
  const app = await launch({ samples: ['simple'] });
  const { page, repositoryPath } = app;
  const folder = path.join(repositoryPath, 'empty');
  await mkdir(path.join(folder, '1'), { recursive: true });
  await writeFile(path.join(folder, 'config.pbtxt'), 'name: "empty"\n');
  await page.getByTestId('btn-load-empty').click();
  const window = new AppPage(page);
  // The rows lie still once the load is over.
  await window.expectState('empty', 'failed');
  await window.openModel('empty');
  const card = page.getByTestId('failure-empty');
  await expect(card).toContainText('Version 1 has no model file');
  await expect(card.getByRole('button', { name: 'Choose model file…' })).toBeVisible();
});

test('the active tab is in view, and all of them are in a list', async ({ launch }) => {
  const { page } = await launch({ args: ['--model-control-mode=explicit'] });
  const frame = new AppPage(page);
  const names = ['accumulate', 'batch_mlp', 'image_tiny', 'pipeline', 'pipeline_best', 'pipeline_prepare'];
  await page.setViewportSize({ width: 960, height: 640 });
  for (const name of [...names, 'simple', 'text_bytes']) await frame.openModel(name);
  const active = page.locator('[data-tab][aria-current="page"]');
  await expect(active).toHaveText('text_bytes');
  await expect(active).toBeInViewport({ ratio: 0.9 });
  await page.getByTestId('tabs-all').click();
  await page.getByRole('menuitem', { name: 'accumulate' }).click();
  await expect(active).toHaveText('accumulate');
  await expect(active).toBeInViewport({ ratio: 0.9 });
});

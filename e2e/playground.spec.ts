// The playground: the same request in all encodings, an image, a refused request, a sequence, parity with plain ONNX
// Runtime.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { Page } from '@playwright/test';

import { expect, test } from './harness/app-test.ts';

const run = promisify(execFile);

/** One red pixel. */
const RED_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

async function openPlayground(page: Page, model: string): Promise<void> {
  await page.getByTestId('rail-models').click();
  await expect(page.getByTestId(`model-state-${model}`)).toHaveAttribute('data-state', 'ready');
  await page.getByTestId(`model-row-${model}`).dblclick();
  await page.getByTestId('model-tab-playground').click();
  await expect(page.getByTestId('pg-send')).toBeVisible();
}

test('all encodings give the same outputs, and the curl text gives them outside the app', async ({ app }) => {
  const { page } = app;
  await openPlayground(page, 'simple');
  const tables: string[] = [];
  for (const name of ['JSON', 'Binary', 'gRPC']) {
    await page.getByTestId('pg-protocol').getByText(name, { exact: true }).click();
    await page.getByTestId('pg-send').click();
    await expect(page.getByTestId('pg-history').getByRole('listitem')).toHaveCount(tables.length + 1);
    await expect(page.getByTestId('pg-response')).toHaveAttribute('data-state', 'ok');
    tables.push(await page.getByTestId('pg-table-OUTPUT0').innerText());
  }
  expect(tables[1]).toBe(tables[0]);
  expect(tables[2]).toBe(tables[0]);
  await page.getByTestId('pg-protocol').getByText('JSON', { exact: true }).click();
  await page.getByTestId('pg-tab-code').click();
  const code = page.getByTestId('pg-code-text');
  await expect(code).toContainText('curl');
  const { stdout } = await run('bash', ['-c', (await code.textContent()) ?? '']);
  expect(stdout).toContain('"name":"OUTPUT0"');
});

test('a wrong shape gives the message of the server and marks its input', async ({ app }) => {
  const { page } = app;
  await openPlayground(page, 'simple');
  await page.getByTestId('pg-tab-outputs').click();
  await page.getByTestId('pg-shape-edit-INPUT0').click();
  await page.getByTestId('pg-shape-INPUT0').fill('1, 17');
  await page.getByTestId('pg-send').click();
  await expect(page.getByTestId('pg-status-code')).toContainText('400');
  await expect(page.getByTestId('pg-error-text')).toContainText("unexpected shape for input 'INPUT0'");
  await expect(page.getByTestId('pg-input-INPUT0')).toHaveAttribute('data-state', 'faulty');
  await expect(page.getByTestId('pg-shape-INPUT0')).toBeFocused();
});

test('an image shows what becomes of it and gives the top labels', async ({ app }) => {
  const { page } = app;
  await openPlayground(page, 'image_tiny');
  await page.getByTestId('pg-mode-IMAGE').click();
  await page.getByRole('option', { name: 'Image' }).click();
  await page
    .getByTestId('pg-file-IMAGE')
    .setInputFiles({ name: 'red.png', mimeType: 'image/png', buffer: RED_PNG });
  await expect(page.getByTestId('pg-preview-IMAGE')).toContainText('[1,3,32,32]');
  await page.getByTestId('pg-send').click();
  await expect(page.getByTestId('pg-class')).toHaveCount(3);
});

test('a sequence adds up, and a missing start is explained', async ({ app }) => {
  const { page } = app;
  await openPlayground(page, 'accumulate');
  for (const [value, button, sum] of [
    ['1', 'start', '1'],
    ['2', 'step', '3'],
    ['3', 'end', '6'],
  ] as const) {
    await page.getByTestId('pg-value-INPUT-0').fill(value);
    await page.getByTestId(`pg-sequence-${button}`).click();
    await expect(page.getByTestId('pg-step-out').last()).toHaveText(`OUTPUT ${sum}`);
  }
  await page.getByTestId('pg-sequence-id').fill('77');
  await page.getByTestId('pg-sequence-step').click();
  await expect(page.getByTestId('pg-error-text')).toContainText('must specify the START flag');
  await expect(page.getByTestId('pg-explanation')).toBeVisible();
});

test('parity with plain ONNX Runtime holds', async ({ app }) => {
  const { page } = app;
  await openPlayground(page, 'batch_mlp');
  await page.getByTestId('pg-tab-checks').click();
  await page.getByTestId('pg-parity-run').click();
  await expect(page.getByTestId('pg-parity-result')).toHaveAttribute('data-state', 'match');
});

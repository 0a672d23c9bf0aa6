// The playground: the same request in all encodings, an image, a refused request, a sequence, parity with plain ONNX
// Runtime and between versions (E14 to E17, E31).

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { Page } from '@playwright/test';

import { expect, test } from './harness/app-test.ts';
import { dropFiles } from './harness/drop-files.ts';
import { classifierOnnx, retrainedOnnx, TempRepository } from './harness/fixture-models.ts';

const run = promisify(execFile);

const CHANGED_CLASS = 3;
const TWO_VERSIONS = 'name: "mlp"\nplatform: "onnxruntime_onnx"\nversion_policy { all {} }\n';

/** One red pixel. */
const RED_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

async function openPlayground(page: Page, model: string): Promise<void> {
  await page.getByTestId('rail-models').click();
  await expect(page.getByTestId(`model-state-${model}`)).toHaveAttribute('data-state', /^ready/);
  await page.getByTestId(`model-row-${model}`).dblclick();
  await page.getByTestId('model-tab-playground').click();
  await expect(page.getByTestId('pg-send')).toBeVisible();
}

test('E14 all encodings give the same outputs, and the curl text gives them outside the app', async ({
  app,
}) => {
  const { page } = app;
  await openPlayground(page, 'simple');
  const tables: string[] = [];
  let shown: readonly string[] = [];
  for (const name of ['JSON', 'Binary', 'gRPC']) {
    await page.getByTestId('pg-protocol').getByText(name, { exact: true }).click();
    await page.getByTestId('pg-send').click();
    await expect(page.getByTestId('pg-history').getByRole('listitem')).toHaveCount(tables.length + 1);
    await expect(page.getByTestId('pg-response')).toHaveAttribute('data-state', 'ok');
    await expect(page.getByTestId('pg-table-OUTPUT0').locator('td').last()).not.toBeEmpty();
    tables.push(await page.getByTestId('pg-table-OUTPUT0').innerText());
    shown = await page.getByTestId('pg-table-OUTPUT0').locator('td').allInnerTexts();
  }
  expect(tables[1]).toBe(tables[0]);
  expect(tables[2]).toBe(tables[0]);
  await page.getByTestId('pg-protocol').getByText('JSON', { exact: true }).click();
  await page.getByTestId('pg-tab-code').click();
  const code = page.getByTestId('pg-code-text');
  await expect(code).toContainText('curl');
  const { stdout } = await run('bash', ['-c', (await code.textContent()) ?? '']);
  const { outputs } = JSON.parse(stdout) as { outputs: { name: string; data: number[] }[] };
  const sums = outputs.find(({ name }) => name === 'OUTPUT0')?.data ?? [];
  expect(sums).toHaveLength(16);
  expect(sums.map(String)).toEqual(shown);
});

test('E16 a wrong shape gives the message of the server and marks its input', async ({ app }) => {
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

test('E15 an image shows what becomes of it and gives the top labels', async ({ app }) => {
  const { page } = app;
  await openPlayground(page, 'image_tiny');
  await using folder = await TempRepository.create({ 'red.png': RED_PNG });
  await dropFiles(app, page.getByTestId('pg-input-IMAGE'), [folder.at('red.png')]);
  const preview = page.getByTestId('pg-preview-IMAGE');
  await expect(preview).toContainText(/\[1,3,32,32\].*values from \S+ to \S+\./);
  await page.getByTestId('pg-send').click();
  const labels = page.getByTestId('pg-class');
  await expect(labels).toHaveCount(5);
  await expect(labels.first()).toContainText('red');
});

test('E17 a sequence adds up, and a missing start is explained', async ({ app }) => {
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

test('saved requests leave as a file and come back from it', async ({ launch }) => {
  const app = await launch({ samples: ['batch_mlp'] });
  const { page } = app;
  await openPlayground(page, 'batch_mlp');
  await page.getByTestId('pg-save').click();
  await page.getByTestId('pg-save-name').fill('first');
  await page.getByTestId('pg-save-confirm').click();
  await expect(page.getByTestId('pg-saved-first')).toBeVisible();
  const { file } = await app.savedFile(async () => {
    await page.getByTestId('pg-saved-menu').click();
    await page.getByTestId('menu-pg-export-saved').click();
  });
  await page.getByTestId('pg-saved-delete-first').click();
  await expect(page.getByTestId('pg-saved-first')).toHaveCount(0);
  await page.getByTestId('pg-import-file').setInputFiles(file);
  await expect(page.getByTestId('pg-saved-first')).toBeVisible();
  await page.getByTestId('pg-run-all').click();
  await expect(page.getByTestId('pg-saved-first')).toHaveAttribute('data-state', /passed|answered/);
});

test('E31 parity with plain ONNX Runtime holds', async ({ app }) => {
  const { page } = app;
  await openPlayground(page, 'batch_mlp');
  await page.getByTestId('pg-tab-checks').click();
  await page.getByTestId('pg-parity-run').click();
  await expect(page.getByTestId('pg-parity-result')).toHaveAttribute('data-state', 'match');
  const verdict = await page.getByTestId('pg-parity-verdict').innerText();
  const largest = /^Outputs match plain ONNX Runtime \(largest difference ([\d.e+-]+)\)/.exec(verdict)?.[1];
  expect(Number(largest)).toBeLessThan(1e-5);
});

test('E31 of two versions with other weights, the first element that differs is named', async ({
  launch,
}) => {
  await using folder = await TempRepository.create({
    'mlp/config.pbtxt': TWO_VERSIONS,
    'mlp/1/model.onnx': classifierOnnx(),
    'mlp/2/model.onnx': retrainedOnnx(CHANGED_CLASS),
  });
  const { page } = await launch({ args: [`--model-repository=${folder.path}`] });
  await openPlayground(page, 'mlp');
  await page.getByTestId('pg-send').click();
  await expect(page.getByTestId('pg-response')).toHaveAttribute('data-state', 'ok');
  await expect(page.getByTestId('pg-status')).toContainText('v2');
  await page.getByTestId('pg-tab-diff').click();
  await page.getByTestId('pg-diff-against').click();
  await page.getByRole('option', { name: /version 1/i }).click();
  await page.getByTestId('pg-diff-run').click();
  await expect(page.getByTestId('pg-diff-verdict')).toContainText(`scores[0,${CHANGED_CLASS}]`);
});

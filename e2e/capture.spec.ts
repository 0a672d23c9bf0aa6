// Captured requests: what an outside client sent is seen with its tensors, goes into the playground, is sent again, and
// shows what runs along the lines of an ensemble (E27).

import type { Page } from '@playwright/test';

import { expect, test } from './harness/app-test.ts';
import { AppPage } from './pages/app-page.ts';

const FIRST_ROW = '[data-testid^="captured-"][role="row"]';

async function sendMlp(http: string): Promise<void> {
  const data = Array.from({ length: 64 }, (_, index) => Math.sin(index));
  const inputs = [{ name: 'FEATURES', datatype: 'FP32', shape: [1, 64], data }];
  const answer = await fetch(`${http}/v2/models/batch_mlp/infer`, {
    method: 'POST',
    body: JSON.stringify({ id: 'from-outside', inputs }),
  });
  expect(answer.status).toBe(200);
}

/** As it was found: the list of models, no panel, nothing captured. */
async function leave(page: Page): Promise<void> {
  if (await page.getByTestId('bottom-panel').isVisible()) {
    await page.getByTestId('capture-clear').click();
    await page.getByTestId('confirm-forget').click();
    await page.getByTestId('bottom-panel').getByRole('button', { name: 'Close panel' }).click();
  }
  await page.getByTestId('rail-models').click();
}

async function openCaptured(page: Page): Promise<void> {
  await page.getByTestId('status-problems').click();
  await page.getByTestId('bottom-requests').click();
  await page.getByTestId('requests-view').getByText('Captured requests').click();
}

test('E27 what a client sent is captured, sent again, and put into the playground', async ({ app }) => {
  const { page } = app;
  await new AppPage(page).expectState('batch_mlp', 'ready');
  await openCaptured(page);
  await expect(page.getByTestId('captured-none')).toBeVisible();
  await page.getByTestId('capture-start').click();
  await expect(page.getByTestId('requests-help')).toContainText('Capturing all models');
  await sendMlp(await app.httpAddress());
  const row = page.locator(FIRST_ROW).first();
  await expect(row).toContainText('from-outside');
  await row.dblclick();
  const dialog = page.getByTestId('captured-dialog');
  await expect(dialog.getByTestId('pg-output-FEATURES')).toContainText('[1,64]');
  await expect(dialog.getByTestId('pg-output-PROBABILITIES')).toContainText('[1,10]');
  await page.getByTestId('captured-again').click();
  await expect(page.getByTestId('captured-verdict')).toContainText('answers the same now');
  await page.getByTestId('captured-open').click();
  await expect(page.getByTestId('model-view-batch_mlp')).toBeVisible();
  await expect(page.getByTestId('pg-input-FEATURES')).toContainText('Captured at');
  await expect(page.getByTestId('pg-captured-tensor-FEATURES')).toContainText('[1,64]');
  await page.getByTestId('pg-send').click();
  await expect(page.getByTestId('pg-response')).toHaveAttribute('data-state', 'ok');
  await page.getByTestId('capture-stop').first().click();
  await expect(page.getByTestId('capture-start').first()).toBeVisible();
  await leave(page);
});

test('the lines of an ensemble show the tensors of the last captured request', async ({ app }) => {
  const { page } = app;
  await new AppPage(page).openModel('pipeline');
  await page.getByTestId('model-tab-graph').click();
  const connections = page.getByTestId('graph-connections');
  await connections
    .getByRole('button', { name: /prepared/i })
    .first()
    .click();
  const captured = page.getByTestId('graph-captured');
  await expect(captured).toContainText('Start capturing');
  await captured.getByTestId('capture-start').click();
  await page.getByTestId('model-tab-playground').click();
  await page.getByTestId('pg-send').click();
  await expect(page.getByTestId('pg-response')).toHaveAttribute('data-state', 'ok');
  await page.getByTestId('model-tab-graph').click();
  await expect(
    page.getByTestId('graph-captured').locator('[data-testid^="pg-output-"]').first(),
  ).toContainText('FP32');
  await page.getByTestId('capture-stop').click();
  await leave(page);
});

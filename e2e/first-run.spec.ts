// From a fresh profile to the first answer (E01), and the same with nothing leaving this machine (E37).

import type { Page } from '@playwright/test';

import type { AppUnderTest } from './harness/app-test.ts';
import { expect, test } from './harness/app-test.ts';
import { dropFiles } from './harness/drop-files.ts';
import { classifierOnnx, TempRepository } from './harness/fixture-models.ts';
import { Outgoing } from './harness/outgoing.ts';
import { AppPage } from './pages/app-page.ts';
import { ImportPage } from './pages/import-page.ts';
import { PerfPage } from './pages/perf-page.ts';

const FRESH = ['--no-repository'];
const FIRST_INFERENCE_MS = 60_000;

/** Two clicks: the samples, and Send in the playground that opens. */
async function firstInference({ page }: AppUnderTest): Promise<void> {
  await page.getByTestId('first-run-samples').click();
  await expect(page.getByTestId('model-view-image_tiny')).toBeVisible({ timeout: FIRST_INFERENCE_MS });
  await page.getByTestId('pg-send').click();
  await expect(page.getByTestId('pg-response')).toHaveAttribute('data-state', 'ok', {
    timeout: FIRST_INFERENCE_MS,
  });
}

async function expectName(page: Page): Promise<void> {
  await expect(page.getByTestId('pg-status-code')).toContainText('200');
  // A picture went in, and its name comes out first.
  await expect(page.getByTestId('pg-class')).toHaveCount(5);
  await expect(page.getByTestId('pg-class').first()).toContainText('red');
}

test('E01 from a fresh profile, the samples and Send give the first answer within a minute', async ({
  launch,
}) => {
  const app = await launch({ args: FRESH });
  const { page } = app;
  await expect(page.getByTestId('first-run')).toBeVisible();
  await expect(page.getByTestId('system-check')).toContainText(/CPU \d+ core/);
  const startedAt = Date.now();
  await firstInference(app);
  expect(Date.now() - startedAt).toBeLessThan(FIRST_INFERENCE_MS);
  await expectName(page);
  await expect(page.getByTestId('coach-strip')).toBeVisible();
  await expect(page.getByTestId('coach-send')).toHaveAttribute('data-done', 'true');
  await page.reload();
  await expect(page.getByTestId('coach-send')).toHaveAttribute('data-done', 'true');
  const frame = new AppPage(page);
  await frame.openScreen('models');
  await expect(frame.modelState('image_tiny')).toHaveAttribute('data-state', 'ready');
});

test('E37 the first answer and a load test need nothing beyond loopback', async ({ launch }) => {
  test.setTimeout(120_000);
  await using folder = await TempRepository.create({ 'kept/': '' });
  const control = new Outgoing(folder.at('kept/control.txt'));
  await control.runWatched("require('node:net').connect(9, '192.0.2.1').on('error', () => {}).destroy()");
  expect(await control.connections()).toEqual([expect.stringContaining('connect 192.0.2.1')]);

  const outgoing = new Outgoing(folder.at('kept/outgoing.txt'));
  const app = await launch({ args: FRESH, env: outgoing.env, onRequest: outgoing.onRequest });
  await firstInference(app);
  await expectName(app.page);
  const perf = new PerfPage(app.page);
  await perf.open('batch_mlp');
  await perf.plan('1, 2, 4', 1000);
  await perf.run('offline');
  await expect(perf.levels).toHaveCount(3);
  expect((await perf.export(app, 'CSV')).trim().split('\n')).toHaveLength(4);
  expect(outgoing.requests).not.toEqual([]);
  expect(outgoing.foreignRequests).toEqual([]);
  const watched = (await outgoing.watched()).join('\n');
  if (app.shell === 'browser') {
    for (const part of [' serve ', 'engine-process', 'perf-process']) expect(watched).toContain(part);
  }
  expect(await outgoing.connections()).toEqual([]);
});

test('a dropped .onnx file is answered in three acts: drop, Create and load, Send', async ({ launch }) => {
  await using folder = await TempRepository.create({ 'first.onnx': classifierOnnx() });
  const app = await launch({ args: FRESH });
  const { page } = app;
  await expect(page.getByTestId('first-run')).toBeVisible();
  await dropFiles(app, new ImportPage(app).zone('copy'), [folder.at('first.onnx')]);
  await page.getByTestId('wizard-create-load').click();
  await page.getByTestId('pg-send').click();
  await expect(page.getByTestId('pg-response')).toHaveAttribute('data-state', 'ok');
  await new AppPage(page).expectState('first', 'ready');
});

test('an .onnx file that is dropped before any repository is open can go into a folder of choice', async ({
  launch,
}) => {
  await using folder = await TempRepository.create({
    'dropped/first.onnx': classifierOnnx(),
    'models/': '',
  });
  const app = await launch({ args: [...FRESH, `--ui-root=${folder.path}`] });
  const { page } = app;
  await expect(page.getByTestId('first-run')).toBeVisible();
  const imports = new ImportPage(app);
  await dropFiles(app, imports.zone('copy'), [folder.at('dropped/first.onnx')]);
  await imports.pick(page.getByTestId('wizard-choose-repository'), folder.path, ['models']);
  await page.getByTestId('wizard-create-load').click();
  await new AppPage(page).expectState('first', 'ready');
});

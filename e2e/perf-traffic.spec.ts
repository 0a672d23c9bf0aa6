// Load tests of what clients sent: captured requests go out again as they were, and a slow request leads to its trace.

import { expect, test } from './harness/app-test.ts';
import { AppPage } from './pages/app-page.ts';
import { PerfPage } from './pages/perf-page.ts';

test.setTimeout(120_000);

test('captured requests are the load, and the slowest ones of the run lead to their traces', async ({
  app,
}) => {
  const { page } = app;
  await new AppPage(page).expectState('batch_mlp', 'ready');
  const perf = new PerfPage(page);
  await perf.open('batch_mlp');
  await page.getByTestId('perf-data').click();
  await page.getByRole('option', { name: 'Captured requests' }).click();
  const captured = page.getByTestId('perf-captured');
  await expect(captured).toContainText('No answered request to batch_mlp');
  await page.getByTestId('capture-start').click();
  await expect(page.getByTestId('capture-stop')).toBeVisible();
  const http = await app.httpAddress();
  for (const rows of [1, 3]) {
    const data = Array.from({ length: rows * 64 }, (_, at) => Math.sin(at));
    const answer = await fetch(`${http}/v2/models/batch_mlp/infer`, {
      method: 'POST',
      body: JSON.stringify({ inputs: [{ name: 'FEATURES', datatype: 'FP32', shape: [rows, 64], data }] }),
    });
    expect(answer.status).toBe(200);
  }
  await expect(captured).toHaveAttribute('data-count', '2');
  await page.getByTestId('perf-captured-order').getByText('Random').click();
  await page.getByTestId('perf-trace-slowest').click();
  await perf.plan('2', 300);
  await perf.run('what clients sent');
  await expect(perf.levels).toHaveCount(1);
  // Capturing ended: the load did not take the place of what is sent.
  await expect(page.getByTestId('capture-start')).toBeVisible();
  await expect(captured).toHaveAttribute('data-count', '2');

  // What was slow to its client alone, as on a busy machine, may be among the slowest and have no trace.
  await page
    .getByTestId(/^perf-trace-\d+$/)
    .first()
    .click();
  await expect(page.getByTestId('trace-file')).toContainText('what clients sent at concurrency 2');
  await expect(page.getByTestId('trace-waterfall')).toBeVisible();
  await expect(page.locator('[data-testid^="trace-row-"][role="row"]').first()).toContainText('batch_mlp');
  await page.getByTestId('trace-close-file').click();
  await expect(page.getByTestId('trace-file')).toBeHidden();
});

// Traces: where the time of requests goes, which of them ran together, and files of them (E26).

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';

import { expect, test } from './harness/app-test.ts';
import { dropFiles } from './harness/drop-files.ts';
import { TempRepository } from './harness/fixture-models.ts';
import { AppPage } from './pages/app-page.ts';

const ROWS = '[data-testid^="trace-row-"][role="row"]';

/** A model that takes its time: what is beside its parts is then small, however busy the machine. */
const SLOW = {
  'slow/1/': '',
  'slow/config.pbtxt': `backend: "identity" max_batch_size: 4 dynamic_batching { max_queue_delay_microseconds: 5000 }
    input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 4 ] } ]
    output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 4 ] } ]
    parameters { key: "execute_delay_ms" value { string_value: "80" } }`,
};

async function sendSlow(http: string, id: string): Promise<void> {
  const inputs = [{ name: 'INPUT0', datatype: 'FP32', shape: [1, 4], data: [1, 2, 3, 4] }];
  const answer = await fetch(`${http}/v2/models/slow/infer`, {
    method: 'POST',
    body: JSON.stringify({ id, inputs }),
  });
  expect(answer.status).toBe(200);
}

async function sendAll(http: string, count: number, concurrency: number): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await sendSlow(http, `r${(next += 1)}`);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

async function traceNext(page: Page, count: number): Promise<void> {
  await page.getByTestId('rail-traces').click();
  const start = page.getByTestId('trace-start');
  await expect(start).toBeVisible();
  await page.getByTestId('trace-amount').fill(String(count));
  await page.getByTestId('trace-amount').press('Tab');
  await start.click();
  await expect(page.getByTestId('trace-stop')).toBeVisible();
}

const nanoseconds = async (page: Page, part: string): Promise<number> =>
  Number(await page.getByTestId(`trace-part-${part}`).getAttribute('data-ns'));

test('E26 the next requests are traced: their parts add up, and an execution lists its batch', async ({
  launch,
}) => {
  await using repository = await TempRepository.create(SLOW);
  const app = await launch({ args: [`--model-repository=${repository.path}`] });
  const { page } = app;
  await new AppPage(page).expectState('slow', 'ready');
  await page.getByTestId('rail-traces').click();
  await expect(page.getByTestId('trace-off')).toBeVisible();
  await traceNext(page, 20);
  await expect(page.getByTestId('trace-waiting')).toContainText('20');
  await sendAll(await app.httpAddress(), 20, 4);
  await expect(page.locator(ROWS)).toHaveCount(20);
  await expect(page.getByTestId('trace-state')).toHaveText('Off');
  // One more than was asked for leaves no trace.
  await sendSlow(await app.httpAddress(), 'late');

  await page.locator(ROWS).first().click();
  await expect(page.getByTestId('trace-waterfall')).toBeVisible();
  const parts = await Promise.all(
    ['queue', 'input', 'infer', 'output'].map((part) => nanoseconds(page, part)),
  );
  const sum = parts.reduce((a, b) => a + b, 0);
  const saved = await app.savedFile(async () => {
    await page.getByTestId('trace-export').click();
    await page.getByRole('menuitem', { name: 'Triton trace JSON' }).click();
  });
  const records = JSON.parse(await readFile(saved.file, 'utf8')) as {
    readonly id: number;
    readonly timestamps?: readonly { readonly name: string; readonly ns: number }[];
  }[];
  const id = Number(
    (await page.locator(ROWS).first().getAttribute('data-testid'))?.replace('trace-row-', ''),
  );
  const moment = (name: string): number =>
    records.find((record) => record.id === id && record.timestamps?.[0]?.name === name)?.timestamps?.[0]
      ?.ns ?? 0;
  const handlerNs = moment('REQUEST_END') - moment('REQUEST_START');
  expect(Math.abs(sum - handlerNs) / handlerNs).toBeLessThan(0.05);

  await page.getByTestId('trace-show-execution').click();
  const rows = page.getByTestId('trace-execution-requests').locator('tbody tr');
  const batch = await page.getByTestId('trace-execution').textContent();
  const requestCount = Number(/rows? of (\d+) requests?/.exec(batch ?? '')?.[1]);
  await expect(rows).toHaveCount(requestCount);
  await expect(page.locator(`${ROWS}[aria-selected="true"]`)).toHaveCount(requestCount);
  await expect(page.getByTestId('trace-closed')).not.toBeEmpty();
  await expect(page.locator(ROWS)).toHaveCount(20);

  // The file comes back as what it was.
  const dropped = path.join(app.userDataPath, 'trace.json');
  await writeFile(dropped, JSON.stringify(records));
  await dropFiles(app, page.getByTestId('trace-list'), [dropped]);
  await expect(page.getByTestId('trace-file')).toContainText('read-only');
  await expect(page.locator(ROWS)).toHaveCount(20);
  await page.locator(ROWS).first().click();
  await page.getByTestId('trace-show-execution').click();
  await expect(page.getByTestId('trace-closed')).not.toHaveText('not known');
  await page.getByTestId('trace-close-file').click();
  await expect(page.getByTestId('trace-file')).toBeHidden();

  // From any other screen it leads here; a large one is read beside the page.
  await page.getByTestId('rail-models').click();
  const large = path.join(app.userDataPath, 'large.json');
  await writeFile(large, `${JSON.stringify(records)}${' '.repeat(2 * 1024 * 1024)}`);
  await dropFiles(app, page.locator('main').first(), [large]);
  await expect(page.getByTestId('trace-file')).toContainText('large.json');
  await expect(page.locator(ROWS)).toHaveCount(20);
  await page.getByTestId('trace-close-file').click();
});

test('the command switches tracing, and an ensemble shows its steps', async ({ launch }) => {
  const app = await launch({ samples: ['pipeline_prepare', 'image_tiny', 'pipeline_best', 'pipeline'] });
  const { page } = app;
  const frame = new AppPage(page);
  await frame.expectState('pipeline', 'ready');
  await frame.command('Toggle tracing');
  await expect(page.getByTestId('trace-waiting')).toBeVisible();
  const data = Array<number>(32 * 32 * 3).fill(7);
  const inputs = [{ name: 'RAW', datatype: 'UINT8', shape: [1, 32, 32, 3], data }];
  await fetch(`${await app.httpAddress()}/v2/models/pipeline/infer`, {
    method: 'POST',
    body: JSON.stringify({ inputs }),
  });
  await page.locator(ROWS).first().click();
  await expect(page.getByTestId('trace-steps').getByRole('listitem')).toHaveCount(3);
  await expect(page.getByTestId('trace-step-image_tiny')).toHaveAttribute('data-critical', 'true');
  await expect(page.getByTestId('trace-timeline')).toHaveAttribute('data-blocks', '3');
  await frame.command('Toggle tracing');
  await expect(page.getByTestId('trace-start')).toBeVisible();
});

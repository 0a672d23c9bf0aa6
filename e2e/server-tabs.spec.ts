// What the Server screen tells beside its overview: the metrics of a server that is used, and the memory that a client of
// this machine registers, uses, and has taken back.

import { rm, writeFile } from 'node:fs/promises';

import { expect, test } from './harness/app-test.ts';
import { seriousFindings } from './harness/axe-scan.ts';
import { AppPage } from './pages/app-page.ts';

const VECTOR_BYTES = 64;

test('metrics are those of a scrape, move with requests, and are found by their meaning', async ({ app }) => {
  const { page } = app;
  const frame = new AppPage(page);
  await frame.openScreen('server');
  await page.getByTestId('server-tab-metrics').click();
  const success = page.getByTestId('metric-nv_inference_request_success');
  await success.click();
  await expect(page.getByTestId('metric-help')).toContainText('successful inference requests');
  await page.getByTestId('metric-match').fill('model="accumulate"');
  await expect(page.getByTestId('metric-line-count')).toHaveText('1 line');
  const command = await page.getByTestId('metric-curl').textContent();
  const url = /http:\S+/.exec(command ?? '')?.[0] ?? '';
  const scraped = await (await fetch(url)).text();
  const families = [...scraped.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  expect(families).toContain('nv_inference_request_success');
  // Elsewhere and back: what was chosen and typed is there.
  await frame.openScreen('models');
  await frame.openScreen('server');
  await expect(page.getByTestId('metric-match')).toHaveValue('model="accumulate"');
  await page.getByTestId('metrics-filter').fill('RAM');
  await expect(success).toHaveCount(0);
  await expect(page.getByTestId('metric-nv_cpu_memory_used_bytes')).toContainText('GiB');
  expect(await seriousFindings(page, { theme: 'light', where: 'metrics' })).toEqual([]);
  await page.getByTestId('metrics-filter').fill('');
  // The list alone, by keys: the row with the focus is the family beside it.
  await success.focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByTestId('metric-details')).not.toHaveAttribute(
    'aria-label',
    'nv_inference_request_success',
  );
  await page.getByTestId('server-tab-overview').click();
});

test('shared memory is off until it is allowed, and then shows what a client registered', async ({
  launch,
}) => {
  test.skip(process.platform !== 'linux', 'keys of shared memory are files on Linux alone');
  test.setTimeout(120_000);
  const app = await launch({ samples: ['simple'] });
  const { page } = app;
  const frame = new AppPage(page);
  await frame.openScreen('server');
  await page.getByTestId('server-tab-memory').click();
  await expect(page.getByTestId('memory-off')).toContainText('--allow-client-shm=true');
  await page.getByTestId('memory-allow').click();
  await expect(page.getByTestId('memory-empty')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByTestId('server-state')).toHaveAttribute('data-state', 'serving');
  const key = `conch-e2e-${process.pid}`;
  await writeFile(`/dev/shm/${key}`, new Uint8Array(2 * VECTOR_BYTES));
  try {
    const http = await app.httpAddress();
    const post = (path: string, body: object): Promise<Response> =>
      fetch(`${http}${path}`, { method: 'POST', body: JSON.stringify(body) });
    await expect
      .poll(async () => (await fetch(`${http}/v2/models/simple/ready`).catch(() => undefined))?.status)
      .toBe(200);
    const registered = await post('/v2/systemsharedmemory/region/input_data/register', {
      key: `/${key}`,
      byte_size: 2 * VECTOR_BYTES,
    });
    expect(registered.status).toBe(200);
    const input = (name: string, offset: number): object => ({
      name,
      datatype: 'INT32',
      shape: [1, 16],
      parameters: {
        shared_memory_region: 'input_data',
        shared_memory_byte_size: VECTOR_BYTES,
        shared_memory_offset: offset,
      },
    });
    const answer = await post('/v2/models/simple/infer', {
      inputs: [input('INPUT0', 0), input('INPUT1', VECTOR_BYTES)],
    });
    expect(answer.status, await answer.text()).toBe(200);
    const table = page.getByTestId('memory-table-system');
    await expect(table).toContainText('2 tensors');
    await expect(table).toContainText(`/${key}`);
    expect(await seriousFindings(page, { theme: 'light', where: 'shared memory' })).toEqual([]);
    await page.getByTestId('memory-unregister-input_data').click();
    await page.getByTestId('confirm-unregister').click();
    await expect(page.getByTestId('memory-empty')).toBeVisible();
    expect(await (await fetch(`${http}/v2/systemsharedmemory/status`)).json()).toEqual([]);
  } finally {
    await rm(`/dev/shm/${key}`, { force: true });
  }
});

// The log as it runs: its end is followed, what is read stays where it is.

import type { Locator, Page } from '@playwright/test';

import { expect, test } from './harness/app-test.ts';
import { keepInFlight, mlpTarget } from './harness/outside-client.ts';
import { AppPage } from './pages/app-page.ts';

/** Each writes some ten lines. */
const REQUESTS = 60;

async function openLog(page: Page): Promise<Locator> {
  await new AppPage(page).expectState('batch_mlp', 'ready');
  const list = page.getByTestId('log-list');
  if (!(await page.getByTestId('bottom-panel').isVisible())) await page.keyboard.press('ControlOrMeta+j');
  await page.getByTestId('bottom-logs').click();
  await list.waitFor();
  return list;
}

interface Reading {
  /** Of the line in the middle of the view, and its distance from the list's upper edge. */
  readonly text: string;
  readonly px: number;
  readonly fromEndPx: number;
  readonly totalPx: number;
}

const reading = (list: Locator): Promise<Reading> =>
  list.evaluate((element) => {
    const box = element.getBoundingClientRect();
    const line = element.ownerDocument
      .elementFromPoint(box.left + 30, box.top + box.height / 2)
      ?.closest('[data-sequence]');
    const { scrollHeight, scrollTop, clientHeight } = element;
    return {
      text: line?.getAttribute('data-sequence') ?? '',
      px: (line?.getBoundingClientRect().top ?? 0) - box.top,
      fromEndPx: scrollHeight - scrollTop - clientHeight,
      totalPx: scrollHeight,
    };
  });

async function atRest(list: Locator): Promise<Reading> {
  let before = await reading(list);
  for (;;) {
    await list.page().waitForTimeout(150);
    const now = await reading(list);
    if (JSON.stringify(now) === JSON.stringify(before)) return now;
    before = now;
  }
}

/** Where a line stands that was seen before; undefined = it is not drawn. */
const placeOf = (list: Locator, sequence: string): Promise<number | undefined> =>
  list.evaluate((element, wanted) => {
    const line = element.querySelector(`[data-sequence="${wanted}"]`);
    return line === null ? undefined : line.getBoundingClientRect().top - element.getBoundingClientRect().top;
  }, sequence);

test('new lines are followed; what is read stays in its place while others come, and wrap', async ({
  launch,
}) => {
  const app = await launch({ samples: ['batch_mlp'], args: ['--log-verbose=1'] });
  const { page } = app;
  const list = await openLog(page);
  const target = mlpTarget(await app.httpAddress());
  const ask = (count: number) => keepInFlight(target, { concurrency: 2, count });
  const first = await atRest(list);
  await ask(REQUESTS);
  await expect.poll(async () => (await reading(list)).totalPx).toBeGreaterThan(first.totalPx + 8000);
  expect((await atRest(list)).fromEndPx).toBeLessThan(2);

  await list.hover();
  await page.mouse.wheel(0, -1500);
  await expect(page.getByTestId('log-jump')).toBeVisible();
  const read = await atRest(list);
  expect(read.text).not.toBe('');
  await ask(REQUESTS);
  await expect.poll(async () => (await reading(list)).totalPx).toBeGreaterThan(read.totalPx + 8000);
  expect(await placeOf(list, read.text)).toBeCloseTo(read.px, 0);

  // As narrow as this, many lines take two rows or more.
  await page.setViewportSize({ width: 700, height: 800 });
  await page.getByRole('button', { name: 'Wrap lines' }).click();
  await list.hover();
  const wrapped = await atRest(list);
  for (let step = 0; step < 8; step += 1) {
    const before = await atRest(list);
    await page.mouse.wheel(0, -150);
    await expect.poll(async () => (await reading(list)).fromEndPx).not.toBe(before.fromEndPx);
    const place = await atRest(list).then(() => placeOf(list, before.text));
    expect(Math.abs((place ?? Number.NaN) - before.px - 150)).toBeLessThan(2);
  }
  expect((await atRest(list)).totalPx).toBeGreaterThan(wrapped.totalPx);

  await page.getByTestId('log-jump').click();
  await expect(page.getByTestId('log-jump')).toBeHidden();
  await expect.poll(async () => (await reading(list)).fromEndPx).toBeLessThan(2);
});

test('the verbose level is shown as it holds: of the command line, of a client, of the picker', async ({
  launch,
}) => {
  const app = await launch({ samples: ['batch_mlp'], args: ['--log-verbose=1'] });
  const { page } = app;
  await openLog(page);
  const picker = page.getByTestId('log-verbose');
  await expect(picker).toHaveText('Verbose log: level 1');
  const settings = `${await app.httpAddress()}/v2/logging`;
  const level = async (): Promise<unknown> =>
    ((await (await fetch(settings)).json()) as { readonly log_verbose_level: unknown }).log_verbose_level;
  await fetch(settings, { method: 'POST', body: '{"log_verbose_level":2}' });
  await expect(picker).toHaveText('Verbose log: level 2');
  await picker.click();
  await page.getByRole('option', { name: 'Verbose log: off' }).click();
  await expect(picker).toHaveText('Verbose log: off');
  expect(await level()).toBe(0);
});

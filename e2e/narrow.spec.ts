// A window as narrow as a phone: what acts on a model stays on one line, and an output's ways on stay in its card.

import type { Locator } from '@playwright/test';

import { expect, test } from './harness/app-test.ts';
import { AppPage } from './pages/app-page.ts';

async function boxOf(target: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await target.boundingBox();
  if (box === null) throw new Error('it has no place on the screen');
  return box;
}

test('at 390 px the menu of a model is beside its other acts', async ({ launch }) => {
  const { page } = await launch();
  await new AppPage(page).openModel('batch_mlp');
  await page.getByTestId('model-tab-playground').click();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect
    .poll(async () => {
      const [menu, unload] = [
        await boxOf(page.getByTestId('model-menu')),
        await boxOf(page.getByTestId('model-unload')),
      ];
      return Math.abs(menu.y - unload.y) < unload.height;
    })
    .toBe(true);
  await page.getByTestId('pg-send').click();
  const card = page.locator('[data-testid^="pg-output-"][data-view]').first();
  await card.waitFor();
  const { x, width } = await boxOf(card);
  for (const button of await card.locator('header button').all()) {
    const inner = await boxOf(button);
    expect(inner.x + inner.width).toBeLessThanOrEqual(x + width);
  }
});

test('at 390 px what a banner says and the title of a card have room beside their buttons', async ({
  launch,
}) => {
  const { page } = await launch();
  await new AppPage(page).openModel('batch_mlp');
  await page.getByTestId('model-tab-overview').click();
  await page.setViewportSize({ width: 390, height: 844 });
  const card = page.getByTestId('model-card');
  await card.waitFor();
  const title = await card
    .locator('h3')
    .first()
    .evaluate((element) => element.scrollWidth <= element.clientWidth);
  expect(title).toBe(true);
});

test('at 390 px all of the title bar is in the window, which nothing moves sideways', async ({ launch }) => {
  const { page } = await launch();
  await new AppPage(page).openModel('batch_mlp');
  await page.setViewportSize({ width: 390, height: 844 });
  const { x, width } = await boxOf(page.getByTestId('server-switch'));
  expect(x + width).toBeLessThanOrEqual(390);
  await page.getByTestId('server-switch').focus();
  const shift = await page.evaluate('[scrollX, document.documentElement.scrollWidth]');
  expect(shift).toEqual([0, 390]);
});

// The menu of a model's row: at the pointer or at the row, by mouse and by key, and what it does to several rows.

import type { Locator, Page } from '@playwright/test';

import { expect, test } from './harness/app-test.ts';
import { press } from './harness/keyboard.ts';
import { AppPage } from './pages/app-page.ts';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

async function boxOf(part: Locator): Promise<Box> {
  const box = await part.boundingBox();
  if (box === null) throw new Error(`${part.toString()} is not drawn`);
  return box;
}

const menuOf = (page: Page): Locator => page.getByRole('menu');

test('a right click, and the keys for menus, open the menu of a row; the focus comes back', async ({
  launch,
}) => {
  const { page } = await launch({ samples: ['simple', 'accumulate'] });
  const frame = new AppPage(page);
  await frame.expectState('simple', 'ready');
  const row = frame.modelRow('simple');
  const { x, y, height } = await boxOf(row);

  await page.mouse.click(x + 300, y + 10, { button: 'right' });
  await expect(page.getByTestId('menu-trash')).toBeVisible();
  expect(await boxOf(menuOf(page))).toMatchObject({ x: x + 300, y: y + 10 });
  await expect(row).toHaveAttribute('aria-selected', 'true');
  const other = await boxOf(frame.modelRow('accumulate'));
  await page.mouse.click(other.x + 200, other.y + 10, { button: 'right' });
  await expect.poll(async () => (await boxOf(menuOf(page))).y).toBe(other.y + 10);
  await page.keyboard.press('Escape');
  await expect(menuOf(page)).toHaveCount(0);
  await expect(frame.modelRow('accumulate')).toBeFocused();

  for (const key of ['Shift+F10', 'ContextMenu']) {
    await row.focus();
    await page.keyboard.press(key);
    await expect.poll(async () => boxOf(menuOf(page))).toMatchObject({ x, y: y + height });
    // Where the keys are is seen at once.
    await expect(page.getByTestId('menu-open')).toBeFocused();
    await expect(page.getByTestId('menu-open')).toHaveAttribute('data-highlighted');
    await press(page, 'ArrowDown');
    await expect(page.getByTestId('menu-open')).not.toBeFocused();
    await page.keyboard.press('Escape');
    await expect(row).toBeFocused();
  }

  const opener = page.getByTestId('btn-menu-simple');
  await opener.focus();
  await press(page, 'Enter');
  await expect(page.getByTestId('menu-open')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();

  const tab = page.getByTestId('tab-models');
  await tab.focus();
  await press(page, 'Shift+F10');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(tab).toBeFocused();

  // A window that has no room for all of it: what does not fit is scrolled to.
  await page.setViewportSize({ width: 1000, height: 360 });
  await row.click({ button: 'right', position: { x: 200, y: 10 } });
  const low = await boxOf(menuOf(page));
  expect(low.y).toBeGreaterThanOrEqual(0);
  expect(low.y + low.height).toBeLessThanOrEqual(360);
  await press(page, 'End');
  await expect(page.getByTestId('menu-trash')).toBeInViewport();
});

test('several models go to the bin by keys, the focus goes on, and one Undo brings them back', async ({
  launch,
}) => {
  const { page } = await launch({ samples: ['simple', 'accumulate', 'batch_mlp'] });
  const frame = new AppPage(page);
  for (const name of ['accumulate', 'batch_mlp', 'simple']) await frame.expectState(name, 'ready');
  await frame.modelRow('accumulate').click();
  await press(page, 'Shift+ArrowDown');
  await page.keyboard.press('Shift+F10');
  await expect(page.getByTestId('menu-trash')).toContainText('Move 2 models to bin');
  await page.keyboard.press('Escape');
  await expect(frame.modelRow('batch_mlp')).toBeFocused();
  await press(page, 'Delete');
  const question = page.getByTestId('confirm');
  await expect(question).toContainText('Move 2 models to the bin?');
  await expect(question).toContainText('accumulate, batch_mlp');
  await expect(page.getByTestId('confirm-cancel')).toBeFocused();
  await press(page, 'Tab');
  await press(page, 'Enter');
  await expect(frame.modelRow('accumulate')).toHaveCount(0);
  await expect(frame.modelRow('batch_mlp')).toHaveCount(0);
  await expect(frame.modelRow('simple')).toBeFocused();
  await page.getByRole('button', { name: 'Undo' }).click();
  await frame.expectState('accumulate', 'unloaded');
  await frame.expectState('batch_mlp', 'unloaded');
});

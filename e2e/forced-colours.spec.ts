// Colours of the user's own, where the theme is the opposite of them: whatever the theme would paint itself (icons, marks,
// filled buttons, the editor) has them too, so nothing is dark on dark.

import type { Locator } from '@playwright/test';

import { expect, test } from './harness/app-test.ts';
import { AppPage } from './pages/app-page.ts';

/** Of the forced colours that a browser plays when it is asked for dark ones. */
const TEXT = 'rgb(255, 255, 255)';
const PAGE = 'rgb(0, 0, 0)';

/** As it is painted, forced or not. */
function painted(part: Locator, property: string): Promise<string> {
  return part.evaluate(
    (node, name) =>
      (
        globalThis as unknown as {
          getComputedStyle(of: unknown): { getPropertyValue(name: string): string };
        }
      )
        .getComputedStyle(node)
        .getPropertyValue(name),
    property,
  );
}

test('the theme lends nothing of its own to forced colours', async ({ launch }) => {
  const { page } = await launch({ samples: ['batch_mlp'] });
  const frame = new AppPage(page);
  await frame.expectState('batch_mlp', 'ready');
  await page.getByTestId('rail-settings').click();
  await page.getByTestId('settings-section-appearance').click();
  await page.getByTestId('setting-input-appearance.theme').click();
  await page.getByRole('option', { name: 'Light' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });

  await test.step('icons of states, and what is on', async () => {
    await frame.openScreen('models');
    const row = page.getByRole('row', { name: /batch_mlp/ });
    await expect.poll(() => painted(row.locator('svg').first(), 'color')).toBe(TEXT);
    const serving = page.getByRole('switch').first();
    const ground = await painted(serving, 'background-color');
    expect(await painted(serving.locator('> *').first(), 'background-color')).not.toBe(ground);
  });

  await test.step('a filled button can be read', async () => {
    const add = page.getByRole('button', { name: 'Add', exact: true });
    expect(await painted(add, 'color')).toBe(PAGE);
    expect(await painted(add, 'background-color')).not.toBe(PAGE);
    // Else the browser lays the page's colour behind the text.
    expect(await painted(add, 'forced-color-adjust')).toBe('none');
  });

  await test.step('what is chosen shows that it has the focus', async () => {
    await page.getByRole('row', { name: /batch_mlp/ }).focus();
    await page.keyboard.press('Space');
    const row = page.getByRole('row', { name: /batch_mlp/, selected: true });
    await expect(row).toHaveCSS('outline-style', 'dashed');
    await page.keyboard.press('Tab');
    await expect(row).toHaveCSS('outline-style', 'solid');
  });

  await test.step('the editor, and the mark of what is not saved', async () => {
    await frame.openModel('batch_mlp');
    await page.getByTestId('model-tab-config').click();
    const text = page.locator('.monaco-editor .view-line span span').first();
    await expect(text).toBeVisible();
    await expect
      .poll(() => painted(page.locator('.monaco-editor-background').first(), 'background-color'))
      .toBe(PAGE);
    expect(await painted(page.locator('.monaco-editor .view-line .mtk1').first(), 'color')).toBe(TEXT);
    await page.locator('.monaco-editor').first().click();
    await page.keyboard.type('# ');
    const mark = page.getByTitle('Unsaved changes');
    expect(await painted(mark, 'background-color')).not.toBe(PAGE);
    // Colours that come and go while it is open.
    await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' });
    await expect
      .poll(() => painted(page.locator('.monaco-editor-background').first(), 'background-color'))
      .toBe('rgb(255, 255, 255)');
  });
});

// Driving the window with keys alone: what has the focus must be seen to have it.

import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';

const MAX_STOPS = 80;

/**
 * Runs in the page: "" when what has the focus can be seen to have it. A control may be drawn by what is around it: a
 * switch, a radio button, the code editor.
 */
const FOCUS_FAULT = `(() => {
  const isRing = (element) => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    const isClear = outlineColor === 'transparent' || /, 0\\)$/.test(outlineColor);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && !isClear;
  };
  const isInWindow = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return right > Math.max(left, 0) && bottom > Math.max(top, 0) && left < innerWidth && top < innerHeight;
  };
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return 'nothing has the focus';
  for (let at = focused, steps = 0; at !== null && steps < 8; at = at.parentElement, steps += 1) {
    if (isRing(at) && isInWindow(at)) return '';
  }
  return 'no ring around ' + focused.outerHTML.slice(0, 200);
})()`;

/** Passes once the focus is somewhere and shows. */
export async function expectVisibleFocus(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate<string>(FOCUS_FAULT)).toBe('');
}

/** Presses a key and sees where the focus went. */
export async function press(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key);
  await expectVisibleFocus(page);
}

/** Tab until `target` has the focus; every stop on the way must show. */
export async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
    await press(page, key);
  }
  throw new Error(`${MAX_STOPS} stops did not reach ${target.toString()}`);
}

/** Runs an entry of the palette by its exact words. */
export async function command(page: Page, text: string): Promise<void> {
  await page.keyboard.press('F1');
  await expect(page.getByTestId('palette').getByRole('combobox')).toBeFocused();
  await expectVisibleFocus(page);
  await page.keyboard.type(text);
  const chosen = page.getByTestId('palette').locator('[role="option"][data-selected="true"]');
  await expect(chosen).toHaveText(text);
  await press(page, 'Enter');
  await expect(page.getByTestId('palette')).toBeHidden();
}

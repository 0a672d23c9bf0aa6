// A dialog as somebody with keys and a screen reader has it: its name, where the focus starts, that Tab stays inside and
// reaches nothing that cannot be seen, that axe finds nothing, and where the focus is when Escape has closed it.

import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';

import { seriousFindings } from './axe-scan.ts';
import { expectVisibleFocus } from './keyboard.ts';

/** Twice the size of the window that the tests have. */
export const TWICE_THE_SIZE = { width: 640, height: 430 };

const MOST_STOPS = 60;

/** What a dialog is expected to be. */
export interface DialogFacts {
  readonly testId: string;
  /** What a reader calls it. */
  readonly name: string | RegExp;
  /** What has the focus when it opens. */
  readonly first: Locator;
  /** What has the focus when it has closed. */
  readonly opener: Locator;
}

/**
 * Runs in the page: "" when what has the focus is inside the dialog and can be seen, by half of its height and width at
 * least, with nothing in front of it.
 */
const STOP_FAULT = `((testId) => {
  const focused = document.activeElement;
  const dialog = document.querySelector('[data-testid="' + testId + '"]');
  const what = focused.outerHTML.slice(0, 120);
  if (dialog === null || !dialog.contains(focused)) return 'outside: ' + what;
  if (focused === dialog) return '';
  const own = focused.getBoundingClientRect();
  let { left, top, right, bottom } = own;
  for (let at = focused.parentElement; at !== null; at = at.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(at);
    if (overflowX === 'visible' && overflowY === 'visible') continue;
    const around = at.getBoundingClientRect();
    [left, top] = [Math.max(left, around.left), Math.max(top, around.top)];
    [right, bottom] = [Math.min(right, around.right), Math.min(bottom, around.bottom)];
  }
  [left, top] = [Math.max(left, 0), Math.max(top, 0)];
  [right, bottom] = [Math.min(right, innerWidth), Math.min(bottom, innerHeight)];
  if (right - left < Math.min(own.width, 100) / 2 || bottom - top < Math.min(own.height, 30) / 2)
    return 'cut off: ' + what;
  const front = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const isFree = front === null || focused.contains(front) || front.contains(focused);
  return isFree || front.closest('label') !== null ? '' : 'behind ' + front.outerHTML.slice(0, 80) + ': ' + what;
})`;

/** Runs in the page: the number of what has the focus among all that had it, and what is wrong with it. */
const STOP = `(async (testId) => {
  // The library puts the focus back in a moment of its own when it comes to the end.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const stops = (globalThis.stopsOfDialog ??= new Map());
  const { activeElement } = document;
  if (!stops.has(activeElement)) stops.set(activeElement, stops.size);
  return { stop: stops.get(activeElement), fault: ${STOP_FAULT}(testId) };
})`;

interface Stop {
  readonly stop: number;
  readonly fault: string;
}

async function tabAround(page: Page, testId: string): Promise<void> {
  const look = (): Promise<Stop> => page.evaluate(`${STOP}(${JSON.stringify(testId)})`);
  const begin = await look();
  const faults = [begin.fault];
  for (let count = 0; count < MOST_STOPS; count += 1) {
    await page.keyboard.press('Tab');
    const { stop, fault } = await look();
    faults.push(fault);
    if (stop !== begin.stop) continue;
    expect(faults.filter((one) => one !== '')).toEqual([]);
    return;
  }
  throw new Error(`${MOST_STOPS} stops of ${testId} did not come round: ${faults.join('\n')}`);
}

/** Of one that is open or opening; it is open afterwards, with the focus where it began. */
export async function expectDialog(page: Page, { testId, name, first }: DialogFacts): Promise<void> {
  const dialog = page.getByTestId(testId);
  await expect(dialog).toBeVisible();
  await expect(dialog).toHaveRole('dialog');
  await expect(dialog).toHaveAccessibleName(name);
  await expect(first).toBeFocused();
  await expectVisibleFocus(page);
  const within = `[data-testid="${testId}"]`;
  expect(await seriousFindings(page, { theme: 'light', where: testId, within })).toEqual([]);
  const box = await dialog.boundingBox();
  const { width, height } = page.viewportSize() ?? TWICE_THE_SIZE;
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect(box?.y).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
  await tabAround(page, testId);
}

/** Escape closes it at once, and the focus goes back. */
export async function expectEscape(page: Page, { testId, opener }: DialogFacts): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(page.getByTestId(testId)).toHaveCount(0);
  await expect(opener).toBeFocused();
}

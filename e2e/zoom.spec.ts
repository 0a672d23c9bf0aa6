// The window at 200 %: a display of 1,360 x 900 pixels holds 680 x 450 of its own. Nothing is wider than the window, and
// what one is at can be read.

import type { Locator } from '@playwright/test';

import { expect, test } from './harness/app-test.ts';
import { expectLoaded } from './harness/expect-loaded.ts';
import { AppPage } from './pages/app-page.ts';

/** How much of it sticks out of `around` at the left and at the right, in pixels. */
async function overhang(part: Locator, around: Locator): Promise<readonly number[]> {
  const [inner, outer] = await Promise.all([part.boundingBox(), around.boundingBox()]);
  if (inner === null || outer === null) throw new Error('it is not on the screen');
  const [left, right] = [outer.x - inner.x, inner.x + inner.width - outer.x - outer.width];
  return [left, right].map((px) => Math.max(0, Math.round(px)));
}

test('at twice the size no screen is wider than the window, and the chosen tabs are in view', async ({
  launch,
}) => {
  test.skip(test.info().project.name === 'electron', 'its window has a least size');
  const { page } = await launch({ samples: ['batch_mlp'] });
  await page.setViewportSize({ width: 680, height: 450 });
  const frame = new AppPage(page);
  await frame.expectState('batch_mlp', 'ready');
  // Icons are all that is shown at this width, so nothing offers to show icons only.
  const rail = page.getByRole('navigation').first();
  await expect(rail.getByRole('button', { name: 'Settings' })).toBeVisible();
  await expect(rail.getByRole('button', { name: 'Show icons only' })).toBeHidden();
  const wider = (): Promise<number> =>
    page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
  const repository = page.getByTestId('repository-picker').getByText('samples');
  expect(
    await repository.evaluate(
      (node: { scrollWidth: number; clientWidth: number }) => node.scrollWidth - node.clientWidth,
    ),
  ).toBe(0);
  for (const area of await frame.railAreas()) {
    await page.getByTestId(`rail-${area}`).click();
    expect(await wider(), area).toBeLessThanOrEqual(0);
  }
  await frame.openScreen('perf');
  // The plan has the height: what names the run and starts it are on one line.
  const [name, start] = await Promise.all(
    ['perf-name', 'perf-start'].map((id) => page.getByTestId(id).boundingBox()),
  );
  expect(Math.abs((name?.y ?? 0) - (start?.y ?? 900))).toBeLessThan(10);
  await frame.openModel('batch_mlp');
  for (const tab of await frame.modelTabs()) {
    await page.getByTestId(`model-tab-${tab}`).click();
    await expectLoaded(page);
    expect(await wider(), tab).toBeLessThanOrEqual(0);
    for (const list of await page.getByRole('tabpanel').getByRole('tablist').all()) {
      const chosen = list.getByRole('tab', { selected: true });
      await expect.poll(() => overhang(chosen, list), { message: tab }).toEqual([0, 0]);
    }
  }
});

test('at twice the size the panel covers the view, and the text that it leads to has room', async ({
  launch,
}) => {
  test.skip(test.info().project.name === 'electron', 'its window has a least size');
  const { page } = await launch({ samples: ['batch_mlp', 'broken_dims'] });
  await page.setViewportSize({ width: 680, height: 450 });
  const frame = new AppPage(page);
  await frame.expectState('batch_mlp', 'ready');
  await page.getByTestId('btn-load-broken_dims').click();
  await frame.expectState('broken_dims', 'failed');
  await page.keyboard.press('Control+j');
  await page.getByTestId('bottom-problems').click();
  const panel = page.getByTestId('bottom-panel');
  expect((await panel.boundingBox())?.height).toBeGreaterThan(300);
  await page.getByTestId('problem-D21').click();
  await expect(panel).toBeHidden();
  const editor = page.locator('.monaco-editor').first();
  await expect(editor).toBeInViewport({ ratio: 0.5 });
  expect((await editor.boundingBox())?.height).toBeGreaterThan(100);
  // What is opened scrolls in its place, and never the frame around it.
  await expect(page.getByTestId('tab-models')).toBeInViewport({ ratio: 1 });
});

// The shortest journey: the window opens, the samples are ready, and a broken one says so.

import { expect, test } from './harness/app-test.ts';
import { AppPage } from './pages/app-page.ts';

test('the window shows the samples, ready and failed', async ({ launch }) => {
  const app = await launch();
  const frame = new AppPage(app.page);
  await expect(frame.modelState('simple')).toHaveAttribute('data-state', 'ready');
  await expect(frame.modelState('pipeline')).toHaveAttribute('data-state', 'ready');
  await expect(frame.modelRow('broken_dims')).toBeVisible();
});

test('nothing in the page is refused by its content policy', async ({ app }) => {
  const refused: string[] = [];
  app.page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) refused.push(message.text());
  });
  await app.page.reload();
  // The page comes back with the tab that another test left open.
  await new AppPage(app.page).rail('models').click();
  await expect(new AppPage(app.page).modelState('pipeline')).toHaveAttribute('data-state', 'ready');
  expect(refused).toEqual([]);
});

test('the command palette opens from the keyboard', async ({ app }) => {
  await expect(new AppPage(app.page).statusServer).toBeVisible();
  const palette = await new AppPage(app.page).openPalette();
  await expect(palette).toBeVisible();
  await app.page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
});

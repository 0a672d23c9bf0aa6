// The main loop without a mouse: load, read the configuration, format, save, send (E32).

import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from './harness/app-test.ts';
import { command, expectVisibleFocus, press, tabTo } from './harness/keyboard.ts';
import { AppPage } from './pages/app-page.ts';
import { PerfPage } from './pages/perf-page.ts';

test('E32 load, configure, format, save and send with keys alone', async ({ launch }) => {
  const app = await launch({ samples: ['simple', 'accumulate'] });
  const { page } = app;
  const frame = new AppPage(page);
  const file = path.join(app.repositoryPath, 'simple/config.pbtxt');
  await frame.expectState('simple', 'ready');
  await press(page, 'Tab');
  await command(page, 'Unload simple');
  await frame.expectState('simple', 'unloaded');

  await command(page, 'Load simple');
  await frame.expectState('simple', 'ready');
  await expectVisibleFocus(page);

  await command(page, 'Open config of simple');
  const editor = page.getByTestId('config-editor');
  await expect(editor.locator('.monaco-editor.focused')).toBeVisible();
  await expectVisibleFocus(page);
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('instance_group[{count:1}]');
  await press(page, 'Shift+Alt+F');
  await expect(editor.locator('.view-lines')).toContainText('count: 1');
  await press(page, 'ControlOrMeta+s');
  await expect(page.getByTestId('config-dirty')).toHaveAttribute('data-dirty', 'false');
  expect(await readFile(file, 'utf8')).toMatch(/instance_group \[\s+\{\s+count: 1\s+\}\s+\]/);

  await press(page, 'Shift+F6');
  await tabTo(page, page.getByTestId('rail-models'));
  await press(page, 'Enter');
  await tabTo(page, page.getByTestId('model-row-accumulate'));
  await tabTo(page, page.getByTestId('model-row-simple'), 'ArrowDown');
  await press(page, 'Enter');
  await tabTo(page, page.getByTestId('model-tab-config'));
  for (const tab of ['versions', 'warmup', 'playground']) {
    await press(page, 'ArrowRight');
    await expect(page.getByTestId(`model-tab-${tab}`)).toBeFocused();
  }
  await expect(page.getByTestId('pg-send')).toBeVisible();
  await press(page, 'ControlOrMeta+Enter');
  await expect(page.getByTestId('pg-response')).toHaveAttribute('data-state', 'ok');
  await expect(page.getByTestId('pg-status-code')).toContainText('200');
  await tabTo(page, page.getByTestId('pg-tab-outputs'));
});

test('an act that takes its own button away leaves the focus where one goes on', async ({ launch }) => {
  const { page } = await launch({ samples: ['simple'] });
  const frame = new AppPage(page);
  await frame.expectState('simple', 'ready');
  await frame.openModel('simple');

  await page.getByTestId('model-unload').focus();
  await press(page, 'Enter');
  await frame.expectState('simple', 'unloaded');
  await expect(page.getByTestId('model-unload')).toHaveCount(0);
  await expectVisibleFocus(page);
  await tabTo(page, page.getByTestId('model-load'));
  await press(page, 'Enter');
  await frame.expectState('simple', 'ready');
  await expectVisibleFocus(page);

  await page.getByTestId('model-send').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('pg-send')).toBeVisible();
  await expectVisibleFocus(page);
  await tabTo(page, page.getByTestId('pg-send'));

  const perf = new PerfPage(page);
  await perf.open('simple');
  await page.getByTestId('perf-preset-soak').focus();
  await press(page, 'Enter');
  await tabTo(page, page.getByTestId('perf-start'));
  await press(page, 'Enter');
  await page.getByTestId('perf-stop').focus();
  await press(page, 'Enter');
  await expect(page.getByTestId('perf-live')).toHaveCount(0);
  await expectVisibleFocus(page);
});

test('shortcuts: screens of the rail, problems, panels, and keys that the user changes', async ({
  launch,
}) => {
  const { page } = await launch({ samples: ['simple', 'broken_dims'] });
  await new AppPage(page).expectState('simple', 'ready');
  for (const [key, view] of [
    ['2', 'perf-view'],
    ['3', 'analyzer-form'],
    ['4', 'trace-view'],
    ['5', 'server-view'],
    ['6', 'settings-view'],
    ['1', 'models-view'],
  ] as const) {
    await press(page, `ControlOrMeta+${key}`);
    await expect(page.getByTestId(view)).toBeVisible();
  }
  await press(page, 'F8');
  await expect(page.locator('[data-problem]:focus')).toBeVisible();
  await press(page, 'ControlOrMeta+j');
  await expect(page.getByTestId('bottom-panel')).toBeHidden();

  await page.getByTestId('rail-settings').click();
  await page.getByTestId('settings-section-shortcuts').click();
  const row = page.getByTestId('shortcut-view.toggleBottomPanel');
  await row.getByRole('button', { name: /^Change shortcut/ }).click();
  await page.keyboard.press('ControlOrMeta+2');
  await expect(row.getByRole('alert')).toContainText('Second screen of the rail');
  await expect(page.getByTestId('settings-view')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+y');
  await expect(row.getByRole('alert')).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+j');
  await expect(page.getByTestId('bottom-panel')).toBeHidden();
  await page.keyboard.press('ControlOrMeta+y');
  await expect(page.getByTestId('bottom-panel')).toBeVisible();

  const load = page.getByTestId('shortcut-list.unload');
  await load.getByRole('button', { name: /^Change shortcut/ }).click();
  await page.keyboard.press('k');
  await page.keyboard.press('ControlOrMeta+1');
  await page.getByTestId('model-row-simple').click();
  await page.keyboard.press('u');
  await new AppPage(page).expectState('simple', 'ready');
  await page.keyboard.press('k');
  await new AppPage(page).expectState('simple', 'unloaded');
});

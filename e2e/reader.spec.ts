// The main journeys as a screen reader takes them: by roles and names alone, with what is said on the way, and without
// a control that says nothing of itself.

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Page } from '@playwright/test';

import type { AppUnderTest } from './harness/app-test.ts';
import { expect, test } from './harness/app-test.ts';
import { unclearNames } from './harness/accessible-names.ts';
import { expectLoaded } from './harness/expect-loaded.ts';

async function expectClearNames(app: AppUnderTest): Promise<void> {
  expect(await unclearNames(app)).toEqual([]);
}

async function openModel({ page }: AppUnderTest, name: string): Promise<void> {
  await page.getByRole('navigation').first().getByRole('button', { name: 'Models' }).click();
  const row = page.getByRole('row', { name: new RegExp(` ${name} `) }).first();
  await row.focus();
  await row.press('Enter');
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
}

/** Notes what the progress of a run says, from now on. */
async function hearProgress(page: Page): Promise<void> {
  await page.evaluate(`{
    const heard = (globalThis.heardProgress = new Set());
    new MutationObserver(() => {
      const said = document.querySelector('[aria-label="Progress"] [role="status"]');
      if (said !== null) heard.add(said.textContent);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  }`);
}

function heardProgress(page: Page): Promise<readonly string[]> {
  return page.evaluate('[...globalThis.heardProgress]');
}

test('from nothing to an answer that is read out', async ({ launch }) => {
  const app = await launch({ args: ['--no-repository'] });
  const { page } = app;
  await expectClearNames(app);
  await page.getByRole('button', { name: /^Try the sample models/ }).press('Enter');
  const send = page.getByRole('button', { name: 'Send', exact: true });
  // The samples are written and loaded before it is there.
  await expect(send).toHaveAttribute('aria-keyshortcuts', /^(Control|Meta)\+Enter$/, { timeout: 90_000 });
  await expect(send).toBeEnabled();
  await send.press('Enter');
  const status = page.getByRole('region', { name: 'Response' }).getByRole('status').first();
  await expect(status).toHaveText(/^200 OK, [\d.]+ m?s, .+ sent, .+ received, v1.*\. SCORES: red, /);
  // A dialog takes the page away from readers, but not what was said: put back with its end, it would be said again.
  await page.keyboard.press('F1');
  await expect(page.getByRole('combobox', { name: 'Command palette' })).toBeFocused();
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toHaveCount(0);
  await expect(status).toHaveText(/^200 OK/);
  await page.keyboard.press('Escape');
  await expectClearNames(app);
});

test('a model that fails says why, and what mends it', async ({ launch }) => {
  const app = await launch({ samples: ['simple', 'text_bytes', 'broken_dims'] });
  const { page } = app;
  // What becomes ready at the start is said too.
  await expect(page.getByRole('row', { name: /^Ready, v1 / })).toHaveCount(2);
  await openModel(app, 'broken_dims');
  await page.getByRole('button', { name: 'Load', exact: true }).press('Enter');
  const said = page.getByRole('alert').filter({ hasText: 'Shape of INPUT does not fit the model' });
  await expect(said).toContainText('Leave the batch dimension out');
  await expect(page.getByTestId('announcer')).toHaveText('broken_dims failed to load');
  await expectClearNames(app);
  await page.getByRole('button', { name: 'Set dims to [ 16 ]' }).press('Enter');
  // What this window did is said by its report, and not once more beside it.
  await expect(page.getByTestId('toast-success')).toContainText('broken_dims');
  await expect(page.getByTestId('announcer')).not.toContainText('is ready');
  await expect(said).toHaveCount(0);
});

test('a mistake in a configuration is named, and mended by name', async ({ launch }) => {
  const app = await launch({ samples: ['simple'] });
  const { page } = app;
  await openModel(app, 'simple');
  const file = path.join(app.repositoryPath, 'simple/config.pbtxt');
  await writeFile(file, `${await readFile(file, 'utf8')}\nmax_batch_sze: 0\n`);
  await page.getByRole('tab', { name: 'Config', exact: true }).press('Enter');
  await expect(page.getByRole('textbox', { name: /^Text of config\.pbtxt of simple/ })).toBeAttached();
  const problems = page.getByRole('region', { name: 'Problems in this text' });
  await expect(problems.getByRole('status')).toContainText('1 error');
  await expectClearNames(app);
  await problems.getByRole('button', { name: 'Change to "max_batch_size"' }).press('Enter');
  await expect(page.getByRole('status').filter({ hasText: /^●?Unsaved changes$/ })).toBeVisible();
});

test('a load test is planned by the names of its choices, and tells how far it is', async ({ launch }) => {
  const app = await launch({ samples: ['simple'] });
  const { page } = app;
  await page.getByRole('navigation').first().getByRole('button', { name: 'Perf lab' }).press('Enter');
  const plan = page.getByRole('form', { name: 'Plan of the load test' });
  const levels = plan.getByRole('radiogroup', { name: 'Levels' });
  await levels.getByRole('radio', { name: 'List', exact: true }).press('Space');
  await expect(levels.getByRole('radio', { name: 'List', exact: true })).toBeChecked();
  await plan.getByRole('textbox', { name: 'Values' }).fill('1, 2');
  await plan.getByRole('textbox', { name: 'Window, ms' }).fill('1000');
  await plan.getByRole('textbox', { name: 'Windows at most' }).fill('3');
  await expectClearNames(app);
  await hearProgress(page);
  await plan.getByRole('button', { name: 'Start', exact: true }).press('Enter');
  const results = page.getByRole('table', { name: 'Levels' });
  await expect(results.getByRole('row')).toHaveCount(3, { timeout: 60_000 });
  // A level may be over before a test looks at it; whoever listens hears all of it.
  const heard = await heardProgress(page);
  for (const level of [1, 2])
    expect(heard).toContainEqual(
      expect.stringMatching(new RegExp(`level ${level} of 2, concurrency ${level}$`)),
    );
  await expectClearNames(app);
});

test('the palette says which command Enter would run', async ({ launch }) => {
  // Of its own: where others have been, the list may be filtered, or at another screen.
  const app = await launch({ samples: ['simple', 'text_bytes'] });
  const { page } = app;
  await expect(page.getByRole('row', { name: /^Ready, v1 simple/ })).toBeVisible();
  await page.keyboard.press('F1');
  const field = page.getByRole('combobox', { name: 'Command palette' });
  await expect(field).toBeFocused();
  await page.keyboard.type('unload sim');
  const option = page.getByRole('option', { name: 'Unload simple' });
  await expect(option).toHaveAttribute('aria-selected', 'true');
  await expect(field).toHaveAttribute('aria-activedescendant', (await option.getAttribute('id')) ?? '-');
  await expectClearNames(app);
  await page.keyboard.press('Escape');
});

test('every tab of a model and every screen has clear names', async ({ app }) => {
  const { page } = app;
  const unclear: string[] = [];
  const look = async (place: string): Promise<void> => {
    await expectLoaded(page);
    unclear.push(...(await unclearNames(app)).map((what) => `${place}: ${what}`));
  };
  for (const screen of ['Models', 'Perf lab', 'Analyzer', 'Traces', 'Server', 'Settings']) {
    await page
      .getByRole('navigation')
      .first()
      .getByRole('button', { name: new RegExp(`^${screen}`) })
      .click();
    await look(screen);
    // Several texts can be copied on one screen: each button says which.
    await expect(page.getByRole('button', { name: 'Copy', exact: true })).toHaveCount(0);
  }
  await openModel(app, 'image_tiny');
  for (const tab of await page.getByRole('tablist').first().getByRole('tab').all()) {
    await tab.click();
    await look(await tab.innerText());
  }
  expect(unclear).toEqual([]);
});

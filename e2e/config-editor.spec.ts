// The Config tab: findings while typing, repairs, completed files, loading without saving, and files that change under
// the editor (E09 to E13).

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Locator, Page } from '@playwright/test';
import type { AppUnderTest } from './harness/app-test.ts';
import { expect, test } from './harness/app-test.ts';
import { sampleFiles, TempRepository } from './harness/fixture-models.ts';
import { AppPage } from './pages/app-page.ts';

async function openConfig({ page }: AppUnderTest, name: string): Promise<void> {
  const frame = new AppPage(page);
  await frame.rail('models').click();
  await frame.modelRow(name).dblclick();
  await page.getByTestId('model-tab-config').click();
  await expect(page.getByTestId('config-editor').locator('.view-line').first()).toBeVisible();
}

function configPath({ repositoryPath }: AppUnderTest, name: string): string {
  return path.join(repositoryPath, name, 'config.pbtxt');
}

/** The configuration as clients read it. */
async function servedConfig(app: AppUnderTest, name: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`${await app.httpAddress()}/v2/models/${name}/config`);
  return (await answer.json()) as Record<string, unknown>;
}

function problem(page: Page, code: string): Locator {
  return page.getByTestId('config-problems').getByTestId(`problem-${code}`);
}

function quickFix(page: Page, code: string): Locator {
  return page.getByTestId('config-problems').getByTestId(`quickfix-${code}`);
}

function headerState(page: Page, name: string): Locator {
  return page.getByTestId(`model-header-state-${name}`);
}

test('E09 a bracket that goes missing is found while typing, and the finding goes with its repair', async ({
  app,
}) => {
  const { page } = app;
  await expect(new AppPage(page).modelState('pipeline')).toHaveAttribute('data-state', 'ready');
  await openConfig(app, 'simple');
  const count = page.getByTestId('status-problems');
  // The broken sample is a problem, as soon as it was looked at.
  await expect(count).not.toHaveAttribute('data-count', '0');
  const before = Number(await count.getAttribute('data-count'));
  await page.getByTestId('config-editor').locator('.view-lines').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await expect(problem(page, 'D01').first()).toBeVisible();
  await expect(page.getByTestId('config-editor').locator('.squiggly-error').first()).toBeVisible();
  await expect(count).toHaveAttribute('data-count', String(before + 1));
  await page.getByTestId('config-save').click();
  await expect(new AppPage(page).toasts.first()).toContainText('the model will not load with it');
  await expect(page.getByTestId('config-dirty')).toHaveAttribute('data-dirty', 'false');
  expect(await readFile(configPath(app, 'simple'), 'utf8')).toMatch(/\}\s*$/);
  await page.getByTestId('config-editor').locator('.view-lines').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type(']');
  await expect(problem(page, 'D01')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(count).toHaveAttribute('data-count', String(before));
  await page.getByTestId('config-save').click();
  await expect(page.getByTestId('config-dirty')).toHaveAttribute('data-dirty', 'false');
  expect(await readFile(configPath(app, 'simple'), 'utf8')).toMatch(/\]\s*$/);
});

test('fields are offered while typing, and what is found stays in view with the line', async ({ app }) => {
  const { page } = app;
  await openConfig(app, 'simple');
  const editor = page.getByTestId('config-editor');
  await editor.locator('.view-lines').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('respo');
  const offers = page.locator('.suggest-widget.visible');
  await expect(offers).toContainText('response_cache');
  await expect(problem(page, 'D02')).toBeVisible();
  await expect(editor.locator('.view-line', { hasText: 'respo' })).toBeInViewport();
  await page.keyboard.press('Escape');
  for (let typed = 0; typed < 'respo'.length + 1; typed += 1) await page.keyboard.press('Backspace');
  await expect(page.getByTestId('config-dirty')).toHaveAttribute('data-dirty', 'false');
});

test('E10 the repair of dims that include the batch dimension makes the model load', async ({ launch }) => {
  // Its own app: the model stays repaired.
  const app = await launch({ samples: ['broken_dims'] });
  const { page } = app;
  await openConfig(app, 'broken_dims');
  await page.getByTestId('model-load').click();
  await expect(page.getByTestId('failure-original-broken_dims')).toContainText(
    "model 'broken_dims', tensor 'INPUT': the model expects 2 dimensions (shape [-1,16]) but the model configuration specifies 3 dimensions",
  );
  await expect(page.getByTestId('failure-broken_dims')).toContainText('Leave the batch dimension out');
  await expect(quickFix(page, 'D21').first()).toBeVisible();
  while ((await quickFix(page, 'D21').count()) > 0) {
    const left = await problem(page, 'D21').count();
    await quickFix(page, 'D21').first().click();
    await expect(problem(page, 'D21')).toHaveCount(left - 1);
  }
  await page.getByTestId('config-save-reload').click();
  await expect(headerState(page, 'broken_dims')).toHaveAttribute('data-state', 'ready');
  await expect(page.getByTestId('banner-changed')).toHaveCount(0);
  expect(await readFile(configPath(app, 'broken_dims'), 'utf8')).toContain('dims: [ 16 ]');
});

test('E12 a text can be tried without saving, and reverted', async ({ app }) => {
  const { page } = app;
  await openConfig(app, 'batch_mlp');
  const onDisk = await readFile(configPath(app, 'batch_mlp'), 'utf8');
  expect(await servedConfig(app, 'batch_mlp')).toMatchObject({ max_batch_size: 8 });
  await page.getByTestId('config-side-form').click();
  await page.getByTestId('form-max-batch').fill('16');
  await page.keyboard.press('Tab');
  await expect(page.getByTestId('config-dirty')).toHaveAttribute('data-dirty', 'true');
  await page.getByTestId('config-try').click();
  await expect(page.getByTestId('config-override')).toBeVisible();
  await page.getByTestId('config-side-effective').click();
  await page.getByTestId('effective-source').getByRole('radio').first().click();
  const effective = page.getByTestId('config-effective');
  await expect(effective).toContainText('max_batch_size: 16');
  expect(await servedConfig(app, 'batch_mlp')).toMatchObject({ max_batch_size: 16 });
  expect(await readFile(configPath(app, 'batch_mlp'), 'utf8')).toBe(onDisk);
  await page.getByTestId('override-revert').click();
  await expect(page.getByTestId('config-override')).toHaveCount(0);
  await expect(effective).toContainText('max_batch_size: 8');
  expect(await servedConfig(app, 'batch_mlp')).toMatchObject({ max_batch_size: 8 });
});

test('E13 a file that changes under unsaved text asks which to keep, and a reload uses it', async ({
  app,
}) => {
  const { page } = app;
  const frame = new AppPage(page);
  await openConfig(app, 'batch_mlp');
  await page.getByTestId('config-side-form').click();
  await page.getByTestId('form-max-batch').fill('4');
  await page.keyboard.press('Tab');
  await expect(page.getByTestId('config-dirty')).toHaveAttribute('data-dirty', 'true');
  await page.getByTestId('config-side-effective').click();
  const file = configPath(app, 'batch_mlp');
  const before = await readFile(file, 'utf8');
  await writeFile(file, before.replace('count: 1', 'count: 2'));
  await expect(headerState(page, 'batch_mlp')).toHaveAttribute('data-state', 'ready-changed');
  await expect(page.getByTestId('banner-changed')).toContainText(
    /config\.pbtxt changed on disk after this model was loaded at \d\d:\d\d\. The running model still uses/,
  );
  await frame.openScreen('models');
  await expect(frame.modelState('batch_mlp')).toContainText('files changed on disk');
  const cut = await frame
    .modelState('batch_mlp')
    .evaluate(
      (chip) =>
        [chip, ...chip.querySelectorAll('span')].filter(
          (part) =>
            !part.classList.contains('sr-only') &&
            (part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1),
        ).length,
    );
  expect(cut).toBe(0);
  await frame.openModel('batch_mlp');
  await page.getByTestId('conflict-disk').click();
  await expect(page.getByTestId('config-dirty')).toHaveAttribute('data-dirty', 'false');
  await page.getByTestId('banner-changed-reload').click();
  await expect(page.getByTestId('banner-changed')).toHaveCount(0);
  await expect(headerState(page, 'batch_mlp')).toHaveAttribute('data-state', 'ready');
  await expect(page.getByTestId('config-effective')).toContainText('count: 2');
  expect(await servedConfig(app, 'batch_mlp')).toMatchObject({ instance_group: [{ count: 2 }] });
  await writeFile(file, before);
  await page.getByTestId('banner-changed-reload').click();
  await expect(page.getByTestId('banner-changed')).toHaveCount(0);
});

test('E11 what the server completed is shown with its origin and becomes the file', async ({ launch }) => {
  await using folder = await TempRepository.create({
    'mlp/1/model.onnx': sampleFiles('batch_mlp')['batch_mlp/1/model.onnx'] ?? '',
  });
  const app = await launch({ args: [`--model-repository=${folder.path}`] });
  const { page } = app;
  const frame = new AppPage(page);
  await frame.expectState('mlp', 'ready');
  const completed = await servedConfig(app, 'mlp');
  await frame.openModel('mlp');
  await page.getByTestId('model-tab-config').click();
  await expect(page.getByTestId('config-none')).toContainText('No config.pbtxt');
  await page.getByTestId('effective-filter').click();
  await page.getByRole('option', { name: /auto-complete/ }).click();
  const lines = page.getByTestId('config-effective').locator('li[data-origin="auto-complete"]');
  await expect(lines.filter({ hasText: 'max_batch_size: 4' })).toHaveCount(1);
  await expect(lines.filter({ hasText: 'dynamic_batching' })).toHaveCount(1);

  await page.getByTestId('config-create').click();
  await expect(page.getByTestId('config-editor').locator('.view-line').first()).toBeVisible();
  await expect(page.getByTestId('config-problems')).not.toContainText('error');
  // The editor shows the text while it is being written.
  const written = (): Promise<string> => readFile(folder.at('mlp/config.pbtxt'), 'utf8').catch(String);
  await expect.poll(written).toContain('max_batch_size: 4');
  expect(await written()).toContain('dynamic_batching');
  await page.getByTestId('model-reload').click();
  await expect(page.getByTestId('banner-changed')).toHaveCount(0);
  await expect(headerState(page, 'mlp')).toHaveAttribute('data-state', 'ready');
  await expect(lines).toHaveCount(0);
  expect(await servedConfig(app, 'mlp')).toEqual(completed);
});

test('a file above 1 MiB is not opened, and nothing is offered that would replace it', async ({ app }) => {
  const { page } = app;
  const file = configPath(app, 'text_bytes');
  const before = await readFile(file, 'utf8');
  await writeFile(file, `${before}\n# ${'x'.repeat(1024 * 1024)}\n`);
  try {
    await new AppPage(page).openModel('text_bytes');
    await page.getByTestId('model-tab-config').click();
    await expect(page.getByTestId('config-refused')).toContainText('larger than 1 MiB');
    await expect(page.getByTestId('config-create')).toHaveCount(0);
    await expect(page.getByTestId('config-save')).toHaveAttribute('aria-disabled', 'true');
  } finally {
    await writeFile(file, before);
  }
});

test('a profile is made, and the server reads it from its next start', async ({ launch }) => {
  await using folder = await TempRepository.create(sampleFiles('batch_mlp'));
  const app = await launch({ args: [`--model-repository=${folder.path}`] });
  const { page } = app;
  await new AppPage(page).expectState('batch_mlp', 'ready');
  await openConfig(app, 'batch_mlp');
  await page.getByTestId('config-file').click();
  await page.getByRole('option', { name: /New profile/ }).click();
  await page.getByTestId('profile-name').fill('wide');
  await page.getByTestId('profile-create').click();
  await expect(page.getByTestId('config-other-file')).toContainText('The server reads config.pbtxt');
  await page.getByTestId('config-side-form').click();
  await page.getByTestId('form-max-batch').fill('16');
  await page.keyboard.press('Tab');
  await page.getByTestId('config-save').click();
  await expect(page.getByTestId('config-dirty')).toHaveAttribute('data-dirty', 'false');
  expect(await servedConfig(app, 'batch_mlp')).toMatchObject({ max_batch_size: 8 });
  await page.getByTestId('config-menu').click();
  await page.getByTestId('menu-config-use-profile').click();
  await page.getByRole('button', { name: 'Restart the server' }).click();
  await expect(page.getByTestId('config-other-file')).toHaveCount(0);
  await expect(headerState(page, 'batch_mlp')).toHaveAttribute('data-state', 'ready');
  expect(await servedConfig(app, 'batch_mlp')).toMatchObject({ max_batch_size: 16 });
});

test('the repairs that are no edit: a profile for this machine, and the folder under its new name', async ({
  launch,
}) => {
  await using folder = await TempRepository.create(sampleFiles('text_bytes'));
  const app = await launch({ args: [`--model-repository=${folder.path}`] });
  const { page } = app;
  const before = folder.at('text_bytes/config.pbtxt');
  const text = await readFile(before, 'utf8');
  await writeFile(
    before,
    `${text.replace('"text_bytes"', '"words"')}\ninstance_group [ { kind: KIND_GPU } ]\n`,
  );
  await openConfig(app, 'text_bytes');
  await problem(page, 'D40')
    .getByRole('button', { name: /Use CPU here only/ })
    .click();
  await expect(new AppPage(page).toasts.first()).toContainText('Wrote configs/cpu.pbtxt');
  const profile = path.join(path.dirname(before), 'configs', 'cpu.pbtxt');
  expect(await readFile(profile, 'utf8')).toContain('KIND_CPU');
  await problem(page, 'D05').getByRole('button', { name: 'Rename the folder to words' }).click();
  await expect(page.getByTestId('model-header-state-words')).toBeVisible();
  expect(await readFile(folder.at('words/config.pbtxt'), 'utf8')).toContain('name: "words"');
});

// What is done to models as a whole: versions and their policy, the bin and back, export, the list.

import { access, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from './harness/app-test.ts';
import { sampleFiles, TempRepository } from './harness/fixture-models.ts';
import { AppPage } from './pages/app-page.ts';
import { ImportPage } from './pages/import-page.ts';

function serving(folder: TempRepository) {
  return { args: [`--model-repository=${folder.at('served')}`, `--ui-root=${folder.path}`] };
}

test('a version is copied, compared, served beside the other, binned and brought back', async ({
  launch,
}) => {
  await using folder = await TempRepository.create(sampleFiles('batch_mlp', 'served/mlp'));
  const app = await launch(serving(folder));
  const { page } = app;
  const frame = new AppPage(page);
  await frame.expectState('mlp', 'ready');
  await frame.openModel('mlp');
  await page.getByTestId('model-tab-versions').click();
  await page.getByTestId('version-menu-1').click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(page.getByTestId('version-state-2')).toBeVisible();
  await page.getByTestId('versions-compare').click();
  await expect(page.getByTestId('compare-parity')).toContainText('Outputs match');
  await page.keyboard.press('Escape');
  await page.getByTestId('policy-kind').getByRole('radio', { name: 'All' }).click();
  await expect(page.getByTestId('policy-preview')).toContainText('12');
  await page.getByTestId('policy-save').click();
  await expect(page.getByTestId('version-state-2')).toHaveAttribute('data-state', 'READY');
  await expect(page.getByTestId('version-state-1')).toHaveAttribute('data-state', 'READY');
  await page.getByTestId('version-menu-1').click();
  await page.getByRole('menuitem', { name: 'Serve only this' }).click();
  await expect(page.getByTestId('version-state-2')).not.toHaveAttribute('data-state', 'READY');
  await page.getByTestId('version-menu-2').click();
  await page.getByRole('menuitem', { name: 'Move to bin' }).click();
  await page.getByTestId('confirm-trash').click();
  const binned = frame.toasts.filter({ hasText: 'was moved to' });
  await expect(binned).toBeVisible();
  await expect(access(folder.at('served/mlp/2'))).rejects.toThrow();
  await binned.getByRole('button', { name: 'Undo' }).click();
  await expect(frame.toasts.filter({ hasText: 'is back' })).toBeVisible();
  expect(await readdir(folder.at('served/mlp/2'))).toEqual(['model.onnx']);
});

test('a model is packed outside of the repository, and can be taken off the list', async ({ launch }) => {
  await using folder = await TempRepository.create({
    ...sampleFiles('simple', 'served/simple'),
    'out/': '',
  });
  const app = await launch(serving(folder));
  const { page } = app;
  const frame = new AppPage(page);
  await frame.expectState('simple', 'ready');
  await page.getByTestId('btn-menu-simple').click();
  await new ImportPage(app).pick(page.getByRole('menuitem', { name: 'Export' }), folder.path, ['out']);
  await expect(frame.toasts.filter({ hasText: path.join('out', 'simple.zip') })).toBeVisible();
  await access(folder.at('out/simple.zip'));
  await page.getByTestId('btn-menu-simple').click();
  await page.getByRole('menuitem', { name: 'Remove from list' }).click();
  await expect(frame.modelRow('simple')).toHaveCount(0);
  await access(folder.at('served/simple/config.pbtxt'));
  await page.getByTestId('models-hidden').click();
  await page.getByTestId('btn-menu-simple').click();
  await page.getByRole('menuitem', { name: 'Show in list again' }).click();
  await expect(page.getByTestId('models-hidden')).toHaveCount(0);
  await expect(frame.modelRow('simple')).toBeVisible();
});

test('a name in two repositories is flagged twice, and one repository can go', async ({ launch }) => {
  await using folder = await TempRepository.create({
    ...sampleFiles('simple', 'served/simple'),
    ...sampleFiles('simple', 'second/simple'),
    ...sampleFiles('batch_mlp', 'served/batch_mlp'),
  });
  const app = await launch({
    args: [...serving(folder).args, `--model-repository=${folder.at('second')}`],
  });
  const { page } = app;
  const frame = new AppPage(page);
  await frame.expectState('batch_mlp', 'ready');
  for (const row of ['simple', 'simple-shadowed']) {
    await expect(frame.modelState(row)).toHaveAttribute('data-state', 'failed');
    await expect(
      frame
        .modelRow(row)
        .getByRole('img', { name: 'Name used in 2 repositories - Triton would refuse to load it' }),
    ).toBeVisible();
  }
  await expect(page.getByTestId('btn-load-simple')).toBeDisabled();
  await page.getByTestId('banner-duplicate-disable').click();
  await page.getByTestId(`confirm-${folder.at('second')}`).click();
  await expect(frame.modelRow('simple-shadowed')).toHaveCount(0);
  await frame.toasts.filter({ hasText: 'is there once' }).getByRole('button', { name: 'Load' }).click();
  await frame.expectState('simple', 'ready');
  await access(folder.at('second/simple/config.pbtxt'));
});

test('a model on the CPU instead of a GPU explains itself, and is refused when the user is strict', async ({
  launch,
}) => {
  await using folder = await TempRepository.create({
    ...sampleFiles('text_bytes', 'served/asks'),
  });
  const config = path.join('served', 'asks', 'config.pbtxt');
  const text = await readFile(folder.at(config), 'utf8');
  const withoutGroup = text.replace(/instance_group[^[{]*[[{][^]*?\n[\]}]\n/, '');
  await folder.write({ [config]: `${withoutGroup}instance_group [ { count: 1 kind: KIND_GPU } ]\n` });
  const app = await launch(serving(folder));
  const { page } = app;
  const frame = new AppPage(page);
  await expect(frame.modelState('asks')).toHaveAttribute('data-state', /ready|degraded/);
  const device = await frame.modelRow('asks').textContent();
  test.skip(/GPU \d/.test(device ?? ''), 'this machine has a GPU');
  await frame.expectState('asks', 'degraded');
  await frame.openModel('asks');
  await expect(page.getByTestId('banner-degraded')).toContainText('runs on CPU');
  await page.getByTestId('banner-degraded-details').click();
  await expect(page.getByTestId('limits-dialog')).toContainText('asked for KIND_GPU');
  await page.keyboard.press('Escape');
  await page.getByTestId('banner-degraded-strict').click();
  await page.getByTestId('confirm-now').click();
  await frame.expectState('asks', 'failed');
  await expect(page.getByTestId('failure-original-asks')).toContainText('KIND_GPU');
});

test('a repository that is gone is located, and takes the place of the lost one', async ({ launch }) => {
  await using folder = await TempRepository.create(sampleFiles('simple', 'moved/simple'));
  const app = await launch(serving(folder));
  const { page } = app;
  const lost = page.getByTestId('repository-unreadable');
  await expect(lost).toContainText('Repository not found');
  await expect(lost).toContainText(folder.at('served'));
  await new ImportPage(app).pick(page.getByTestId('repository-locate'), folder.path, ['moved']);
  await page.getByTestId('repository-add').click();
  await new AppPage(page).expectState('simple', 'ready');
  await expect(page.getByTestId('banner-unreadable')).toHaveCount(0);
});

test('a step of a loaded ensemble is unloaded with it, and the ensemble has not failed', async ({
  launch,
}) => {
  const names = ['pipeline', 'pipeline_best', 'pipeline_prepare', 'image_tiny'];
  await using folder = await TempRepository.create(
    Object.assign({}, ...names.map((name) => sampleFiles(name, `served/${name}`))) as Record<string, string>,
  );
  const app = await launch(serving(folder));
  const { page } = app;
  const frame = new AppPage(page);
  await frame.expectState('pipeline', 'ready');
  await page.getByTestId('btn-unload-pipeline_best').click();
  await page.getByTestId('confirm-all').click();
  await frame.expectState('pipeline_best', 'unloaded');
  await frame.expectState('pipeline', 'unloaded');
  await frame.expectState('pipeline_prepare', 'ready');
});

test('a failed model explains every finding about its configuration', async ({ launch }) => {
  await using folder = await TempRepository.create(sampleFiles('broken_dims', 'served/broken_dims'));
  const app = await launch(serving(folder));
  const frame = new AppPage(app.page);
  await frame.expectState('broken_dims', 'failed');
  await frame.openModel('broken_dims');
  await app.page.getByTestId('failure-explain-broken_dims').click();
  const finding = app.page.getByTestId('explain-D21');
  await expect(finding).toContainText('dims include the batch dimension');
  await finding.getByRole('button', { name: 'Show line' }).click();
  await expect(app.page.getByTestId('config-editor')).toBeVisible();
});

test('Shift and a click select rows, and no text; one act is for all of them', async ({ app: { page } }) => {
  await page.getByTestId('rail-models').click();
  await page.getByTestId('model-row-pipeline_best').click();
  await page.getByTestId('model-row-simple').click({ modifiers: ['Shift'] });
  await expect(page.locator('[role="row"][aria-selected="true"]')).toHaveCount(3);
  expect(await page.evaluate('String(getSelection())')).toBe('');
  await page.getByTestId('model-row-simple').click();
  await expect(page.locator('[role="row"][aria-selected="true"]')).toHaveCount(1);
});

test('a double click on the frame of the window selects no text', async ({ app: { page } }) => {
  const { width } = page.viewportSize() ?? { width: 1360 };
  const strip = await page.getByTestId('rail-models').boundingBox();
  const places = [
    // The field that opens the palette, the free end of the tab strip, the free end of the rail.
    [width / 2, 22],
    [width - 20, 62],
    [(strip?.x ?? 0) + 40, 500],
  ] as const;
  for (const [x, y] of places) {
    await page.mouse.dblclick(x, y);
    await page.keyboard.press('Escape');
    expect(await page.evaluate('String(getSelection())')).toBe('');
  }
});

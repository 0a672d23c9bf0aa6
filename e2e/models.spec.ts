// What is done to models as a whole: versions and their policy, the bin and back, export, the list.

import { access, readdir } from 'node:fs/promises';
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
  test.skip(app.shell === 'electron', 'the system dialog that picks the folder cannot be driven');
  const { page } = app;
  const frame = new AppPage(page);
  await frame.expectState('simple', 'ready');
  await page.getByTestId('btn-menu-simple').click();
  await page.getByRole('menuitem', { name: 'Export' }).click();
  await new ImportPage(app).pick(folder.path, ['out']);
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

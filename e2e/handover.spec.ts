// Handing the repository over to another engine, in the real window: findings, files, and what is saved or downloaded.

import { expect, test } from './harness/app-test.ts';
import { AppPage } from './pages/app-page.ts';

test('what stands against it, another target, and its files', async ({ app }) => {
  const { page } = app;
  await new AppPage(page).openScreen('server');
  await page.getByTestId('hand-over').click();
  const dialog = page.getByTestId('handover-dialog');
  await expect(dialog.getByTestId('handover-summary')).toHaveText('1 error, 0 warnings');
  await expect(dialog.getByTestId('handover-finding-D21')).toContainText('broken_dims');
  await expect(dialog.getByTestId('handover-act')).toHaveAttribute('aria-disabled', 'true');

  await dialog.getByTestId('handover-target').click();
  await page.getByRole('option', { name: 'Kubernetes' }).click();
  await dialog.getByTestId('handover-tab-files').click();
  await dialog.getByTestId('handover-file').click();
  await page.getByRole('option', { name: 'deployment.yaml' }).click();
  await expect(dialog.getByTestId('handover-text')).toContainText('kind: Deployment');
  await expect(dialog.getByTestId('handover-text')).toContainText('--model-control-mode=explicit');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('the files as a download in a browser', async ({ launch }, { project }) => {
  test.skip(project.name === 'electron', 'the desktop app asks for a folder instead');
  const app = await launch({ samples: ['broken_dims'] });
  const { page } = app;
  await new AppPage(page).openScreen('server');
  await page.getByTestId('hand-over').click();
  const dialog = page.getByTestId('handover-dialog');
  await dialog.getByTestId('handover-force').click();
  const download = page.waitForEvent('download');
  await dialog.getByTestId('handover-act').click();
  expect((await download).suggestedFilename()).toBe('triton-compose.zip');
  await expect(dialog).toHaveCount(0);
});

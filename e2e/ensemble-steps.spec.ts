// An ensemble that is built on in its drawing: its last step goes, comes back by the form, its output gets another name,
// and the server answers with it.

import { expect, test } from './harness/app-test.ts';
import { seriousFindings } from './harness/axe-scan.ts';
import { sampleFiles, TempRepository } from './harness/fixture-models.ts';
import { AppPage } from './pages/app-page.ts';

const PIPELINE = ['pipeline_prepare', 'image_tiny', 'pipeline_best', 'pipeline'];

test('a step is removed, added again and its tensor renamed, and what is saved answers', async ({
  launch,
}) => {
  test.setTimeout(120_000);
  await using repository = await TempRepository.create(
    Object.assign({}, ...PIPELINE.map((name) => sampleFiles(name))),
  );
  const app = await launch({ args: [`--model-repository=${repository.path}`] });
  const { page } = app;
  const frame = new AppPage(page);
  await frame.expectState('pipeline', 'ready');
  await frame.openModel('pipeline');
  await page.getByTestId('model-tab-graph').click();
  const last = page.getByTestId('graph-step-2');
  await last.click();
  await page.getByTestId('graph-canvas').press('Delete');
  await expect(last).toHaveCount(0);
  // What nobody writes any more is marked before anything is loaded.
  const output = page.getByTestId('graph-output-CLASS');
  await expect(output).toHaveAttribute('data-codes', /D/);
  await page.screenshot({ path: test.info().outputPath('removed.png') });
  await page.getByTestId('graph-add-step').click();
  await page.getByTestId('graph-add-step-model').fill('pipeline_best');
  await expect(page.getByTestId('graph-add-step-version')).toBeVisible();
  await expect(page.getByTestId('graph-add-step-do')).not.toHaveAttribute('aria-disabled', 'true');
  expect(await seriousFindings(page, { theme: 'light', where: 'add step' })).toEqual([]);
  await page.screenshot({ path: test.info().outputPath('add-step.png') });
  await page.getByTestId('graph-add-step-model').press('Enter');
  await expect(last).toBeVisible();
  await expect(output).toHaveAttribute('data-codes', '');
  await page.getByTestId('graph-rename-CONFIDENCE').click();
  await page.getByTestId('graph-rename-name').fill('SCORE');
  await page.screenshot({ path: test.info().outputPath('rename.png') });
  await page.getByTestId('graph-rename-name').press('Enter');
  await page.screenshot({ path: test.info().outputPath('renamed.png') });
  await page.getByTestId('graph-save-reload').click();
  await expect(page.getByTestId('graph-dirty')).toHaveAttribute('data-dirty', 'false');
  const data = Array.from({ length: 3072 }, () => 200);
  const ask = async (): Promise<unknown> => {
    const answer = await fetch(`${await app.httpAddress()}/v2/models/pipeline/infer`, {
      method: 'POST',
      body: JSON.stringify({
        inputs: [{ name: 'RAW', datatype: 'UINT8', shape: [1, 32, 32, 3], data }],
      }),
    });
    return answer.json();
  };
  await expect.poll(async () => JSON.stringify(await ask())).toContain('"name":"SCORE"');
});

// Models that want a Python or a GPU that is not there, and a TorchScript module that becomes an ONNX model.

import { execFileSync } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';

import { needsPython, testPython } from '../src-main/testing/test-python.ts';
import { expect, test } from './harness/app-test.ts';
import { dropFiles } from './harness/drop-files.ts';
import { TempRepository } from './harness/fixture-models.ts';
import { AppPage } from './pages/app-page.ts';
import { ImportPage } from './pages/import-page.ts';

const TENSORS = `input { name: "X" data_type: TYPE_FP32 dims: [ 2 ] }
output { name: "Y" data_type: TYPE_FP32 dims: [ 2 ] }
`;

test('a model whose Python is missing leads to where one is chosen or set up', async ({ launch }) => {
  await using folder = await TempRepository.create({
    'served/coded/config.pbtxt': `backend: "python"\n${TENSORS}`,
    'served/coded/1/model.py': 'class TritonPythonModel: pass\n',
  });
  const { page } = await launch({
    args: [
      `--model-repository=${folder.at('served')}`,
      '--backend-config=python,python-executable=/nowhere/python3',
    ],
  });
  const frame = new AppPage(page);
  await frame.expectState('coded', 'failed');
  await frame.modelRow('coded').dblclick();
  const card = page.getByTestId('failure-coded');
  await expect(card).toContainText('No Python here can run it');
  await card.getByRole('button', { name: 'Choose or set up a Python' }).click();
  await expect(page.getByTestId('python-card')).toBeInViewport();
  await expect(page.getByTestId('python-set-up')).toBeVisible();
  await page.screenshot({ path: test.info().outputPath('python-card.png') });
});

test('the wizard of a plan says what a machine without a GPU makes of it, and offers no load', async ({
  launch,
}) => {
  await using folder = await TempRepository.create({ 'served/': '', 'dropped/net.plan': 'a plan' });
  const app = await launch({
    args: [
      `--model-repository=${folder.at('served')}`,
      `--ui-root=${folder.path}`,
      '--min-supported-compute-capability=99',
    ],
  });
  const { page } = app;
  await expect(page.getByTestId('models-empty')).toBeVisible();
  await dropFiles(app, new ImportPage(app).zone('copy'), [folder.at('dropped/net.plan')]);
  const dialog = page.getByTestId('framework-dialog');
  await expect(dialog).toContainText('run on NVIDIA GPUs only');
  await expect(page.getByTestId('framework-create-load')).toHaveAttribute('aria-disabled', 'true');
  await page.screenshot({ path: test.info().outputPath('plan.png') });
});

const torch = testPython('torch');

const MODULES = `
import sys, torch
class Doubled(torch.nn.Module):
    def forward(self, X):
        return X * 2
class Decomposed(torch.nn.Module):
    def forward(self, X):
        return torch.linalg.eigvals(X.reshape(-1, 1, 1)).real.reshape(X.shape)
torch.jit.script(Doubled()).save(sys.argv[1])
torch.jit.script(Decomposed()).save(sys.argv[2])
`;

test.describe(needsPython('TorchScript', 'torch'), () => {
  test.skip(torch === undefined, 'no python3 with torch');

  test('a conversion to ONNX is cancelled, fails with what the framework said, and succeeds', async ({
    launch,
  }) => {
    test.setTimeout(240_000);
    const config = `platform: "pytorch_libtorch" max_batch_size: 4\n${TENSORS}`;
    await using folder = await TempRepository.create({
      'served/doubled/config.pbtxt': config,
      'served/decomposed/config.pbtxt': config,
      'make.py': MODULES,
    });
    const files = ['doubled', 'decomposed'].map((name) => folder.at(`served/${name}/1`));
    for (const file of files) await mkdir(file);
    execFileSync(torch ?? '', [folder.at('make.py'), ...files.map((file) => `${file}/model.pt`)]);
    const { page } = await launch({
      args: [
        `--model-repository=${folder.at('served')}`,
        `--backend-config=python,python-executable=${torch}`,
      ],
    });
    const frame = new AppPage(page);
    const dialog = page.getByTestId('convert-dialog');
    const convert = async (model: string): Promise<void> => {
      await page.getByTestId('model-menu').click();
      await page.getByRole('menuitem', { name: 'Convert to ONNX…' }).click();
      await expect(page.getByTestId('convert-name')).toHaveValue(`${model}_onnx`);
    };
    await frame.expectState('decomposed', 'ready');
    await frame.modelRow('decomposed').dblclick();
    await convert('decomposed');
    await page.getByTestId('convert-start').click();
    await expect(page.getByTestId('convert-steps')).toBeVisible();
    await page.getByTestId('convert-cancel').click();
    await expect(dialog).toHaveCount(0);

    await convert('decomposed');
    await page.getByTestId('convert-start').click();
    const output = page.getByTestId('convert-output');
    await expect(output).toContainText('eigvals', { timeout: 90_000 });
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await convert('decomposed');
    await expect(output).toContainText('eigvals');
    await page.screenshot({ path: test.info().outputPath('failed.png') });
    await page.keyboard.press('Escape');
    expect((await readdir(folder.at('served'))).sort()).toEqual(['decomposed', 'doubled']);

    await frame.rail('models').click();
    await frame.modelRow('doubled').dblclick();
    await convert('doubled');
    await page.getByTestId('convert-start').click();
    await expect(page.getByTestId('model-header-state-doubled_onnx')).toHaveAttribute('data-state', 'ready', {
      timeout: 90_000,
    });
    expect(await readdir(folder.at('served/doubled_onnx/1'))).toEqual(['model.onnx']);
  });
});

// Bringing models in: dropped folders and files, a repository used in place, names that are taken (E02 to E07).

import { access, readdir, readFile } from 'node:fs/promises';

import type { AppUnderTest, LaunchedApp } from './harness/app-test.ts';
import { expect, test } from './harness/app-test.ts';
import { dropFiles } from './harness/drop-files.ts';
import {
  classifierOnnx,
  classifierWeights,
  fixedOnnx,
  folderHashes,
  sampleFiles,
  TempRepository,
} from './harness/fixture-models.ts';
import { AppPage } from './pages/app-page.ts';
import { ImportPage } from './pages/import-page.ts';

/** A folder for what is dropped, and beside it the repository that is served. */
async function world(): Promise<TempRepository> {
  const folder = await TempRepository.create({ 'served/': '', 'dropped/': '' });
  return folder;
}

function serving(folder: TempRepository) {
  return { args: [`--model-repository=${folder.at('served')}`, `--ui-root=${folder.path}`] };
}

async function status(app: AppUnderTest, path_: string): Promise<number> {
  return (await fetch(`${await app.httpAddress()}${path_}`)).status;
}

test('E02 a dropped model folder is copied, loaded and served', async ({ launch }) => {
  await using folder = await world();
  await folder.write(sampleFiles('batch_mlp', 'dropped/mlp'));
  const app = await launch(serving(folder));
  const frame = new AppPage(app.page);
  await expect(app.page.getByTestId('models-empty')).toBeVisible();
  await dropFiles(app, new ImportPage(app).zone('copy'), [folder.at('dropped/mlp')]);
  await frame.expectState('mlp', 'ready');
  await access(folder.at('served/mlp/1/model.onnx'));
  expect(await status(app, '/v2/models/mlp/ready')).toBe(200);
});

test('E03 a repository is used in place, and its broken model is repaired from its card', async ({
  launch,
}) => {
  await using folder = await world();
  await folder.write({
    ...sampleFiles('simple', 'dropped/repo/one'),
    ...sampleFiles('batch_mlp', 'dropped/repo/two'),
    ...sampleFiles('text_bytes', 'dropped/repo/three'),
    'dropped/repo/broken/config.pbtxt': 'platform: "onnxruntime_onnx"\n',
  });
  const repository = folder.at('dropped/repo');
  const before = await folderHashes(repository);
  const app = await launch(serving(folder));
  const frame = new AppPage(app.page);
  const imports = new ImportPage(app);
  await expect(app.page.getByTestId('models-empty')).toBeVisible();
  await dropFiles(app, imports.zone('link'), [repository]);
  if (app.shell === 'browser') await imports.walk(folder.path, ['dropped', 'repo']);
  await expect(imports.repositoryDialog).toContainText('broken');
  await app.page.getByTestId('repository-add').click();
  for (const name of ['one', 'two', 'three']) await frame.expectState(name, 'ready');
  await frame.expectState('broken', 'failed');
  expect(await status(app, '/v2/health/live')).toBe(200);
  expect(await folderHashes(repository)).toEqual(before);
  await frame.openModel('broken');
  await expect(app.page.getByTestId('failure-broken')).toContainText('Create version folder');
});

test('E04 a bare ONNX file becomes a model with a configuration that can be read', async ({ launch }) => {
  await using folder = await world();
  await folder.write({ 'dropped/mobilenet.onnx': classifierOnnx() });
  const app = await launch(serving(folder));
  const frame = new AppPage(app.page);
  const imports = new ImportPage(app);
  await expect(app.page.getByTestId('models-empty')).toBeVisible();
  await dropFiles(app, imports.zone('copy'), [folder.at('dropped/mobilenet.onnx')]);
  await expect(imports.wizard).toBeVisible();
  await expect(app.page.getByTestId('wizard-config-preview')).toContainText('max_batch_size: 4');
  await expect(app.page.getByTestId('wizard-probe-result')).toContainText('Safe');
  await app.page.getByTestId('wizard-create-load').click();
  await frame.expectState('mobilenet', 'ready');
  await access(folder.at('served/mobilenet/1/model.onnx'));
  const text = await readFile(folder.at('served/mobilenet/config.pbtxt'), 'utf8');
  expect(text).toContain('max_batch_size: 4');
  expect(text).toContain('"input"');
  expect(text).toContain('"scores"');
});

test('a first dimension fixed to 1 is made dynamic in a version of its own', async ({ launch }) => {
  await using folder = await world();
  await folder.write({ 'dropped/fixed.onnx': fixedOnnx() });
  const app = await launch(serving(folder));
  const frame = new AppPage(app.page);
  const { page } = app;
  await expect(page.getByTestId('models-empty')).toBeVisible();
  await dropFiles(app, new ImportPage(app).zone('copy'), [folder.at('dropped/fixed.onnx')]);
  await expect(page.getByTestId('wizard-dialog')).toContainText('“input” has a fixed first dimension 1');
  await expect(page.getByTestId('wizard-batching')).not.toBeChecked();
  await page.getByTestId('wizard-make-dynamic').click();
  await expect(page.getByTestId('wizard-dynamic-result')).toContainText('Safe');
  await expect(page.getByTestId('wizard-config-preview')).toContainText('max_batch_size: 4');
  await expect(page.getByTestId('wizard-tree')).toContainText('fixed/2/model.onnx');
  await page.getByTestId('wizard-create-load').click();
  await frame.expectState('fixed', 'ready');
  await expect(page.getByTestId('model-header-state-fixed')).toContainText('v2');
  expect(await readFile(folder.at('served/fixed/1/model.onnx'))).toEqual(Buffer.from(fixedOnnx()));
  const inputs = [{ name: 'input', shape: [2, 48], datatype: 'FP32', data: Array(96).fill(1) }];
  const answer = await fetch(`${await app.httpAddress()}/v2/models/fixed/infer`, {
    method: 'POST',
    body: JSON.stringify({ inputs }),
  });
  expect(await answer.json()).toMatchObject({ model_version: '2', outputs: [{ shape: [2, 10] }] });
});

test('a model that fails because of its fixed 1 gets a version that batches', async ({ launch }) => {
  await using folder = await world();
  await folder.write({
    'served/fixed/config.pbtxt': 'backend: "onnxruntime"\nmax_batch_size: 8\n',
    'served/fixed/1/model.onnx': fixedOnnx(),
  });
  const app = await launch(serving(folder));
  const frame = new AppPage(app.page);
  await frame.expectState('fixed', 'failed');
  await frame.openModel('fixed');
  await app.page.getByTestId('failure-fixed').getByRole('button', { name: 'Run batch probe' }).click();
  await expect(app.page.getByTestId('probe-dialog')).toContainText('experimental');
  await app.page.getByTestId('confirm-dynamic').click();
  await expect(app.page.getByTestId('model-header-state-fixed')).toContainText('v2');
  await access(folder.at('served/fixed/2/model.onnx'));
});

test('E05 missing weights are named, located and copied beside the model', async ({ launch }) => {
  await using folder = await world();
  await folder.write({
    'dropped/big.onnx': classifierOnnx('weights.bin'),
    'elsewhere/weights.bin': classifierWeights(),
  });
  const app = await launch(serving(folder));
  const frame = new AppPage(app.page);
  const imports = new ImportPage(app);
  await expect(app.page.getByTestId('models-empty')).toBeVisible();
  await dropFiles(app, imports.zone('copy'), [folder.at('dropped/big.onnx')]);
  const weights = app.page.getByTestId('wizard-external-weights.bin');
  await expect(weights).toHaveAttribute('data-state', 'missing');
  await expect(app.page.getByTestId('wizard-missing')).toContainText('weights.bin');
  for (const id of ['wizard-create', 'wizard-create-load'])
    await expect(app.page.getByTestId(id)).toBeDisabled();
  const locate = app.page.getByTestId('wizard-locate-weights.bin');
  await imports.pick(locate, folder.path, ['elsewhere', 'weights.bin']);
  await expect(weights).toHaveAttribute('data-state', 'found');
  await expect(app.page.getByTestId('wizard-create')).toBeEnabled();
  await app.page.getByTestId('wizard-create-load').click();
  await frame.expectState('big', 'ready');
  expect(await readdir(folder.at('served/big/1'))).toEqual(['model.onnx', 'weights.bin']);
});

test('E06 what is no model is not recognised, and nothing is written', async ({ launch }) => {
  await using folder = await world();
  await folder.write({ 'dropped/notes.txt': 'hello', 'dropped/model.zip': 'PK' });
  const app = await launch(serving(folder));
  const frame = new AppPage(app.page);
  await expect(app.page.getByTestId('models-empty')).toBeVisible();
  await dropFiles(app, new ImportPage(app).zone('copy'), [folder.at('dropped/notes.txt')]);
  await expect(frame.toasts).toContainText(
    'Not recognised. Drop a model folder, a model repository, or a model file such as .onnx, .pt or model.py.',
  );
  await dropFiles(app, new ImportPage(app).zone('copy'), [folder.at('dropped/model.zip')]);
  await expect(frame.toasts.first()).toContainText('Archives are not opened. Unpack it and drop the folder.');
  expect(await readdir(folder.at('served'))).toEqual([]);
});

async function servedVersion(app: LaunchedApp, version: string): Promise<number> {
  return status(app, `/v2/models/simple/versions/${version}/ready`);
}

test('E07 a folder of a taken name becomes version 2, and version 1 no longer serves', async ({ launch }) => {
  await using folder = await world();
  await folder.write({
    ...sampleFiles('simple', 'served/simple'),
    ...sampleFiles('simple', 'dropped/simple'),
  });
  const app = await launch(serving(folder));
  const frame = new AppPage(app.page);
  await frame.expectState('simple', 'ready');
  await dropFiles(app, new ImportPage(app).zone('copy'), [folder.at('dropped/simple')]);
  const add = app.page.getByTestId('conflict-add-version');
  await expect(add).toHaveText('Add as version 2');
  await add.click();
  await expect.poll(() => servedVersion(app, '2')).toBe(200);
  await access(folder.at('served/simple/2/model.onnx'));
  await expect(frame.modelState('simple')).toContainText('v2');
  expect(await servedVersion(app, '1')).not.toBe(200);
  const answer = await fetch(`${await app.httpAddress()}/v2/models/simple/versions/1/infer`, {
    method: 'POST',
    body: '{"inputs":[]}',
  });
  expect(await answer.text()).toMatch(/'simple' version 1 is not (found|at ready state)/);
});

test('a configuration that comes alone is checked and becomes a model folder', async ({ launch }) => {
  await using folder = await world();
  await folder.write({
    'dropped/config.pbtxt': 'name: "fresh"\nbackend: "onnxruntime"\nmax_batch_sise: 4\n',
  });
  const app = await launch(serving(folder));
  await expect(app.page.getByTestId('models-empty')).toBeVisible();
  await dropFiles(app, new ImportPage(app).zone('copy'), [folder.at('dropped/config.pbtxt')]);
  await expect(app.page.getByTestId('scratch-problems')).toContainText('D02');
  await expect(app.page.getByTestId('scratch-name')).toHaveValue('fresh');
  await app.page.getByTestId('scratch-create').click();
  await expect(app.page.getByTestId('model-view-fresh')).toBeVisible();
  expect(await readFile(folder.at('served/fresh/config.pbtxt'), 'utf8')).toContain('max_batch_sise');
  expect(await readdir(folder.at('served/fresh/1'))).toEqual([]);
});

test('a model that lacks its weights is shown where they are, and loads', async ({ launch }) => {
  await using folder = await world();
  await folder.write({
    'served/big/1/model.onnx': classifierOnnx('weights.bin'),
    'elsewhere/weights.bin': classifierWeights(),
  });
  const app = await launch(serving(folder));
  const frame = new AppPage(app.page);
  await frame.expectState('big', 'failed');
  await frame.openModel('big');
  const card = app.page.getByTestId('failure-big');
  await expect(card).toContainText('This model needs weights.bin, which is not in the folder.');
  const locate = card.getByRole('button', { name: 'Locate file' });
  await new ImportPage(app).pick(locate, folder.path, ['elsewhere', 'weights.bin']);
  await frame.expectState('big', 'ready');
  expect(await readdir(folder.at('served/big/1'))).toEqual(['model.onnx', 'weights.bin']);
});

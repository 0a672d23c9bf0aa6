// Models that are code, and files of other frameworks, in the window: made from a template, failing with a traceback, mended in the editor, watched by their
// processes and logs.

import { readFile } from 'node:fs/promises';

import { expect, test } from './harness/app-test.ts';
import { TempRepository } from './harness/fixture-models.ts';
import { needsPython, testPython } from '../src-main/testing/test-python.ts';
import { dropFiles } from './harness/drop-files.ts';
import { AppPage } from './pages/app-page.ts';
import { ImportPage } from './pages/import-page.ts';

const BROKEN = `import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    def initialize(self, args):
        print("hello of", args["model_instance_name"], flush=True)
        self.scale = {}["scale"]

    def execute(self, requests):
        return [pb_utils.InferenceResponse([]) for _ in requests]
`;
const CONFIG = `backend: "python"
input { name: "X" data_type: TYPE_FP32 dims: [ -1 ] }
output { name: "Y" data_type: TYPE_FP32 dims: [ -1 ] }
instance_group { count: 2 kind: KIND_CPU }
`;

test.describe(needsPython('Python models'), () => {
  test.skip(testPython() === undefined, 'no python3 with numpy');

  test('a traceback leads to its line; saved and reloaded, the model runs in processes of its own', async ({
    launch,
  }) => {
    await using folder = await TempRepository.create({
      'served/broken/config.pbtxt': CONFIG,
      'served/broken/1/model.py': BROKEN,
    });
    const { page } = await launch({ args: [`--model-repository=${folder.at('served')}`] });
    const frame = new AppPage(page);
    await frame.expectState('broken', 'failed');
    await frame.modelRow('broken').dblclick();
    const card = page.getByTestId('failure-broken');
    await expect(card).toContainText('KeyError in its Python code');
    await page.screenshot({ path: test.info().outputPath('failure.png') });
    await page.getByTestId('failure-code-broken').click();
    const editor = page.getByTestId('code-editor');
    await expect(editor.locator('.view-line').first()).toBeVisible();
    // Highlighted as Python, with the cursor in the line that raised.
    await expect(editor.locator('.line-numbers.active-line-number')).toHaveText('7');
    const classes = async (): Promise<ReadonlySet<string>> =>
      new Set(
        await editor
          .locator('.view-line span span')
          .evaluateAll((spans) => spans.map(({ className }) => className)),
      );
    // The text is there first.
    await expect.poll(async () => (await classes()).size).toBeGreaterThan(3);

    await page.keyboard.press('End');
    await page.keyboard.press('Shift+Home');
    await page.keyboard.type('self.scale = 2');
    await expect(page.getByTestId('code-dirty')).toHaveAttribute('data-dirty', 'true');
    await page.getByTestId('code-compare').click();
    await expect(page.getByTestId('code-diff').locator('.line-insert').first()).toBeVisible();
    await page.screenshot({ path: test.info().outputPath('diff.png') });
    await page.getByTestId('code-save-reload').click();
    await frame.expectState('broken', 'ready');
    await expect(card).toHaveCount(0);
    expect(await readFile(folder.at('served/broken/1/model.py'), 'utf8')).toContain(
      '        self.scale = 2\n',
    );

    await page.getByTestId('model-tab-overview').click();
    const instances = page.getByRole('table', { name: 'Instances' });
    await expect(instances).toContainText('broken_0_1');
    await expect(instances).toContainText('MiB');
    await page.screenshot({ path: test.info().outputPath('overview.png') });
    await page.getByTestId('model-tab-logs').click();
    await page.getByTestId('log-instance').click();
    await page.getByRole('option', { name: 'broken_0_1' }).click();
    const log = page.getByTestId('log-list');
    await expect(log).toContainText('hello of broken_0_1');
    await expect(log).not.toContainText('hello of broken_0_0');
    await page.screenshot({ path: test.info().outputPath('logs.png') });
  });

  test('a new model from a template answers at once', async ({ launch }) => {
    await using folder = await TempRepository.create({ 'served/': '' });
    const app = await launch({ args: [`--model-repository=${folder.at('served')}`] });
    const { page } = app;
    const frame = new AppPage(page);
    await page.getByTestId('models-add').click();
    await page.getByRole('menuitem', { name: 'New Python model…' }).click();
    await page.screenshot({ path: test.info().outputPath('template.png') });
    await page.getByTestId('template-name').fill('mine');
    await page.getByTestId('template-create').click();
    await expect(page.getByTestId('code-editor').locator('.view-line').first()).toBeVisible();
    await expect(page.getByTestId('model-header-state-mine')).toHaveAttribute('data-state', 'ready');
    await page.screenshot({ path: test.info().outputPath('made.png') });
    const tensor = (name: string, data: number[]) => ({ name, datatype: 'FP32', shape: [1, 2], data });
    const answer = await fetch(`${await app.httpAddress()}/v2/models/mine/infer`, {
      method: 'POST',
      body: JSON.stringify({ inputs: [tensor('INPUT0', [1, 2]), tensor('INPUT1', [3, 5])] }),
    });
    expect(await answer.json()).toMatchObject({ outputs: [{ data: [4, 7] }, { data: [-2, -3] }] });
    await frame.rail('models').click();
    await frame.expectState('mine', 'ready');
  });
});

test('a model file of another framework gets the wizard, and asks for what the file does not say', async ({
  launch,
}) => {
  await using folder = await TempRepository.create({ 'served/': '', 'dropped/detector.plan': 'a plan' });
  const app = await launch({
    args: [`--model-repository=${folder.at('served')}`, `--ui-root=${folder.path}`],
  });
  const { page } = app;
  await expect(page.getByTestId('models-empty')).toBeVisible();
  await dropFiles(app, new ImportPage(app).zone('copy'), [folder.at('dropped/detector.plan')]);
  const dialog = page.getByTestId('framework-dialog');
  await expect(dialog).toContainText('TensorRT');
  await expect(page.getByTestId('framework-left-open')).toBeVisible();
  await page.getByTestId('framework-inputs-0-name').fill('image');
  await expect(page.getByTestId('framework-obstacle')).toContainText('Choose the type of image');
  for (const [side, name] of [
    ['inputs', 'image'],
    ['outputs', 'boxes'],
  ] as const) {
    await page.getByTestId(`framework-${side}-0-name`).fill(name);
    await page.getByTestId(`framework-${side}-0-type`).click();
    await page.getByRole('option', { name: 'FP32' }).click();
    await page.getByTestId(`framework-${side}-0-dims`).fill('1, 3, 8, 8');
  }
  await expect(page.getByTestId('framework-config-preview')).toContainText('dims: [1, 3, 8, 8]');
  await page.screenshot({ path: test.info().outputPath('wizard.png') });
  await page.getByTestId('framework-create').click();
  await expect(dialog).toBeHidden();
  expect(await readFile(folder.at('served/detector/1/model.plan'), 'utf8')).toBe('a plan');
  expect(await readFile(folder.at('served/detector/config.pbtxt'), 'utf8')).toContain('name: "boxes"');
});

test('a model.py that is dropped is trusted, described and made a model of Python, not of another kind', async ({
  launch,
}) => {
  const code = `import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    def execute(self, requests):
        return [
            pb_utils.InferenceResponse(
                [pb_utils.Tensor("OUT", pb_utils.get_input_tensor_by_name(each, "IN").as_numpy() * 2)]
            )
            for each in requests
        ]
`;
  await using folder = await TempRepository.create({ 'served/': '', 'dropped/doubled.py': code });
  const app = await launch({
    args: [`--model-repository=${folder.at('served')}`, `--ui-root=${folder.path}`],
  });
  const { page } = app;
  await expect(page.getByTestId('models-empty')).toBeVisible();
  await dropFiles(app, new ImportPage(app).zone('copy'), [folder.at('dropped/doubled.py')]);
  await page.getByTestId('confirm-trust').click();
  const dialog = page.getByTestId('framework-dialog');
  await expect(dialog).toContainText('model.py');
  for (const side of ['inputs', 'outputs']) {
    await page.getByTestId(`framework-${side}-0-name`).fill(side === 'inputs' ? 'IN' : 'OUT');
    await page.getByTestId(`framework-${side}-0-type`).click();
    await page.getByRole('option', { name: 'FP32' }).click();
    await page.getByTestId(`framework-${side}-0-dims`).fill('-1');
  }
  await page.getByTestId('framework-create').click();
  await expect(dialog).toBeHidden();
  expect(await readFile(folder.at('served/doubled/1/model.py'), 'utf8')).toBe(code);
  expect(await readFile(folder.at('served/doubled/config.pbtxt'), 'utf8')).toContain('backend: "python"');
});

test('code of an opened repository runs after "Trust this folder", and not before', async ({ launch }) => {
  await using folder = await TempRepository.create({
    'served/': '',
    'opened/coded/config.pbtxt':
      'backend: "javascript"\ninput { name: "X" data_type: TYPE_FP32 dims: [ 1 ] }\noutput { name: "Y" data_type: TYPE_FP32 dims: [ 1 ] }\n',
    'opened/coded/1/model.mjs': 'export async function execute(requests) {\n  return [];\n}\n',
  });
  const app = await launch({
    args: [`--model-repository=${folder.at('served')}`, `--ui-root=${folder.path}`],
  });
  const { page } = app;
  const frame = new AppPage(page);
  await expect(page.getByTestId('models-empty')).toBeVisible();
  const imports = new ImportPage(app);
  await dropFiles(app, imports.zone('link'), [folder.at('opened')]);
  if (app.shell === 'browser') await imports.walk(folder.path, ['opened']);
  await expect(page.getByTestId('repository-trust')).toBeVisible();
  await page.screenshot({ path: test.info().outputPath('trust.png') });
  await page.getByTestId('repository-add').click();
  await frame.expectState('coded', 'failed');
  await frame.modelRow('coded').dblclick();
  await expect(page.getByTestId('failure-coded')).toContainText('Its folder is not trusted yet');
  await page.screenshot({ path: test.info().outputPath('untrusted.png') });
  await page.getByRole('button', { name: 'Trust this folder' }).click();
  await expect(page.getByTestId('model-header-state-coded')).toHaveAttribute('data-state', 'ready');
});

// The Graph tab: an ensemble that is repaired in its drawing, one whose step goes away, files small and large.

import { readFile } from 'node:fs/promises';

import type { Locator, Page } from '@playwright/test';

import type { AppUnderTest } from './harness/app-test.ts';
import { expect, test } from './harness/app-test.ts';
import { sampleFiles, tangledOnnx, TempRepository } from './harness/fixture-models.ts';
import { seriousFindings } from './harness/axe-scan.ts';
import { AppPage } from './pages/app-page.ts';

async function openGraph({ page }: AppUnderTest, name: string): Promise<void> {
  await new AppPage(page).openModel(name);
  await page.getByTestId('model-tab-graph').click();
  await expect(page.getByTestId('graph-tab')).toBeVisible();
}

async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  await from.hover();
  await page.mouse.down();
  await to.hover();
  await page.mouse.up();
}

const PIPELINE = ['pipeline_prepare', 'image_tiny', 'pipeline_best', 'pipeline'];
const GOOD = 'input_map { key: "IMAGE" value: "prepared_image" }';
const BAD = 'input_map { key: "IMAGE" value: "nonsense" }';

test('models become an ensemble that answers, made in three choices', async ({ launch }) => {
  await using repository = await TempRepository.create(
    Object.assign({}, ...PIPELINE.slice(0, 3).map((name) => sampleFiles(name))),
  );
  const app = await launch({ args: [`--model-repository=${repository.path}`] });
  const { page } = app;
  const frame = new AppPage(page);
  await frame.expectState('pipeline_best', 'ready');
  await page.getByTestId('models-add').click();
  await page.getByTestId('menu-newEnsemble').click();
  for (const name of PIPELINE.slice(0, 3)) {
    await page.getByTestId('ensemble-model').click();
    await page.getByRole('option', { name, exact: true }).click();
    await page.getByTestId('ensemble-add').click();
  }
  await expect(page.getByTestId('ensemble-summary')).toContainText(
    'Connections between steps: 2. Inputs: RAW.',
  );
  await page.screenshot({ path: test.info().outputPath('new-ensemble.png') });
  await page.getByTestId('ensemble-create').click();
  await expect(page.getByTestId('graph-edge-PREPARED')).toBeVisible();
  await frame.expectState('ensemble', 'ready');
  await page.screenshot({ path: test.info().outputPath('its-graph.png') });
  const inputs = [
    { name: 'RAW', datatype: 'UINT8', shape: [1, 32, 32, 3], data: Array.from({ length: 3072 }, () => 200) },
  ];
  const answer = await fetch(`${await app.httpAddress()}/v2/models/ensemble/infer`, {
    method: 'POST',
    body: JSON.stringify({ inputs }),
  });
  expect([answer.status, await answer.json()]).toMatchObject([
    200,
    { model_name: 'ensemble', outputs: [{ name: 'CLASS' }, { name: 'CONFIDENCE' }] },
  ]);
});

test('E18 a wrong mapping is marked before any load, and dragging a line repairs the text', async ({
  launch,
}) => {
  await using repository = await TempRepository.create(
    Object.assign({}, ...PIPELINE.map((name) => sampleFiles(name))),
  );
  const config = repository.at('pipeline/config.pbtxt');
  const good = await readFile(config, 'utf8');
  expect(good).toContain(GOOD);
  await repository.write({ 'pipeline/config.pbtxt': good.replace(GOOD, BAD) });
  const app = await launch({
    args: [
      `--model-repository=${repository.path}`,
      '--model-control-mode=explicit',
      '--load-model=image_tiny',
    ],
  });
  const { page } = app;
  await openGraph(app, 'pipeline');
  const wrong = page.getByTestId('graph-edge-nonsense');
  await expect(wrong).toHaveAttribute('data-codes', /D50/);
  await expect(page.getByTestId('graph-loose-nonsense')).toBeVisible();

  await page.getByTestId('model-tab-config').click();
  await page.getByTestId('problem-in-graph').first().click();
  await expect(page.getByTestId('graph-panel').getByTestId('graph-issue-D50').first()).toBeVisible();

  const output = page.getByTestId('graph-step-0').getByTestId('graph-port-output-PREPARED');
  await drag(page, output, page.getByTestId('graph-step-1').getByTestId('graph-port-input-IMAGE'));
  await expect(wrong).toHaveCount(0);
  await expect(page.getByTestId('graph-edge-prepared_image')).toHaveAttribute('data-codes', '');
  await expect(page.getByTestId('graph-dirty')).toHaveAttribute('data-dirty', 'true');

  await page.getByTestId('graph-undo').click();
  await expect(wrong).toBeVisible();
  await page.getByTestId('graph-redo').click();
  await expect(wrong).toHaveCount(0);

  await page.getByTestId('model-tab-config').click();
  const editor = page.getByTestId('config-editor');
  await expect(editor).toContainText('prepared_image');
  await expect(editor).not.toContainText('nonsense');
  await page.getByTestId('model-tab-graph').click();
  await page.getByTestId('graph-save-reload').click();
  await new AppPage(page).expectState('pipeline', 'ready');
  expect(await readFile(config, 'utf8')).toBe(good);
});

test('a line is also disconnected and connected by keys', async ({ launch }) => {
  const app = await launch({ samples: PIPELINE });
  const { page } = app;
  await new AppPage(page).expectState('pipeline', 'ready');
  await openGraph(app, 'pipeline');
  const canvas = page.getByTestId('graph-canvas');
  await canvas.focus();
  await page.keyboard.press('Home');
  const along = (await canvas.getAttribute('data-direction')) === 'LR' ? 'ArrowRight' : 'ArrowDown';
  await page.keyboard.press(along);
  await page.keyboard.press(along);
  await expect(canvas).toHaveAttribute('aria-activedescendant', /step_58_1$/);
  await page.keyboard.press('Enter');
  const panel = page.getByTestId('graph-panel');
  await expect(panel).toBeFocused();
  const source = page.getByTestId('graph-source-1-IMAGE');
  await source.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: /not connected/ }).press('Enter');
  await expect(page.getByTestId('graph-edge-prepared_image')).toHaveCount(0);
  await expect(page.getByTestId('graph-step-1')).toHaveAttribute('data-codes', /D50/);
  await source.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: /PREPARED/ }).press('Enter');
  await expect(page.getByTestId('graph-edge-prepared_image')).toHaveAttribute('data-codes', '');
  await page.keyboard.press('Escape');
  await expect(canvas).toBeFocused();
});

test('E19 a step that is unloaded is shown as failed, and named', async ({ launch }) => {
  const app = await launch({ samples: PIPELINE });
  const { page } = app;
  await new AppPage(page).expectState('pipeline', 'ready');
  const http = await app.httpAddress();
  const send = (): Promise<Response> =>
    fetch(`${http}/v2/models/pipeline/infer`, {
      method: 'POST',
      body: JSON.stringify({
        inputs: [
          { name: 'RAW', datatype: 'UINT8', shape: [1, 32, 32, 3], data: Array<number>(3072).fill(9) },
        ],
      }),
    });
  await openGraph(app, 'pipeline');
  expect((await send()).status).toBe(200);
  const second = page.getByTestId('graph-step-1');
  await expect(second).toContainText('%');

  await fetch(`${http}/v2/repository/models/image_tiny/unload`, { method: 'POST' });
  expect((await send()).ok).toBe(false);
  await expect(second).toHaveAttribute('data-state', 'failed');
  await expect(page.getByTestId('graph-step-0')).toHaveAttribute('data-state', 'ready');
  await expect(page.getByTestId('graph-blocked')).toContainText('Step 2 image_tiny');
  await expect(page.getByTestId('failure-original-pipeline')).toContainText('image_tiny');

  await page.getByTestId('graph-load-blocking').click();
  await new AppPage(page).expectState('pipeline', 'ready');
  await expect(second).toHaveAttribute('data-state', 'ready');
  await expect(page.getByTestId('graph-blocked')).toHaveCount(0);
});

test('a model that is not there is a ghost in the drawing', async ({ launch }) => {
  const files = sampleFiles('pipeline');
  await using repository = await TempRepository.create(files);
  const app = await launch({ args: [`--model-repository=${repository.path}`] });
  await openGraph(app, 'pipeline');
  const ghost = app.page.getByTestId('graph-step-1');
  await expect(ghost).toHaveAttribute('data-state', 'missing');
  await expect(ghost).toContainText('model image_tiny not found');
  await ghost.click();
  await expect(app.page.getByTestId('graph-import')).toBeVisible();
});

test('E36 6000 operators open as a list; a layout goes on beside typing, and can be cancelled', async ({
  launch,
}) => {
  await using repository = await TempRepository.create({
    'large/1/model.onnx': tangledOnnx(6000),
    'large/config.pbtxt': 'name: "large"\nbackend: "onnxruntime"\n',
    ...sampleFiles('simple'),
  });
  const app = await launch({
    args: [`--model-repository=${repository.path}`, '--model-control-mode=explicit', '--load-model=simple'],
  });
  const { page } = app;
  await openGraph(app, 'large');
  await expect(page.getByTestId('graph-large')).toBeVisible();
  const list = page.getByTestId('graph-outline');
  await list.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByTestId('graph-row-scope:stage_0/block_0')).toBeVisible();
  await page.getByTestId('graph-find').fill('node_4321');
  await expect(page.getByTestId('graph-found')).toHaveAttribute('data-count', '1');
  await page.getByTestId('graph-find').press('Enter');
  const canvas = page.getByTestId('graph-canvas');
  await expect(canvas.locator('.react-flow__node')).toHaveCount(5);
  await expect(canvas).toHaveAttribute('aria-activedescendant', /op_58_4321$/);
  await page.getByTestId('graph-find').fill('');

  await page.getByTestId('graph-draw-scopes').click();
  await page.getByTestId('graph-row-scope:dense').click();
  await page.getByTestId('graph-open-scope').click();
  await expect(page.getByTestId('graph-layout-running')).toBeVisible();
  await page.getByTestId('model-tab-config').click();
  const editor = page.getByTestId('config-editor');
  await editor.locator('.view-lines').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('max_batch_size: 0');
  await expect(editor).toContainText('max_batch_size: 0');
  await page.getByTestId('model-tab-graph').click();
  await expect(page.getByTestId('graph-layout-running')).toBeVisible();
  await page.getByTestId('graph-layout-cancel').click();
  await expect(page.getByTestId('graph-layout-cancelled')).toBeVisible();
  await page.getByTestId('graph-close-all').click();
  await expect(page.getByTestId('graph-canvas')).toBeVisible();
});

test('a file is drawn, searched, looked into and exported', async ({ app }) => {
  const { page } = app;
  await openGraph(app, 'batch_mlp');
  await expect(page.getByTestId('graph-canvas')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+f');
  await expect(page.getByTestId('graph-find')).toBeFocused();
  await page.keyboard.type('gemm');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('graph-found')).toContainText('2 of 3');
  const panel = page.getByTestId('graph-panel');
  await expect(panel).toContainText('Gemm');
  await panel.getByTestId('graph-show-values').first().click();
  await expect(panel.getByTestId('graph-values').locator('pre')).toHaveText(/^-?\d/);
  await page.keyboard.press('Escape');
  const exported = async (as: string): Promise<Buffer> => {
    const { file } = await app.savedFile(async () => {
      await page.getByTestId('graph-export').click();
      await page.getByTestId(`menu-graph-${as}`).click();
    });
    return readFile(file);
  };
  expect((await exported('svg')).toString()).toContain('Softmax');
  const png = await exported('png');
  expect(png.subarray(1, 4).toString()).toBe('PNG');
});

test('no serious findings for a file and for an ensemble, in light, dark and high contrast', async ({
  launch,
}) => {
  const app = await launch({ samples: [...PIPELINE, 'batch_mlp'] });
  const { page } = app;
  await new AppPage(page).expectState('pipeline', 'ready');
  for (const theme of ['light', 'dark', 'high-contrast']) {
    await page.locator('html').evaluate((root, name) => root.setAttribute('data-theme', name), theme);
    for (const [name, node] of [
      ['batch_mlp', '[data-id="op:0"]'],
      ['pipeline', '[data-id="step:1"]'],
    ] as const) {
      await openGraph(app, name);
      await page.getByTestId('graph-canvas').locator(node).click();
      await expect(page.getByTestId('graph-panel')).toBeVisible();
      const within = '[data-testid="graph-tab"]';
      expect(await seriousFindings(page, { theme, where: name, within })).toEqual([]);
    }
  }
});

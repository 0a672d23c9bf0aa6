// The lesser dialogs by keys alone, at twice the size: each is opened, walked through and closed by keys.

import { createServer } from 'node:net';

import { expect, test } from './harness/app-test.ts';
import type { DialogFacts } from './harness/dialog-check.ts';
import { expectDialog, TWICE_THE_SIZE } from './harness/dialog-check.ts';
import { classifierOnnx, retrainedOnnx, sampleFiles, TempRepository } from './harness/fixture-models.ts';
import { Keys } from './harness/dialog-keys.ts';
import { command } from './harness/keyboard.ts';
import { PerfPage } from './pages/perf-page.ts';

const PIPELINE = ['pipeline_prepare', 'image_tiny', 'pipeline_best', 'pipeline'];
const TENSORS =
  'input { name: "a" data_type: TYPE_FP32 dims: [ 4 ] }\noutput { name: "b" data_type: TYPE_FP32 dims: [ 4 ] }\n';

function world(): Promise<TempRepository> {
  return TempRepository.create({
    ...Object.assign({}, ...[...PIPELINE, 'broken_dims'].map((name) => sampleFiles(name, `served/${name}`))),
    'served/two/config.pbtxt':
      'backend: "onnxruntime"\nmax_batch_size: 4\nversion_policy { all {} }\ninstance_group [ { kind: KIND_GPU } ]\n',
    'served/two/1/model.onnx': classifierOnnx(),
    'served/two/2/model.onnx': retrainedOnnx(3),
    'served/torchy/config.pbtxt': `backend: "pytorch"\nmax_batch_size: 4\n${TENSORS}`,
    'served/torchy/1/model.pt': 'no model',
    'served/strange/config.pbtxt': `backend: "no_such"\n${TENSORS}`,
    'served/strange/1/model.bin': 'no model',
    'dropped/net.onnx': classifierOnnx(),
    'dropped/net.plan': 'a plan',
    'dropped/lonely/config.pbtxt': 'name: "lonely"\nbackend: "onnxruntime"\n',
    'dropped/one/config.pbtxt': 'platform: "onnxruntime_onnx"\n',
    'dropped/one/1/model.onnx': classifierOnnx(),
  });
}

// On a busy machine every step takes as long as it does.
test.setTimeout(240_000);

test.beforeEach(() => {
  test.skip(
    test.info().project.name === 'electron',
    'its window has a least size, and dialogs of the system',
  );
});

test('the dialogs of a model by keys, at twice the size', async ({ launch }) => {
  await using folder = await world();
  const app = await launch({ args: [`--model-repository=${folder.at('served')}`] });
  const keys = new Keys(app);
  const { page } = app;
  await page.setViewportSize(TWICE_THE_SIZE);
  await keys.frame.expectState('pipeline', 'ready');

  await keys.model('broken_dims');
  await keys.walk('explain-dialog', keys.get('failure-explain-broken_dims'), {
    name: 'Shape of INPUT does not fit the model',
    first: keys.inDialog('explain-dialog', 'Close'),
  });
  await keys.model('strange');
  await keys.walk('limits-dialog', keys.get('banner-not-runnable-details'), {
    name: 'Why strange cannot run here',
    first: keys.inDialog('limits-dialog', 'Show in config'),
  });
  await keys.model('two');
  await keys.walk('limits-dialog', keys.get('banner-degraded-details'), {
    name: 'Why two runs on the CPU',
    first: keys.inDialog('limits-dialog', 'GPU and libraries'),
  });
  await keys.model('two', 'versions');
  await keys.walk('compare-dialog', keys.get('versions-compare'), {
    name: 'Compare versions of two',
    first: keys.get('compare-a'),
  });

  await keys.model('two', 'config');
  const menu = keys.get('config-menu');
  await keys.press(menu);
  await expect(keys.get('menu-config-fill')).toBeFocused();
  await page.keyboard.press('Enter');
  await keys.walkOpen({
    testId: 'fill-dialog',
    name: 'Write completed fields into config.pbtxt',
    first: keys.get('fill-dialog').getByRole('checkbox').first(),
    opener: menu,
  });
  const file = keys.get('config-file');
  await keys.press(file);
  await expect(page.getByRole('option', { name: 'config.pbtxt', exact: true })).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await keys.walkOpen({
    testId: 'profile-dialog',
    name: 'New profile of two',
    first: keys.get('profile-name'),
    opener: file,
  });

  await keys.model('torchy');
  const more = keys.get('model-menu');
  await keys.press(more);
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  // The first letters of an entry find it.
  await page.keyboard.type('convert');
  await page.keyboard.press('Enter');
  await keys.walkOpen({
    testId: 'convert-dialog',
    name: 'Convert torchy to ONNX',
    first: keys.get('convert-name'),
    opener: more,
  });

  await keys.model('pipeline', 'playground');
  await keys.walk('pg-save-dialog', keys.get('pg-save'), {
    name: 'Save request',
    first: keys.get('pg-save-name'),
  });
  await keys.walk('camera-dialog', keys.get('pg-camera-RAW'), {
    name: 'Camera',
    first: keys.get('camera-take'),
  });

  await keys.model('pipeline', 'graph');
  await keys.walk('graph-add-step-dialog', keys.get('graph-add-step'), {
    name: 'Add a step',
    first: keys.get('graph-add-step-model'),
  });
  await keys.press(keys.get('graph-canvas'), 'ArrowRight');
  const rename = page.locator('[data-testid^="graph-rename-"]').first();
  await keys.press(rename);
  await keys.walkOpen({
    testId: 'graph-rename-dialog',
    name: /^Rename /,
    first: keys.get('graph-rename-name'),
    opener: rename,
  });
  // The old name is replaced by what is typed, and Enter does it.
  await keys.press(rename);
  await expect(keys.get('graph-rename-name')).toBeFocused();
  await page.keyboard.type('renamed');
  await page.keyboard.press('Enter');
  await expect(keys.get('graph-dirty')).toHaveAttribute('data-dirty', 'true');
});

test('the dialogs of an import and of the server by keys, at twice the size', async ({ launch }) => {
  await using folder = await world();
  const app = await launch({
    args: [`--model-repository=${folder.at('served')}`, `--ui-root=${folder.path}`],
  });
  const keys = new Keys(app);
  const { page } = app;
  await page.setViewportSize(TWICE_THE_SIZE);
  await keys.frame.expectState('two', 'degraded');

  let opener = await keys.bringIn(folder.at('dropped/net.onnx'));
  await keys.walkOpen({
    testId: 'wizard-dialog',
    name: 'Import net.onnx',
    first: keys.get('wizard-name'),
    opener,
  });
  opener = await keys.bringIn(folder.at('dropped/net.plan'));
  await keys.walkOpen({
    testId: 'framework-dialog',
    name: 'Import net.plan',
    first: keys.get('framework-dialog').getByRole('button').or(keys.get('framework-name')).first(),
    opener,
  });
  opener = await keys.bringIn(folder.at('dropped/lonely/config.pbtxt'));
  await keys.walkOpen({
    testId: 'scratch-dialog',
    name: 'A configuration without a model',
    first: keys.get('scratch-text'),
    opener,
  });
  await command(page, 'New ensemble');
  await keys.walkOpen({
    testId: 'ensemble-dialog',
    name: 'New ensemble',
    first: keys.get('ensemble-model'),
    opener,
  });
  await page.keyboard.press('?');
  await keys.walkOpen({
    testId: 'shortcut-sheet',
    name: 'Keyboard shortcuts',
    first: keys.get('shortcut-sheet').getByRole('button').first(),
    opener,
  });

  await test.step('what was typed is asked about before it goes', async () => {
    await keys.press(keys.get('rail-server'));
    const importing = keys.get('import-command');
    const facts: DialogFacts = {
      testId: 'import-command-dialog',
      name: 'Import from a command line',
      first: keys.get('import-command-text'),
      opener: importing,
    };
    await keys.press(importing);
    await keys.walkOpen(facts);
    await keys.press(importing);
    await expect(facts.first).toBeFocused();
    await page.keyboard.type('tritonserver --http-port=9000');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog', { name: 'Close and lose your changes?' })).toBeVisible();
    await expect(keys.get('dialog-stay')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(keys.get('dialog-leave')).toHaveCount(0);
    await expect(facts.first).toHaveValue('tritonserver --http-port=9000');
    await expect(facts.first).toBeFocused();
    await page.keyboard.press('Escape');
    // A Tab before the question has the focus goes on in the dialog below.
    await expect(keys.get('dialog-stay')).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(keys.get('dialog-discard')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(keys.get(facts.testId)).toHaveCount(0);
    await expect(importing).toBeFocused();
  });

  await keys.press(keys.get('rail-settings'));
  await keys.walk('settings-file-dialog', keys.get('settings-open-file'), {
    name: 'All settings are in one file',
    first: keys.get('settings-file-text'),
  });

  await page.setViewportSize({ width: 1360, height: 860 });
  const perf = new PerfPage(page);
  await perf.open('two');
  await perf.planRequests('1', 5);
  await perf.run('short');
  await page.setViewportSize(TWICE_THE_SIZE);
  await keys.walk('perf-apply-dialog', keys.get('perf-apply'), {
    name: /two/,
    first: keys.get('perf-apply-dialog').locator('[tabindex="0"], button').first(),
  });
  await keys.press(keys.get('perf-tab-history'));
  const note = page.locator('[data-testid^="perf-note-"]').first();
  const name = keys.get('perf-note-dialog').getByRole('textbox').first();
  await keys.press(note);
  await keys.walkOpen({ testId: 'perf-note-dialog', name: 'Name and note', first: name, opener: note });
  await keys.press(note);
  await expect(name).toBeFocused();
  await page.keyboard.type('longer');
  await page.keyboard.press('Enter');
  await expect(keys.get('perf-history-table')).toContainText('longer');

  await test.step('a port that is taken', async () => {
    const port = Number(new URL(await app.httpAddress()).port);
    await command(page, 'Stop server');
    await expect(keys.frame.statusServer).not.toContainText('Serving');
    const holder = createServer().listen(port, '127.0.0.1');
    await command(page, 'Start server');
    await expectDialog(page, {
      testId: 'port-conflict',
      name: new RegExp(String(port)),
      first: keys.get('port-later'),
      opener: page.locator('body'),
    });
    await page.keyboard.press('Escape');
    await expect(keys.get('port-conflict')).toHaveCount(0);
    holder.close();
  });
});

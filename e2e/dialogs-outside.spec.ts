// Dialogs about what comes from outside the window and goes there, by keys alone: what is brought in, what a client sent,
// what is handed over, and where everything is found; in the window that the tests have, and at twice the size.

import { expect, test } from './harness/app-test.ts';
import { TWICE_THE_SIZE } from './harness/dialog-check.ts';
import { Keys } from './harness/dialog-keys.ts';
import { classifierOnnx, sampleFiles, TempRepository } from './harness/fixture-models.ts';
import { command } from './harness/keyboard.ts';

// On a busy machine every step takes as long as it does.
test.setTimeout(240_000);

test.beforeEach(() => {
  test.skip(
    test.info().project.name === 'electron',
    'its window has a least size, and dialogs of the system',
  );
});

for (const viewport of [{ width: 1360, height: 860 }, TWICE_THE_SIZE]) {
  test(`the dialogs of what comes and goes by keys, at ${viewport.width} px`, async ({ launch }) => {
    await using folder = await TempRepository.create({
      ...sampleFiles('batch_mlp', 'served/batch_mlp'),
      'dropped/net.onnx': classifierOnnx(),
    });
    const app = await launch({
      args: [`--model-repository=${folder.at('served')}`, `--ui-root=${folder.path}`],
    });
    const keys = new Keys(app);
    const { page } = app;
    await page.setViewportSize(viewport);
    await keys.frame.expectState('batch_mlp', 'ready');
    // What is first is the dialog's to choose, but it is one of its controls.
    const first = (testId: string) => keys.get(testId).locator(':focus');

    await keys.press(keys.get('models-add'), 'F1');
    await keys.walkOpen({
      testId: 'palette',
      name: 'Command palette',
      first: keys.get('palette').getByRole('combobox'),
      opener: keys.get('models-add'),
    });
    await keys.press(keys.get('models-add'), 'ControlOrMeta+Shift+O');
    await keys.walkOpen({
      testId: 'path-picker',
      name: /./,
      first: first('path-picker'),
      opener: keys.get('models-add'),
    });
    await command(page, 'Inspect file');
    const opener = await keys.takeFile(folder.at('dropped/net.onnx'), keys.get('models-add'));
    await keys.walkOpen({
      testId: 'inspect-dialog',
      name: /^Inspect net/,
      first: first('inspect-dialog'),
      opener,
    });

    await keys.press(keys.get('rail-server'));
    await keys.walk('handover-dialog', keys.get('hand-over'), {
      name: 'Hand over',
      first: first('handover-dialog'),
    });

    await test.step('what a client sent', async () => {
      await command(page, 'Capture requests: start or stop');
      const data = Array.from({ length: 64 }, () => 0.5);
      const inputs = [{ name: 'FEATURES', datatype: 'FP32', shape: [1, 64], data }];
      const answer = await fetch(`${await app.httpAddress()}/v2/models/batch_mlp/infer`, {
        method: 'POST',
        body: JSON.stringify({ inputs }),
      });
      expect(answer.status).toBe(200);
      await keys.press(keys.get('status-problems'));
      await keys.press(keys.get('bottom-requests'));
      const list = keys.get('requests-view').getByRole('radio', { name: 'Captured requests' });
      await keys.press(list, 'Space');
      const row = page.locator('[data-testid^="captured-"][role="row"]').first();
      await keys.walk('captured-dialog', row, { name: /batch_mlp/, first: first('captured-dialog') });
    });
  });
}

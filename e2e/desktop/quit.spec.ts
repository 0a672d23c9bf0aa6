// How the desktop app ends: with text that is not saved, with an engine that hangs, when the session ends, and when it is
// to go on serving without a window.

import { readFile, writeFile } from 'node:fs/promises';

import { expect, test } from '../harness/app-test.ts';
import { answerQuestions, ended, questionsOf, quit } from '../harness/electron-app.ts';
import { sampleFiles, TempRepository } from '../harness/fixture-models.ts';
import type { LaunchedApp } from '../harness/launch-app.ts';
import { AppPage } from '../pages/app-page.ts';

async function typeIntoConfig({ page }: LaunchedApp): Promise<void> {
  await new AppPage(page).openModel('simple');
  await page.getByTestId('model-tab-config').click();
  await page.getByTestId('config-editor').locator('.view-lines').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('# not saved');
  await expect(page.getByTestId('config-dirty')).toHaveAttribute('data-dirty', 'true');
}

function windowCount(app: LaunchedApp): Promise<number> {
  return app.electron!.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
}

test('unsaved text is asked for: the window stays, or the app ends at once', async ({ launch }) => {
  const app = await launch({ samples: ['simple'] });
  await typeIntoConfig(app);
  await answerQuestions(app.electron!, 'Keep the window open');
  await app.electron!.evaluate(({ app: main }) => main.quit());
  await expect
    .poll(() => questionsOf(app.electron!))
    .toEqual([
      expect.objectContaining({
        message: 'There are changes that are not saved.',
        closed: 'Keep the window open',
      }),
    ]);
  await expect(app.page.getByTestId('config-dirty')).toHaveAttribute('data-dirty', 'true');
  expect(await windowCount(app)).toBe(1);
  expect(await quit(app.electron!)).toBe(0);
});

test('an engine that hangs is ended some time after its exit timeout', async ({ launch }) => {
  const app = await launch({ args: ['--exit-timeout-secs=1'], samples: ['simple'] });
  await expect(new AppPage(app.page).modelState('simple')).toHaveAttribute('data-state', 'ready');
  process.kill(await app.enginePid(), 'SIGSTOP');
  await quit(app.electron!);
  expect(app.output()).toContain('the engine did not end within 6 s; ending it by force');
});

/** Waits two seconds for more requests before it runs one. */
async function slowModel(): Promise<TempRepository> {
  const repository = await TempRepository.create(sampleFiles('batch_mlp', 'slow'));
  const file = repository.at('slow', 'config.pbtxt');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/dynamic_batching \{[^}]*\}/, SLOW_BATCHING));
  return repository;
}
const SLOW_BATCHING = 'dynamic_batching { max_queue_delay_microseconds: 2000000 }';

test('a request that is under way when the app quits is answered', async ({ launch }) => {
  await using repository = await slowModel();
  const app = await launch({ args: [`--model-repository=${repository.path}`] });
  await expect(new AppPage(app.page).modelState('slow')).toHaveAttribute('data-state', 'ready');
  const tensor = { name: 'FEATURES', datatype: 'FP32', shape: [1, 64], data: Array(64).fill(0.5) };
  const answer = fetch(`${await app.httpAddress()}/v2/models/slow/infer`, {
    method: 'POST',
    body: JSON.stringify({ inputs: [tensor] }),
  });
  await expect(app.page.getByTestId('status-inflight')).toContainText('1');
  expect(await quit(app.electron!)).toBe(0);
  expect((await answer).status).toBe(200);
});

test('a terminal that interrupts all its processes ends the app as quitting does', async ({ launch }) => {
  await using repository = await slowModel();
  const app = await launch({ args: [`--model-repository=${repository.path}`] });
  await expect(new AppPage(app.page).modelState('slow')).toHaveAttribute('data-state', 'ready');
  const tensor = { name: 'FEATURES', datatype: 'FP32', shape: [1, 64], data: Array(64).fill(0.5) };
  const answer = fetch(`${await app.httpAddress()}/v2/models/slow/infer`, {
    method: 'POST',
    body: JSON.stringify({ inputs: [tensor] }),
  });
  await expect(app.page.getByTestId('status-inflight')).toContainText('1');
  const code = ended(app.electron!);
  process.kill(await app.enginePid(), 'SIGINT');
  process.kill(app.pid, 'SIGINT');
  expect(await code, app.output()).toBe(0);
  expect((await answer).status).toBe(200);
});

/**
 * Wants the server to go on without a window, and waits until the main process knows: it reads all settings after each
 * change, and takes the icon out of the tray with the later one of two.
 */
async function keepServing({ page, electron }: LaunchedApp): Promise<void> {
  await electron!.evaluate(({ Tray }) => {
    const { destroy } = Tray.prototype;
    Tray.prototype.destroy = function destroyed(this: Electron.Tray) {
      Object.assign(globalThis, { isTrayGone: true });
      destroy.call(this);
    };
  });
  await page.getByTestId('rail-settings').click();
  await page.getByRole('switch', { name: 'Keep serving when the window closes' }).click();
  await page.getByRole('switch', { name: 'Icon in the tray' }).click();
  await expect
    .poll(() => electron!.evaluate(() => Reflect.get(globalThis, 'isTrayGone') === true))
    .toBe(true);
}

test('it goes on serving without a window where the user wants that, and shows one again', async ({
  launch,
}) => {
  const app = await launch({ samples: ['simple'] });
  const address = await app.httpAddress();
  await keepServing(app);
  await app.electron!.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await expect.poll(() => windowCount(app)).toBe(0);
  expect((await fetch(`${address}/v2/health/live`)).status).toBe(200);
  await app.electron!.evaluate(({ app: main }) => main.emit('activate'));
  await expect.poll(() => windowCount(app)).toBe(1);
  expect(await quit(app.electron!)).toBe(0);
});

test('it ends well while a window still loads its page', async ({ launch }) => {
  const app = await launch({ samples: ['simple'] });
  await keepServing(app);
  await app.electron!.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await expect.poll(() => windowCount(app)).toBe(0);
  const code = ended(app.electron!);
  await app.electron!.evaluate(({ app: main }) => {
    main.emit('activate');
    main.quit();
  });
  expect(await code, app.output()).toBe(0);
});

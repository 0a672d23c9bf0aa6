// How the desktop app starts: what is in front, what comes back of the last time, what a second start does, and what is
// said when it cannot start.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from '../harness/app-test.ts';
import { quit, SANDBOX_FLAGS } from '../harness/electron-app.ts';
import { sampleFiles, TempRepository } from '../harness/fixture-models.ts';
import type { LaunchedApp } from '../harness/launch-app.ts';
import { isolatedArguments } from '../harness/serve-app.ts';
import { AppPage } from '../pages/app-page.ts';
import { ImportPage } from '../pages/import-page.ts';

const root = path.resolve(import.meta.dirname, '../..');
const PLACE = { x: 140, y: 60, width: 1100, height: 720 };

/** Text for the page: its title tells whether the Welcome page was there for a moment. */
const WATCH_FOR_WELCOME = `
  new MutationObserver(() => {
    if (document.querySelector('[data-testid="first-run"]') !== null) document.title = 'welcome';
  }).observe(document.body, { childList: true, subtree: true });
`;

test('a repository that is being opened is shown, never the Welcome page', async ({ launch }) => {
  await using folder = await TempRepository.create({ 'models/': '' });
  const app = await launch({ args: [`--model-repository=${folder.at('models')}`] });
  await app.page.evaluate(WATCH_FOR_WELCOME);
  await expect(app.page.getByTestId('models-empty')).toBeVisible();
  await expect(app.page.getByTestId('first-run')).toHaveCount(0);
  expect(await app.page.title()).not.toBe('welcome');
});

function bounds(app: LaunchedApp): Promise<unknown> {
  return app.electron!.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());
}

async function sizeOf(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true });
  const facts = await Promise.all(files.map((file) => stat(path.join(folder, file))));
  return facts.reduce((sum, { size }) => sum + size, 0);
}

test('size and place of the window, what was changed in the last moment and its compiled script come back', async ({
  launch,
  userDataPath,
}) => {
  const first = await launch({ userDataPath, samples: ['simple'] });
  await expect(new AppPage(first.page).modelState('simple')).toHaveAttribute('data-state', 'ready');
  await first.electron!.evaluate(({ BrowserWindow }, place) => {
    BrowserWindow.getAllWindows()[0]?.setBounds(place);
  }, PLACE);
  await expect.poll(() => bounds(first)).toEqual(PLACE);
  await first.page.keyboard.press('ControlOrMeta+j');
  await expect(first.page.getByTestId('bottom-panel')).toBeVisible();
  expect(await quit(first.electron!)).toBe(0);

  const second = await launch({ userDataPath });
  await expect(second.page.getByTestId('bottom-panel')).toBeVisible();
  expect(await bounds(second)).toEqual(PLACE);
  // Chromium keeps the compiled script of a page that comes a second time, if its scheme allows that.
  const kept = path.join(userDataPath, 'browser', 'Code Cache', 'js');
  await expect.poll(() => sizeOf(kept)).toBeGreaterThan(100_000);
});

test('a window that was on a larger screen fits this one, all of it', async ({ launch, userDataPath }) => {
  const larger = { x: 100, y: 50, width: 9000, height: 5000, isMaximized: false };
  await writeFile(path.join(userDataPath, 'window.json'), JSON.stringify(larger));
  const app = await launch({ userDataPath, samples: ['simple'] });
  const screen = await app.electron!.evaluate(({ screen: known }) => known.getPrimaryDisplay().workArea);
  const size = async (): Promise<readonly number[]> => {
    const { width, height } = (await bounds(app)) as Electron.Rectangle;
    return [screen.width - width, screen.height - height];
  };
  // X11 is given a pixel less than the whole screen, which would mean full screen.
  await expect.poll(async () => (await size()).every((less) => less === 0 || less === 1)).toBe(true);
  await expect(app.page.locator('[data-region="status"]')).toBeInViewport({ ratio: 1 });
});

test('a second start opens its files in the first, and says which options it could not take', async ({
  launch,
  userDataPath,
}) => {
  await using folder = await TempRepository.create(sampleFiles('simple', 'more/again'));
  const app = await launch({ userDataPath, args: ['--no-repository'] });
  await expect(app.page.getByTestId('first-run')).toBeVisible();
  await app.electron!.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
  const program = await app.electron!.evaluate(() => process.execPath);
  const args = [...SANDBOX_FLAGS, root, `--user-data=${userDataPath}`, '--http-port=7', folder.at('more')];
  const second = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  second.stderr.on('data', (data: Buffer) => (said += data.toString()));
  await once(second, 'exit');
  expect([second.exitCode, said]).toEqual([0, expect.stringContaining('already running')]);
  await expect(new ImportPage(app).repositoryDialog).toContainText('again');
  await app.page.getByTestId('repository-add').click();
  await new AppPage(app.page).expectState('again', 'ready');
  const isMinimized = await app.electron!.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.isMinimized(),
  );
  expect(isMinimized).toBe(false);
});

/** The app as a child, for starts that end before there is a window. */
async function startBare(
  userDataPath: string,
  options: readonly string[],
): Promise<{ readonly said: () => string; readonly stop: () => Promise<number | null> }> {
  const args = [...SANDBOX_FLAGS, root, ...isolatedArguments(userDataPath, options)];
  const child = spawn(process.env['CONCH_ELECTRON'] ?? '', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (text += data.toString()));
  return {
    said: () => text,
    stop: async () => {
      if (child.exitCode !== null) return child.exitCode;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      return child.exitCode;
    },
  };
}

test('a wrong option is named, and the box that says so does not keep the app from ending', async ({
  userDataPath,
}) => {
  test.skip(test.info().project.name !== 'electron' || (process.env['CONCH_ELECTRON'] ?? '') === '');
  const app = await startBare(userDataPath, ['--http-prt=1']);
  await expect.poll(() => app.said()).toContain("unrecognized option '--http-prt=1'");
  expect(app.said()).toContain("Did you mean '--http-port'?");
  expect(await app.stop()).toBe(1);
});

test('a folder for user data that cannot be written is named, not taken for one in use', async ({
  userDataPath,
}) => {
  test.skip(test.info().project.name !== 'electron' || (process.env['CONCH_ELECTRON'] ?? '') === '');
  const file = path.join(userDataPath, 'file');
  await writeFile(file, '');
  const app = await startBare(path.join(file, 'conch'), []);
  await expect.poll(() => app.said()).toContain('where Conch keeps its own files, cannot be written');
  expect(app.said()).not.toContain('already running');
  await app.stop();
});

test('a shell without a display is told the options', async ({ userDataPath }) => {
  test.skip(test.info().project.name !== 'electron' || (process.env['CONCH_ELECTRON'] ?? '') === '');
  const args = [...SANDBOX_FLAGS, root, ...isolatedArguments(userDataPath, ['--help'])];
  const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...env } = process.env;
  const child = spawn(process.env['CONCH_ELECTRON'] ?? '', args, {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  child.stdout.on('data', (data: Buffer) => (text += data.toString()));
  await once(child, 'close');
  expect(text).toMatch(/^Usage: conch /);
  expect(text).toContain('--model-repository');
  expect(child.exitCode).toBe(0);
});

test('switches of Chromium and GTK are let through, and a start without a window serves', async ({
  userDataPath,
}) => {
  test.skip(test.info().project.name !== 'electron' || (process.env['CONCH_ELECTRON'] ?? '') === '');
  const app = await startBare(userDataPath, ['--hidden', '--gtk-version=3', '--force-color-profile=srgb']);
  await expect.poll(() => app.said()).toContain("successfully loaded 'pipeline'");
  expect(await app.stop()).toBe(0);
});

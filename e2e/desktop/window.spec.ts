// The window of the desktop app as the system sees it: its page crashes, hangs, is asked to leave; its menu; what a page
// may not do.

import type { ElectronApplication } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from '../harness/app-test.ts';
import { answerQuestions, questionsOf } from '../harness/electron-app.ts';
import { AppPage } from '../pages/app-page.ts';

/** Labels of the application menu, two levels, "" for separators. */
function menuLabels(app: ElectronApplication): Promise<readonly (readonly [string, readonly string[]])[]> {
  return app.evaluate(({ Menu }) =>
    (Menu.getApplicationMenu()?.items ?? []).map(
      ({ label, submenu }) => [label, (submenu?.items ?? []).map((item) => item.label)] as const,
    ),
  );
}

/** Chooses an item of the application menu as a click does. */
function choose(app: ElectronApplication, menu: string, item: string): Promise<void> {
  return app.evaluate(
    ({ Menu, BrowserWindow }, [menuLabel, itemLabel]) => {
      const items = Menu.getApplicationMenu()?.items ?? [];
      const found = items
        .find(({ label }) => label === menuLabel)
        ?.submenu?.items.find(({ label }) => label === itemLabel);
      if (found === undefined) throw new Error(`the menu has no ${menuLabel} > ${itemLabel}`);
      found.click(undefined, BrowserWindow.getAllWindows()[0], undefined);
    },
    [menu, item] as const,
  );
}

test('a page that crashed is said, and comes back on reload', async ({ launch }) => {
  const app = await launch({ samples: ['simple'] });
  const shell = app.electron!;
  await expect(new AppPage(app.page).modelState('simple')).toHaveAttribute('data-state', 'ready');
  await answerQuestions(shell, 'Reload');
  await shell.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
  );
  await expect
    .poll(() => questionsOf(shell))
    .toEqual([
      expect.objectContaining({
        message: 'The window stopped working.',
        buttons: ['Reload', 'Close window'],
      }),
    ]);
  // A page that is only just coming may never answer.
  const models = (): Promise<unknown> =>
    shell.evaluate(({ BrowserWindow }) =>
      Promise.race([
        BrowserWindow.getAllWindows()[0]
          ?.webContents.executeJavaScript(
            `document.querySelector('[data-testid="model-state-simple"]')?.dataset.state`,
          )
          .catch(() => undefined),
        new Promise((resolve) => setTimeout(resolve, 1000)),
      ]),
    );
  await expect.poll(models).toBe('ready');
});

test('the menu stops and starts the server, and follows it', async ({ launch }) => {
  const app = await launch({ samples: ['simple'] });
  const shell = app.electron!;
  await expect(new AppPage(app.page).modelState('simple')).toHaveAttribute('data-state', 'ready');
  expect((await menuLabels(shell)).map(([label]) => label)).toEqual([
    '&File',
    '&Edit',
    '&View',
    '&Server',
    '&Window',
    'Help',
  ]);
  const recent = (): Promise<unknown> =>
    shell.evaluate(({ Menu }) =>
      Menu.getApplicationMenu()
        ?.getMenuItemById('recent')
        ?.submenu?.items.map(({ label }) => label),
    );
  await expect.poll(recent).toContainEqual(expect.stringContaining('samples'));
  await choose(shell, '&Server', 'Stop');
  await expect(app.page.getByRole('switch', { name: 'Server' })).not.toBeChecked();
  await choose(shell, '&Server', 'Start');
  await expect(app.page.getByRole('switch', { name: 'Server' })).toBeChecked();
});

test('a right click in a text field shows what can be done with text, also by the mouse alone', async ({
  launch,
}) => {
  const app = await launch({ samples: ['simple'] });
  const shell = app.electron!;
  await expect(new AppPage(app.page).modelState('simple')).toHaveAttribute('data-state', 'ready');
  await shell.evaluate(async ({ Menu, BrowserWindow, clipboard }) => {
    await clipboard.writeText('pasted');
    // The menu of the system takes no clicks of a test: the item that it would choose is chosen.
    Menu.prototype.popup = function shown(this: Electron.Menu) {
      Object.assign(globalThis, { menuShown: this.items.map(({ label }) => label) });
      const [window] = BrowserWindow.getAllWindows();
      this.items.find(({ label }) => label === 'Paste')?.click(undefined, window, window?.webContents);
    };
  });
  const filter = app.page.getByRole('textbox', { name: 'Filter models' });
  await filter.click({ button: 'right' });
  const shown = (): Promise<unknown> => shell.evaluate(() => Reflect.get(globalThis, 'menuShown') as unknown);
  await expect
    .poll(shown)
    .toEqual(
      ['Undo', 'Redo', '', 'Cut', 'Copy', 'Paste', '', 'Select all'].map((each) => each || expect.anything()),
    );
  await expect(filter).toHaveValue('pasted');
});

test('a page of another address is refused, by navigation, frame and new window', async ({ launch }) => {
  // In an app of its own: a refused navigation stays pending, and later tests would wait for it.
  const app = await launch({ samples: ['simple'] });
  const before = app.page.url();
  const shell = app.electron!;
  await shell.evaluate(({ shell: system }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { openedOutside: opened });
    system.openExternal = (url) => {
      opened.push(url);
      return Promise.resolve();
    };
  });
  await app.page.evaluate(`location.href = 'http://127.0.0.1:9/'`);
  await app.page.evaluate(`void open('http://127.0.0.1:9/outside')`);
  await expect
    .poll(() => shell.evaluate(() => (globalThis as unknown as { openedOutside: string[] }).openedOutside))
    .toEqual(['http://127.0.0.1:9/outside']);
  expect(app.page.url()).toBe(before);
  expect(await shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});

test('an error of a shell call reaches the page with its code', async ({ app }) => {
  const answer = await app.page.evaluate(() =>
    (
      globalThis as unknown as { conchShell: { call(name: string, args: unknown): Promise<unknown> } }
    ).conchShell.call('shell/reveal', { path: '/nowhere/at/all' }),
  );
  expect(answer).toEqual({
    error: expect.objectContaining({
      code: 'NOT_FOUND',
      message: expect.stringContaining('is no longer there'),
    }),
  });
});

test('an output that is dragged out of the window is a file', async ({ launch }) => {
  // An app of its own: after a navigation that was refused, clicks wait for it to end.
  const app = await launch({ samples: ['simple'] });
  const shell = app.electron!;
  const { page } = app;
  await new AppPage(page).openModel('simple');
  await page.getByTestId('model-tab-playground').click();
  await page.getByTestId('pg-send').click();
  const name = page.getByTestId('pg-output-name-OUTPUT0');
  await expect(name).toHaveAttribute('draggable', 'true');
  await shell.evaluate(({ BrowserWindow }) => {
    const dragged: string[] = [];
    Object.assign(globalThis, { draggedOut: dragged });
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    if (contents !== undefined) contents.startDrag = ({ file }) => void dragged.push(file);
  });
  await name.dispatchEvent('dragstart');
  const files = (): Promise<string[]> =>
    shell.evaluate(() => (globalThis as unknown as { draggedOut: string[] }).draggedOut);
  await expect.poll(files).toHaveLength(1);
  const [file = ''] = await files();
  expect(file.endsWith('OUTPUT0.npy')).toBe(true);
  // It goes with the data of the user, and so with the test.
  expect(path.relative(app.userDataPath, file)).toMatch(/^dragged/);
  expect((await readFile(file)).subarray(1, 6).toString('latin1')).toBe('NUMPY');
});

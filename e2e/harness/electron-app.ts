// Opens the desktop app: window and engine are those of a real Electron. What only the main process can do is done there;
// the system's dialogs, which nobody can click here, are answered before they would open.

import type { ElectronApplication, Page } from '@playwright/test';
import { _electron as electron, expect } from '@playwright/test';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';

import { isRunning } from '../../src-main/testing/is-running.ts';
import { keepSamples } from './fixture-models.ts';
import type { LaunchedApp, Launcher, LaunchOptions, SavedFile } from './launch-app.ts';
import { FAKE_DEVICES, followRequests, shownHttpAddress } from './launch-app.ts';
import { isolatedArguments, newUserDataFolder, removeUserDataFolder, sampleFolder } from './serve-app.ts';

const root = path.resolve(import.meta.dirname, '../..');
const SAVED_WITHIN_MS = 30_000;

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** The sandbox needs a user of its own; as root it would refuse to start. */
export const SANDBOX_FLAGS: readonly string[] = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/** The next dialog that asks for files or folders is answered with these paths. */
export async function answerOpenDialog(app: ElectronApplication, paths: readonly string[]): Promise<void> {
  await app.evaluate(({ dialog }, filePaths) => {
    const { showOpenDialog } = dialog;
    dialog.showOpenDialog = (() => {
      dialog.showOpenDialog = showOpenDialog;
      return Promise.resolve({ canceled: false, filePaths });
    }) as typeof dialog.showOpenDialog;
  }, paths as string[]);
}

/** A message box that the app would have shown. */
export interface Question {
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
  /** The button that counts when the box is only closed, as Escape does. */
  readonly closed: string;
}

/** Questions of the app from now on are answered by the button of this name, else by the last one, and recorded. */
export async function answerQuestions(app: ElectronApplication, button: string): Promise<void> {
  await app.evaluate(({ dialog }, name) => {
    const asked: unknown[] = [];
    Object.assign(globalThis, { askedByApp: asked });
    dialog.showMessageBox = ((...args: unknown[]) => {
      const { message, detail, buttons = [], cancelId = 0 } = args.at(-1) as Electron.MessageBoxOptions;
      asked.push({ message, detail, buttons, closed: buttons[cancelId] });
      const response = buttons.includes(name) ? buttons.indexOf(name) : buttons.length - 1;
      // A person takes a moment too: what is answered before the question was asked is another case.
      return new Promise((resolve) => {
        setTimeout(() => resolve({ response, checkboxChecked: false }), 100);
      });
    }) as typeof dialog.showMessageBox;
  }, button);
}

/** Those since `answerQuestions`. */
export function questionsOf(app: ElectronApplication): Promise<readonly Question[]> {
  return app.evaluate(() => (globalThis as unknown as { askedByApp: Question[] }).askedByApp);
}

/** Saves to a file in `folder`, whether the app asks for a name itself or the page offers a download. */
async function savedFile(
  app: ElectronApplication,
  folder: string,
  save: () => Promise<void>,
): Promise<SavedFile> {
  const name = `saved-${Date.now()}`;
  await app.evaluate(
    ({ dialog, session }, file) => {
      const { showSaveDialog } = dialog;
      const done = new Promise<SavedFile>((resolve) => {
        dialog.showSaveDialog = ((...args: unknown[]) => {
          dialog.showSaveDialog = showSaveDialog;
          const { defaultPath = '' } = args.at(-1) as Electron.SaveDialogOptions;
          resolve({ file, name: defaultPath });
          return Promise.resolve({ canceled: false, filePath: file });
        }) as typeof dialog.showSaveDialog;
        session.defaultSession.once('will-download', (_event, item) => {
          item.setSavePath(file);
          item.once('done', () => resolve({ file, name: item.getFilename() }));
        });
      });
      Object.assign(globalThis, { savedByTest: done });
    },
    path.join(folder, name),
  );
  await save();
  await expect
    .poll(async () => (await readdir(folder)).includes(name), { timeout: SAVED_WITHIN_MS })
    .toBe(true);
  return app.evaluate(() => (globalThis as unknown as { savedByTest: Promise<SavedFile> }).savedByTest);
}

async function enginePid(app: ElectronApplication): Promise<number> {
  return app.evaluate(
    ({ app: main }) => main.getAppMetrics().find(({ name }) => name === 'Conch engine')?.pid ?? 0,
  );
}

/** Resolves with the exit code, once the app has ended. */
export async function ended(app: ElectronApplication): Promise<number | null> {
  const child = processes.get(app);
  if (child !== undefined && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child?.exitCode ?? null;
}

/** Ends the app as its user does, who gives unsaved text up. Resolves with the exit code. */
export async function quit(app: ElectronApplication): Promise<number | null> {
  const code = ended(app);
  await noteProcesses(app);
  await answerQuestions(app, 'Discard the changes').catch(() => undefined);
  await app.evaluate(({ app: main }) => main.quit()).catch(() => undefined);
  return code;
}

/** An app that has ended no longer tells its process. */
const processes = new WeakMap<ElectronApplication, ReturnType<ElectronApplication['process']>>();

/** Processes of an app that still ran when it was last asked: Chromium's, and the engine. */
const others = new WeakMap<ElectronApplication, Set<number>>();

/** Notes which processes an app has now; one that has ended keeps what was noted. */
async function noteProcesses(app: ElectronApplication): Promise<void> {
  const pids = await app
    .evaluate(({ app: main }) => main.getAppMetrics().map(({ pid }) => pid))
    .catch(() => []);
  others.set(app, new Set([...(others.get(app) ?? []), ...pids]));
}

/** Resolves when nothing of an app runs any more: those that keep its files write to the last, after the app has ended. */
async function allEnded(app: ElectronApplication): Promise<void> {
  await ended(app);
  await expect
    .poll(() => [...(others.get(app) ?? [])].filter(isRunning), { timeout: SAVED_WITHIN_MS })
    .toEqual([]);
}

async function startElectron(
  executablePath: string,
  userDataPath: string,
  options: LaunchOptions,
): Promise<ElectronApplication> {
  const app = await electron.launch({
    executablePath,
    args: [...SANDBOX_FLAGS, FAKE_DEVICES, root, ...isolatedArguments(userDataPath, options.args)],
    colorScheme: options.colorScheme ?? 'light',
    env: { ...definedEnvironment(), XDG_DATA_HOME: path.join(userDataPath, 'xdg-data'), ...options.env },
  });
  processes.set(app, app.process());
  return app;
}

function launched(
  app: ElectronApplication,
  page: Page,
  userDataPath: string,
  close: () => Promise<void>,
): LaunchedApp {
  const printed: string[] = [];
  const { stdout, stderr } = app.process();
  for (const stream of [stdout, stderr]) stream?.on('data', (data: Buffer) => printed.push(data.toString()));
  return {
    shell: 'electron',
    electron: app,
    page,
    repositoryPath: sampleFolder(userDataPath),
    userDataPath,
    httpAddress: () => shownHttpAddress(page),
    devTools: () => app.context().newCDPSession(page),
    savedFile: (save) => savedFile(app, userDataPath, save),
    copiedText: () => app.evaluate(({ clipboard }) => clipboard.readText()),
    output: () => printed.join(''),
    pid: app.process().pid ?? 0,
    enginePid: () => enginePid(app),
    [Symbol.asyncDispose]: close,
  };
}

/** Each app with a user-data folder of its own, removed at its end unless the test brought one. */
export function electronLauncher(executablePath: string): Launcher {
  return {
    launch: async (options = {}) => {
      await using opened = new AsyncDisposableStack();
      const userDataPath = options.userDataPath ?? (await newUserDataFolder());
      if (options.userDataPath === undefined) opened.defer(() => removeUserDataFolder(userDataPath));
      if (options.samples !== undefined) await keepSamples(sampleFolder(userDataPath), options.samples);
      const app = await startElectron(executablePath, userDataPath, options);
      opened.defer(async () => {
        await quit(app);
        await allEnded(app);
      });
      const page = await app.firstWindow();
      await noteProcesses(app);
      followRequests(page, options);
      const whole = opened.move();
      return launched(app, page, userDataPath, () => whole.disposeAsync());
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

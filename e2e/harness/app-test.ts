// `test` for both shells. `app` is one app with the samples, shared by the tests of a worker: tests leave it as they
// found it. `launch` opens another one, which is closed with the test.

import { test as base } from '@playwright/test';

import type { AppUnderTest, LaunchedApp, Launcher, LaunchOptions } from './launch-app.ts';
import { electronLauncher } from './electron-app.ts';
import { browserLauncher } from './launch-app.ts';
import { newUserDataFolder, removeUserDataFolder } from './serve-app.ts';

export { expect } from '@playwright/test';
export type { AppUnderTest, LaunchedApp, LaunchOptions } from './launch-app.ts';
export { launchBrowser } from './launch-app.ts';

/** Undefined where this machine lacks what the shell needs. */
type MaybeLauncher = Launcher | undefined;
type MaybeApp = LaunchedApp | undefined;

async function openLauncher(project: string): Promise<MaybeLauncher> {
  if (project === 'electron') {
    const executablePath = process.env['CONCH_ELECTRON'] ?? '';
    return executablePath === '' ? undefined : electronLauncher(executablePath);
  }
  return process.env['CONCH_BROWSER'] === '' ? undefined : browserLauncher();
}

interface TestFixtures {
  readonly app: AppUnderTest;
  readonly launch: (options?: LaunchOptions) => Promise<LaunchedApp>;
  /** A folder for the data of apps that a test starts one after the other; removed when all of them have ended. */
  readonly userDataPath: string;
}

interface WorkerFixtures {
  readonly launcher: MaybeLauncher;
  readonly sharedApp: { get(): Promise<MaybeApp> };
}

const missing = (project: string): string =>
  `this machine has no ${project === 'electron' ? 'Electron with a display' : 'browser'}`;

export const test = base.extend<TestFixtures, WorkerFixtures>({
  launcher: [
    async ({ browserName: _browserName }, use, info) => {
      const launcher = await openLauncher(info.project.name);
      await use(launcher);
      await launcher?.[Symbol.asyncDispose]();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  sharedApp: [
    async ({ launcher }, use) => {
      let app: Promise<MaybeApp> | undefined;
      await use({
        get: () => (app ??= launcher?.launch() ?? Promise.resolve(undefined)),
      });
      await (await app)?.[Symbol.asyncDispose]();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  app: async ({ sharedApp }, use, info) => {
    const app = await sharedApp.get();
    if (app === undefined) {
      info.skip(true, missing(info.project.name));
      return;
    }
    // Which tests a worker ran before, and on what screen the last one ended, is never the same.
    await app.page.getByTestId('rail-models').click();
    await use(app);
  },
  userDataPath: async ({ browserName: _browserName }, use) => {
    const folder = await newUserDataFolder();
    await use(folder);
    await removeUserDataFolder(folder);
  },
  // The folder is set up first, so it goes last.
  launch: async ({ userDataPath: _userDataPath, launcher }, use, info) => {
    if (launcher === undefined) {
      info.skip(true, missing(info.project.name));
      return;
    }
    const apps: LaunchedApp[] = [];
    await use(async (options) => {
      const app = await launcher.launch(options);
      apps.push(app);
      return app;
    });
    for (const app of apps.reverse()) await app[Symbol.asyncDispose]();
  },
});

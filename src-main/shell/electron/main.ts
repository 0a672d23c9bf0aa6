// Electron's main process: windows and the engine process, no inference, no sockets. Reads as the list of what the app
// can do; each ability is one set-up function in a file of its own.

import { app } from 'electron';
import path from 'node:path';

import { systemClock } from '../../base/clock.ts';
import { STARTER_GONE_TEXT, watchStarter } from '../hosting/starter-watch.ts';
import { CrashRecord } from '../supervision/crash-record.ts';
import { EngineSupervisor } from '../supervision/engine-supervisor.ts';
import { crashText } from '../supervision/restart-policy.ts';
import { argumentValue, engineArguments, ownArguments } from './app-paths.ts';
import { showFatal } from './dialogs.ts';
import { forkEngine, spawnConch } from './engine-host.ts';
import { setupMenu } from './menu.ts';
import { pageAddress } from './page-address.ts';
import { PortBroker } from './port-broker.ts';
import { registerPageScheme, servePage, setupSecurity } from './security.ts';
import { createShellHandlers, setupShellHandlers } from './shell-handlers.ts';
import { keepsServing, ServingTray } from './tray.ts';
import { WindowState } from './window-state.ts';
import { Windows } from './windows.ts';
import { SHELL_CHANNELS } from '../../../src-shared/contract/shell-channels.ts';

const build = import.meta.dirname;
const iconFile = path.join(app.getAppPath(), 'resources', 'icon.png');

interface App {
  readonly userDataPath: string;
  readonly windows: Windows;
  readonly supervisor: EngineSupervisor;
}

function setupPaths(args: readonly string[]): string {
  const chosen = argumentValue(args, 'user-data');
  if (chosen !== undefined) app.setPath('userData', path.resolve(chosen));
  const userDataPath = app.getPath('userData');
  app.setPath('sessionData', path.join(userDataPath, 'browser'));
  return userDataPath;
}

function setupWindows(userDataPath: string, developmentUrl: string): Windows {
  return new Windows({
    address: pageAddress(developmentUrl),
    developmentUrl,
    preloadFile: path.join(build, '../preload/preload.cjs'),
    iconFile,
    state: new WindowState(userDataPath),
  });
}

async function setupEngine(
  userDataPath: string,
  args: readonly string[],
  windows: Windows,
): Promise<EngineSupervisor> {
  const broker = new PortBroker();
  broker.listen((contents) => windows.isOurs(contents));
  const supervisor = new EngineSupervisor({
    clock: systemClock,
    record: await CrashRecord.open(userDataPath),
    args,
    userDataPath,
    token: '',
    fork: () => {
      const engine = forkEngine(path.join(build, 'electron-engine.js'));
      broker.setEngine(engine);
      return engine;
    },
    spawnChild: (childArgs) => spawnConch(path.join(build, 'conch.js'), childArgs),
    onCrash: (crash, restartInMs) => void process.stderr.write(`${crashText(crash, restartInMs)}\n`),
    onOverdue: (afterSec) =>
      void process.stderr.write(`conch: the engine did not end within ${afterSec} s; ending it by force\n`),
  });
  supervisor.start();
  return supervisor;
}

function setupSingleInstance(windows: Windows): boolean {
  if (!app.requestSingleInstanceLock()) return false;
  app.on('second-instance', () => windows.show());
  return true;
}

function setupLifecycle({ userDataPath, windows, supervisor }: App): void {
  const tray = new ServingTray();
  let isQuitting = false;
  const open = (): void => {
    tray.hide();
    windows.show();
  };
  app.on('activate', open);
  app.on('window-all-closed', () => {
    if (isQuitting) return;
    if (keepsServing(userDataPath)) tray.show({ iconFile, open, quit: () => app.quit() });
    else if (process.platform !== 'darwin') app.quit();
  });
  app.on('before-quit', (event) => {
    event.preventDefault();
    if (isQuitting) return;
    isQuitting = true;
    supervisor.stop();
  });
  watchStarter(systemClock, process.env, () => {
    process.stderr.write(`${STARTER_GONE_TEXT}\n`);
    app.quit();
  });
  void supervisor.ended.then((exitCode) => {
    if (!isQuitting && exitCode !== 0) {
      showFatal('The server process could not start.', 'The reason is in the log above, on the terminal.');
    }
    app.exit(exitCode);
  });
}

async function main(): Promise<void> {
  const developmentUrl = process.env['ELECTRON_RENDERER_URL'] ?? '';
  const { isPackaged } = app;
  const own = ownArguments({ argv: process.argv, isPackaged, appPath: app.getAppPath() });
  const userDataPath = setupPaths(own);
  const windows = setupWindows(userDataPath, developmentUrl);
  if (!setupSingleInstance(windows)) {
    app.quit();
    return;
  }
  registerPageScheme();
  await app.whenReady();
  servePage(path.join(build, '../renderer'));
  setupSecurity(developmentUrl);
  setupShellHandlers(createShellHandlers(windows), (contents) => windows.isOurs(contents));
  setupMenu((command) => windows.current?.webContents.send(SHELL_CHANNELS.command, command));
  const supervisor = await setupEngine(userDataPath, engineArguments(own, isPackaged), windows);
  setupLifecycle({ userDataPath, windows, supervisor });
  windows.show();
}

main().catch((thrown: unknown) => {
  showFatal(
    'Conch could not start.',
    thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
  );
  app.exit(1);
});

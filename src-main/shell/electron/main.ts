// Electron's main process: windows and the engine process, no inference, no sockets. Reads as the list of what the app
// can do; each ability is one set-up function in a file of its own.

import { app, ipcMain, MessageChannelMain, powerMonitor, utilityProcess } from 'electron';
import path from 'node:path';

import { portChannel } from '../../../src-shared/rpc/port-channel.ts';
import { systemClock } from '../../base/clock.ts';
import { addLogSink } from '../../base/log.ts';
import { parseServeOptions } from '../../cli/serve-options.ts';
import { userDataFault, userDataFolder } from '../hosting/user-data.ts';
import { STARTER_GONE_TEXT, watchStarter } from '../hosting/starter-watch.ts';
import { CrashRecord } from '../supervision/crash-record.ts';
import { EngineSupervisor } from '../supervision/engine-supervisor.ts';
import { crashText } from '../supervision/restart-policy.ts';
import { askToEndWork } from './dialogs.ts';
import { setupDownloads } from './downloads.ts';
import type { Fork, HostedEngine } from './engine-host.ts';
import { forkEngine, spawnConch } from './engine-host.ts';
import { EngineLink } from './engine-link.ts';
import { Lifecycle } from './lifecycle.ts';
import type { OwnArguments } from './own-arguments.ts';
import { engineOptions, optionValue, ownArguments } from './own-arguments.ts';
import { developmentAddress, pageAddress } from './page-address.ts';
import { PortBroker } from './port-broker.ts';
import { registerPageScheme, servePage, setupSecurity } from './security.ts';
import { answerShellCalls } from './shell-answers.ts';
import { createShellHandlers } from './shell-handlers.ts';
import type { Handed } from './start-instance.ts';
import { claimInstance, handedOver, tellLateOptions } from './start-instance.ts';
import { showStartFailure, startFaultOf } from './start-failure-box.ts';
import { Surroundings } from './surroundings.ts';
import { terminalAnswer } from './terminal-answers.ts';
import { WindowState } from './window-state.ts';
import { Windows } from './windows.ts';

const APP_ID = 'dev.conch.app';
const build = import.meta.dirname;
const iconFile = path.join(app.getAppPath(), 'resources', 'icon.png');

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function setupPaths(options: readonly string[]): string {
  const userDataPath = userDataFolder(optionValue(options, 'user-data'), process.env);
  app.setPath('userData', userDataPath);
  app.setPath('sessionData', path.join(userDataPath, 'browser'));
  return userDataPath;
}

interface EngineParts {
  readonly userDataPath: string;
  readonly options: readonly string[];
  readonly broker: PortBroker;
  readonly link: EngineLink;
}

interface RunningEngine {
  readonly supervisor: EngineSupervisor;
  /** What the engine said last. */
  lastOutput(): string;
}

async function setupEngine({ userDataPath, options, broker, link }: EngineParts): Promise<RunningEngine> {
  let engine: HostedEngine | undefined;
  const parsed = parseServeOptions(options, process.env);
  const fork: Fork = (...args) => utilityProcess.fork(...args);
  const program = { fork, entry: path.join(build, 'conch.js'), cwd: app.getPath('home') };
  const supervisor = new EngineSupervisor({
    clock: systemClock,
    record: await CrashRecord.open(userDataPath),
    args: options,
    userDataPath,
    token: undefined,
    ...(parsed === 'help' ? {} : { exitTimeoutSec: parsed.engine.server.exitTimeoutSec }),
    fork: () => {
      engine = forkEngine(fork, path.join(build, 'electron-engine.js'));
      broker.setEngine(engine);
      const { port1, port2 } = new MessageChannelMain();
      engine.takePort(port1);
      link.connect(portChannel(port2));
      return engine;
    },
    spawnChild: (childArgs, file) => spawnConch(program, childArgs, file),
    onCrash: (crash, restartInMs) => say(crashText(crash, restartInMs)),
    onOverdue: (afterSec) => say(`conch: the engine did not end within ${afterSec} s; ending it by force`),
  });
  supervisor.start();
  return { supervisor, lastOutput: () => engine?.lastOutput() ?? '' };
}

function setupAbout(): void {
  app.setAboutPanelOptions({
    applicationName: 'Conch',
    applicationVersion: app.getVersion(),
    copyright: 'Apache License 2.0. Not a product of NVIDIA; Triton is a trademark of its owner.',
    iconPath: iconFile,
  });
}

/** Shows the window and opens these there. */
type OpenPaths = (paths: readonly string[], isRecent?: boolean) => void;

interface Desktop {
  readonly userDataPath: string;
  readonly own: OwnArguments;
  readonly windows: Windows;
  readonly openPaths: OpenPaths;
}

async function startDesktop({ userDataPath, own, windows, openPaths }: Desktop): Promise<void> {
  const broker = new PortBroker(() => new MessageChannelMain());
  const link = new EngineLink();
  broker.listen(ipcMain, windows.isOurs);
  windows.listen();
  const openRecent = (repository: string): void => openPaths([repository], true);
  const surroundings = new Surroundings({ windows, link, userDataPath, iconFile, openRecent });
  const handlers = createShellHandlers({ windows, iconFile, onKeys: (keys) => surroundings.setKeys(keys) });
  answerShellCalls(ipcMain, handlers, windows.isOurs);
  const options = engineOptions(own.options, app.isPackaged);
  const { supervisor, lastOutput } = await setupEngine({ userDataPath, options, broker, link });
  const lifecycle = new Lifecycle({
    app,
    powerMonitor,
    windows,
    supervisor,
    longWork: () => surroundings.longWork(systemClock.wallMs()),
    mayEndWork: (work) => askToEndWork(windows.current, work),
    keepsServing: () => link.setting('general.keepServing') === true,
    onFailed: (exitCode) =>
      showStartFailure(windows.current, { exitCode, output: lastOutput() || undefined, userDataPath }),
    onEnd: () => surroundings.close(),
  });
  windows.onStay(() => lifecycle.stay());
  lifecycle.start();
}

async function main(): Promise<void> {
  addLogSink(({ level, room, message }) => say(`conch: ${level} ${room}: ${message}`));
  const { isPackaged } = app;
  const developmentUrl = developmentAddress(isPackaged, process.env);
  const facts = { isPackaged, appPath: app.getAppPath(), workingFolder: process.cwd() };
  const own = ownArguments({ ...facts, argv: process.argv });
  const answer = terminalAnswer(own.options, app.getVersion());
  if (answer !== undefined) {
    process.stdout.write(answer, () => app.exit(0));
    return;
  }
  const userDataPath = setupPaths(own.options);
  app.setAppUserModelId(APP_ID);
  const windows = new Windows({
    address: pageAddress(developmentUrl),
    developmentUrl,
    preloadFile: path.join(build, '../preload/preload.cjs'),
    iconFile,
    state: new WindowState(userDataPath),
  });
  const openPaths: OpenPaths = (paths, isRecent = false) => {
    windows.show();
    if (paths.length > 0) windows.request({ kind: 'open', paths, isRecent });
  };
  const onHanded = ({ paths, options, isHidden }: Handed): void => {
    if (!isHidden) openPaths(paths);
    tellLateOptions(windows.current, options);
  };
  if (!claimInstance(handedOver(own), onHanded)) {
    // The claim is a file, so it also fails where none can be written.
    const fault = userDataFault(userDataPath);
    if (fault !== undefined) {
      await failToStart(fault, userDataPath);
      return;
    }
    say('conch: already running with this user-data folder; what was to be opened is opened there');
    app.exit(0);
    return;
  }
  followOpenedFiles(openPaths);
  registerPageScheme();
  await app.whenReady();
  const fault = startFaultOf(engineOptions(own.options, isPackaged), process.env);
  if (fault !== undefined) {
    await failToStart(fault, userDataPath);
    return;
  }
  servePage(path.join(build, '../renderer'));
  setupSecurity(developmentUrl);
  setupDownloads();
  setupAbout();
  await startDesktop({ userDataPath, own, windows, openPaths });
  watchStarter(systemClock, process.env, () => {
    say(STARTER_GONE_TEXT);
    app.quit();
  });
  if (!own.isHidden) openPaths(own.paths);
}

/** macOS names files of the dock and of "Open with" one by one, the first before the app is ready. */
function followOpenedFiles(openPaths: OpenPaths): void {
  app.on('open-file', (event, file) => {
    event.preventDefault();
    void app.whenReady().then(() => openPaths([file]));
  });
}

/** Says why, and ends with exit code 1, also by a signal while the box is open. */
async function failToStart(reason: string, userDataPath: string): Promise<void> {
  say(reason);
  app.on('will-quit', () => app.exit(1));
  await app.whenReady();
  await showStartFailure(undefined, { exitCode: 1, output: reason, userDataPath });
  app.exit(1);
}

main().catch((thrown: unknown) => {
  const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  void failToStart(text, '');
});

// The app's engine in its process, the same in both shells: settings, options, server, crash reporting, children. Pages
// connect through channels that the shell brings.

import os from 'node:os';
import path from 'node:path';

import { isStorePath } from '../../object-stores/store-path.ts';
import type { Channel } from '../../../src-shared/rpc/channel.ts';
import { systemClock } from '../../base/clock.ts';
import { settledBefore } from '../../base/deadline.ts';
import { getLogger, setLogSwitches } from '../../base/log.ts';
import type { Environment } from '../../options/serve-draft.ts';
import type { ServeOptions } from '../../cli/serve-options.ts';
import type { CloseReport } from '../../engine.ts';
import type { Control } from '../../control/create-control.ts';
import { SettingsStore } from '../../control/settings/settings-store.ts';
import { RotatingLogFile } from '../../logging/rotating-log-file.ts';
import type { FromEngine, ListeningPorts, StartMessage, ToEngine } from '../supervision/engine-messages.ts';
import { ActivityReporter, activeModels } from './activity-reporter.ts';
import { isRepositoryNamed, resolveAppOptions } from './app-options.ts';
import { HostedServer } from './hosted-server.ts';
import { portSettings, portsToKeep } from './choose-ports.ts';
import { ProcessRelay } from './process-relay.ts';
import { writeSwitches } from './repository-switches.ts';
import { rememberRepositories } from './start-work.ts';
import { createWindowControl } from './window-control.ts';
import { WindowServer } from './window-server.ts';
import { WorkReporter } from './work-reporter.ts';

const log = getLogger('app');

const LAST_WRITES_NS = 1e9;

interface Parts {
  readonly settings: SettingsStore;
  readonly options: ServeOptions;
  readonly environment: Environment;
  readonly send: (message: FromEngine) => void;
  readonly userDataPath: string;
  readonly crashes: StartMessage['crashes'];
  /** The page has native dialogs (desktop shell), so it may name any path. */
  readonly hasDialogs: boolean;
}

/**
 * One for each engine process. Settings of the file and options of the command line are joined when it is made,
 * not later.
 */
export class HostedApp {
  readonly options: ServeOptions;
  readonly settings: SettingsStore;
  readonly processes: ProcessRelay;
  readonly server: HostedServer;
  readonly #parts: Parts;
  readonly #portsAtStart: ReturnType<typeof portSettings>;
  readonly #activity: ActivityReporter;
  readonly #work: WorkReporter;
  readonly #logFile: RotatingLogFile;
  readonly #window: WindowServer;
  readonly #control: Control;
  #uiPort: number | undefined;
  #kept = Promise.resolve();

  private constructor(parts: Parts) {
    this.#parts = parts;
    this.options = parts.options;
    this.settings = parts.settings;
    this.#portsAtStart = portSettings(parts.settings);
    this.processes = new ProcessRelay(parts.send);
    this.server = new HostedServer(parts.options, parts.environment, {
      onListening: (ports) => {
        this.#window.listening();
        this.#announce(ports);
      },
      onListenFailed: async (thrown) => {
        await this.#window.failed(thrown);
        this.#announce(this.server.engine.ports);
      },
      onModelUse: (model) => this.#activity.noteUse(model),
      onGpuSession: (model, provider) => parts.send({ type: 'gpu-session', model, provider }),
      printsTables: false,
    });
    this.#logFile = new RotatingLogFile({
      file: path.join(parts.userDataPath, 'logs', 'conch.log'),
      format: () => this.server.logFormat,
    });
    this.#logFile.start();
    this.#activity = new ActivityReporter({
      clock: systemClock,
      events: this.server.engine.events,
      models: () => activeModels(this.server.engine.repository.ready()),
      send: parts.send,
    });
    this.#work = new WorkReporter(this.server.engine.repository, (work) => {
      parts.send({ type: 'work', work });
      this.#remember(work.repositories);
    });
    this.#followQuarantine();
    this.#followSwitches();
    this.#window = new WindowServer({
      engine: this.server.engine,
      serve: parts.options,
      userDataPath: parts.userDataPath,
      logFile: this.#logFile.path,
      uiRoot: this.uiRoot,
      uiPort: () => this.#uiPort,
      crashes: parts.crashes,
      onChange: () => this.#control.serverChanged(),
      onRestart: () => this.#restart(),
    });
    this.#control = createWindowControl({
      app: this,
      window: this.#window,
      userDataPath: parts.userDataPath,
      hasDialogs: parts.hasDialogs,
    });
  }

  /** Serves one page until its channel closes. */
  attach(channel: Channel): void {
    this.#control.attach(channel);
  }

  /** Reads settings and builds the engine; nothing is loaded yet. */
  static async create(
    start: StartMessage,
    environment: Environment,
    send: (message: FromEngine) => void,
  ): Promise<HostedApp> {
    const settings = new SettingsStore(start.userDataPath);
    await settings.load();
    const options = await resolveAppOptions(start, environment, settings);
    const { userDataPath, crashes, token } = start;
    return new HostedApp({
      settings,
      options,
      environment,
      send,
      userDataPath,
      crashes,
      hasDialogs: token === undefined,
    });
  }

  /**
   * Folder below which a page may pick paths: as told, else around the first local repository that the command line
   * names, else the home folder.
   */
  get uiRoot(): string {
    const { uiRoot } = this.options.shell;
    if (uiRoot !== undefined) return path.resolve(uiRoot);
    const first = this.options.engine.repository.paths.find((root) => !isStorePath(root));
    return first !== undefined && this.#isNamed ? path.dirname(path.resolve(first)) : os.homedir();
  }

  /** The port that the shell opened for pages, before `start`. */
  setUiPort(port: number): void {
    this.#uiPort = port;
  }

  /** A message of the process above; those about children are all that count here. */
  receive(message: ToEngine): void {
    this.processes.receive(message);
  }

  /** Opens the listeners, then loads the start set. */
  async start(): Promise<void> {
    await this.#control.start();
    if (this.options.engine.server.listen === 'on-request') {
      this.#window.waits();
      this.#announce(this.server.engine.ports);
    }
    await this.server.start();
    this.#work.start();
  }

  /** Within the exit timeout, and a second for what is written at the end. */
  async stop(withinSec?: number): Promise<CloseReport> {
    this.#work.close();
    const { isClean } = await this.server.stop(withinSec);
    const limitNs = systemClock.nowNs() + LAST_WRITES_NS;
    const isWritten = await settledBefore(systemClock, limitNs, this.#finish());
    return { isClean: isClean && isWritten === true };
  }

  async #finish(): Promise<true> {
    await this.#control.close();
    await this.#kept;
    this.#activity.close();
    this.#logFile.close();
    return true;
  }

  /** Settings that count at once. */
  applySettings(keys: readonly string[]): void {
    const { settings, server } = this;
    if (keys.includes('logs.verboseLevel')) {
      setLogSwitches({ verboseLevel: Number(settings.get('logs.verboseLevel')) });
    }
    if (keys.includes('logs.format')) {
      server.setLogFormat(settings.get('logs.format') === 'ISO8601' ? 'ISO8601' : 'default');
    }
  }

  /** A held-back model that the user loads again is released for good. */
  #followQuarantine(): void {
    const { engine } = this.server;
    const held = new Set(engine.repository.quarantined.keys());
    engine.events.subscribe('versionState', ({ id }) => {
      if (!held.has(id.name) || engine.repository.quarantined.has(id.name)) return;
      held.delete(id.name);
      this.#parts.send({ type: 'unquarantine', model: id.name });
    });
  }

  /** What is switched off stays so over restarts. */
  #followSwitches(): void {
    const { events, repository } = this.server.engine;
    let kept = JSON.stringify(repository.folders.switches);
    events.subscribe('foldersChanged', () => {
      const { switches } = repository.folders;
      const text = JSON.stringify(switches);
      if (text === kept) return;
      kept = text;
      this.#keep('which repositories are switched off', () =>
        writeSwitches(this.#parts.userDataPath, switches),
      );
    });
  }

  get #isNamed(): boolean {
    return isRepositoryNamed(this.options.given);
  }

  /** Asks the process above for a new engine: settings that are read at the start count then. */
  #restart(): void {
    const { engine } = this.server;
    const ports = portsToKeep(engine.ports, this.#portsAtStart, this.settings);
    this.#parts.send({ type: 'restart', ports: { ...ports, ui: this.#uiPort } });
  }

  /** Repositories that the command line did not name come back at the next start of the app. */
  #remember(repositories: readonly string[]): void {
    if (this.#isNamed) return;
    this.#keep('the open repositories', () => rememberRepositories(this.#parts.userDataPath, repositories));
  }

  /** Writes one after the other, so that the last state is what stays; the stop waits for them. */
  #keep(what: string, write: () => Promise<void>): void {
    this.#kept = this.#kept.then(write).catch((thrown: unknown) => {
      log.warn(`${what} could not be kept: ${String(thrown)}`);
    });
  }

  #announce(ports: ListeningPorts): void {
    this.#parts.send({ type: 'listening', ports: { ...ports, ui: this.#uiPort } });
  }
}

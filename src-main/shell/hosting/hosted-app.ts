// The app's engine in its process, the same in both shells: settings, options, server, crash reporting, children. Pages
// connect through channels that the shell brings.

import path from 'node:path';

import { systemClock } from '../../base/clock.ts';
import { getLogger } from '../../base/log.ts';
import type { Environment } from '../../cli/serve-draft.ts';
import type { ServeOptions } from '../../cli/serve-options.ts';
import { SettingsStore } from '../../control/settings-store.ts';
import type { FromEngine, ListeningPorts, StartMessage, ToEngine } from '../supervision/engine-messages.ts';
import { ActivityReporter } from './activity-reporter.ts';
import { resolveAppOptions } from './app-options.ts';
import { HostedServer } from './hosted-server.ts';
import { ProcessRelay } from './process-relay.ts';

const log = getLogger('app');

interface Parts {
  readonly settings: SettingsStore;
  readonly options: ServeOptions;
  readonly environment: Environment;
  readonly notes: readonly string[];
  readonly send: (message: FromEngine) => void;
}

export class HostedApp {
  readonly options: ServeOptions;
  readonly settings: SettingsStore;
  readonly processes: ProcessRelay;
  readonly server: HostedServer;
  readonly #parts: Parts;
  readonly #activity: ActivityReporter;
  #uiPort: number | undefined;

  private constructor(parts: Parts) {
    this.#parts = parts;
    this.options = parts.options;
    this.settings = parts.settings;
    this.processes = new ProcessRelay(parts.send);
    this.server = new HostedServer(parts.options, parts.environment, {
      onListening: (ports) => this.#announce(ports),
      onModelUse: (model) => this.#activity.noteUse(model),
    });
    this.#activity = new ActivityReporter({
      clock: systemClock,
      events: this.server.engine.events,
      send: parts.send,
    });
  }

  /** Reads settings and builds the engine; nothing is loaded yet. */
  static async create(
    start: StartMessage,
    environment: Environment,
    send: (message: FromEngine) => void,
  ): Promise<HostedApp> {
    const settings = new SettingsStore(start.userDataPath);
    await settings.load();
    const { serve: options, notes } = await resolveAppOptions(start, environment, settings);
    return new HostedApp({ settings, options, environment, notes, send });
  }

  /** Folder below which a page may pick paths; "" = none. */
  get uiRoot(): string {
    const { uiRoot } = this.options.shell;
    const [first] = this.options.engine.repository.paths;
    if (uiRoot !== undefined) return path.resolve(uiRoot);
    return first === undefined ? '' : path.dirname(path.resolve(first));
  }

  /** The port that the shell opened for pages, before `start`. */
  setUiPort(port: number): void {
    this.#uiPort = port;
  }

  receive(message: ToEngine): void {
    this.processes.receive(message);
  }

  /** Opens the listeners, then loads the start set. */
  async start(): Promise<void> {
    for (const note of this.#parts.notes) log.warn(note);
    await this.server.start();
  }

  /** Resolves with the exit code. */
  async stop(): Promise<number> {
    const exitCode = await this.server.stop();
    this.#activity.close();
    return exitCode;
  }

  #announce(ports: ListeningPorts): void {
    this.#parts.send({ type: 'listening', ports: { ...ports, ui: this.#uiPort } });
  }
}

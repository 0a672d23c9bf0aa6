// The desktop's own channel to the engine, beside those of the pages: what the tray, the menu and notices need to know
// while there is no window. Connected anew to each engine process; what was known stays until the new one has told.

import type { EventName, EventPayload } from '../../../src-shared/contract/contract.ts';
import type { ServerView, SettingsView } from '../../../src-shared/contract/observe-views.ts';
import type { Channel } from '../../../src-shared/rpc/channel.ts';
import { RpcClient } from '../../../src-shared/rpc/rpc-client.ts';
import { getLogger } from '../../base/log.ts';

const log = getLogger('shell');

type SettingValue = SettingsView['settings'][number]['value'];
type Listener<N extends EventName> = (payload: EventPayload<N>) => void;

/**
 * Listeners stay over restarts of the engine and are told again by each new process. Settings are those that the
 * engine told last.
 */
export class EngineLink {
  readonly #subscriptions: ((client: RpcClient) => void)[] = [];
  readonly #serverListeners: ((view: ServerView | undefined) => void)[] = [];
  readonly #settingListeners: (() => void)[] = [];
  #client: RpcClient | undefined;
  #settings: ReadonlyMap<string, SettingValue> = new Map();

  /** As the engine told it last; `undefined` before any has, and for a key that is no setting. */
  setting(key: string): SettingValue | undefined {
    return this.#settings.get(key);
  }

  /** A new engine process is there. */
  connect(channel: Channel): void {
    const client = new RpcClient(channel);
    this.#client = client;
    channel.onClose(() => {
      if (this.#client === client) this.#setServer(undefined);
    });
    for (const subscribe of this.#subscriptions) subscribe(client);
    client.subscribe('server/changed', (view) => this.#setServer(view));
    client.subscribe('settings/changed', () => void this.#readSettings(client));
    this.#ask(client.call('server/view', {}), (view) => this.#setServer(view));
    void this.#readSettings(client);
  }

  /** Follows an event of this engine and of each that takes its place. */
  subscribe<N extends EventName>(name: N, listener: Listener<N>): void {
    this.#subscriptions.push((client) => void client.subscribe(name, listener));
    this.#client?.subscribe(name, listener);
  }

  /** undefined: no engine tells. */
  onServer(listener: (view: ServerView | undefined) => void): void {
    this.#serverListeners.push(listener);
  }

  /** Called once the settings are known, and whenever one of them changed. */
  onSettings(listener: () => void): void {
    this.#settingListeners.push(listener);
  }

  /** Asks the engine to open its listeners. Does nothing while there is no engine. */
  startServer(): void {
    if (this.#client !== undefined) this.#ask(this.#client.call('server/start', {}));
  }

  /** Asks the engine to close its listeners. Does nothing while there is no engine. */
  stopServer(): void {
    if (this.#client !== undefined) this.#ask(this.#client.call('server/stop', {}));
  }

  async #readSettings(client: RpcClient): Promise<void> {
    const view = await client.call('settings/read', {}).catch(() => undefined);
    if (view === undefined || client !== this.#client) return;
    this.#settings = new Map(view.settings.map(({ key, value }) => [key, value] as const));
    for (const listener of this.#settingListeners) listener();
  }

  #setServer(view: ServerView | undefined): void {
    for (const listener of this.#serverListeners) listener(view);
  }

  /** An engine that ends meanwhile answers nothing, which its end reports. */
  #ask<T>(answer: Promise<T>, use: (value: T) => void = () => undefined): void {
    answer.then(use, (thrown: unknown) => log.warn(`engine: ${String(thrown)}`));
  }
}

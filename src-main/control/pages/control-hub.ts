// The pages that are connected: one RpcServer per channel, one publish for all. Model changes are merged and leave at
// most five times a second.

import type { CallHandlers, EventName, EventPayload } from '../../../src-shared/contract/contract.ts';
import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import type { Channel } from '../../../src-shared/rpc/channel.ts';
import { RpcServer } from '../../../src-shared/rpc/rpc-server.ts';
import type { Clock, Timer } from '../../base/clock.ts';
import { getLogger } from '../../base/log.ts';
import { writeError } from '../../base/write-error.ts';

const log = getLogger('control');
const MODEL_PERIOD_MS = 200;

/** What pages get to see. */
export interface ControlHubOptions {
  readonly clock: Clock;
  /** The views of one name; empty when it is gone meanwhile. */
  readonly viewsOf: (name: string) => readonly ModelView[];
}

/** Publishing reaches the pages that subscribed; with none it costs nothing. Closing it aborts the calls that run. */
export class ControlHub {
  readonly #options: ControlHubOptions;
  readonly #pages = new Set<RpcServer>();
  readonly #changed = new Set<string>();
  readonly #removed = new Set<string>();
  #timer: Timer | undefined;

  constructor(options: ControlHubOptions) {
    this.#options = options;
  }

  /** Pages whose channel is open. */
  get pageCount(): number {
    return this.#pages.size;
  }

  /** Messages dropped in favour of newer ones, over all pages. */
  get droppedCount(): number {
    let count = 0;
    for (const page of this.#pages) count += page.droppedCount;
    return count;
  }

  /** Answers the page until its channel closes. */
  attach(channel: Channel, handlers: CallHandlers): void {
    const page = new RpcServer(channel, {
      handlers,
      explain: (thrown) => writeError(thrown),
      onUnexpected: (call, thrown) => log.error(`${call} failed: ${describe(thrown)}`),
    });
    this.#pages.add(page);
    channel.onClose(() => void this.#pages.delete(page));
  }

  /** Leaves at once, but for what a slow page has not acknowledged. */
  publish<N extends EventName>(name: N, payload: EventPayload<N>): void {
    for (const page of this.#pages) page.publish(name, payload);
  }

  /** Leaves with what comes in the next moment; of a name the last word counts. */
  modelsChanged(change: { readonly changed: readonly string[]; readonly removed: readonly string[] }): void {
    if (this.#pages.size === 0) return;
    for (const name of change.changed) {
      this.#changed.add(name);
      this.#removed.delete(name);
    }
    for (const name of change.removed) {
      this.#removed.add(name);
      this.#changed.delete(name);
    }
    this.#timer ??= this.#options.clock.after(MODEL_PERIOD_MS, () => this.#flushModels());
  }

  /** Publishes nothing any more. */
  close(): void {
    this.#timer?.cancel();
    for (const page of this.#pages) page.close();
    this.#pages.clear();
  }

  #flushModels(): void {
    this.#timer = undefined;
    const changed = [...this.#changed].flatMap((name) => this.#options.viewsOf(name));
    const removed = [...this.#removed];
    this.#changed.clear();
    this.#removed.clear();
    if (changed.length > 0 || removed.length > 0) this.publish('repository/models', { changed, removed });
  }
}

function describe(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}

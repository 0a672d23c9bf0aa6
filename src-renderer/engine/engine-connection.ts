// One EngineClient over many channels: opens a channel, replaces it when it closes, repeats every subscription on the
// new one. Calls made before the first channel wait for it; calls made while it is lost fail at once and visibly.

import type { StoreApi } from 'zustand/vanilla';
import { createStore } from 'zustand/vanilla';

import type {
  CallArgs,
  CallName,
  CallResult,
  EventName,
  EventPayload,
} from '../../src-shared/contract/contract.ts';
import { unavailable } from '../../src-shared/errors.ts';
import type { Channel } from '../../src-shared/rpc/channel.ts';
import { RpcClient } from '../../src-shared/rpc/rpc-client.ts';
import type { EngineClient } from './engine-client.ts';

export interface ConnectionState {
  readonly status: 'connecting' | 'open' | 'lost';
  /** Grows with every channel that opened; snapshots are read again for each. */
  readonly generation: number;
  /** Attempts since the channel was lost. */
  readonly attempt: number;
}

/** Resolves with a channel that is ready to send; rejects when it could not be opened. */
export type OpenChannel = (signal: AbortSignal) => Promise<Channel>;

const FIRST_DELAY_MS = 250;
const LAST_DELAY_MS = 4000;

type Subscription = readonly [name: EventName, listener: (payload: never) => void];

export class EngineConnection implements EngineClient {
  readonly state: StoreApi<ConnectionState> = createStore(() => ({
    status: 'connecting' as const,
    generation: 0,
    attempt: 0,
  }));
  readonly #open: OpenChannel;
  readonly #closing = new AbortController();
  readonly #subscriptions = new Map<Subscription, () => void>();
  #client: RpcClient | undefined;
  #first = Promise.withResolvers<void>();

  constructor(open: OpenChannel) {
    this.#open = open;
  }

  /** Connects, and stays connected until `close`. */
  start(): void {
    void this.#run();
  }

  async call<N extends CallName>(
    name: N,
    args: CallArgs<N>,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<CallResult<N>> {
    await this.#first.promise;
    options.signal?.throwIfAborted();
    if (this.#client === undefined) throw unavailable('The connection to the server process was lost.');
    return this.#client.call(name, args, options);
  }

  subscribe<N extends EventName>(name: N, listener: (payload: EventPayload<N>) => void): () => void {
    const subscription: Subscription = [name, listener as (payload: never) => void];
    this.#subscriptions.set(subscription, this.#attach(subscription));
    return () => {
      this.#subscriptions.get(subscription)?.();
      this.#subscriptions.delete(subscription);
    };
  }

  /** Ends the connection for good. */
  close(): void {
    this.#closing.abort();
    this.#client?.close();
    this.#client = undefined;
  }

  #attach([name, listener]: Subscription): () => void {
    return (
      this.#client?.subscribe(name, listener as (payload: EventPayload<EventName>) => void) ??
      (() => undefined)
    );
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    let delayMs = FIRST_DELAY_MS;
    while (!signal.aborted) {
      try {
        const channel = await this.#open(signal);
        delayMs = FIRST_DELAY_MS;
        await this.#serve(channel);
      } catch {
        // Not reachable yet: the state below says so, and the next attempt follows.
      }
      if (signal.aborted) return;
      this.#client = undefined;
      const { generation, attempt } = this.state.getState();
      this.state.setState({ status: generation === 0 ? 'connecting' : 'lost', attempt: attempt + 1 });
      await pause(delayMs, signal);
      delayMs = Math.min(LAST_DELAY_MS, delayMs * 2);
    }
  }

  /** Resolves when the channel has closed. */
  async #serve(channel: Channel): Promise<void> {
    const closed = Promise.withResolvers<void>();
    this.#client = new RpcClient(channel);
    channel.onClose(() => closed.resolve());
    for (const subscription of this.#subscriptions.keys()) {
      this.#subscriptions.set(subscription, this.#attach(subscription));
    }
    this.#first.resolve();
    this.state.setState({ status: 'open', generation: this.state.getState().generation + 1, attempt: 0 });
    await closed.promise;
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

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
import type { Channel } from '../../src-shared/rpc/channel.ts';
import { RpcClient } from '../../src-shared/rpc/rpc-client.ts';
import { rpcErrors } from '../../src-shared/rpc/rpc-errors.ts';
import type { EngineClient } from './engine-client.ts';
import type { SilenceLimits } from './silence-watch.ts';
import { SilenceWatch } from './silence-watch.ts';

/** How the page is connected. */
export interface ConnectionState {
  /**
   * `refused`: the server answers, and does not take the token of this page. `silent`: the channel is open, and nothing
   * comes through it.
   */
  readonly status: 'connecting' | 'open' | 'silent' | 'lost' | 'refused';
  /** Grows with every channel that opened; snapshots are read again for each. */
  readonly generation: number;
  /** Attempts since the channel was lost. */
  readonly attempt: number;
  /**
   * When the channel was lost, or its last message came, in ms since 1970; undefined while one is open that speaks, and
   * before the first.
   */
  readonly lostAtMs: number | undefined;
}

/** Thrown by an opener when the server does not take the token of this page. */
export class TokenRefusedError extends Error {}

/** Resolves with a channel that is ready to send; rejects when it could not be opened. */
export type OpenChannel = (signal: AbortSignal) => Promise<Channel>;

/** How long a connection waits for a server that does not answer. */
export interface ConnectionLimits extends SilenceLimits {
  /** For a channel to open; undefined = for ever. */
  readonly openMs?: number | undefined;
}

const FIRST_DELAY_MS = 250;
const LAST_DELAY_MS = 4000;
/** Only another token helps, or a server that takes this one. */
const REFUSED_DELAY_MS = 15_000;

type Subscription = readonly [name: EventName, listener: (payload: never) => void];

/**
 * Does nothing before `start`, and connects again until `close`. Calls reject with UNAVAILABLE while no
 * channel is open.
 */
export class EngineConnection implements EngineClient {
  readonly state: StoreApi<ConnectionState> = createStore(() => ({
    status: 'connecting' as const,
    generation: 0,
    attempt: 0,
    lostAtMs: undefined,
  }));
  readonly #open: OpenChannel;
  readonly #limits: ConnectionLimits | undefined;
  readonly #closing = new AbortController();
  readonly #subscriptions = new Map<Subscription, () => void>();
  #client: RpcClient | undefined;
  #first = Promise.withResolvers<void>();
  #wake: () => void = () => undefined;

  /** Without `limits` it waits for ever: for engines that may have nothing to tell. */
  constructor(open: OpenChannel, limits?: ConnectionLimits) {
    this.#open = open;
    this.#limits = limits;
  }

  /** Connects, and stays connected until `close`. */
  start(): void {
    void this.#run();
  }

  /** Tries again now, as after the token was replaced. */
  retry(): void {
    this.#wake();
  }

  async call<N extends CallName>(
    name: N,
    args: CallArgs<N>,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<CallResult<N>> {
    await this.#first.promise;
    options.signal?.throwIfAborted();
    if (this.#client === undefined) throw rpcErrors.lost();
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
      let isRefused = false;
      try {
        const channel = await this.#opened(signal);
        delayMs = FIRST_DELAY_MS;
        await this.#serve(channel);
      } catch (thrown) {
        // Not reachable yet: the state below says so, and the next attempt follows.
        isRefused = thrown instanceof TokenRefusedError;
      }
      if (signal.aborted) return;
      this.#client = undefined;
      this.#setLost(isRefused);
      await this.#pause(isRefused ? REFUSED_DELAY_MS : delayMs);
      delayMs = Math.min(LAST_DELAY_MS, delayMs * 2);
    }
  }

  /** Rejects when it takes longer than it may. What was opened is not touched afterwards. */
  async #opened(signal: AbortSignal): Promise<Channel> {
    const openMs = this.#limits?.openMs;
    if (openMs === undefined) return this.#open(signal);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error('the server process did not answer')), openMs);
    try {
      return await this.#open(AbortSignal.any([signal, late.signal]));
    } finally {
      clearTimeout(timer);
    }
  }

  #setLost(isRefused: boolean): void {
    const { generation, attempt, lostAtMs } = this.state.getState();
    const status = isRefused ? 'refused' : generation === 0 ? 'connecting' : 'lost';
    this.state.setState({ status, attempt: attempt + 1, lostAtMs: lostAtMs ?? Date.now() });
  }

  /** Ends early with `retry` and `close`. */
  async #pause(ms: number): Promise<void> {
    const { signal } = this.#closing;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      signal.addEventListener('abort', this.#wake, { once: true });
    });
    signal.removeEventListener('abort', this.#wake);
  }

  /** Resolves when the channel has closed. */
  async #serve(channel: Channel): Promise<void> {
    const closed = Promise.withResolvers<void>();
    const watch = this.#limits && this.#watch(this.#limits, () => closed.resolve());
    const client = new RpcClient(watch === undefined ? channel : whileHeard(channel, watch));
    this.#client = client;
    channel.onClose(() => closed.resolve());
    for (const subscription of this.#subscriptions.keys()) {
      this.#subscriptions.set(subscription, this.#attach(subscription));
    }
    this.#first.resolve();
    const generation = this.state.getState().generation + 1;
    this.state.setState({ status: 'open', generation, attempt: 0, lostAtMs: undefined });
    await closed.promise;
    watch?.stop();
    // A channel that was given up is open still.
    client.close();
  }

  #watch(limits: ConnectionLimits, onGiveUp: () => void): SilenceWatch {
    return new SilenceWatch(limits, {
      onQuiet: (lostAtMs) => this.state.setState({ status: 'silent', lostAtMs }),
      onHeard: () => this.state.setState({ status: 'open', lostAtMs: undefined }),
      onGiveUp,
    });
  }
}

/** The same channel; the watch hears each of its messages. */
function whileHeard(channel: Channel, watch: SilenceWatch): Channel {
  return {
    send: (message) => channel.send(message),
    onMessage: (listener) =>
      channel.onMessage((message) => {
        watch.heard();
        listener(message);
      }),
    onClose: (listener) => channel.onClose(listener),
    close: () => channel.close(),
  };
}

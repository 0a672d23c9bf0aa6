// The page's side of the contract: a table of pending calls and of event subscriptions. An aborted call sends
// `cancel`; a closed channel rejects everything pending with UNAVAILABLE. Events are acknowledged once per frame.

import type { CallArgs, CallName, CallResult, EventName, EventPayload } from '../contract/contract.ts';
import { errorFromWire } from '../errors.ts';
import type { Channel } from './channel.ts';
import { rpcErrors } from './rpc-errors.ts';
import type { WireMessage } from './wire.ts';
import { WIRE_VERSION } from './wire.ts';

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly detach: () => void;
}

type Listener = (payload: unknown) => void;

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Greets the other side when it is made. Once the channel is closed every call fails with UNAVAILABLE;
 * connecting again takes a new client, and subscriptions do not move over.
 */
export class RpcClient {
  readonly #channel: Channel;
  readonly #pending = new Map<number, Pending>();
  readonly #listeners = new Map<string, Set<Listener>>();
  #nextId = 1;
  #isClosed = false;

  constructor(channel: Channel) {
    this.#channel = channel;
    channel.onMessage((message) => this.#receive(message));
    channel.onClose(() => this.#close());
    channel.send({ type: 'hello', version: WIRE_VERSION });
  }

  /** Rejects with ServerError; with the signal's reason when aborted. */
  call<N extends CallName>(name: N, args: CallArgs<N>, options: CallOptions = {}): Promise<CallResult<N>> {
    const { signal } = options;
    if (this.#isClosed) return Promise.reject(rpcErrors.lost());
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    const id = this.#nextId++;
    return new Promise<CallResult<N>>((resolve, reject) => {
      const onAbort = (): void => {
        this.#pending.delete(id);
        this.#channel.send({ type: 'cancel', id });
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      const detach = (): void => signal?.removeEventListener('abort', onAbort);
      this.#pending.set(id, { resolve: resolve as (result: unknown) => void, reject, detach });
      this.#channel.send({ type: 'call', id, name, args });
    });
  }

  /** Returns the off-switch. */
  subscribe<N extends EventName>(name: N, listener: (payload: EventPayload<N>) => void): () => void {
    let set = this.#listeners.get(name);
    if (set === undefined) {
      set = new Set();
      this.#listeners.set(name, set);
      this.#channel.send({ type: 'subscribe', name });
    }
    set.add(listener as Listener);
    return () => {
      if (set.delete(listener as Listener) && set.size === 0 && this.#listeners.get(name) === set) {
        this.#listeners.delete(name);
        this.#channel.send({ type: 'unsubscribe', name });
      }
    };
  }

  /** Closes the channel; everything pending rejects with UNAVAILABLE. */
  close(): void {
    this.#channel.close();
    this.#close();
  }

  #receive(message: WireMessage): void {
    if (message.type === 'event') {
      for (const listener of [...(this.#listeners.get(message.name) ?? [])]) listener(message.payload);
      this.#channel.send({ type: 'ack', sequence: message.sequence });
      return;
    }
    if (message.type !== 'reply' && message.type !== 'error') return;
    const pending = this.#pending.get(message.id);
    if (pending === undefined) return;
    this.#pending.delete(message.id);
    pending.detach();
    if (message.type === 'reply') pending.resolve(message.result);
    else pending.reject(errorFromWire(message.error));
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const pending of this.#pending.values()) {
      pending.detach();
      pending.reject(rpcErrors.lost());
    }
    this.#pending.clear();
  }
}

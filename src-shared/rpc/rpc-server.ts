// The engine's side of the contract for one channel: checks messages and arguments, gives every call its own AbortController, maps
// whatever is thrown to a wire error, and forwards subscribed events. When `maxUnacknowledged` events are on the way
// the newest of the same name waits, with what older ones told, so a slow page gets fewer, never a growing queue.

import type { CallHandlers, EventName } from '../contract/contract.ts';
import { calls } from '../contract/contract.ts';
import { events } from '../contract/events.ts';
import { withNews } from '../contract/sample-news.ts';
import { errorToWire } from '../errors.ts';
import type { Channel } from './channel.ts';
import { PageGone } from './page-gone.ts';
import { rpcErrors } from './rpc-errors.ts';
import { isPageMessage, WIRE_VERSION } from './wire.ts';

/** Who answers the calls of a page. */
export interface RpcServerOptions {
  readonly handlers: CallHandlers;
  /** Called when the page starts or stops listening to an event. */
  readonly onSubscription?: (name: EventName, isSubscribed: boolean) => void;
  /** Sees every thrown value that is neither a ServerError nor the reason its page called it off with, once. */
  readonly onUnexpected?: (call: string, thrown: unknown) => void;
  /** What the page is told instead of what was thrown, where that can be said better. */
  readonly explain?: (thrown: unknown) => unknown;
  /** Default 3. */
  readonly maxUnacknowledged?: number;
}

const schemas = new Map<string, (typeof calls)[number]['args']>(calls.map((call) => [call.name, call.args]));
const eventNames: ReadonlySet<string> = new Set(events.map(({ name }) => name));
/** Events of which two may become one; all others are always delivered. */
const JOINED: ReadonlyMap<string, (older: never, newer: never) => unknown> = new Map([
  ['observe/sample' satisfies EventName, withNews],
]);

/**
 * Never throws at the channel: arguments that fail the contract's check and unknown calls are answered with an
 * error. When the channel closes all running calls are aborted, with PageGone.
 */
export class RpcServer {
  readonly #channel: Channel;
  readonly #options: RpcServerOptions;
  readonly #running = new Map<number, AbortController>();
  readonly #subscribed = new Set<string>();
  readonly #waiting = new Map<string, unknown>();
  #sequence = 0;
  #acknowledged = 0;
  #droppedCount = 0;

  constructor(channel: Channel, options: RpcServerOptions) {
    this.#channel = channel;
    this.#options = options;
    channel.onMessage((message) => this.#receive(message));
    channel.onClose(() => this.close());
  }

  /** Events that became one with a newer one of their name before they left. */
  get droppedCount(): number {
    return this.#droppedCount;
  }

  /** The page wants events of this name now. */
  isSubscribed(name: EventName): boolean {
    return this.#subscribed.has(name);
  }

  /**
   * Does nothing for a page that has not subscribed. The payload must be plain data, and may be sent later: do not
   * change it.
   */
  publish(name: EventName, payload: unknown): void {
    if (!this.#subscribed.has(name)) return;
    const limit = this.#options.maxUnacknowledged ?? 3;
    const join = JOINED.get(name);
    if (join !== undefined && this.#sequence - this.#acknowledged >= limit) {
      const isWaiting = this.#waiting.has(name);
      if (isWaiting) this.#droppedCount += 1;
      this.#waiting.set(name, isWaiting ? join(this.#waiting.get(name) as never, payload as never) : payload);
      return;
    }
    this.#channel.send({ type: 'event', name, payload, sequence: ++this.#sequence });
  }

  /** Aborts all running calls. Idempotent. */
  close(): void {
    for (const controller of this.#running.values()) controller.abort(new PageGone());
    this.#running.clear();
    for (const name of this.#subscribed) this.#options.onSubscription?.(name as EventName, false);
    this.#subscribed.clear();
  }

  /** What is no message of a page ends its channel: nothing behind it can be trusted either. */
  #receive(message: unknown): void {
    if (!isPageMessage(message)) {
      this.#channel.close();
      return;
    }
    switch (message.type) {
      case 'hello':
        if (message.version !== WIRE_VERSION) this.#channel.close();
        return;
      case 'call':
        void this.#run(message.id, message.name, message.args);
        return;
      case 'cancel':
        this.#running.get(message.id)?.abort(new Error('cancelled by the caller'));
        return;
      case 'subscribe':
      case 'unsubscribe':
        this.#setSubscription(message.name, message.type === 'subscribe');
        return;
      case 'ack':
        this.#acknowledge(message.sequence);
        return;
      default:
    }
  }

  #setSubscription(name: string, isSubscribed: boolean): void {
    if (!eventNames.has(name)) return;
    if (isSubscribed) this.#subscribed.add(name);
    else this.#subscribed.delete(name);
    this.#options.onSubscription?.(name as EventName, isSubscribed);
  }

  #acknowledge(sequence: number): void {
    this.#acknowledged = Math.max(this.#acknowledged, sequence);
    for (const [name, payload] of [...this.#waiting]) {
      this.#waiting.delete(name);
      this.publish(name as EventName, payload);
    }
  }

  async #run(id: number, name: string, args: unknown): Promise<void> {
    const controller = new AbortController();
    this.#running.set(id, controller);
    try {
      const result = await this.#answer(name, args, controller.signal);
      this.#channel.send({ type: 'reply', id, result });
    } catch (thrown) {
      if (!isExpected(thrown, controller.signal)) this.#options.onUnexpected?.(name, thrown);
      this.#channel.send({
        type: 'error',
        id,
        error: errorToWire(this.#options.explain?.(thrown) ?? thrown),
      });
    } finally {
      this.#running.delete(id);
    }
  }

  #answer(name: string, args: unknown, signal: AbortSignal): unknown {
    const schema = schemas.get(name);
    if (schema === undefined) throw rpcErrors.call({ name });
    const parsed = schema.safeParse(args);
    if (!parsed.success) {
      const [first] = parsed.error.issues;
      throw rpcErrors.arguments({
        name,
        place: first?.path.join('.') ?? '',
        reason: first?.message ?? 'bad arguments',
      });
    }
    const handler = this.#options.handlers[name as keyof CallHandlers] as (a: unknown, c: unknown) => unknown;
    return handler(parsed.data, { signal });
  }
}

/** What was refused, and what its page called off, by a word or by going. */
function isExpected(thrown: unknown, { aborted, reason }: AbortSignal): boolean {
  return (aborted && thrown === reason) || (thrown instanceof Error && thrown.name === 'ServerError');
}

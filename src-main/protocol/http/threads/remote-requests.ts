// The requests that one thread has read, as the engine's loop serves them: like those that it reads itself, but that
// their answers go back to the thread.

import type { RouteMatch } from '../router.ts';
import { ChurningMap } from '../../../base/churning-map.ts';
import type { ThreadChannel } from '../../../wire-threads/thread-channel.ts';
import { MAX_RECORD_BYTES } from '../../../wire-threads/thread-channel.ts';
import type { HttpContext } from '../http-context.ts';
import type { BodyBytes } from '../infer-binary.ts';
import { parseInfer } from '../infer-parser.ts';
import type { DoorRules } from '../wire/wire-door.ts';
import type { PlainHead } from '../wire/plain-head.ts';
import { RequestMemory } from '../wire/request-memory.ts';
import { WireExchange } from '../wire/wire-exchange.ts';
import type { WireOwner } from '../wire/wire-rules.ts';
import type { ToThread } from './wire-protocol.ts';
import { RECORD } from './wire-protocol.ts';

/** What the engine's loop does with a request, whoever has read it. `match` knows the routes of all requests. */
export interface RemoteRules extends Pick<DoorRules<WireExchange>, 'note' | 'start'> {
  readonly context: HttpContext;
  /** `undefined` for a target that is no hot route; a request with it is never answered. */
  match(target: string): RouteMatch | undefined;
}

class RemoteExchange extends WireExchange {
  readonly number: number;

  constructor(number: number, owner: WireOwner, context: HttpContext, head: KnownHead, receivedAtNs: number) {
    super(owner, context, head.match, head.head, receivedAtNs);
    this.number = number;
  }
}

interface KnownHead {
  readonly head: PlainHead;
  readonly match: RouteMatch;
  /** Requests with one head often have one JSON part, too. */
  readonly owner: WireOwner;
}

/** Each request is answered or given up; what comes of one that was given up is dropped. */
export class RemoteRequests {
  readonly #rules: RemoteRules;
  readonly #channel: ThreadChannel;
  readonly #running = new ChurningMap<number, RemoteExchange>();
  readonly #heads: (KnownHead | undefined)[] = [];
  #isOpen = true;

  constructor(rules: RemoteRules, channel: ThreadChannel) {
    this.#rules = rules;
    this.#channel = channel;
  }

  /** A head that requests of this thread will name by its number; replaces an older one. */
  addHead(number: number, head: PlainHead): void {
    const match = this.#rules.match(head.target);
    this.#heads[number] = match === undefined ? undefined : { head, match, owner: this.#owner() };
  }

  /** The thread starts its numbers anew. */
  forgetHeads(): void {
    this.#heads.length = 0;
  }

  /** A request whose body is whole. Its answer goes back to the thread under `number`. */
  start(number: number, headNumber: number, receivedAtNs: number, body: BodyBytes): void {
    const head = this.#heads[headNumber];
    if (head === undefined) return;
    const { context, note, start } = this.#rules;
    note(head.head.target);
    const exchange = new RemoteExchange(number, head.owner, context, head, receivedAtNs);
    this.#running.set(number, exchange);
    start(exchange, body);
  }

  /** The client has gone. */
  giveUp(number: number): void {
    const exchange = this.#running.get(number);
    this.#running.delete(number);
    exchange?.over(false);
  }

  /** The thread has ended. */
  giveUpAll(): void {
    this.#isOpen = false;
    const running = [...this.#running.values()];
    this.#running.clear();
    for (const exchange of running) exchange.over(false);
  }

  #owner(): WireOwner {
    const memory = new RequestMemory();
    const { forwardPattern } = this.#rules.context;
    const isOpen = (): boolean => this.#isOpen;
    return {
      get isOpen() {
        return isOpen();
      },
      isEnding: false,
      answered: (exchange) => this.#answered(exchange as RemoteExchange),
      // Forwarded headers become part of what was parsed.
      parse: (json, options) =>
        forwardPattern === undefined ? memory.parse(json, options) : parseInfer(json, options),
    };
  }

  #answered(exchange: RemoteExchange): void {
    const { number, isKeptAlive, parts = [] } = exchange;
    this.#running.delete(number);
    const first = parts[0];
    if (first !== undefined && parts.length === 1 && first.byteLength <= MAX_RECORD_BYTES) {
      this.#channel.send(RECORD.answer, number, { a: isKeptAlive ? 1 : 0 }, parts, first.byteLength);
    } else {
      const bytes = joined(parts);
      const message: ToThread = { kind: 'answer', number, isKeptAlive, bytes };
      this.#channel.post(message, [bytes.buffer]);
    }
    // Every byte of it has been copied, or lies in memory of its own.
    exchange.parts = [];
    exchange.over(true);
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}

// The door of the serving port: every connection is read by the port itself until something comes that is not a hot
// request, then by Node's parser. Keeps the connections that are read here, and closes those that wait too long.

import type { Socket } from 'node:net';

import type { RouteMatch } from '../router.ts';
import { transportLimits } from '../transport.ts';
import type { PlainHead } from './plain-head.ts';
import { WireConnection } from './wire-connection.ts';
import type { WireRequest, WireRules } from './wire-rules.ts';

/** Which connections are read here, and what is done with their requests. */
export interface DoorRules<R extends WireRequest> extends Pick<
  WireRules<R>,
  'context' | 'note' | 'admit' | 'request' | 'start' | 'settle'
> {
  /** False for bodies that are not kept, or not worth reading. */
  isAcceptable(head: PlainHead, match: RouteMatch): boolean;
}

interface Admission {
  readonly head: PlainHead;
  readonly match: RouteMatch | undefined;
}

/** A connection that was handed to Node's parser stays there to its end. */
export class WireDoor<R extends WireRequest> {
  readonly #rules: DoorRules<R>;
  readonly #connections = new Map<Socket, WireConnection<R>>();

  constructor(rules: DoorRules<R>) {
    this.#rules = rules;
  }

  /** Reads a new connection; `parse` takes it over when it is not for here, with bytes that were read. */
  take(socket: Socket, parse: (rest: Buffer | undefined) => void): void {
    const { admit, isAcceptable } = this.#rules;
    // Heads are remembered by their connection, and so is what was decided about the last one.
    let last: Admission | undefined;
    const rules: WireRules<R> = {
      ...this.#rules,
      admit: (head) => {
        if (last?.head !== head) last = { head, match: admit(head) };
        if (last.match !== undefined && !isAcceptable(head, last.match)) return undefined;
        return last.match;
      },
      handOver: (rest) => {
        this.#connections.delete(socket);
        parse(rest);
      },
      closed: () => this.#connections.delete(socket),
    };
    this.#connections.set(socket, new WireConnection(socket, rules));
  }

  /** Undefined when Node's parser reads the connection. */
  connection(socket: Socket): WireConnection<R> | undefined {
    return this.#connections.get(socket);
  }

  /** Each connection that is open now ends with its next answer, if it has nothing else to do. */
  retire(): void {
    for (const connection of this.#connections.values()) connection.retire();
  }

  /** Closes connections on which no request has come for too long. */
  closeIdle(): void {
    const { headersTimeout, keepAliveTimeout } = transportLimits;
    const nowMs = performance.now();
    for (const connection of [...this.#connections.values()]) {
      connection.closeIdle(nowMs, headersTimeout, keepAliveTimeout);
    }
  }
}

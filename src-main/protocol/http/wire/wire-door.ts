// The door of the serving port: every connection is read by the port itself until something comes that is not a hot
// request, then by Node's parser. Keeps the connections that are read here, and closes those that wait too long.

import type { Socket } from 'node:net';

import type { HttpContext } from '../http-context.ts';
import { acquire, EARLY_CHECK_BYTES, keepLimit } from '../infer-route.ts';
import type { OriginGuard } from '../origin-guard.ts';
import type { Restrictions } from '../restricted-api.ts';
import { restrictionFault } from '../restricted-api.ts';
import type { RouteMatch, RoutePattern, Router } from '../router.ts';
import { transportLimits } from '../transport.ts';
import type { PlainHead } from './plain-head.ts';
import type { WireRules } from './wire-connection.ts';
import { WireConnection } from './wire-connection.ts';

export interface WireDoorOptions {
  readonly context: HttpContext;
  readonly guard: OriginGuard;
  readonly router: Router<RoutePattern>;
  readonly restrictions: Restrictions;
  /** Called for each request that is served here. */
  readonly note: (target: string) => void;
}

interface Admission {
  readonly head: PlainHead;
  readonly match: RouteMatch | undefined;
}

/** A connection that was handed to Node's parser stays there to its end. */
export class WireDoor {
  readonly #options: WireDoorOptions;
  readonly #connections = new Map<Socket, WireConnection>();

  constructor(options: WireDoorOptions) {
    this.#options = options;
  }

  /** Reads a new connection; `parse` takes it over when it is not for here. */
  take(socket: Socket, parse: (socket: Socket) => void): void {
    const { context, note } = this.#options;
    // Heads are remembered by their connection, and so is what was decided about the last one.
    let last: Admission | undefined;
    const rules: WireRules = {
      context,
      note,
      admit: (head) => {
        if (last?.head !== head) last = { head, match: this.#admit(head) };
        if (last.match !== undefined && !this.#isAcceptable(head, last.match)) return undefined;
        return last.match;
      },
      handOver: () => {
        this.#connections.delete(socket);
        parse(socket);
      },
      closed: () => this.#connections.delete(socket),
    };
    this.#connections.set(socket, new WireConnection(socket, rules));
  }

  /** Undefined when Node's parser reads the connection. */
  connection(socket: Socket): WireConnection | undefined {
    return this.#connections.get(socket);
  }

  /** Closes connections on which no request has come for too long. */
  closeIdle(): void {
    const { headersTimeout, keepAliveTimeout } = transportLimits;
    const nowMs = performance.now();
    for (const connection of [...this.#connections.values()]) {
      connection.closeIdle(nowMs, headersTimeout, keepAliveTimeout);
    }
  }

  /** What the guard or a restriction refuses is refused where all other requests are. */
  #admit(head: PlainHead): RouteMatch | undefined {
    const { guard, router, restrictions } = this.#options;
    const match = router.match(head.target);
    if (match?.route.isHot !== true) return undefined;
    const headers = Object.fromEntries(head.headers);
    if (guard.check({ method: 'POST', headers }) !== undefined) return undefined;
    if (restrictionFault(restrictions, match.route.category, headers) !== undefined) return undefined;
    return match;
  }

  /** False for bodies that are not kept, or not worth reading. */
  #isAcceptable(head: PlainHead, match: RouteMatch): boolean {
    const { contentLength } = head;
    if (contentLength <= EARLY_CHECK_BYTES && contentLength <= this.#options.context.maxInputByteSize)
      return true;
    const { context } = this.#options;
    if (contentLength > keepLimit({ context, header: (name) => head.headers.get(name) })) return false;
    try {
      acquire(context.service.useModel(match.model, match.version)).release();
      return true;
    } catch {
      return false;
    }
  }
}

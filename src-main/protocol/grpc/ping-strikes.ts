// Closes connections of clients that ping too often, which the gRPC library does not do: a ping that comes too soon after
// the one before is a strike, sending anything clears them, and one strike too many ends the connection with GOAWAY
// "too_many_pings".

import type { Http2Server, ServerHttp2Session } from 'node:http2';
import { constants } from 'node:http2';
import type { Clock } from '../../base/clock.ts';

export interface PingStrikeOptions {
  /** Strikes that are forgiven; 0 = any number. */
  readonly maxPingStrikes: number;
  readonly minRecvPingIntervalWithoutDataMs: number;
  readonly keepalivePermitWithoutCalls: boolean;
}

/** Between pings of a connection without calls, unless those are permitted. */
const IDLE_INTERVAL_MS = 2 * 60 * 60 * 1000;
/** An answer to a ping, encrypted, is smaller; whatever the server sends besides is larger. */
const PING_ANSWER_BYTES = 60;

export class PingStrikes {
  readonly #options: PingStrikeOptions;
  #lastPingMs = Number.NEGATIVE_INFINITY;
  #bytesAtPing = 0;
  #strikes = 0;

  constructor(options: PingStrikeOptions) {
    this.#options = options;
  }

  /** Notes a ping; true when the connection has earned its end. `sentBytes`: everything sent on it so far. */
  isTooMany(nowMs: number, isIdle: boolean, sentBytes: number): boolean {
    const { maxPingStrikes, keepalivePermitWithoutCalls, minRecvPingIntervalWithoutDataMs } = this.#options;
    if (sentBytes - this.#bytesAtPing > PING_ANSWER_BYTES) {
      this.#lastPingMs = Number.NEGATIVE_INFINITY;
      this.#strikes = 0;
    }
    const intervalMs =
      isIdle && !keepalivePermitWithoutCalls ? IDLE_INTERVAL_MS : minRecvPingIntervalWithoutDataMs;
    const isEarly = nowMs < this.#lastPingMs + intervalMs;
    this.#lastPingMs = nowMs;
    this.#bytesAtPing = sentBytes;
    if (!isEarly) return false;
    this.#strikes += 1;
    return maxPingStrikes !== 0 && this.#strikes > maxPingStrikes;
  }
}

/** Watches every connection of these servers. */
export function watchPings(servers: Iterable<Http2Server>, options: PingStrikeOptions, clock: Clock): void {
  for (const server of servers) {
    server.on('session', (session: ServerHttp2Session) => watchSession(session, options, clock));
  }
}

function watchSession(session: ServerHttp2Session, options: PingStrikeOptions, clock: Clock): void {
  const strikes = new PingStrikes(options);
  let openCalls = 0;
  session.on('stream', (stream) => {
    openCalls += 1;
    stream.on('close', () => {
      openCalls -= 1;
    });
  });
  session.on('ping', () => {
    if (session.destroyed) return;
    const { bytesWritten } = session.socket;
    if (!strikes.isTooMany(clock.nowNs() / 1e6, openCalls === 0, bytesWritten)) return;
    session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM, 0, Buffer.from('too_many_pings'));
    session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
  });
}

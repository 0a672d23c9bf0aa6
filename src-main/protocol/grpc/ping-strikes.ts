// Clients that ping too often: a ping that comes too soon after the one before is a strike, sending anything clears them,
// and one strike too many ends the connection with GOAWAY "too_many_pings".

/** How often a client may ping, as gRPC's core has it. */
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

/** For one connection, with grpc++'s rules and its options' names. Times are milliseconds. */
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

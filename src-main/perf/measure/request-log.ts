// Every request of a level with its times and answers, for the profile export. Kept only when that was asked for: it
// holds all responses in memory, up to its limits.

import type { Lane } from '../load/lane.ts';

/**
 * Times are nanoseconds of one monotonic clock. A response in `responses` for each time in `responseNs`;
 * `sequenceId` 0 is none.
 */
export interface LoggedRequest {
  readonly startNs: number;
  readonly sequenceId: number;
  readonly stream: number;
  readonly step: number;
  readonly responseNs: readonly number[];
  readonly responses: readonly Buffer[];
}

/** How much is kept for the export of every request. */
export interface LogLimits {
  /** Over all levels. */
  readonly requestCount: number;
  readonly responseBytes: number;
}

const NO_LIMITS: LogLimits = { requestCount: Infinity, responseBytes: Infinity };

/** Failed requests are not kept; beyond its limits requests are counted only. */
export class RequestLog {
  readonly #requests: LoggedRequest[] = [];
  readonly #limits: LogLimits;
  #requestCount = 0;
  #responseBytes = 0;
  #leftOutCount = 0;

  constructor(limits: LogLimits = NO_LIMITS) {
    this.#limits = limits;
  }

  /** Requests that the limits left out. */
  get leftOutCount(): number {
    return this.#leftOutCount;
  }

  /** Copies what it keeps, since lanes are used again. */
  note(lane: Lane): void {
    if (lane.error !== undefined) return;
    const { requestCount, responseBytes } = this.#limits;
    if (this.#requestCount >= requestCount || this.#responseBytes >= responseBytes) {
      this.#leftOutCount += 1;
      return;
    }
    this.#requestCount += 1;
    this.#responseBytes += lane.responses.reduce((sum, { byteLength }) => sum + byteLength, 0);
    this.#requests.push({
      startNs: lane.startNs,
      sequenceId: lane.message.sequenceId,
      stream: lane.message.stream,
      step: lane.message.step,
      responseNs: [...lane.responseNs],
      responses: [...lane.responses],
    });
  }

  /** What was noted since the last call. */
  take(): readonly LoggedRequest[] {
    return this.#requests.splice(0);
  }
}

// Requests per second of each endpoint, from counters that only grow. Whoever shows them asks about once a second; a
// question that comes sooner gets the answer of before.

import type { Clock } from '../../base/clock.ts';

interface EndpointNumbers {
  readonly http: number;
  readonly grpc: number;
  readonly metrics: number;
}

const LEAST_NS = 900e6;
/** After a longer silence a mean over it would say nothing about now. */
const MOST_NS = 5e9;
const NONE: EndpointNumbers = { http: 0, grpc: 0, metrics: 0 };

/** Zero for the first question, and for one that comes after a long pause. */
export class EndpointRates {
  readonly #clock: Clock;
  #counts: EndpointNumbers | undefined;
  #atNs = 0;
  #rates = NONE;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `counts` = requests taken so far; the result has one digit behind the point. */
  of(counts: EndpointNumbers): EndpointNumbers {
    const nowNs = this.#clock.nowNs();
    const elapsedNs = nowNs - this.#atNs;
    const before = this.#counts;
    if (before !== undefined && elapsedNs < LEAST_NS) return this.#rates;
    const rate = (name: keyof EndpointNumbers): number =>
      before === undefined || elapsedNs > MOST_NS
        ? 0
        : Math.round(((counts[name] - before[name]) / elapsedNs) * 1e10) / 10;
    this.#rates = { http: rate('http'), grpc: rate('grpc'), metrics: rate('metrics') };
    this.#counts = { ...counts };
    this.#atNs = nowNs;
    return this.#rates;
  }
}

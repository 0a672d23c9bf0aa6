// Requests per second of each endpoint, from counters that only grow. Whoever shows them asks about once a second; a
// question that comes sooner gets the answer of before.

import type { Clock } from '../../base/clock.ts';

const ENDPOINTS = ['http', 'grpc', 'metrics', 'openai', 'sagemaker', 'vertexAi'] as const;

type EndpointNumbers = Readonly<Record<(typeof ENDPOINTS)[number], number>>;

const LEAST_NS = 900e6;
/** After a longer silence a mean over it would say nothing about now. */
const MOST_NS = 5e9;
const NONE: EndpointNumbers = { http: 0, grpc: 0, metrics: 0, openai: 0, sagemaker: 0, vertexAi: 0 };

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
    const rates = { ...NONE };
    if (before !== undefined && elapsedNs <= MOST_NS) {
      for (const name of ENDPOINTS)
        rates[name] = Math.round(((counts[name] - before[name]) / elapsedNs) * 1e10) / 10;
    }
    this.#rates = rates;
    this.#counts = { ...counts };
    this.#atNs = nowNs;
    return this.#rates;
  }
}

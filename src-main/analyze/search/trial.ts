// One thing that a search wants to be measured, and what it is told about it. Searches are generators: they yield a
// trial and are resumed with its measurement, so that they know nothing of servers and can be tested on paper.

import type { Metrics } from '../rank/metrics.ts';

/** Fields of the configuration, as its JSON form has them; undefined = the configuration as it is. */
export type VariantFields = Readonly<Record<string, unknown>> | undefined;

/** In flight, or a second. */
export interface TrialLoad {
  readonly unit: 'concurrency' | 'request-rate';
  readonly value: number;
}

/** One variant at one load. */
export interface Trial {
  readonly fields: VariantFields;
  /** Of the requests of the client. */
  readonly batchSize: number;
  readonly load: TrialLoad;
}

/** undefined: nothing could be measured. */
export type TrialResult = { readonly metrics: Metrics } | undefined;

/** Resumed with what was measured of the trial that it yielded last. */
export type Search<Result = void> = Generator<Trial, Result, TrialResult>;

// The parts of our metric libraries that a server needs. Their main files load what it does not: a gateway, clusters and
// figures of Node, a decoder in WebAssembly; together a tenth of a second of a start, and 30 MB.

import { createRequire } from 'node:module';

import type * as Histograms from 'hdr-histogram-js';
import type * as Prometheus from 'prom-client';

// Not at the top of the file: builds declare a `require` of their own there.
function load() {
  const require = createRequire(import.meta.url);
  return {
    ...(require('hdr-histogram-js/dist/Float64Histogram.js') as {
      readonly default: typeof Histograms.Float64Histogram;
    }),
    Registry: require('prom-client/lib/registry.js') as typeof Prometheus.Registry,
    Gauge: require('prom-client/lib/gauge.js') as typeof Prometheus.Gauge,
    Histogram: require('prom-client/lib/histogram.js') as typeof Prometheus.Histogram,
  };
}

export const { default: Float64Histogram, Registry, Gauge, Histogram } = load();
/** HdrHistogram's, for quantiles. */
export type Float64Histogram = Histograms.Float64Histogram;
/** The families of one exposition. */
export type Registry = Prometheus.Registry;
/** A value that goes up and down, by labels. */
export type Gauge<T extends string = string> = Prometheus.Gauge<T>;
/** Counts below upper bounds, by labels. */
export type Histogram<T extends string = string> = Prometheus.Histogram<T>;

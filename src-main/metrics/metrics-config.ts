// `--metrics-config`: which latency families exist and which quantiles the summaries have. Values are case-sensitive
// and unknown keys are ignored, as in the reference.

import type { Quantile } from './quantile-sketch.ts';

/** What `--metrics-config` asks for. */
export interface MetricsConfig {
  /** False freezes every counter at 0, the request counters too (a quirk that dashboards may know). */
  readonly counterLatencies: boolean;
  readonly histogramLatencies: boolean;
  readonly summaryLatencies: boolean;
  /** In the order given. */
  readonly summaryQuantiles: readonly Quantile[];
}

/** What holds where `--metrics-config` says nothing. */
export const defaultMetricsConfig: MetricsConfig = {
  counterLatencies: true,
  histogramLatencies: false,
  summaryLatencies: false,
  summaryQuantiles: [
    { rank: 0.5, error: 0.05 },
    { rank: 0.9, error: 0.01 },
    { rank: 0.95, error: 0.001 },
    { rank: 0.99, error: 0.001 },
    { rank: 0.999, error: 0.001 },
  ],
};

/** What could be read of `--metrics-config`, and what could not. */
export interface ParsedMetricsConfig {
  readonly config: MetricsConfig;
  /** Quantile pairs that were skipped, as error lines for the log; told once for every model that is published. */
  readonly faults: readonly string[];
}

/** Entries in command-line order; the last of equal keys wins. */
export function parseMetricsConfig(settings: readonly (readonly [string, string])[]): ParsedMetricsConfig {
  const values = new Map(settings);
  const faults: string[] = [];
  const quantiles = parseQuantiles(values.get('summary_quantiles'), faults);
  const config: MetricsConfig = {
    counterLatencies: values.get('counter_latencies') !== 'false',
    histogramLatencies: values.get('histogram_latencies') === 'true',
    summaryLatencies: values.get('summary_latencies') === 'true',
    summaryQuantiles: quantiles.length > 0 ? quantiles : defaultMetricsConfig.summaryQuantiles,
  };
  return { config, faults };
}

/**
 * `q:err,q:err,...`; a numeric prefix is enough on either side, and a quantile above 1 is the largest value. Faults in
 * the reference's words.
 */
function parseQuantiles(text: string | undefined, faults: string[]): Quantile[] {
  const quantiles: Quantile[] = [];
  for (const pair of text === undefined || text === '' ? [] : text.split(',')) {
    const at = pair.indexOf(':');
    const [rank = Number.NaN, error = Number.NaN] = [pair.slice(0, at), pair.slice(at + 1)].map(
      Number.parseFloat,
    );
    if (at < 0) {
      faults.push(`Invalid option: [${pair}]. No ':' delimiter found. Expected format is <quantile>:<error>`);
    } else if (Number.isNaN(rank) || Number.isNaN(error)) {
      // The name of the C function that reads numbers is all that the reference says.
      faults.push(`Invalid option: [${pair}]. Error: stod`);
    } else quantiles.push({ rank, error });
  }
  return quantiles;
}

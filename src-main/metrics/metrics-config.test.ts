// The settings of metrics that the command line gives.

import { describe, expect, test } from 'vitest';
import { defaultMetricsConfig, parseMetricsConfig } from './metrics-config.ts';

describe('metrics config', () => {
  test.each([
    [[['counter_latencies', 'False']], {}],
    [
      [
        ['counter_latencies', 'false'],
        ['summary_latencies', 'true'],
      ],
      { counterLatencies: false, summaryLatencies: true },
    ],
    [[['histogram_latencies', 'TRUE']], {}],
    [
      [['summary_quantiles', '0.5:0.1,0.0.1:0.2']],
      {
        summaryQuantiles: [
          { rank: 0.5, error: 0.1 },
          { rank: 0, error: 0.2 },
        ],
      },
    ],
    [[['summary_quantiles', '0.5']], {}],
    [
      [['summary_quantiles', '2:0.1,0.3:-1,a:b,0.7:2']],
      {
        summaryQuantiles: [
          { rank: 2, error: 0.1 },
          { rank: 0.3, error: -1 },
          { rank: 0.7, error: 2 },
        ],
      },
    ],
  ] as const)('reads %j', (settings, change) => {
    expect(parseMetricsConfig(settings.map(([k, v]) => [k, v] as const)).config).toEqual({
      ...defaultMetricsConfig,
      ...change,
    });
  });
});

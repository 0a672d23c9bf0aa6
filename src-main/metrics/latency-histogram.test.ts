import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  HistogramReader,
  LatencyHistogram,
  histogramCount,
  histogramPercentiles,
  mergeHistograms,
} from './latency-histogram.ts';

const durationUs = fc.integer({ min: 0, max: 120_000_000 });

function recorded(values: readonly number[]): LatencyHistogram {
  const histogram = new LatencyHistogram();
  for (const us of values) histogram.record(us * 1000);
  return histogram;
}

describe('LatencyHistogram', () => {
  test('percentiles are at or above the true value by less than 1 %', () => {
    fc.assert(
      fc.property(
        fc.array(durationUs, { minLength: 1 }),
        fc.integer({ min: 1, max: 100 }),
        (values, percentile) => {
          const sorted = [...values].sort((a, b) => a - b);
          const exact = sorted[Math.max(1, Math.ceil((percentile / 100) * values.length)) - 1] ?? 0;
          const [seen = -1] = histogramPercentiles(recorded(values).total(), [percentile]) ?? [];
          expect(seen).toBeGreaterThanOrEqual(exact);
          expect(seen).toBeLessThanOrEqual(exact * 1.01);
        },
      ),
    );
  });

  test('intervals merge to the same histogram as the whole', () => {
    fc.assert(
      fc.property(fc.array(fc.array(durationUs)), (parts) => {
        const histogram = new LatencyHistogram();
        const reader = new HistogramReader(histogram);
        const intervals = parts.map((values) => {
          for (const us of values) histogram.record(us * 1000);
          return reader.next();
        });
        expect(mergeHistograms(intervals)).toEqual(recorded(parts.flat()).total());
      }),
    );
  });

  test.each([
    { ns: -5, us: 0 },
    { ns: 999, us: 0 },
    { ns: 255_000, us: 255 },
    { ns: 1e15, us: 2 ** 27 - 1 },
  ])('$ns ns counts as $us us', ({ ns, us }) => {
    const histogram = new LatencyHistogram();
    histogram.record(ns);
    expect(histogramPercentiles(histogram.total(), [100])).toEqual([us]);
    expect(histogramCount(histogram.total())).toBe(1);
  });
});

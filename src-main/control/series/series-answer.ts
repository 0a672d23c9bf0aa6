// The newer part of a version's history as one message, with what belongs to the window as a whole.

import type { SeriesAnswer, SeriesMarker, SeriesWindow } from '../../../src-shared/contract/observe-views.ts';
import { packPoint } from '../../../src-shared/contract/series-pack.ts';
import type { Model } from '../../repository/model.ts';
import type { ModelSampler } from './model-sampler.ts';
import { pointOf } from './series-bucket.ts';

interface SeriesArgs {
  readonly model: string;
  readonly version: string;
  readonly window: SeriesWindow;
  readonly afterMs: number;
}

/**
 * `afterMs` 0 asks for all of the window. `isWhole` tells the page to replace what it has instead of adding.
 * Whoever asks for the last minute is given four points a second from then on, as long as more is asked.
 */
export function seriesAnswer(
  { model, version, window, afterMs }: SeriesArgs,
  {
    sampler,
    served,
    markers,
  }: {
    readonly sampler: ModelSampler;
    readonly served: Model | undefined;
    readonly markers: readonly SeriesMarker[];
  },
): SeriesAnswer {
  // The buckets since load double in length now and then, which changes the older ones as well.
  const isWhole = window === 'load' || afterMs === 0;
  if (window === '1m') sampler.lookClosely(model, version);
  const newer = sampler.buckets(model, version, window, isWhole ? undefined : afterMs);
  const sizes = sampler.batches(model, version, window);
  const batching = served?.config.dynamicBatching;
  return {
    version: served?.version,
    rows: newer.map((bucket) => packPoint(pointOf(bucket))),
    isWhole,
    batches: sizes.flatMap((batchSize, at) =>
      at % 2 === 0 ? [{ batchSize, count: sizes[at + 1] ?? 0 }] : [],
    ),
    busy: sampler.busyShares(model, version),
    markers,
    maxQueueSize: batching?.defaultQueuePolicy?.maxQueueSize ?? 0,
    hasCache: served !== undefined && hasUsedCache(served),
  };
}

/** The configuration may ask for a cache that the server does not have: only lookups show that there is one. */
function hasUsedCache({ config, runtime }: Model): boolean {
  if (config.responseCache?.enable !== true) return false;
  const { cacheHit, cacheMiss } = runtime.statistics.snapshot().inference;
  return cacheHit.count + cacheMiss.count > 0;
}

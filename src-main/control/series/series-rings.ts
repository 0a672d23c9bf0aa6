// The history of one loaded model version in rings of growing coarseness: 250 ms buckets for a minute, 1 s for five
// minutes, 5 s for a quarter, 15 s for an hour, and one ring since load whose buckets double when it is full.

import type { SeriesWindow } from '../../../src-shared/contract/observe-views.ts';
import { RingBuffer } from '../../base/ring-buffer.ts';
import type { PackedCounts } from './packed-counts.ts';
import type { SeriesBucket } from './series-bucket.ts';
import { mergeBuckets } from './series-bucket.ts';
import type { SeriesRecord } from './series-record.ts';
import { packBucket, recordBatches, recordStart, unpackBucket } from './series-record.ts';

const RINGS = [
  { window: '1m', bucketMs: 250, capacity: 240 },
  { window: '5m', bucketMs: 1000, capacity: 300 },
  { window: '15m', bucketMs: 5000, capacity: 180 },
  { window: '1h', bucketMs: 15_000, capacity: 240 },
] as const;

const LOAD_CAPACITY = 300;
const LOAD_BUCKET_MS = 1000;

/** A collector that waits long for its time to pass merges what it has; merging loses nothing. */
const MOST_OPEN = 16;

/** Collects buckets until they cover `bucketMs`, then gives one merged bucket. */
class Collector {
  #bucketMs: number;
  #open: SeriesBucket[] = [];

  constructor(bucketMs: number) {
    this.#bucketMs = bucketMs;
  }

  widen(bucketMs: number): void {
    this.#bucketMs = bucketMs;
  }

  add(bucket: SeriesBucket): SeriesBucket | undefined {
    this.#open.push(bucket);
    const coveredMs = this.#open.reduce((total, { bucketMs }) => total + bucketMs, 0);
    // Half a base bucket of slack: ticks are never exact, and rings must not drift apart.
    if (coveredMs + 125 < this.#bucketMs) {
      if (this.#open.length > MOST_OPEN) this.#open = [mergeBuckets(this.#open)];
      return undefined;
    }
    // Alone in the finest ring, four times a second for each version: merging it with nothing changes nothing.
    const [first, ...more] = this.#open;
    const merged = first !== undefined && more.length === 0 ? first : mergeBuckets(this.#open);
    this.#open = [];
    return merged;
  }

  /** What was collected so far ends here: time passes before the next bucket. */
  cut(): void {
    this.#open = [];
  }
}

/** Bounded however long a version serves: a fixed number of records in each ring. */
export class SeriesRings {
  readonly #rings = RINGS.map(({ bucketMs, capacity }) => ({
    collector: new Collector(bucketMs),
    ring: new RingBuffer<SeriesRecord>(capacity),
  }));
  readonly #sinceLoad: SeriesRecord[] = [];
  #loadBucketMs = LOAD_BUCKET_MS;
  readonly #loadCollector = new Collector(LOAD_BUCKET_MS);

  /** Takes one bucket of about 250 ms. */
  add(bucket: SeriesBucket): void {
    for (const { collector, ring } of this.#rings) {
      const merged = collector.add(bucket);
      if (merged !== undefined) ring.push(packBucket(merged));
    }
    const merged = this.#loadCollector.add(bucket);
    if (merged === undefined) return;
    this.#sinceLoad.push(packBucket(merged));
    if (this.#sinceLoad.length >= LOAD_CAPACITY) this.#halve();
  }

  /** The same version was loaded again: the hour before stays, what is counted since load begins anew. */
  restart(): void {
    for (const { collector } of this.#rings) collector.cut();
    this.#loadCollector.cut();
    this.#loadCollector.widen(LOAD_BUCKET_MS);
    this.#loadBucketMs = LOAD_BUCKET_MS;
    this.#sinceLoad.length = 0;
  }

  /** Buckets of a window that begin after `afterMs`, oldest first. */
  buckets(window: SeriesWindow, afterMs = -Infinity): readonly SeriesBucket[] {
    return this.#records(window)
      .filter((record) => recordStart(record) > afterMs)
      .map(unpackBucket);
  }

  /** Executions by batch size of each bucket of a window. */
  batches(window: SeriesWindow): readonly PackedCounts[] {
    return this.#records(window).map(recordBatches);
  }

  #records(window: SeriesWindow): readonly SeriesRecord[] {
    if (window === 'load') return this.#sinceLoad;
    const index = RINGS.findIndex((ring) => ring.window === window);
    return this.#rings[index]?.ring.toArray() ?? [];
  }

  #halve(): void {
    const merged: SeriesRecord[] = [];
    for (let at = 0; at < this.#sinceLoad.length; at += 2) {
      merged.push(packBucket(mergeBuckets(this.#sinceLoad.slice(at, at + 2).map(unpackBucket))));
    }
    this.#sinceLoad.splice(0, this.#sinceLoad.length, ...merged);
    this.#loadBucketMs *= 2;
    this.#loadCollector.widen(this.#loadBucketMs);
  }
}

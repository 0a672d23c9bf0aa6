// Looks at every ready model version once a second, at those whose last minute somebody watches four times, and keeps
// their histories in rings. Costs nothing per request.

import type { ModelSample, SeriesWindow } from '../../../src-shared/contract/observe-views.ts';
import type { Clock, Timer } from '../../base/clock.ts';
import type { ModelStatisticsSnapshot } from '../../metrics/infer-statistics.ts';
import type { LatencyHistogram, SparseHistogram } from '../../metrics/latency-histogram.ts';
import { histogramPercentiles, HistogramReader } from '../../metrics/latency-histogram.ts';
import type { ModelReading, SeriesBucket } from './series-bucket.ts';
import { bucketBetween, busySharesOf, latencyOf, mergedOf } from './series-bucket.ts';
import { SeriesRings } from './series-rings.ts';

const FAST_PERIOD_MS = 250;
const SLOW_PERIOD_MS = 1000;
/** Ticks are never exact. */
const SLACK_MS = FAST_PERIOD_MS / 2;
/** After the last question; pages ask twice a second. */
const CLOSE_LOOK_MS = 3000;
const SPARKLINE_SECONDS = 60;
/** What an unloaded version did stays known this long, for when it is loaded again. */
const PAST_MS = 3_600_000;

/** One loaded version as the sampler sees it. A reload is another object with other counters. */
export interface ObservedModel {
  readonly name: string;
  readonly version: string;
  readonly requestLatency: LatencyHistogram;
  /** Counters since the version was loaded. */
  snapshot(): ModelStatisticsSnapshot;
  /** Refused by a full queue, or timed out in it. */
  readonly rejectedCount: number;
  readonly timedOutCount: number;
  readonly pendingCount: number;
  /** Requests executing now. */
  readonly executingCount: number;
  /** Most that waited since the last call. */
  takeMostPending(): number;
  /** Cumulative busy nanoseconds per instance. */
  busyNs(nowNs: number): readonly number[];
}

interface Watched {
  readonly model: ObservedModel;
  readonly rings: SeriesRings;
  readonly reader: HistogramReader;
  reading: ModelReading;
  /** What the rings got in the latest second, oldest first. */
  recent: readonly SeriesBucket[];
  lookedNs: number;
  /** Looked at four times a second until then. */
  closelyUntilNs: number;
}

/** Which versions are looked at, and who hears of each look. */
export interface ModelSamplerOptions {
  readonly clock: Clock;
  /** Versions in service; the same object as long as the same load serves. */
  readonly models: () => Iterable<ObservedModel>;
  /** Called after each look at all of them, once a second. */
  readonly onSample: () => void;
}

/** Histories of versions that were unloaded are kept for a while, and go on when the same version is loaded again. */
export class ModelSampler {
  readonly #options: ModelSamplerOptions;
  readonly #watched = new Map<ObservedModel, Watched>();
  readonly #past = new Map<string, { readonly rings: SeriesRings; readonly untilMs: number }>();
  #timer: Timer | undefined;
  #isFast = false;
  /** When all of them were looked at. */
  #lastNs = 0;

  constructor(options: ModelSamplerOptions) {
    this.#options = options;
  }

  /** What is in service already begins its history here; a version that comes later begins with its first request. */
  start(): void {
    const nowNs = this.#options.clock.nowNs();
    this.#lastNs = nowNs;
    for (const model of this.#options.models()) {
      this.#watch(model, new SeriesRings(), readingOf(model, nowNs)).reader.next();
    }
    this.#setFast(false);
  }

  /** Four looks a second at one version for some seconds from now; "" = the newest. */
  lookClosely(name: string, version: string): void {
    const watched = this.#find(name, version);
    if (watched === undefined) return;
    watched.closelyUntilNs = this.#options.clock.nowNs() + CLOSE_LOOK_MS * 1e6;
    if (!this.#isFast) this.#setFast(true);
  }

  /** Looks no more, and forgets all histories. */
  close(): void {
    this.#timer?.cancel();
    this.#watched.clear();
    this.#past.clear();
  }

  /** Looks at all versions when it is time to, else at those that are watched closely; called by its own timer. */
  tick(): void {
    const { clock, models, onSample } = this.#options;
    const nowNs = clock.nowNs();
    const isRound = nowNs - this.#lastNs >= (SLOW_PERIOD_MS - SLACK_MS) * 1e6;
    const inService = new Set(models());
    for (const model of inService) {
      const watched = this.#watched.get(model);
      if (isRound) this.#look(watched ?? this.#watchAgain(model, nowNs, inService), nowNs);
      else if (watched !== undefined && watched.closelyUntilNs > nowNs) this.#look(watched, nowNs);
    }
    this.#forget(inService, clock.wallMs());
    if (!isRound) return;
    this.#lastNs = nowNs;
    const isWatched = [...this.#watched.values()].some(({ closelyUntilNs }) => closelyUntilNs > nowNs);
    if (!isWatched && this.#isFast) this.#setFast(false);
    onSample();
  }

  /** History of one version, what began after `afterMs`; "" = the newest watched one of that name. Empty when it is not in service. */
  buckets(name: string, version: string, window: SeriesWindow, afterMs?: number): readonly SeriesBucket[] {
    return this.#find(name, version)?.rings.buckets(window, afterMs) ?? [];
  }

  /** Executions by batch size over a window: `[size, count, ...]`, sizes ascending. */
  batches(name: string, version: string, window: SeriesWindow): SparseHistogram {
    return mergedOf(this.#find(name, version)?.rings.batches(window) ?? []);
  }

  /** Latest second of every version. */
  samples(): readonly ModelSample[] {
    return [...this.#watched.values()].map(({ model, recent: second, reading }) => {
      const covered = second.reduce((total, { bucketMs }) => total + bucketMs, 0);
      const inferences = second.reduce((total, bucket) => total + bucket.inferences + bucket.cacheHits, 0);
      const { statistics } = reading;
      return {
        model: model.name,
        version: model.version,
        inferPerSecond: covered === 0 ? 0 : (inferences * 1000) / covered,
        p99Us: histogramPercentiles(latencyOf(second), [99])?.[0],
        waiting: model.pendingCount,
        inFlight: model.pendingCount + model.executingCount,
        lastRequestAtMs: statistics.lastInferenceMs,
        successCount: statistics.inference.success.count,
        failureCount: statistics.inference.fail.count,
      };
    });
  }

  /** Latencies of the latest second over all versions. */
  totalP99Us(): number | undefined {
    const parts = [...this.#watched.values()].flatMap(({ recent }) => recent);
    return histogramPercentiles(latencyOf(parts), [99])?.[0];
  }

  /** Busy share 0..1 per instance over the latest second. */
  busyShares(name: string, version: string): readonly number[] {
    return busySharesOf(this.#find(name, version)?.recent ?? []);
  }

  /** Inferences per second of the last minute by model name, oldest first. */
  sparklines(): Readonly<Record<string, readonly number[]>> {
    const lines: Record<string, number[]> = {};
    for (const { model, rings } of this.#watched.values()) {
      const rates = rings
        .buckets('5m')
        .slice(-SPARKLINE_SECONDS)
        .map((bucket) => ((bucket.inferences + bucket.cacheHits) * 1000) / bucket.bucketMs);
      const before = lines[model.name];
      lines[model.name] = before === undefined ? rates : addFromEnd(before, rates);
    }
    return lines;
  }

  #find(name: string, version: string): Watched | undefined {
    let found: Watched | undefined;
    for (const watched of this.#watched.values()) {
      if (watched.model.name !== name) continue;
      if (watched.model.version === version) return watched;
      if (version !== '') continue;
      if (found === undefined || Number(watched.model.version) > Number(found.model.version)) found = watched;
    }
    return found;
  }

  #setFast(isFast: boolean): void {
    this.#isFast = isFast;
    this.#timer?.cancel();
    this.#timer = this.#options.clock.every(isFast ? FAST_PERIOD_MS : SLOW_PERIOD_MS, () => this.tick());
  }

  #watch(model: ObservedModel, rings: SeriesRings, reading: ModelReading): Watched {
    const watched = {
      model,
      rings,
      reader: new HistogramReader(model.requestLatency),
      reading,
      recent: [],
      lookedNs: this.#lastNs,
      closelyUntilNs: 0,
    };
    this.#watched.set(model, watched);
    return watched;
  }

  /** A version that came into service; it goes on with the history of its load before, if there was one lately. */
  #watchAgain(model: ObservedModel, nowNs: number, inService: ReadonlySet<ObservedModel>): Watched {
    const key = keyOf(model);
    // A reload swaps in the new version before the old one is forgotten.
    const before = [...this.#watched.values()].find(
      (watched) => keyOf(watched.model) === key && !inService.has(watched.model),
    );
    const rings = before?.rings ?? this.#past.get(key)?.rings;
    rings?.restart();
    const watched = this.#watch(model, rings ?? new SeriesRings(), readingBefore(model, nowNs));
    if (before !== undefined) {
      watched.recent = before.recent;
      watched.lookedNs = before.lookedNs;
      watched.closelyUntilNs = before.closelyUntilNs;
    }
    return watched;
  }

  /** Versions that left service, and what is known of those that left long ago. */
  #forget(inService: ReadonlySet<ObservedModel>, nowMs: number): void {
    const served = new Set([...inService].map(keyOf));
    for (const [model, { rings }] of this.#watched) {
      if (inService.has(model)) continue;
      this.#watched.delete(model);
      if (!served.has(keyOf(model))) this.#past.set(keyOf(model), { rings, untilMs: nowMs + PAST_MS });
    }
    for (const [key, { untilMs }] of this.#past) {
      if (untilMs <= nowMs || served.has(key)) this.#past.delete(key);
    }
  }

  #look(watched: Watched, nowNs: number): void {
    const { model, reader, reading } = watched;
    const bucketMs = Math.max(1, Math.round((nowNs - watched.lookedNs) / 1e6));
    const span = { atMs: this.#options.clock.wallMs() - bucketMs, bucketMs };
    const next = readingOf(model, nowNs);
    const hasAnswers = next.statistics.inference.success.count !== reading.statistics.inference.success.count;
    const bucket = bucketBetween(reading, next, hasAnswers ? reader.next() : [], span);
    watched.rings.add(bucket);
    watched.recent = lastSecond([...watched.recent, bucket]);
    watched.reading = next;
    watched.lookedNs = nowNs;
  }
}

function keyOf({ name, version }: ObservedModel): string {
  return `${version} ${name}`;
}

function readingOf(model: ObservedModel, nowNs: number): ModelReading {
  const mostPending = model.takeMostPending();
  return {
    statistics: model.snapshot(),
    rejected: model.rejectedCount,
    timedOut: model.timedOutCount,
    waiting: mostPending,
    inFlight: Math.max(mostPending, model.pendingCount + model.executingCount),
    busyNs: model.busyNs(nowNs),
  };
}

const NONE = { count: 0, ns: 0 } as const;

/** The reading of a version that has not answered anything yet. */
function readingBefore(model: ObservedModel, nowNs: number): ModelReading {
  const reading = readingOf(model, nowNs);
  return {
    ...reading,
    rejected: 0,
    timedOut: 0,
    statistics: {
      ...reading.statistics,
      inferenceCount: 0,
      executionCount: 0,
      batches: [],
      inference: {
        success: NONE,
        fail: NONE,
        queue: NONE,
        computeInput: NONE,
        computeInfer: NONE,
        computeOutput: NONE,
        cacheHit: NONE,
        cacheMiss: NONE,
      },
    },
  };
}

/** Of buckets that follow each other, oldest first. */
function lastSecond(buckets: readonly SeriesBucket[]): readonly SeriesBucket[] {
  let first = buckets.length;
  let coveredMs = 0;
  while (first > 0 && coveredMs < SLOW_PERIOD_MS - SLACK_MS) {
    first -= 1;
    coveredMs += buckets[first]?.bucketMs ?? 0;
  }
  return buckets.slice(first);
}

function addFromEnd(a: readonly number[], b: readonly number[]): number[] {
  const length = Math.max(a.length, b.length);
  return Array.from(
    { length },
    (_, index) => (a[index - length + a.length] ?? 0) + (b[index - length + b.length] ?? 0),
  );
}

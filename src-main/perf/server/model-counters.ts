// The server's cumulative statistics of one model version, from either protocol, and their differences over a window.

import type { PerfServerTimes } from '../../../src-shared/contract/perf-views.ts';

interface Counter {
  readonly count: number;
  readonly ns: number;
}

/** The statistics of one version at one moment; durations are nanoseconds. */
export interface ModelCounters {
  readonly model: string;
  readonly version: string;
  readonly inferenceCount: number;
  readonly executionCount: number;
  readonly success: Counter;
  readonly queue: Counter;
  readonly input: Counter;
  readonly infer: Counter;
  readonly output: Counter;
  readonly cacheHit: Counter;
  readonly cacheMiss: Counter;
  /** Executions by batch size. */
  readonly batches: ReadonlyMap<number, number>;
}

type Json = Readonly<Record<string, unknown>>;

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

/** 64-bit integers come as numbers over HTTP and as texts over gRPC. */
function numberOf(value: unknown): number {
  const number = Number(value ?? 0);
  return Number.isFinite(number) ? number : 0;
}

function counterOf(value: unknown): Counter {
  const { count, ns } = objectOf(value);
  return { count: numberOf(count), ns: numberOf(ns) };
}

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

/** A statistics answer: `{ model_stats: [...] }`. Missing members count as zero. */
export function countersOf(document: Json): readonly ModelCounters[] {
  return listOf(document['model_stats']).map((stats) => {
    const inference = objectOf(stats['inference_stats']);
    return {
      model: String(stats['name'] ?? ''),
      version: String(stats['version'] ?? ''),
      inferenceCount: numberOf(stats['inference_count']),
      executionCount: numberOf(stats['execution_count']),
      success: counterOf(inference['success']),
      queue: counterOf(inference['queue']),
      input: counterOf(inference['compute_input']),
      infer: counterOf(inference['compute_infer']),
      output: counterOf(inference['compute_output']),
      cacheHit: counterOf(inference['cache_hit']),
      cacheMiss: counterOf(inference['cache_miss']),
      batches: new Map(
        listOf(stats['batch_stats']).map((batch) => [
          numberOf(batch['batch_size']),
          counterOf(batch['compute_infer']).count,
        ]),
      ),
    };
  });
}

function less(after: Counter, before: Counter | undefined): Counter {
  return { count: after.count - (before?.count ?? 0), ns: after.ns - (before?.ns ?? 0) };
}

/** What happened between two readings; a server that restarted meanwhile counts from zero. */
export function countersBetween(before: ModelCounters | undefined, after: ModelCounters): ModelCounters {
  const from = before !== undefined && before.success.count <= after.success.count ? before : undefined;
  const batches = new Map<number, number>();
  for (const [size, count] of after.batches) {
    const added = count - (from?.batches.get(size) ?? 0);
    if (added > 0) batches.set(size, added);
  }
  return {
    model: after.model,
    version: after.version,
    inferenceCount: after.inferenceCount - (from?.inferenceCount ?? 0),
    executionCount: after.executionCount - (from?.executionCount ?? 0),
    success: less(after.success, from?.success),
    queue: less(after.queue, from?.queue),
    input: less(after.input, from?.input),
    infer: less(after.infer, from?.infer),
    output: less(after.output, from?.output),
    cacheHit: less(after.cacheHit, from?.cacheHit),
    cacheMiss: less(after.cacheMiss, from?.cacheMiss),
    batches,
  };
}

/** Of the version whose queue moved, the highest of several; undefined where the model has no counters. */
export function movedVersion(
  before: readonly ModelCounters[],
  after: readonly ModelCounters[],
  model: string,
): ModelCounters | undefined {
  const deltas = after
    .filter((entry) => entry.model === model)
    .map((entry) =>
      countersBetween(
        before.find(({ model: name, version }) => name === entry.model && version === entry.version),
        entry,
      ),
    )
    .sort((a, b) => Number(b.version) - Number(a.version));
  const moved = deltas.filter(({ queue, cacheHit }) => queue.count > 0 || cacheHit.count > 0);
  return moved[0] ?? deltas[0];
}

/** Means per request in whole us, as the reference rounds them; compute is per request that was not cached. */
export function serverTimes(
  counters: ModelCounters,
  kind: { readonly isEnsemble: boolean; readonly hasCache: boolean },
  composing: readonly PerfServerTimes[],
): PerfServerTimes {
  const meanUs = ({ count, ns }: Counter): number => (count <= 0 ? 0 : Math.floor(ns / (count * 1000)));
  const requests = counters.success.count;
  const share = (counter: Counter): number =>
    requests <= 0 ? 0 : Math.floor(counter.ns / (requests * 1000));
  const requestUs = meanUs(counters.success);
  const times = {
    queueUs: meanUs(counters.queue),
    inputUs: meanUs(counters.input),
    inferUs: meanUs(counters.infer),
    outputUs: meanUs(counters.output),
  };
  const perRequestUs = kind.hasCache
    ? share(counters.queue) +
      share(counters.input) +
      share(counters.infer) +
      share(counters.output) +
      share(counters.cacheHit) +
      share(counters.cacheMiss)
    : times.queueUs + times.inputUs + times.inferUs + times.outputUs;
  return {
    model: counters.model,
    version: counters.version,
    isEnsemble: kind.isEnsemble,
    hasCache: kind.hasCache,
    inferenceCount: counters.inferenceCount,
    executionCount: counters.executionCount,
    successCount: requests,
    requestUs,
    ...times,
    overheadUs: Math.max(0, requestUs - perRequestUs),
    cacheHitCount: counters.cacheHit.count,
    cacheHitUs: meanUs(counters.cacheHit),
    cacheMissCount: counters.cacheMiss.count,
    cacheMissUs: meanUs(counters.cacheMiss),
    batches: [...counters.batches]
      .map(([batchSize, count]) => ({ batchSize, count }))
      .sort((a, b) => a.batchSize - b.batchSize),
    composing,
  };
}

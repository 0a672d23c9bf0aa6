// Gathers the facts the batch doctor judges from a running model, and turns its suggestion into a config text to try.

import { editConfigValue } from '../../../src-shared/config/config-edit.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { parseText } from '../../../src-shared/config/text-format/parser.ts';
import type { DoctorVerdict } from '../../../src-shared/contract/observe-views.ts';
import type { Model } from '../../repository/model.ts';
import type { DoctorFacts, DoctorSuggestion } from './batch-doctor-facts.ts';
import { diagnose } from './batch-doctor.ts';
import type { SeriesBucket } from '../series/series-bucket.ts';

/** The model, its history and its newest executions. */
export interface DiagnoseOptions {
  readonly name: string;
  /** Configuration that a suggestion is put into. */
  readonly configText: string;
  /** History of the last minute. */
  readonly buckets: readonly SeriesBucket[];
}

/**
 * `buckets`: the model's history, of which only what came since the load counts. Without a loaded model the
 * verdict is 'not-loaded'.
 */
export function diagnoseModel(model: Model | undefined, options: DiagnoseOptions): DoctorVerdict {
  if (model === undefined) {
    return {
      code: 'not-loaded',
      sentence: `${options.name} is not loaded, so no batches form.`,
      evidence: [],
      advice: 'Load the model and send some requests.',
      tries: [],
    };
  }
  const { suggestions, ...verdict } = diagnose(factsOf(model, sinceLoad(model, options.buckets)));
  return {
    ...verdict,
    tries: suggestions.map((suggestion) => ({
      title: suggestion.title,
      configText: applied(options.configText, suggestion),
    })),
  };
}

/** The bucket in which the load ended is judged too, unless all it holds is of the time before. */
function sinceLoad(
  { loadedAtMs, runtime }: Model,
  buckets: readonly SeriesBucket[],
): readonly SeriesBucket[] {
  const hasRun = runtime.recentExecutions().some(({ atWallMs }) => atWallMs >= loadedAtMs);
  return buckets.filter(
    ({ atMs, bucketMs }) => atMs >= loadedAtMs || (hasRun && atMs + bucketMs > loadedAtMs),
  );
}

/** What happens now counts; a longer look back is only for models with little traffic. */
const RECENT_MS = 10_000;
const ENOUGH_RECENT = 20;

/** Buckets with traffic: those of the latest ten seconds of the history, or all when these saw too little. */
function judged(buckets: readonly SeriesBucket[]): readonly SeriesBucket[] {
  const active = buckets.filter(({ successes, waiting, inFlight }) => successes + waiting + inFlight > 0);
  const latest = buckets.at(-1);
  if (latest === undefined) return active;
  const recent = active.filter(({ atMs }) => atMs > latest.atMs - RECENT_MS);
  return sum(recent.map(({ successes }) => successes)) >= ENOUGH_RECENT ? recent : active;
}

function factsOf(model: Model, buckets: readonly SeriesBucket[]): DoctorFacts {
  const { config } = model;
  const active = judged(buckets);
  const windowMs = sum(active.map(({ bucketMs }) => bucketMs));
  const startMs = active[0]?.atMs ?? Infinity;
  const requestCount = sum(active.map(({ successes }) => successes));
  const meanInFlight = windowMs === 0 ? 0 : sum(active.map(({ requestNs }) => requestNs)) / (windowMs * 1e6);
  const executions = model.runtime.recentExecutions().filter(({ atWallMs }) => atWallMs >= startMs);
  return {
    maxBatchSize: config.maxBatchSize,
    scheduler: schedulerOf(config),
    preferredBatchSizes: config.dynamicBatching?.preferredBatchSize ?? [],
    delayUs: Number(config.dynamicBatching?.maxQueueDelayMicroseconds ?? 0n),
    instanceCount: Math.max(1, model.instances.length),
    hasOneGroup: config.instanceGroup.length === 1,
    inferenceCount: sum(active.map(({ inferences }) => inferences)),
    executionCount: sum(active.map(({ executions: count }) => count)),
    executions,
    meanInFlight,
    // Looks now and then may miss the most there was, which is never below the mean, nor below what ran together.
    maxInFlight: Math.max(
      requestCount > 0 ? 1 : 0,
      Math.ceil(meanInFlight - 0.1),
      ...active.map(({ inFlight }) => inFlight),
      ...executions.map(({ requestCount: together }) => together),
    ),
    timedOutCount: sum(active.map(({ timedOut }) => timedOut)),
    cacheHitCount: sum(active.map(({ cacheHits }) => cacheHits)),
    requestCount,
    windowMs,
  };
}

function schedulerOf(config: ModelConfig): DoctorFacts['scheduler'] {
  if (config.ensembleScheduling !== undefined) return 'ensemble';
  if (config.sequenceBatching !== undefined) return 'sequence';
  return config.dynamicBatching === undefined ? 'none' : 'dynamic';
}

/** The text with the suggested fields set, one after another. */
function applied(text: string, suggestion: DoctorSuggestion): string {
  return suggestion.changes.reduce((current, { path, value }) => {
    const edits = [...editConfigValue(parseText(current), path, value)].sort(
      (a, b) => b.startOffset - a.startOffset,
    );
    return edits.reduce(
      (edited, { startOffset, endOffset, newText }) =>
        edited.slice(0, startOffset) + newText + edited.slice(endOffset),
      current,
    );
  }, text);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

// The variants of a model in their order, and whether the best one is really better than what there was.

import { diffModelConfigs } from '../../../src-shared/config/config-diff.ts';
import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import type { PerfMeasured } from '../../../src-shared/contract/perf-views.ts';
import { isClear } from '../../perf/runs/compare-runs.ts';
import type { Goals } from '../rank/constraints.ts';
import { bestOf, passes, ranked } from '../rank/constraints.ts';
import type { MetricTag } from '../rank/metrics.ts';
import { gainOver } from '../rank/objectives.ts';
import type { Measurement, VariantRecord } from './measurement.ts';

/** A variant at its best. */
export interface RankedVariant {
  readonly record: VariantRecord;
  readonly best: Measurement;
}

/** undefined when nothing was measured. */
export function bestMeasurement({ measurements }: VariantRecord, goals: Goals): Measurement | undefined {
  return bestOf(measurements, goals);
}

/** The best first, each at its best; those without a measurement are left out. */
export function rankedVariants(records: readonly VariantRecord[], goals: Goals): readonly RankedVariant[] {
  const measured = records.flatMap((record) => {
    const best = bestMeasurement(record, goals);
    return best === undefined ? [] : [{ record, best, metrics: best.metrics }];
  });
  return ranked(measured, goals).map(({ record, best }) => ({ record, best }));
}

/** Whether it is the configuration that there was. */
export function isDefault({ name }: Pick<VariantRecord, 'name'>): boolean {
  return name.endsWith('_config_default');
}

/** What a search found. */
export interface Outcome {
  readonly best: RankedVariant;
  /** It says what the default says, under whatever name. */
  readonly isInitial: boolean;
  readonly isPassing: boolean;
  /** Against what the default says at its best; undefined when that was not measured, or is the best. */
  readonly gain:
    | {
        /** At the objectives. */
        readonly percent: number;
        /** The windows of both agreed. */
        readonly isSteady: boolean;
        /**
         * More than the windows of both vary by where they agreed, and than the default changed over the search; undefined where what
         * weighs most is not measured in windows.
         */
        readonly isClear: boolean | undefined;
      }
    | undefined;
}

/** undefined when nothing was measured. */
export function outcomeOf(records: readonly VariantRecord[], goals: Goals): Outcome | undefined {
  const variants = rankedVariants(records, goals);
  const [best] = variants;
  if (best === undefined) return undefined;
  // What the default says may have been tried under another name too: like is compared with like, at its best.
  const given = variants.find(({ record }) => isDefault(record));
  const initial = variants.find((variant) => given !== undefined && isSame(variant.record, given.record));
  const isOther = initial !== undefined && initial !== best;
  const gain = isOther ? gainOver(initial.best.metrics, best.best.metrics, goals.objectives) : 0;
  const isBeyondDrift = gain > Math.abs(given?.record.drift ?? 0);
  const isSteady = [initial?.best, best.best].every((measured) => measured?.level.state !== 'unstable');
  return {
    best,
    isInitial: initial === best,
    isPassing: passes(best.best.metrics, goals),
    gain: isOther
      ? {
          percent: 100 * gain,
          isSteady,
          isClear: isSteady && isBeyondDrift ? isClearlyOther(initial.best, best.best, goals) : false,
        }
      : undefined,
  };
}

function isSame(a: VariantRecord, b: VariantRecord): boolean {
  const [one, other] = [a, b].map(({ text }) => parseModelConfig(text).config);
  return a === b || (one !== undefined && other !== undefined && diffModelConfigs(one, other).length === 0);
}

const PICKS: Partial<Record<MetricTag, (measured: PerfMeasured) => number>> = {
  perf_throughput: ({ inferPerSecond }) => inferPerSecond,
  perf_latency_avg: ({ meanUs }) => meanUs,
  perf_latency_p90: ({ percentilesUs }) => percentilesUs['90'] ?? 0,
  perf_latency_p95: ({ percentilesUs }) => percentilesUs['95'] ?? 0,
  perf_latency_p99: ({ percentilesUs }) => percentilesUs['99'] ?? 0,
};

function isClearlyOther(a: Measurement, b: Measurement, { objectives }: Goals): boolean | undefined {
  const [heaviest] = [...objectives].toSorted(([, one], [, other]) => other - one);
  const pick = heaviest === undefined ? undefined : PICKS[heaviest[0]];
  return pick === undefined ? undefined : isClear(a.level, b.level, pick);
}

// A search as the window shows it, from its checkpoint.

import { configValueText, diffModelConfigs } from '../../../src-shared/config/config-diff.ts';
import { editConfigValue } from '../../../src-shared/config/config-edit.ts';
import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import { applyTextEdits } from '../../../src-shared/config/text-format/ast.ts';
import { parseText } from '../../../src-shared/config/text-format/parser.ts';
import type { AnalyzeTrial, AnalyzeView } from '../../../src-shared/contract/analyze-calls.ts';
import { passes } from '../../analyze/rank/constraints.ts';
import { driftSentence, summarySentence } from '../../analyze/report/summary-report.ts';
import type { ProfiledModel } from '../../analyze/report/tables.ts';
import type { VariantRecord } from '../../analyze/results/measurement.ts';
import { isDefault, outcomeOf, rankedVariants } from '../../analyze/results/ranking.ts';

type Found = Omit<AnalyzeView, 'request' | 'state' | 'error' | 'said'>;

/** Everything that follows from what was measured. */
export function foundOf(profiled: ProfiledModel): Found {
  const { records, goals } = profiled;
  const outcome = outcomeOf(records, goals);
  const best = outcome?.isPassing === true ? outcome.best.record : undefined;
  const initial = records.find(isDefault);
  const isBetter = outcome?.gain?.isClear === true && outcome.gain.percent > 0;
  return {
    measurementCount: records.reduce((count, { measurements }) => count + measurements.length, 0),
    trials: trialsOf(profiled),
    best: best?.name,
    sentence: outcome === undefined ? '' : summarySentence(profiled),
    driftSentence: driftSentence(profiled),
    bestConfigText:
      best !== undefined && initial !== undefined && isBetter
        ? changedText(initial.text, best.text)
        : undefined,
  };
}

function trialsOf({ records, goals }: ProfiledModel): readonly AnalyzeTrial[] {
  const measured = rankedVariants(records, goals).map(({ record, best }) => ({
    ...settingsOf(record),
    load: best.load.value,
    inferPerSecond: best.metrics.perf_throughput ?? 0,
    p99Us: 1000 * (best.metrics.perf_latency_p99 ?? 0),
    isStable: best.level.state === 'stable',
    isPassing: passes(best.metrics, goals),
    failure: undefined,
  }));
  const failed = records.filter(
    ({ measurements, failure }) => measurements.length === 0 && failure !== undefined,
  );
  const passing = measured.filter(({ isPassing }) => isPassing);
  return [
    ...measured.map((trial) => ({
      ...trial,
      isPareto: trial.isPassing && !passing.some((other) => beats(other, trial)),
    })),
    ...failed.map((record) => ({
      ...settingsOf(record),
      ...{
        load: 0,
        inferPerSecond: 0,
        p99Us: 0,
        isStable: false,
        isPassing: false,
        isPareto: false,
        failure: record.failure,
      },
    })),
  ];
}

function settingsOf(
  record: VariantRecord,
): Pick<AnalyzeTrial, 'variant' | 'isDefault' | 'instanceGroup' | 'maxBatchSize'> {
  const { name, instanceGroup, maxBatchSize } = record;
  return { variant: name, isDefault: isDefault(record), instanceGroup, maxBatchSize };
}

type Place = Pick<AnalyzeTrial, 'inferPerSecond' | 'p99Us'>;

function beats(a: Place, b: Place): boolean {
  const isNoWorse = a.inferPerSecond >= b.inferPerSecond && a.p99Us <= b.p99Us;
  return isNoWorse && (a.inferPerSecond > b.inferPerSecond || a.p99Us < b.p99Us);
}

/** Only what differs is edited, so that comments and layout of the file stay. */
function changedText(text: string, wanted: string): string {
  const before = parseModelConfig(text).config;
  const after = parseModelConfig(wanted).config;
  const fields = [
    ['max_batch_size', before.maxBatchSize, after.maxBatchSize],
    ['instance_group', before.instanceGroup, after.instanceGroup],
    ['dynamic_batching', before.dynamicBatching, after.dynamicBatching],
  ] as const;
  const changed = fields
    .filter(([, old, value]) => configValueText(old) !== configValueText(value))
    .reduce(
      (edited, [field, , value]) => applyTextEdits(edited, editConfigValue(parseText(edited), field, value)),
      text,
    );
  const isSame = diffModelConfigs(parseModelConfig(changed).config, after).length === 0;
  return isSame ? changed : wanted;
}

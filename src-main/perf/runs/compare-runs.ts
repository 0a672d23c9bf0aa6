// Runs side by side. A difference is called clear only when it is larger than what the windows of each run differ among
// themselves; otherwise it is within noise, and said so.

import { configValueText, diffModelConfigs } from '../../../src-shared/config/config-diff.ts';
import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import type {
  PerfComparison,
  PerfDifference,
  PerfFingerprint,
  PerfLevel,
  PerfRun,
} from '../../../src-shared/contract/perf-views.ts';

/** Two standard errors: about one chance in twenty of calling noise clear. */
const STANDARD_ERRORS = 2;
/** Differences below this share are not worth calling clear, however steady the windows are. */
const LEAST_SHARE = 0.01;

/** A level, or one measurement of several windows. */
export type Measured = Pick<PerfLevel, 'result' | 'windows'>;

/** Every later run against the first one. */
export function compareRuns(runs: readonly PerfRun[]): PerfComparison {
  const [first, ...others] = runs;
  if (first === undefined) return { runs, differences: [], configChanges: [], warnings: [] };
  return {
    runs,
    differences: others.map((run) => ({ runId: run.id, levels: differences(first, run) })),
    configChanges: configChanges(runs),
    warnings: circumstances(runs),
  };
}

function differences(base: PerfRun, run: PerfRun): PerfDifference[] {
  return run.levels.flatMap((level) => {
    const other = base.levels.find(({ unit, value }) => unit === level.unit && value === level.value);
    const isMeasured = other !== undefined && other.result.requestCount > 0 && level.result.requestCount > 0;
    return isMeasured ? [differenceOf(other, level)] : [];
  });
}

function differenceOf(base: PerfLevel, level: PerfLevel): PerfDifference {
  const throughput = (measured: PerfLevel['result']): number => measured.inferPerSecond;
  const p99 = (measured: PerfLevel['result']): number => measured.percentilesUs['99'] ?? 0;
  const throughputPercent = (throughput(level.result) / throughput(base.result) - 1) * 100;
  const p99DifferenceUs = p99(level.result) - p99(base.result);
  const isThroughputClear = isClear(base, level, throughput);
  const isP99Clear = isClear(base, level, p99);
  return {
    unit: level.unit,
    value: level.value,
    throughputPercent,
    isThroughputClear,
    p99DifferenceUs,
    isP99Clear,
    sentence: sentenceOf({ throughputPercent, isThroughputClear, p99DifferenceUs, isP99Clear }),
  };
}

/** Whether two levels differ by more than noise in what is picked. */
export function isClear(
  base: Measured,
  level: Measured,
  pick: (measured: PerfLevel['result']) => number,
): boolean {
  const noise = Math.hypot(standardError(base, pick), standardError(level, pick));
  const difference = Math.abs(pick(level.result) - pick(base.result));
  return difference > STANDARD_ERRORS * noise && difference > LEAST_SHARE * pick(base.result);
}

/** Of the mean over the windows; one window tells nothing about noise. */
function standardError({ windows }: Measured, pick: (measured: PerfLevel['result']) => number): number {
  const values = windows.filter(({ requestCount }) => requestCount > 0).map(pick);
  if (values.length < 2) return Infinity;
  const mean = values.reduce((total, value) => total + value, 0) / values.length;
  const squares = values.reduce((total, value) => total + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1) / values.length);
}

function sentenceOf(
  difference: Pick<
    PerfDifference,
    'throughputPercent' | 'isThroughputClear' | 'p99DifferenceUs' | 'isP99Clear'
  >,
): string {
  const signed = (value: number, digits: number): string =>
    `${value >= 0 ? '+' : '-'}${Math.abs(value).toFixed(digits)}`;
  const parts = [
    `${signed(difference.throughputPercent, 0)} % inf/s${difference.isThroughputClear ? '' : ' (within noise)'}`,
    `p99 ${signed(difference.p99DifferenceUs / 1000, 1)} ms${difference.isP99Clear ? '' : ' (within noise)'}`,
  ];
  if (difference.isThroughputClear && difference.isP99Clear) return `${parts.join(', ')}, clear`;
  if (!difference.isThroughputClear && !difference.isP99Clear) return 'within noise';
  return parts.join(', ');
}

function configChanges(runs: readonly PerfRun[]): PerfComparison['configChanges'] {
  const configs = runs.map(({ configText }) => parseModelConfig(configText).config);
  const [base] = configs;
  if (base === undefined) return [];
  const found = new Map<string, string[]>();
  configs.forEach((config, index) => {
    for (const { path, before, after } of diffModelConfigs(base, config)) {
      const values = found.get(path) ?? runs.map(() => configValueText(before));
      values[index] = configValueText(after);
      found.set(path, values);
    }
  });
  return [...found].map(([path, values]) => ({ path, values }));
}

const CIRCUMSTANCES: readonly (readonly [keyof PerfFingerprint, string])[] = [
  ['cpuModel', 'processors'],
  ['cpuCount', 'numbers of cores'],
  ['platform', 'systems'],
  ['device', 'devices'],
  ['powerSource', 'power sources'],
  ['appVersion', 'versions of this program'],
  ['serverName', 'servers'],
];

function circumstances(runs: readonly PerfRun[]): string[] {
  const warnings = CIRCUMSTANCES.flatMap(([key, words]) => {
    const values = new Set(runs.map(({ fingerprint }) => String(fingerprint[key])));
    return values.size > 1
      ? [`Different ${words}: ${[...values].map((v) => v || 'unknown').join(' / ')}.`]
      : [];
  });
  const addresses = new Set(runs.map(({ plan }) => plan.url || 'the server of this window'));
  if (addresses.size > 1) warnings.push(`Measured at different addresses: ${[...addresses].join(' / ')}.`);
  if (new Set(runs.map(({ model }) => model)).size > 1) warnings.push('The runs are of different models.');
  return warnings;
}

// The report of one model: what was found, how much better it is than what there was, the best configurations drawn and in
// a table.

import { doubleText } from '../../perf/report/number-text.ts';
import type { Constraint, Constraints } from '../rank/constraints.ts';
import { metricOf } from '../rank/metrics.ts';
import type { Metrics, MetricTag } from '../rank/metrics.ts';
import type { RankedVariant } from '../results/ranking.ts';
import { isDefault, outcomeOf, rankedVariants } from '../results/ranking.ts';
import type { ProfiledModel } from './tables.ts';
import { htmlPage, htmlTable, paragraph } from './html-page.ts';
import { lineChart } from './svg-chart.ts';

/** What the numbers were measured on. */
export interface ReportMachine {
  /** "Intel ..., 8 processors". */
  readonly cpu: string;
  readonly gpus: readonly string[];
}

/** `plot` is in `html` too. */
export interface SummaryReport {
  readonly html: string;
  readonly plot: string;
}

/** Shows the best variants and the default. */
export function summaryReport(
  profiled: ProfiledModel,
  options: {
    readonly topCount: number;
    readonly mode: 'online' | 'offline';
    readonly machine: ReportMachine;
  },
): SummaryReport {
  const { model, goals, records } = profiled;
  const variants = rankedVariants(records, goals);
  const shown = variants.filter(({ record }, at) => at < options.topCount || isDefault(record));
  const plot = throughputPlot(shown, goals.constraints);
  const drift = driftSentence(profiled);
  const heading = options.mode === 'online' ? 'Online Result Summary' : 'Offline Result Summary';
  const html = htmlPage(heading, [
    paragraph(`Model: ${model}`),
    paragraph(`GPU(s): ${options.machine.gpus.length === 0 ? 'none' : options.machine.gpus.join(', ')}`),
    paragraph(`Processor: ${options.machine.cpu}`),
    ...[...goals.constraints].map((limit) => paragraph(constraintText(limit))),
    paragraph(summarySentence(profiled)),
    ...(drift === undefined ? [] : [paragraph(drift)]),
    plot,
    summaryTable(shown),
    ...failures(profiled),
    paragraph(
      'Measured on this machine. Shapes of trade-offs usually carry over to production hardware; absolute numbers do not.',
    ),
  ]);
  return { html, plot };
}

function constraintText([tag, { kind, value }]: readonly [MetricTag, Constraint]): string {
  return `Constraint: ${kind === 'max' ? 'Max' : 'Min'} ${metricOf(tag).header}: ${doubleText(value)}`;
}

/** The one sentence that a search is for. */
export function summarySentence({ records, goals }: ProfiledModel): string {
  const count = records.reduce((total, { measurements }) => total + measurements.length, 0);
  const tried = records.filter(({ measurements }) => measurements.length > 0).length;
  const measured = `In ${counted(count, 'measurement')} across ${counted(tried, 'configuration')}`;
  const outcome = outcomeOf(records, goals);
  if (outcome === undefined) return 'Nothing was measured.';
  const { best, isInitial, isPassing, gain } = outcome;
  const name = best.record.name;
  const under = goals.constraints.size === 0 ? '' : ', under the given constraints';
  if (!isPassing) return `${measured}, none keeps to the constraints; ${name} comes nearest.`;
  if (isInitial || (gain !== undefined && gain.percent <= 0))
    return `${measured}, no configuration provides a gain over the default${under}.`;
  if (gain === undefined)
    return `${measured}, ${name} is the best${under}; the default could not be measured.`;
  const share = `${gain.percent.toFixed(0)} % better than the default configuration at ${objectiveText(goals.objectives)}${under}`;
  if (gain.isClear === true)
    return `${measured}, ${name} is ${share}. That is more than the measurements vary.`;
  if (!gain.isSteady)
    return `${measured}, ${name} measured ${share}, but the measurements were not steady: no clear winner.`;
  if (gain.isClear === undefined) return `${measured}, ${name} is ${share}.`;
  return `${measured}, ${name} measured ${share}, which is within what the measurements vary: no clear winner.`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Drifts below this are not worth a word. */
const LEAST_DRIFT = 0.05;

/** What the default tells about the machine when it is measured once more; undefined where it measured the same. */
export function driftSentence({ records }: ProfiledModel): string | undefined {
  const drift = records.find(isDefault)?.drift ?? 0;
  if (Math.abs(drift) < LEAST_DRIFT) return undefined;
  const share = `${Math.abs(drift * 100).toFixed(0)} % ${drift > 0 ? 'better' : 'worse'}`;
  return `Measured once more after the search, the default configuration was ${share} than before: the machine changed meanwhile, and differences of that size say nothing.`;
}

function objectiveText(objectives: ReadonlyMap<MetricTag, number>): string {
  return [...objectives]
    .map(([tag]) => `${metricOf(tag).isLessBetter ? 'minimizing' : 'maximizing'} ${tag.replace('perf_', '')}`)
    .join(' and ');
}

function throughputPlot(variants: readonly RankedVariant[], constraints: Constraints): string {
  const limits = (
    [
      ['perf_latency_p99', 'x'],
      ['perf_throughput', 'y'],
    ] as const
  ).flatMap(([tag, axis]) => {
    const limit = constraints.get(tag);
    return limit === undefined ? [] : [{ axis, value: limit.value, name: `Target ${metricOf(tag).header}` }];
  });
  return lineChart({
    title: 'Throughput vs. Latency',
    xLabel: metricOf('perf_latency_p99').header,
    yLabel: metricOf('perf_throughput').header,
    series: variants.map(({ record }) => ({
      name: record.name,
      points: record.measurements.map(({ metrics }) => [
        metrics.perf_latency_p99 ?? 0,
        metrics.perf_throughput ?? 0,
      ]),
    })),
    limits,
  });
}

function summaryTable(variants: readonly RankedVariant[]): string {
  const optional = (['cpu_used_ram', 'gpu_used_memory', 'gpu_utilization'] as const).filter((tag) =>
    variants.some(({ best }) => best.metrics[tag] !== undefined),
  );
  const headers = [
    ...['Model Config Name', 'Max Batch Size', 'Dynamic Batching', 'Total Instance Count'],
    ...['p99 Latency (ms)', 'Throughput (infer/sec)'],
    ...optional.map((tag) => `${metricOf(tag).prefix}${metricOf(tag).header}`),
  ];
  const rows = variants.map(({ record, best }) => [
    record.name,
    String(record.maxBatchSize),
    record.hasDynamicBatching ? 'Enabled' : 'Disabled',
    record.instanceGroup,
    ...(['perf_latency_p99', 'perf_throughput', ...optional] as const).map((tag) => cell(best.metrics, tag)),
  ]);
  return htmlTable(headers, rows);
}

function failures({ records }: ProfiledModel): readonly string[] {
  const failed = records.flatMap(({ name, failure }) => (failure === undefined ? [] : [[name, failure]]));
  return failed.length === 0
    ? []
    : ['<h2>Could not be measured</h2>', htmlTable(['Model Config Name', 'Why'], failed)];
}

/** "" for what was not measured. */
export function cell(metrics: Metrics, tag: MetricTag): string {
  const value = metrics[tag];
  return value === undefined ? '' : doubleText(value);
}

// One level closely: where the mean request spent its time, how latencies spread, which batch sizes ran, the slowest.

import { memo, useMemo } from 'react';

import type { PerfLevel } from '../../../../src-shared/contract/perf-views.ts';
import { formatCount, formatMicros, formatPercent, threeDigits } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Card, Facts } from '../../../ui/card.tsx';
import { Chart } from '../../../ui/chart.tsx';
import type { ChartSeries } from '../../../ui/chart-types.ts';
import { ROLE_COLORS } from '../../../ui/chart-types.ts';
import { SlowestCard } from './slowest-card.tsx';
import { hasCachePart, latencyBars, LATENCY_PARTS, latencyParts } from '../run-charts.ts';

/** Its `place` is where the level stands in its run, for what leads to its traces. */
export const LevelDetails = memo(function LevelDetails({
  level,
  runId,
  place,
}: {
  readonly level: PerfLevel;
  readonly runId: string;
  readonly place: number;
}) {
  const batches = level.result.server?.batches;
  const points = useMemo(
    () => (batches ?? []).map(({ batchSize, count }) => ({ x: batchSize, count })).sort((a, b) => a.x - b.x),
    [batches],
  );
  const series = useMemo(
    (): readonly ChartSeries[] => [
      { key: 'count', title: t('perf.series.executions'), role: 'c1', shape: 'bar' },
    ],
    [],
  );
  return (
    <section aria-label={t('perf.details')} className="grid items-start gap-3 min-[1200px]:grid-cols-2">
      <PartsCard level={level} />
      <FactsCard level={level} />
      <LatencyHistogram level={level} />
      {points.length > 0 && (
        <Chart
          title={t('perf.chart.batches')}
          series={series}
          points={points}
          unit="count"
          xKind="category"
          xTitle={t('perf.batchSize')}
          height={170}
          testId="perf-chart-batches"
        />
      )}
      {level.slowest.length > 0 && <SlowestCard level={level} runId={runId} place={place} />}
    </section>
  );
});

/** How many requests took how long; the tail is what a mean hides. */
function LatencyHistogram({ level: { result } }: { readonly level: PerfLevel }) {
  const bars = useMemo(() => latencyBars(result.histogram), [result.histogram]);
  const series = useMemo(
    (): readonly ChartSeries[] => [
      { key: 'count', title: t('perf.series.requests'), role: 'c1', shape: 'bar' },
    ],
    [],
  );
  if (bars.length === 0) return null;
  return (
    <Chart
      title={t('perf.chart.histogram')}
      series={series}
      points={bars}
      unit="count"
      xKind="category"
      xTitle={t('perf.latencyUpTo')}
      xText={formatMicros}
      height={170}
      testId="perf-chart-histogram"
    />
  );
}

/** The parts of the mean request, one under the other, each starting where the one before ended. */
function PartsCard({ level }: { readonly level: PerfLevel }) {
  const parts = latencyParts(level.result);
  const shown = LATENCY_PARTS.filter(({ part }) => part !== 'cache' || hasCachePart(level.result.server));
  const total = LATENCY_PARTS.reduce((sum, { part }) => sum + parts[part], 0);
  const rows = shown.map(({ part, title, role }, index) => {
    const start = shown.slice(0, index).reduce((sum, earlier) => sum + parts[earlier.part], 0);
    return { part, title, role, us: parts[part], start };
  });
  return (
    <Card title={t(`perf.parts.of.${level.unit}`, { value: threeDigits(level.value) })} testId="perf-parts">
      <table className="w-full" aria-label={t('perf.chart.parts')}>
        <tbody>
          {rows.map(({ part, title, role, us, start }) => (
            <tr key={part}>
              <th scope="row" className="w-28 py-0.5 pr-2 text-left font-normal whitespace-nowrap text-soft">
                {t(title)}
              </th>
              <td className="w-full">
                <span
                  aria-hidden
                  className="relative block h-2.5 rounded-sm bg-sunken forced-color-adjust-none"
                >
                  <span
                    className="absolute inset-y-0 min-w-px rounded-sm"
                    style={{
                      left: percentOf(start, total),
                      width: percentOf(us, total),
                      backgroundColor: ROLE_COLORS[role],
                    }}
                  />
                </span>
              </td>
              <td className="py-0.5 pl-3 text-right whitespace-nowrap text-strong tabular-nums">
                {formatMicros(us)}
              </td>
              <td className="w-14 py-0.5 pl-2 text-right whitespace-nowrap text-faint tabular-nums">
                {formatPercent(total === 0 ? undefined : us / total)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {level.result.server === undefined && (
        <p className="mt-2 text-sm text-faint">{t('perf.parts.noServer')}</p>
      )}
    </Card>
  );
}

function percentOf(us: number, total: number): string {
  return total === 0 ? '0' : `${(us / total) * 100}%`;
}

function FactsCard({ level: { result, note } }: { readonly level: PerfLevel }) {
  const due = result.fromDueUs?.['99'];
  const cpu = result.serverCpuPercent;
  return (
    <Card title={t('perf.facts')}>
      <Facts
        items={[
          [t('perf.facts.requests'), formatCount(result.requestCount)],
          [t('perf.facts.spread'), `${formatMicros(result.minUs)} – ${formatMicros(result.maxUs)}`],
          [t('perf.facts.deviation'), formatMicros(result.deviationUs)],
          ...(due === undefined ? [] : [[t('perf.facts.fromDue'), formatMicros(due)] as const]),
          [t('perf.facts.generatorCpu'), formatPercent(result.generatorCpuPercent / 100)],
          [t('perf.facts.serverCpu'), formatPercent(cpu === undefined ? undefined : cpu / 100)],
          [t('perf.facts.overhead'), formatPercent(result.overheadPercent / 100, 1)],
          ...(result.server === undefined
            ? []
            : [[t('perf.facts.executions'), formatCount(result.server.executionCount)] as const]),
          ...(note === '' ? [] : [[t('perf.facts.note'), note] as const]),
        ]}
      />
    </Card>
  );
}

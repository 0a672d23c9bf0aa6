// The one chart of the window. It gives every screen the same colours, units, crosshair, pause, zoom, table view and
// spoken summary, and keeps the drawing budget: one chart per animation frame, nothing while hidden or paused.

import { Table2, TrendingUp } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { StoreApi } from 'zustand/vanilla';

import { formatClock } from '../lib/format.ts';
import { t } from '../texts/translate.ts';
import { Button } from './button.tsx';
import type { AxisScale, HeldMax } from './chart-axis.ts';
import { axisScale, heldMax, highestValue, withGaps } from './chart-axis.ts';
import type { ChartGroupState } from './chart-group.tsx';
import { togglePause, useChartGroup } from './chart-group.tsx';
import { ChartLegend } from './chart-legend.tsx';
import { ChartPlot } from './chart-plot.tsx';
import { chartSummary } from './chart-summary.ts';
import { ChartTable } from './chart-table.tsx';
import type { ChartLimit, ChartMarker, ChartPoint, ChartSeries, ChartUnit } from './chart-types.ts';
import { cx } from './cx.ts';
import { IconButton } from './icon-button.tsx';
import { useDrawnPoints, useIsVisible } from './use-drawn-points.ts';

export interface ChartProps {
  readonly title: string;
  /** Must keep its identity while it means the same. */
  readonly series: readonly ChartSeries[];
  /** Ascending in x; at most 300. A new array is drawn, the same array is not. */
  readonly points: readonly ChartPoint[];
  readonly unit: ChartUnit;
  readonly rightUnit?: ChartUnit;
  readonly xKind?: 'time' | 'number' | 'category';
  readonly xTitle?: string;
  readonly xText?: (x: number) => string;
  /** Distance of two points of a time axis; a larger one is drawn as a gap. */
  readonly stepMs?: number | undefined;
  /** Fixed range of the x axis; default from the points. */
  readonly range?: readonly [number, number] | undefined;
  readonly markers?: readonly ChartMarker[];
  readonly limit?: ChartLimit | undefined;
  readonly isLog?: boolean;
  readonly height?: number;
  /** Sentence in place of lines while there are no points. */
  readonly emptyText?: string;
  /** Instead of the chart. */
  readonly error?: string;
  readonly onRetry?: () => void;
  /** How long ago the last value came, when that is too long. */
  readonly staleMs?: number | undefined;
  readonly testId?: string;
}

const NO_MARKERS: readonly ChartMarker[] = [];
const SUMMARY_EVERY_MS = 10_000;

export function Chart(props: ChartProps) {
  const { title, series, points, unit, xKind = 'time', height = 200, error = '', staleMs } = props;
  const group = useChartGroup();
  const isPaused = useStore(group, (state) => state.pausedAtMs !== undefined);
  const [isTable, setIsTable] = useState(false);
  const [alone, setAlone] = useState<string>();
  const [frame, isVisible] = useIsVisible();
  const drawn = useDrawnPoints(points, isPaused || !isVisible);
  const shown = useMemo(
    () => (alone === undefined ? series : series.filter(({ key }) => key === alone)),
    [series, alone],
  );
  const gapped = useMemo(() => withGaps(drawn, props.stepMs), [drawn, props.stepMs]);
  const left = useScale(unit, gapped, shown, 'left', props.limit?.value, xKind === 'time');
  const right = useScale(props.rightUnit ?? unit, gapped, shown, 'right', undefined, xKind === 'time');
  const hasRight = props.rightUnit !== undefined;
  const scaleOf = (one: ChartSeries): AxisScale => (one.axis === 'right' && hasRight ? right : left);
  const xText = props.xText ?? (xKind === 'time' ? clockText : String);
  const summary = chartSummary(title, drawn, shown, scaleOf);
  const summaryId = useId();
  const isEmpty = drawn.length === 0;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== ' ' || (event.target as HTMLElement).closest('button') !== null) return;
    event.preventDefault();
    togglePause(group);
  };
  return (
    <figure
      ref={frame}
      role="group"
      aria-label={title}
      aria-describedby={summaryId}
      data-testid={props.testId}
      onKeyDown={onKeyDown}
      className="flex min-w-0 flex-col rounded-md border border-line bg-surface"
    >
      <header className="flex min-h-9 items-center gap-2 pr-1 pl-3">
        <h3 className="truncate font-semibold text-strong">{title}</h3>
        <span className="text-sm text-faint">
          {[left.unitText, hasRight ? right.unitText : ''].filter(Boolean).join(', ')}
        </span>
        {staleMs !== undefined && (
          <span className="text-sm text-warn">
            {t('chart.stale', { seconds: Math.round(staleMs / 1000) })}
          </span>
        )}
        <div className="ml-auto flex items-center">
          {series.length > 1 && <ChartLegend series={series} alone={alone} onAlone={setAlone} />}
          <IconButton
            label={t(isTable ? 'chart.viewAsChart' : 'chart.viewAsTable')}
            icon={isTable ? TrendingUp : Table2}
            data-testid={props.testId === undefined ? undefined : `${props.testId}-table`}
            onClick={() => setIsTable(!isTable)}
          />
        </div>
      </header>
      <div className={cx('px-1 pb-1', staleMs !== undefined && 'opacity-60 saturate-50')} style={{ height }}>
        {error !== '' ? (
          <Message text={error} onRetry={props.onRetry} />
        ) : isTable ? (
          <ChartTable
            title={title}
            xTitle={props.xTitle ?? t(xKind === 'time' ? 'chart.time' : 'chart.value')}
            points={drawn}
            series={shown}
            scaleOf={scaleOf}
            xText={xText}
          />
        ) : isEmpty ? (
          <Message text={props.emptyText ?? t('chart.noData')} />
        ) : (
          isVisible && (
            <PlotInGroup
              group={group}
              props={props}
              points={gapped}
              series={shown}
              left={left}
              right={hasRight ? right : undefined}
              xText={xText}
            />
          )
        )}
      </div>
      <Spoken id={summaryId} text={summary} />
    </figure>
  );
}

function PlotInGroup({
  group,
  props,
  points,
  series,
  left,
  right,
  xText,
}: {
  readonly group: StoreApi<ChartGroupState>;
  readonly props: ChartProps;
  readonly points: readonly ChartPoint[];
  readonly series: readonly ChartSeries[];
  readonly left: AxisScale;
  readonly right: AxisScale | undefined;
  readonly xText: (x: number) => string;
}) {
  const zoom = useStore(group, (state) => state.zoom);
  const { xKind = 'time', range } = props;
  const first = zoom?.[0] ?? range?.[0] ?? points[0]?.x ?? 0;
  const last = zoom?.[1] ?? range?.[1] ?? points.at(-1)?.x ?? 1;
  const shownRange = useMemo((): readonly [number, number] => [first, last], [first, last]);
  return (
    <ChartPlot
      groupId={group.getState().id}
      points={points}
      series={series}
      left={left}
      right={right}
      xKind={xKind}
      xText={xText}
      range={shownRange}
      isLog={props.isLog ?? false}
      markers={props.markers ?? NO_MARKERS}
      limit={props.limit}
      onZoom={(next) => group.setState({ zoom: next })}
    />
  );
}

/** The axis of one side; on a time axis its maximum is held so that lines do not jump. */
function useScale(
  unit: ChartUnit,
  points: readonly ChartPoint[],
  series: readonly ChartSeries[],
  axis: 'left' | 'right',
  limit: number | undefined,
  isTime: boolean,
): AxisScale {
  const wanted = useMemo(() => {
    const own = series.filter((one) => (one.axis ?? 'left') === axis);
    return highestValue(points, own, limit);
  }, [points, series, axis, limit]);
  const [held, setHeld] = useState<HeldMax & { readonly points: readonly ChartPoint[] }>();
  if (isTime && held?.points !== points) setHeld({ ...heldMax(held, wanted, points.at(-1)?.x ?? 0), points });
  const max = isTime ? Math.max(held?.max ?? 0, wanted) : wanted;
  return useMemo(() => axisScale(unit, max > 0 ? max : 1), [unit, max]);
}

function Message({ text, onRetry }: { readonly text: string; readonly onRetry?: (() => void) | undefined }) {
  return (
    <div className="flex h-full flex-col items-center justify-center gap-2 p-4 text-center text-soft">
      <p>{text}</p>
      {onRetry !== undefined && (
        <Button size="sm" onClick={onRetry}>
          {t('common.retry')}
        </Button>
      )}
    </div>
  );
}

/** The summary for screen readers, renewed at most every ten seconds. */
function Spoken({ id, text }: { readonly id: string; readonly text: string }) {
  const [spoken, setSpoken] = useState(text);
  const latest = useRef(text);
  useEffect(() => {
    latest.current = text;
  }, [text]);
  useEffect(() => {
    const timer = setInterval(() => setSpoken(latest.current), SUMMARY_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <figcaption id={id} aria-live="polite" className="sr-only">
      {spoken} {t('chart.hint')}
    </figcaption>
  );
}

function clockText(atMs: number): string {
  return formatClock(atMs);
}

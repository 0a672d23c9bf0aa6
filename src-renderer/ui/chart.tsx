// The one chart of the window. It gives every screen the same colours, units, crosshair, pause, zoom, table view and
// spoken summary, and keeps the drawing budget: one chart per animation frame, nothing while hidden or paused.

import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { memo, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { StoreApi } from 'zustand/vanilla';

import { formatClock } from '../lib/format.ts';
import { commandFor } from '../lib/keymap.ts';
import { shortcutOf } from '../lib/keys.ts';
import { t } from '../texts/translate.ts';
import { Button } from './button.tsx';
import type { AxisScale, HeldMax } from './chart-axis.ts';
import { axisScale, heldMax, highestValue, logScale, withGaps, withoutZeros } from './chart-axis.ts';
import type { ChartGroupState } from './chart-group.tsx';
import { togglePause, useChartGroup } from './chart-group.tsx';
import { ChartHeader } from './chart-header.tsx';
import { ChartPlot } from './chart-plot.tsx';
import { ChartSpoken } from './chart-spoken.tsx';
import { chartSummary } from './chart-summary.ts';
import { ChartTable } from './chart-table.tsx';
import type {
  ChartBand,
  ChartLimit,
  ChartMarker,
  ChartPoint,
  ChartSeries,
  ChartUnit,
} from './chart-types.ts';
import { cx } from './cx.ts';
import { Skeleton } from './skeleton.tsx';
import { isTimePlot, TimePlot } from './time-plot.tsx';
import { useDrawn, useFirstTurn, useIsVisible } from './use-drawn-points.ts';

/** A chart over time, or over numbers with `xTitle`. */
export interface ChartProps {
  readonly title: string;
  /** Must keep its identity while it means the same. */
  readonly series: readonly ChartSeries[];
  /**
   * At most 300; ascending in x on time axes, elsewhere in the order in which a `path` joins them. A new array is
   * drawn, the same array is not.
   */
  readonly points: readonly ChartPoint[];
  readonly unit: ChartUnit;
  readonly rightUnit?: ChartUnit;
  readonly xKind?: 'time' | 'number' | 'category';
  readonly xTitle?: string;
  /** What an x is called; default: by `xKind`. */
  readonly xText?: (x: number) => string;
  /** Distance of two points of a time axis; a larger one is drawn as a gap. */
  readonly stepMs?: number | undefined;
  /** Fixed range of the x axis; default from the points. */
  readonly range?: readonly [number, number] | undefined;
  readonly markers?: readonly ChartMarker[];
  /** Of charts over time. */
  readonly bands?: readonly ChartBand[];
  readonly limit?: ChartLimit | undefined;
  /** The left axis can be switched to a logarithmic one. */
  readonly canLog?: boolean;
  /** Range across, above zero, for both axes to be logarithmic when one is. */
  readonly logRange?: readonly [number, number] | undefined;
  /** What the lines leave out, beside the unit. */
  readonly note?: string | undefined;
  /** The first points have been asked for and are not here yet. */
  readonly isWaiting?: boolean;
  readonly height?: number | string;
  /** Sentence in place of lines while there are no points. */
  readonly emptyText?: string;
  /** Instead of the chart. */
  readonly error?: string | undefined;
  /** With it the `error` has a button. */
  readonly onRetry?: () => void;
  /** How long ago the last value came, when that is too long. */
  readonly staleMs?: number | undefined;
  readonly testId?: string;
}

const NO_MARKERS: readonly ChartMarker[] = [];
const NO_BANDS: readonly ChartBand[] = [];
const DOT_ROOM = 1.04;

/**
 * Drawn again for new data only: everything handed in must keep its identity while it is the same. New data first wait
 * for the chart's own animation frame; until then nothing below here is looked at.
 */
export const Chart = memo(function Chart({
  points,
  range,
  markers = NO_MARKERS,
  bands = NO_BANDS,
  ...look
}: ChartProps) {
  const group = useChartGroup();
  const [frame, isInView] = useIsVisible();
  const isVisible = useFirstTurn() && isInView;
  const isPaused = useStore(group, (state) => state.pausedAtMs !== undefined);
  const data = useMemo(() => ({ points, range, markers, bands }), [points, range, markers, bands]);
  // A pause, or being out of view, holds what is drawn; a chart without anything takes its first values in any case, so
  // that nobody is told of a wait that is over.
  const drawn = useDrawn(data, (now) => now.points.length > 0 && (!isVisible || isPaused));
  const newest = useRef(points);
  useEffect(() => {
    newest.current = points;
  }, [points]);
  // There are values, they are only not drawn yet: "no requests" would be wrong.
  const isWaiting = look.isWaiting === true || (points.length > 0 && drawn.points.length === 0);
  return (
    <DrawnChart
      {...look}
      {...drawn}
      isWaiting={isWaiting}
      group={group}
      frame={frame}
      isVisible={isVisible}
      newest={newest}
    />
  );
});

interface DrawnChartProps extends ChartProps {
  readonly markers: readonly ChartMarker[];
  readonly bands: readonly ChartBand[];
  readonly group: StoreApi<ChartGroupState>;
  readonly frame: (element: HTMLElement | null) => void;
  readonly isVisible: boolean;
  /** Also those that wait to be drawn: whoever does not see the chart need not scroll to it. */
  readonly newest: RefObject<readonly ChartPoint[]>;
}

const DrawnChart = memo(function DrawnChart({ frame, ...props }: DrawnChartProps) {
  const { title, series, points, xKind = 'time', height = 200, staleMs, group, isVisible, newest } = props;
  const [isTable, setIsTable] = useState(false);
  const [isLog, setIsLog] = useState(false);
  const [alone, setAlone] = useState<string>();
  const shown = useMemo(
    () => (alone === undefined ? series : series.filter(({ key }) => key === alone)),
    [series, alone],
  );
  const drawn = useDrawnLines(points, shown, props, isLog);
  const { left, right } = drawn;
  const scaleOf = (one: ChartSeries): AxisScale => (one.axis === 'right' ? (right ?? left) : left);
  const xText = props.xText ?? (xKind === 'time' ? formatTime : String);
  const summaryId = useId();
  const hintId = useId();
  const [isFollowed, setIsFollowed] = useState(false);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (commandFor(shortcutOf(event), undefined, 'chart') !== 'chart.pause') return;
    if ((event.target as HTMLElement).closest('button') !== null) return;
    event.preventDefault();
    togglePause(group);
  };
  return (
    <figure
      ref={frame}
      role="group"
      aria-label={title}
      aria-describedby={`${summaryId} ${hintId}`}
      onFocus={() => setIsFollowed(true)}
      onBlur={() => setIsFollowed(false)}
      data-testid={props.testId}
      onKeyDown={onKeyDown}
      className="flex min-w-0 flex-col rounded-md border border-line bg-surface"
    >
      <ChartHeader
        title={title}
        unitText={[...new Set([left.unitText, right?.unitText])]
          .filter((text) => text !== undefined)
          .join(', ')}
        note={props.note ?? ''}
        staleMs={staleMs}
        series={series}
        alone={alone}
        onAlone={setAlone}
        canLog={props.canLog === true}
        isLog={isLog}
        onLog={setIsLog}
        isTable={isTable}
        onTable={setIsTable}
        testId={props.testId}
      />
      <div
        className={cx('relative px-1 pb-1', staleMs !== undefined && 'opacity-60 saturate-50')}
        style={{ height }}
      >
        {isTable ? (
          <ChartTable
            title={title}
            xTitle={props.xTitle ?? t(xKind === 'time' ? 'chart.time' : 'chart.value')}
            points={points}
            series={shown}
            scaleOf={scaleOf}
            xText={xText}
          />
        ) : (
          <Body props={props} isEmpty={points.length === 0}>
            {isVisible && (
              <PlotInGroup props={props} drawn={drawn} series={shown} isLog={isLog} xText={xText} />
            )}
          </Body>
        )}
      </div>
      <ChartSpoken
        id={summaryId}
        hintId={hintId}
        isFollowed={isFollowed}
        textOf={() => chartSummary(title, isVisible ? points : newest.current, shown, scaleOf)}
      />
    </figure>
  );
});

interface DrawnLines {
  readonly points: readonly ChartPoint[];
  readonly left: AxisScale;
  readonly right: AxisScale | undefined;
}

/** Points with their gaps, and the axes they need. */
function useDrawnLines(
  points: readonly ChartPoint[],
  series: readonly ChartSeries[],
  { unit, rightUnit, stepMs, limit, xKind = 'time' }: ChartProps,
  isLog: boolean,
): DrawnLines {
  const gapped = useMemo(() => {
    const withHoles = withGaps(points, stepMs);
    return isLog ? withoutZeros(withHoles) : withHoles;
  }, [points, stepMs, isLog]);
  const isTime = xKind === 'time';
  const linear = useScale({ unit, axis: 'left', limit: limit?.value }, gapped, series, isTime);
  const right = useScale(
    { unit: rightUnit ?? unit, axis: 'right', limit: undefined },
    gapped,
    series,
    isTime,
  );
  const left = useMemo(
    () => (isLog ? logScale(unit, gapped, series) : linear),
    [isLog, unit, gapped, series, linear],
  );
  return { points: gapped, left, right: rightUnit === undefined ? undefined : right };
}

/** The plot, or what stands in its place: an error, the wait for the first answer, the sentence of an empty chart. */
function Body({
  props,
  isEmpty,
  children,
}: {
  readonly props: ChartProps;
  readonly isEmpty: boolean;
  readonly children: ReactNode;
}) {
  const { error, isWaiting = false, emptyText, range } = props;
  if (error !== undefined) return <Message text={error} onRetry={props.onRetry} />;
  if (isEmpty && isWaiting) return <Skeleton rows={3} />;
  if (!isEmpty) return children;
  return (
    <>
      {range !== undefined && children}
      <div className="absolute inset-0">
        <Message text={emptyText ?? t('chart.noData')} />
      </div>
    </>
  );
}

function PlotInGroup({
  props,
  drawn,
  series,
  isLog,
  xText,
}: {
  readonly props: Omit<DrawnChartProps, 'frame'>;
  readonly drawn: DrawnLines;
  readonly series: readonly ChartSeries[];
  readonly isLog: boolean;
  readonly xText: (x: number) => string;
}) {
  const { xKind = 'time', group, limit } = props;
  const { points, left, right } = drawn;
  const zoom = useStore(group, (state) => state.zoom);
  const isXLog = isLog && props.logRange !== undefined;
  const range = isXLog ? props.logRange : props.range;
  const own = xKind === 'time' ? zoom : undefined;
  const first = own?.[0] ?? range?.[0] ?? points[0]?.x ?? 0;
  const last = own?.[1] ?? range?.[1] ?? points.at(-1)?.x ?? 1;
  const shownRange = useMemo((): readonly [number, number] => [first, last], [first, last]);
  const markers = useMemo(
    () => props.markers.filter(({ x }) => x >= first && x <= last),
    [props.markers, first, last],
  );
  const onZoom = useCallback(
    (next: readonly [number, number] | undefined) => group.setState({ zoom: next }),
    [group],
  );
  const plot = { points, series, left, right, xText, range: shownRange, isLog, markers, limit, onZoom };
  return isTimePlot(xKind, props.series) ? (
    <TimePlot {...plot} title={props.title} group={group} bands={props.bands} />
  ) : (
    <ChartPlot {...plot} title={props.title} groupId={group.getState().id} xKind={xKind} isXLog={isXLog} />
  );
}

interface ChartSide {
  readonly unit: ChartUnit;
  readonly axis: 'left' | 'right';
  /** A value that is in sight whatever the lines are; undefined = none. */
  readonly limit: number | undefined;
}

/** The axis of one side; on a time axis its maximum is held so that lines do not jump. */
function useScale(
  { unit, axis, limit }: ChartSide,
  points: readonly ChartPoint[],
  series: readonly ChartSeries[],
  isTime: boolean,
): AxisScale {
  const wanted = useMemo(() => {
    const own = series.filter((one) => (one.axis ?? 'left') === axis);
    // Dots at the edge would be cut in half.
    const isDotted = own.some(({ shape }) => shape === 'points' || shape === 'path');
    return highestValue(points, own, limit) * (isDotted ? DOT_ROOM : 1);
  }, [points, series, axis, limit]);
  const [held, setHeld] = useState<HeldMax & { readonly points: readonly ChartPoint[] }>();
  if (isTime && held?.points !== points) setHeld({ ...heldMax(held, wanted, points.at(-1)?.x ?? 0), points });
  const max = isTime ? Math.max(held?.max ?? 0, wanted) : wanted;
  return useMemo(() => axisScale(unit, max > 0 ? max : 1), [unit, max]);
}

function Message({ text, onRetry }: { readonly text: string; readonly onRetry?: (() => void) | undefined }) {
  return (
    <div className="flex h-full flex-col items-center justify-center gap-2 p-4 text-center text-soft">
      <p className="rounded bg-surface px-2">{text}</p>
      {onRetry !== undefined && (
        <Button size="sm" onClick={onRetry}>
          {t('common.retry')}
        </Button>
      )}
    </div>
  );
}

/** Not formatClock itself, whose second argument adds milliseconds. */
function formatTime(atMs: number): string {
  return formatClock(atMs);
}

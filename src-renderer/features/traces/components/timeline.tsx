// The timeline: a lane for each instance, its executions with the size of their batch, and above them the requests that
// waited. Drawn on a canvas; the keys reach the same as the pointer, and what is chosen is spoken.

import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';

import { formatMicros } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { announce } from '../../../ui/announcer.tsx';
import { appearance } from '../../../ui/appearance.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useBoxSize } from '../../../ui/use-box-size.ts';
import { blockText, hitText } from '../block-text.ts';
import type { TimelineHit } from '../timeline-hit.ts';
import { hitAt } from '../timeline-hit.ts';
import { contentHeight, lanePlaces, paint, paletteOf } from '../timeline-paint.ts';
import { useTimelineGestures } from '../use-timeline-gestures.ts';
import type { TimelineWindow } from '../use-timeline-window.ts';
import { useTimelineWindow } from '../use-timeline-window.ts';
import type { TraceViewData } from '../use-trace-view.ts';

const BUTTON_ZOOM = 1.5;

/** Fills its room; the lanes scroll in it. */
export function Timeline({ view }: { readonly view: TraceViewData }) {
  const { layout, choice } = view;
  const time = useTimelineWindow(layout);
  const [hover, setHover] = useState<TimelineHit>();
  const chosen = choice?.kind === 'execution' ? layout.blockById.get(choice.id) : undefined;
  const said = chosen === undefined ? undefined : blockText(chosen);
  useEffect(() => {
    if (said !== undefined) announce(said);
  }, [said]);
  return (
    <section className="flex min-h-0 flex-1 flex-col bg-surface" aria-label={t('traces.timeline')}>
      <div className="flex h-8 shrink-0 items-center gap-3 border-b border-line px-3">
        <h2 className="font-semibold text-strong">{t('traces.timeline')}</h2>
        <span
          className="min-w-0 flex-1 truncate text-sm text-soft"
          data-testid="trace-hover"
          aria-hidden="true"
        >
          {hover === undefined ? said : hitText(hover)}
        </span>
        <Legend colour="bg-c1" text={t('traces.timeline.compute')} />
        <Legend colour="bg-c2" text={t('traces.timeline.waiting')} />
        <ZoomButtons time={time} />
      </div>
      {layout.blocks.length === 0 ? (
        <EmptyState title={t('traces.timeline.none')} />
      ) : (
        <Lanes view={view} time={time} chosen={chosen} onHover={setHover} />
      )}
    </section>
  );
}

function ZoomButtons({ time }: { readonly time: TimelineWindow }) {
  return (
    <div className="flex">
      <IconButton
        icon={ZoomOut}
        label={t('traces.timeline.out')}
        data-testid="trace-zoom-out"
        onClick={() => time.zoom(BUTTON_ZOOM)}
      />
      <IconButton
        icon={ZoomIn}
        label={t('traces.timeline.in')}
        data-testid="trace-zoom-in"
        onClick={() => time.zoom(1 / BUTTON_ZOOM)}
      />
      <IconButton
        icon={Maximize2}
        label={t('traces.timeline.fit')}
        data-testid="trace-zoom-fit"
        onClick={time.fit}
      />
    </div>
  );
}

function Legend({ colour, text }: { readonly colour: string; readonly text: string }) {
  return (
    <span className="hidden items-center gap-1.5 text-sm text-soft min-[1100px]:flex">
      <span aria-hidden="true" className={`size-2.5 rounded-sm forced-color-adjust-none ${colour}`} />
      {text}
    </span>
  );
}

interface LanesProps {
  readonly view: TraceViewData;
  readonly time: TimelineWindow;
  readonly chosen: ReturnType<TraceViewData['layout']['blockById']['get']>;
  readonly onHover: (hit: TimelineHit | undefined) => void;
}

function Lanes({ view: { layout, lit }, time, chosen, onHover }: LanesProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [measure, size] = useBoxSize();
  const theme = useStore(appearance, (state) => state.theme);
  const [scrollTop, setScrollTop] = useState(0);
  const places = useMemo(() => lanePlaces(layout), [layout]);
  const width = size?.width ?? 0;
  const height = size?.height ?? 0;
  const { window } = time;
  const hit = ({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }) => {
    const box = scroller.current?.getBoundingClientRect();
    if (box === undefined) return undefined;
    return hitAt({ layout, places, window, width }, clientX - box.left, clientY - box.top + scrollTop);
  };
  const gestures = useTimelineGestures({ scroller, layout, time, width, chosen, hit, onHover });
  useLayoutEffect(() => {
    const target = canvas.current;
    if (target === null || width === 0) return;
    const context = target.getContext('2d');
    if (context === null) return;
    const ratio = devicePixelRatio;
    target.width = Math.round(width * ratio);
    target.height = Math.round(height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint(context, { layout, places, window, width, height, scrollTop, lit, palette: paletteOf(target) });
  }, [layout, places, window, width, height, scrollTop, lit, theme]);
  return (
    <div className="flex min-h-0 flex-1 flex-col" ref={measure}>
      <div
        ref={scroller}
        role="application"
        aria-roledescription={t('traces.timeline')}
        aria-label={t('traces.timeline.spoken', {
          lanes: layout.lanes.length,
          blocks: layout.blocks.length,
          time: formatMicros(layout.durationNs / 1000),
        })}
        tabIndex={0}
        data-testid="trace-timeline"
        data-blocks={layout.blocks.length}
        data-lanes={layout.lanes.length}
        data-whole={time.isWhole}
        className="focus-inset min-h-0 flex-1 cursor-default touch-none overflow-x-hidden overflow-y-auto"
        onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
        {...gestures}
      >
        <div aria-hidden="true" style={{ height: Math.max(contentHeight(places), height) }}>
          <canvas ref={canvas} className="sticky top-0 block" style={{ width, height }} />
        </div>
      </div>
    </div>
  );
}

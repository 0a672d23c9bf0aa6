// Charts that belong together share the time range they show, the crosshair and the pause.

import { Pause, Play, ZoomOut } from 'lucide-react';
import type { ReactNode } from 'react';
import { createContext, use, useEffect, useId, useState } from 'react';
import { useStore } from 'zustand';
import type { StoreApi } from 'zustand/vanilla';
import { createStore } from 'zustand/vanilla';

import { t } from '../texts/translate.ts';
import { Button } from './button.tsx';

/** What charts of one screen share: crosshair and pause. */
export interface ChartGroupState {
  readonly id: string;
  /** When everything was frozen; undefined = live. */
  readonly pausedAtMs: number | undefined;
  /** Shown part of the x axis; undefined = all. */
  readonly zoom: readonly [from: number, to: number] | undefined;
  /** Where the crosshair stands, as a share of the time axis: it stays there while the data move on. */
  readonly hover: number | undefined;
}

const GroupContext = createContext<StoreApi<ChartGroupState> | undefined>(undefined);

function createGroup(id: string): StoreApi<ChartGroupState> {
  return createStore<ChartGroupState>(() => ({
    id,
    pausedAtMs: undefined,
    zoom: undefined,
    hover: undefined,
  }));
}

/** Charts inside have one crosshair and are paused together. */
export function ChartGroup({ children }: { readonly children: ReactNode }) {
  const id = useId();
  const [group] = useState(() => createGroup(id));
  return <GroupContext value={group}>{children}</GroupContext>;
}

/** The group around this chart, or one of its own. */
export function useChartGroup(): StoreApi<ChartGroupState> {
  const around = use(GroupContext);
  const id = useId();
  const [own] = useState(() => createGroup(id));
  return around ?? own;
}

/** Holds the range as it is now, or lets it follow the time again. */
export function togglePause(group: StoreApi<ChartGroupState>): void {
  group.setState(({ pausedAtMs }) => ({ pausedAtMs: pausedAtMs === undefined ? Date.now() : undefined }));
}

/** Pause and zoom of a group; stands beside the range picker of a screen. */
export function ChartGroupControls() {
  const group = useChartGroup();
  const pausedAtMs = useStore(group, (state) => state.pausedAtMs);
  const isZoomed = useStore(group, (state) => state.zoom !== undefined);
  return (
    <div className="flex items-center gap-2">
      {pausedAtMs !== undefined && <Behind sinceMs={pausedAtMs} />}
      {isZoomed && (
        <Button
          icon={ZoomOut}
          data-testid="chart-reset-zoom"
          onClick={() => group.setState({ zoom: undefined })}
        >
          {t('chart.resetZoom')}
        </Button>
      )}
      <Button
        icon={pausedAtMs === undefined ? Pause : Play}
        aria-pressed={pausedAtMs !== undefined}
        data-testid="chart-pause"
        onClick={() => togglePause(group)}
      >
        {t(pausedAtMs === undefined ? 'chart.pause' : 'chart.resume')}
      </Button>
    </div>
  );
}

function Behind({ sinceMs }: { readonly sinceMs: number }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(Math.round((Date.now() - sinceMs) / 1000)), 1000);
    return () => clearInterval(timer);
  }, [sinceMs]);
  return (
    <span role="status" aria-live="polite" className="text-soft">
      {t('chart.paused', { seconds })}
    </span>
  );
}

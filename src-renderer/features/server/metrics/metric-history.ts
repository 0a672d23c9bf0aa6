// Two minutes of every metric that was read: gauges as they are, what only grows as its rate. Kept outside React, so that
// another tab of the screen does not lose it. A pause, or a counter that begins anew, begins a new line.

import { createStore } from 'zustand/vanilla';

import type {
  MetricFamilyView,
  MetricKindView,
  MetricSeriesView,
  MetricsView,
} from '../../../../src-shared/contract/metrics-calls.ts';

/** Readings that a line has at most. */
export const HISTORY_POINTS = 60;
/** Without a reading for so long, what is drawn would not be the last two minutes. */
const LONGEST_GAP_MS = 15_000;

/** One line: its last number, and what is drawn of it. */
export interface MetricTrack {
  readonly atMs: number;
  readonly value: number | undefined;
  /** Oldest first. Of a gauge its values, of everything else its growth per second. */
  readonly points: readonly number[];
}

/** The newest reading, with the tracks of its families and of the lines that were shown. */
export interface MetricsState {
  readonly view: MetricsView | undefined;
  readonly tracks: ReadonlyMap<string, MetricTrack>;
  /** Part of a family's name or description. */
  readonly filter: string;
  /** Of the family that is looked at. */
  readonly family: string | undefined;
  /** Part of one of its lines. */
  readonly match: string;
}

/** The state of a window that has read none. */
export const NO_METRICS: MetricsState = {
  view: undefined,
  tracks: new Map(),
  filter: '',
  family: undefined,
  match: '',
};

/** What the Metrics tab knows and shows. */
export const metricsStore = createStore<MetricsState>(() => NO_METRICS);

/** Takes what was read. Tracks of what is not there any more are dropped. */
export function applyReading(view: MetricsView): void {
  const { tracks } = metricsStore.getState();
  const next = new Map<string, MetricTrack>();
  const kindOf = new Map(view.families.map(({ name, kind }) => [name, kind]));
  for (const family of view.families) {
    next.set(family.name, longer(tracks.get(family.name), family.kind, view.atMs, family.value));
  }
  const kind = kindOf.get(metricsStore.getState().family ?? '') ?? 'gauge';
  for (const series of view.series) {
    const key = seriesText(series);
    const value = typeof series.value === 'number' ? series.value : undefined;
    next.set(`${key} `, longer(tracks.get(`${key} `), lineKind(kind, series), view.atMs, value));
  }
  metricsStore.setState({ view, tracks: next });
}

/** The lines of a histogram and the sums of a summary grow; the quantiles of a summary go up and down. */
function lineKind(kind: MetricKindView, { labels }: MetricSeriesView): MetricKindView {
  return kind === 'summary' && labels['quantile'] !== undefined ? 'gauge' : kind;
}

function longer(
  track: MetricTrack | undefined,
  kind: MetricKindView,
  atMs: number,
  value: number | undefined,
): MetricTrack {
  if (value === undefined) return { atMs, value, points: [] };
  const isGauge = kind === 'gauge';
  const isNew = track === undefined || atMs - track.atMs > LONGEST_GAP_MS || track.value === undefined;
  if (isNew) return { atMs, value, points: isGauge ? [value] : [] };
  if (atMs <= track.atMs) return track;
  if (isGauge) return { atMs, value, points: [...track.points, value].slice(-HISTORY_POINTS) };
  const growth = value - (track.value ?? 0);
  if (growth < 0) return { atMs, value, points: [] };
  const rate = growth / ((atMs - track.atMs) / 1000);
  return { atMs, value, points: [...track.points, rate].slice(-HISTORY_POINTS) };
}

/** The track of a family. */
export function familyTrack(
  tracks: MetricsState['tracks'],
  { name }: MetricFamilyView,
): MetricTrack | undefined {
  return tracks.get(name);
}

/** The track of one line of the family that is looked at. */
export function seriesTrack(
  tracks: MetricsState['tracks'],
  series: MetricSeriesView,
): MetricTrack | undefined {
  return tracks.get(`${seriesText(series)} `);
}

/** A line as a scrape prints it, without its value: what PromQL takes as a selector. */
export function seriesText({ name, labels }: Pick<MetricSeriesView, 'name' | 'labels'>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? name : `${name}{${pairs.join(',')}}`;
}

/** As in the text format and in PromQL, which agree here. */
function escapeLabel(value: string): string {
  return value
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`);
}

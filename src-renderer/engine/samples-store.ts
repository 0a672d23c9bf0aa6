// The latest packed sample of all models, and one minute of inferences per second per model for sparklines. The minute
// lives in rings outside the store; the store's `second` tells when a ring has grown.

import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';

import type { ServerSample } from '../../src-shared/contract/observe-views.ts';
import type { SampleNews } from '../../src-shared/contract/sample-news.ts';
import { withNews } from '../../src-shared/contract/sample-news.ts';

/** One model over all its versions. */
export interface ModelTraffic {
  readonly inferPerSecond: number;
  readonly p99Us: number | undefined;
  readonly waiting: number;
  readonly inFlight: number;
  readonly lastRequestAtMs: number;
  readonly failureCount: number;
}

/** The newest numbers of server and models. */
export interface SamplesState {
  readonly server: ServerSample | undefined;
  /** The same, replaced at most once per second: for numbers that people read. */
  readonly perSecond: ServerSample | undefined;
  readonly byModel: ReadonlyMap<string, ModelTraffic>;
  /** Wall-clock second of the latest sparkline point. */
  readonly second: number;
}

/** Seconds, and points, of a sparkline. */
export const SPARK_POINTS = 60;

/** The store of them, with a short history of each model. */
export interface SamplesStore extends StoreApi<SamplesState> {
  /** Oldest first, at most 60. The array is replaced, never changed. */
  sparkline(model: string): readonly number[];
  /**
   * The newest of the server, or what is new of it; news before the first sample are left alone. A ring grows by one point per
   * second, however many samples come.
   */
  applySample(sample: SampleNews): void;
  /** Points by name of model, inferences per second, oldest first; they replace those that are there. */
  applySparklines(lines: Readonly<Record<string, readonly number[]>>): void;
}

const NO_POINTS: readonly number[] = [];

/** Without samples yet; versions of a model are added up as they come. */
export function createSamplesStore(): SamplesStore {
  const rings = new Map<string, readonly number[]>();
  const store = createStore<SamplesState>(() => ({
    server: undefined,
    perSecond: undefined,
    byModel: new Map(),
    second: 0,
  }));
  return Object.assign(store, {
    sparkline: (model: string): readonly number[] => rings.get(model) ?? NO_POINTS,
    applySparklines: (lines: Readonly<Record<string, readonly number[]>>): void => {
      for (const [model, points] of Object.entries(lines)) rings.set(model, points.slice(-SPARK_POINTS));
      store.setState({ second: store.getState().second + 1 });
    },
    applySample: (news: SampleNews): void => {
      const previous = store.getState();
      // The snapshot is on its way, and has all of it.
      if (previous.server === undefined && news.removed !== undefined) return;
      const sample = previous.server === undefined ? news : withNews(previous.server, news);
      const byModel = mergeVersions(sample, previous.byModel);
      const second = Math.floor(sample.atMs / 1000);
      if (second !== previous.second) growRings(rings, byModel);
      store.setState({
        server: sample,
        byModel,
        ...(second === previous.second ? {} : { second, perSecond: sample }),
      });
    },
  });
}

function growRings(rings: Map<string, readonly number[]>, byModel: ReadonlyMap<string, ModelTraffic>): void {
  for (const [model, points] of rings) {
    if (!byModel.has(model)) rings.set(model, [...points, 0].slice(-SPARK_POINTS));
  }
  for (const [model, traffic] of byModel) {
    rings.set(model, [...(rings.get(model) ?? []), traffic.inferPerSecond].slice(-SPARK_POINTS));
  }
}

/** Models whose numbers did not change keep their object. */
function mergeVersions(
  sample: ServerSample,
  previous: ReadonlyMap<string, ModelTraffic>,
): ReadonlyMap<string, ModelTraffic> {
  const merged = new Map<string, ModelTraffic>();
  for (const row of sample.models) {
    const known = merged.get(row.model);
    merged.set(row.model, {
      inferPerSecond: row.inferPerSecond + (known?.inferPerSecond ?? 0),
      p99Us: maximum(row.p99Us, known?.p99Us),
      waiting: row.waiting + (known?.waiting ?? 0),
      inFlight: row.inFlight + (known?.inFlight ?? 0),
      lastRequestAtMs: Math.max(row.lastRequestAtMs, known?.lastRequestAtMs ?? 0),
      failureCount: row.failureCount + (known?.failureCount ?? 0),
    });
  }
  for (const [model, traffic] of merged) {
    const before = previous.get(model);
    if (before !== undefined && isSame(before, traffic)) merged.set(model, before);
  }
  return merged;
}

function maximum(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.max(a, b);
}

function isSame(a: ModelTraffic, b: ModelTraffic): boolean {
  return (Object.keys(a) as (keyof ModelTraffic)[]).every((key) => a[key] === b[key]);
}

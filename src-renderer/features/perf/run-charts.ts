// What the charts and tables of the Perf lab draw, from measured levels. Latency always on the x axis of the trade-off,
// throughput on the y axis, so that better is up and to the left. Pure.

import type { PerfMeasurement } from '../../../src-shared/contract/perf-plan.ts';
import type {
  PerfLevel,
  PerfMeasured,
  PerfRun,
  PerfServerTimes,
  PerfSweepResult,
} from '../../../src-shared/contract/perf-views.ts';
import { threeDigits } from '../../lib/format.ts';
import type { PlainKey } from '../../texts/translate.ts';
import type { ChartBand, ChartMarker, ChartPoint, ChartRole } from '../../ui/chart-types.ts';
import type { LiveRun } from './live-run.ts';

function p99Of({ percentilesUs }: Pick<PerfMeasured, 'percentilesUs'>): number | undefined {
  return percentilesUs['99'];
}

/** Levels that measured something. */
function measuredLevels(levels: readonly PerfLevel[]): readonly PerfLevel[] {
  return levels.filter(({ result }) => result.requestCount > 0);
}

/** Throughput and p99 over time, while a run goes on. */
export function livePoints({ points }: LiveRun): readonly ChartPoint[] {
  return points.map(({ atMs, inferPerSecond, p99Us }) => ({ x: atMs, rate: inferPerSecond, p99: p99Us }));
}

/** The same of a run that ended: one point per window, at its end. */
export function windowPoints(levels: readonly PerfLevel[]): readonly ChartPoint[] {
  return levels
    .flatMap(({ windows }) => windows)
    .map((window) => ({
      x: window.startedAtMs + window.durationMs,
      rate: window.inferPerSecond,
      p99: window.requestCount > 0 ? p99Of(window) : undefined,
    }))
    .sort((a, b) => a.x - b.x);
}

/**
 * One point per level: latency across, throughput up; a series of its own name for each run. In the order of the levels,
 * which is how they are joined: latency need not grow with the load.
 */
export function tradeOffPoints(runs: readonly Pick<PerfRun, 'levels'>[]): readonly ChartPoint[] {
  return runs.flatMap(({ levels }, index) =>
    measuredLevels(levels).map(({ value, result }) => ({
      x: p99Of(result) ?? result.meanUs,
      [runKey(index)]: result.inferPerSecond,
      [loadKey(index)]: value,
    })),
  );
}

/** Name of a run's series in the points of several runs. */
export function runKey(index: number): string {
  return `run${index}`;
}

/** The load of a point, written beside its dot. */
export function loadKey(index: number): string {
  return `load${index}`;
}

/** Colours of the compared runs, in their order. */
export const RUN_ROLES: readonly ChartRole[] = ['c1', 'c2', 'c3', 'c4'];

/** Where the time of a request went, in the order in which it passes. */
export type LatencyPart = 'send' | 'network' | 'cache' | 'queue' | 'input' | 'infer' | 'output' | 'receive';

/** In the order in which they are shown, with the title and the colour of each. */
export const LATENCY_PARTS: readonly {
  readonly part: LatencyPart;
  readonly title: PlainKey;
  readonly role: ChartRole;
}[] = [
  { part: 'send', title: 'perf.part.send', role: 'c5' },
  { part: 'network', title: 'perf.part.network', role: 'c5' },
  { part: 'cache', title: 'perf.part.cache', role: 'c6' },
  { part: 'queue', title: 'perf.part.queue', role: 'c2' },
  { part: 'input', title: 'perf.part.input', role: 'c4' },
  { part: 'infer', title: 'perf.part.infer', role: 'c1' },
  { part: 'output', title: 'perf.part.output', role: 'c3' },
  { part: 'receive', title: 'perf.part.receive', role: 'c5' },
];

/** Mean µs of each part of a request, in the order in which they happen. */
export function latencyParts(result: PerfMeasured): Readonly<Record<LatencyPart, number>> {
  const { queue, input, infer, output, cache } = serverParts(result.server);
  const accounted = queue + input + infer + output + cache;
  return {
    send: result.sendUs,
    network: Math.max(0, result.meanUs - result.sendUs - result.receiveUs - accounted),
    cache,
    queue,
    input,
    infer,
    output,
    receive: result.receiveUs,
  };
}

interface ServerParts {
  readonly queue: number;
  readonly input: number;
  readonly infer: number;
  readonly output: number;
  readonly cache: number;
}

const NO_PARTS: ServerParts = { queue: 0, input: 0, infer: 0, output: 0, cache: 0 };

/** An ensemble's own times are those of its steps. */
function serverParts(server: PerfServerTimes | undefined): ServerParts {
  if (server === undefined) return NO_PARTS;
  if (server.isEnsemble && server.composing.length > 0) {
    return server.composing.map(serverParts).reduce((sum, step) => ({
      queue: sum.queue + step.queue,
      input: sum.input + step.input,
      infer: sum.infer + step.infer,
      output: sum.output + step.output,
      cache: sum.cache + step.cache,
    }));
  }
  const { hits, misses } = cacheShares(server);
  return {
    queue: server.queueUs * misses,
    input: server.inputUs * misses,
    infer: server.inferUs * misses,
    output: server.outputUs * misses,
    cache: server.cacheHitUs * hits + server.cacheMissUs * misses,
  };
}

/** Whether a response cache stands before the model, or before a step of the ensemble. */
export function hasCachePart(server: PerfServerTimes | undefined): boolean {
  if (server === undefined) return false;
  return server.hasCache || (server.isEnsemble && server.composing.some(hasCachePart));
}

/** Which part of the requests the response cache answered, and which went on to the model. */
function cacheShares({ hasCache, cacheHitCount, cacheMissCount }: PerfServerTimes): {
  readonly hits: number;
  readonly misses: number;
} {
  const looked = cacheHitCount + cacheMissCount;
  if (!hasCache || looked === 0) return { hits: 0, misses: 1 };
  return { hits: cacheHitCount / looked, misses: cacheMissCount / looked };
}

/** Stacked parts per level; what the client and the network take is one part here. */
export function partPoints(levels: readonly PerfLevel[]): readonly ChartPoint[] {
  return measuredLevels(levels).map(({ value, result }) => {
    const { send, network, receive, cache, queue, input, infer, output } = latencyParts(result);
    return { x: value, outside: send + network + receive, cache, queue, input, infer, output };
  });
}

/** Trials of a sweep; those that no other beats are joined. */
export function sweepPoints({ rows }: PerfSweepResult): readonly ChartPoint[] {
  return rows
    .filter(({ inferPerSecond }) => inferPerSecond > 0)
    .map(({ p99Us, inferPerSecond, isPareto }) => ({
      x: p99Us,
      trial: inferPerSecond,
      frontier: isPareto ? inferPerSecond : undefined,
    }))
    .sort((a, b) => a.x - b.x);
}

/** Most bars of a latency histogram. */
const MAX_BARS = 36;

/**
 * Counts of latencies in bars of equal width on a logarithmic axis, from `[us, count, ...]`; `x` is the upper end of a
 * bar. Bars between the first and the last are there even when nothing fell into them.
 */
export function latencyBars(sparse: readonly number[]): readonly ChartPoint[] {
  const counts: { readonly us: number; readonly count: number }[] = [];
  for (let at = 0; at + 1 < sparse.length; at += 2)
    counts.push({ us: Math.max(1, sparse[at] ?? 1), count: sparse[at + 1] ?? 0 });
  const first = counts[0]?.us ?? 1;
  const last = counts.at(-1)?.us ?? 1;
  if (counts.length === 0) return [];
  const bars = first === last ? 1 : Math.min(MAX_BARS, counts.length);
  const ratio = (last / first) ** (1 / bars);
  const sums = Array.from({ length: bars }, () => 0);
  for (const { us, count } of counts) {
    const bar = first === last ? 0 : Math.floor(Math.log(us / first) / Math.log(ratio) + 1e-9);
    const index = Math.min(bars - 1, bar);
    sums[index] = (sums[index] ?? 0) + count;
  }
  return sums.map((count, index) => ({ x: first * ratio ** (index + 1), count }));
}

/** When measuring went on, while the run does: windows are told by their ends. */
export function liveBands(
  { windowEndsMs, points }: Pick<LiveRun, 'windowEndsMs' | 'points'>,
  { mode, intervalMs, growsWindows }: Pick<PerfMeasurement, 'mode' | 'intervalMs' | 'growsWindows'>,
): readonly ChartBand[] {
  const [first] = points;
  if (first === undefined) return [];
  return windowEndsMs.flatMap((end, index) => {
    // A window without a fixed length lasts from the end of the one before.
    const isFixed = mode === 'time' && growsWindows !== true;
    const from = isFixed ? end - intervalMs : (windowEndsMs[index - 1] ?? first.atMs);
    return end <= first.atMs ? [] : [[Math.max(first.atMs, from), end] as const];
  });
}

/** The same of a run that ended. */
export function windowBands(levels: readonly PerfLevel[]): readonly ChartBand[] {
  return levels
    .flatMap(({ windows }) => windows)
    .map(({ startedAtMs, durationMs }) => [startedAtMs, startedAtMs + durationMs] as const);
}

/** Where each level of a run that ended begins on the time axis. */
export function levelMarkers(levels: readonly PerfLevel[]): readonly ChartMarker[] {
  return levels.flatMap(({ value, windows }) => {
    const [first] = windows;
    return first === undefined ? [] : [{ x: first.startedAtMs + first.durationMs, text: threeDigits(value) }];
  });
}

/** The level with the highest throughput: what a run is summed up by. */
export function bestIndex(levels: readonly PerfLevel[]): number {
  let best = -1;
  levels.forEach(({ result }, index) => {
    if (result.inferPerSecond > (levels[best]?.result.inferPerSecond ?? 0)) best = index;
  });
  return best;
}

// What the charts and tables of the Perf lab draw, from measured levels. Latency always on the x axis of the trade-off,
// throughput on the y axis, so that better is up and to the left. Pure.

import type {
  PerfLevel,
  PerfMeasured,
  PerfRun,
  PerfServerTimes,
  PerfSweepResult,
} from '../../../src-shared/contract/perf-views.ts';
import type { PlainKey } from '../../texts/translate.ts';
import type { ChartPoint, ChartRole } from '../../ui/chart-types.ts';
import type { LiveRun } from './live-run.ts';

export function p99Of({ percentilesUs }: Pick<PerfMeasured, 'percentilesUs'>): number | undefined {
  return percentilesUs['99'];
}

/** Levels that measured something. */
export function measuredLevels(levels: readonly PerfLevel[]): readonly PerfLevel[] {
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

/** One point per level: latency across, throughput up; a series of its own name for each run. */
export function tradeOffPoints(runs: readonly Pick<PerfRun, 'levels'>[]): readonly ChartPoint[] {
  return runs
    .flatMap(({ levels }, index) =>
      measuredLevels(levels).map(({ result }) => ({
        x: p99Of(result) ?? result.meanUs,
        [runKey(index)]: result.inferPerSecond,
      })),
    )
    .sort((a, b) => a.x - b.x);
}

export function runKey(index: number): string {
  return `run${index}`;
}

export const RUN_ROLES: readonly ChartRole[] = ['c1', 'c2', 'c3', 'c4'];

export type LatencyPart = 'send' | 'network' | 'queue' | 'input' | 'infer' | 'output' | 'receive';

export const LATENCY_PARTS: readonly {
  readonly part: LatencyPart;
  readonly title: PlainKey;
  readonly role: ChartRole;
}[] = [
  { part: 'send', title: 'perf.part.send', role: 'c5' },
  { part: 'network', title: 'perf.part.network', role: 'c5' },
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
  return {
    queue: server.queueUs,
    input: server.inputUs,
    infer: server.inferUs,
    output: server.outputUs,
    cache: server.hasCache ? server.cacheHitUs + server.cacheMissUs : 0,
  };
}

/** Stacked parts per level; what the client and the network take is one part here. */
export function partPoints(levels: readonly PerfLevel[]): readonly ChartPoint[] {
  return measuredLevels(levels).map(({ value, result }) => {
    const { send, network, receive, queue, input, infer, output } = latencyParts(result);
    return { x: value, outside: send + network + receive, queue, input, infer, output };
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

/** From zero to a little past the last point, so that dots at the edge are whole. */
export function paddedRange(points: readonly ChartPoint[]): readonly [number, number] {
  const last = points.at(-1)?.x ?? 1;
  return [0, last * 1.1 || 1];
}

/** The level with the highest throughput: what a run is summed up by. */
export function bestIndex(levels: readonly PerfLevel[]): number {
  let best = -1;
  levels.forEach(({ result }, index) => {
    if (result.inferPerSecond > (levels[best]?.result.inferPerSecond ?? 0)) best = index;
  });
  return best;
}

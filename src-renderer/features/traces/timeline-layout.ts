// Where things stand in the timeline: a lane for each instance, its executions as blocks, and above them the requests that
// waited for them. Times are nanoseconds behind the earliest moment of all rows, so that they fit the numbers of a canvas.

import type { TraceExecution, TraceRow } from '../../../src-shared/contract/trace-row.ts';
import { rangeOf } from './trace-parts.ts';

/** Requests that wait at the same time are drawn one above the other, so many at most; further ones share the last line. */
export const MAX_LEVELS = 8;

/** One run of a model. */
export interface TimelineBlock {
  readonly id: number;
  readonly lane: number;
  readonly startNs: number;
  readonly endNs: number;
  readonly execution: TraceExecution;
  /** Its requests that were traced; there may have been others. */
  readonly rows: readonly TraceRow[];
}

/** A request in the queue. */
export interface TimelineWait {
  readonly row: TraceRow;
  readonly lane: number;
  readonly startNs: number;
  readonly endNs: number;
  /** 0 = nearest to the blocks. */
  readonly level: number;
}

/** One instance. */
export interface TimelineLane {
  readonly model: string;
  readonly instance: string;
  /** Lines of waiting requests. */
  readonly levelCount: number;
}

/** Everything that is drawn; blocks and waits are ordered by their beginnings. */
export interface TimelineLayout {
  readonly lanes: readonly TimelineLane[];
  readonly blocks: readonly TimelineBlock[];
  readonly waits: readonly TimelineWait[];
  /** Of all rows together. */
  readonly durationNs: number;
  /** Monotonic time of 0. */
  readonly originNs: number;
  readonly blockById: ReadonlyMap<number, TimelineBlock>;
}

interface Run {
  readonly execution: TraceExecution;
  readonly rows: TraceRow[];
  startNs: number;
  endNs: number;
}

/** Rows whose execution is not known have no place in it. */
export function layOutTimeline(rows: readonly TraceRow[]): TimelineLayout {
  const [originNs, lastNs] = spanOf(rows);
  const runs = runsOf(rows);
  const laneNames = [...new Set([...runs.values()].map(laneOf))].toSorted((a, b) =>
    a.localeCompare(b, 'en', { numeric: true }),
  );
  const laneIndexes = new Map(laneNames.map((name, index) => [name, index]));
  const blocks = [...runs.values()]
    .map((run): TimelineBlock => {
      const { execution, rows: own, startNs, endNs } = run;
      const lane = laneIndexes.get(laneOf(run)) ?? 0;
      return {
        id: execution.id,
        execution,
        rows: own,
        lane,
        startNs: startNs - originNs,
        endNs: endNs - originNs,
      };
    })
    .toSorted((a, b) => a.startNs - b.startNs);
  const { waits, levelCounts } = waitsOf(blocks, originNs);
  return {
    lanes: laneNames.map((name, index) => {
      const [model = '', instance = ''] = name.split('\n');
      return { model, instance, levelCount: levelCounts.get(index) ?? 0 };
    }),
    blocks,
    waits,
    durationNs: Math.max(1, lastNs - originNs),
    originNs,
    blockById: new Map(blocks.map((block) => [block.id, block])),
  };
}

function spanOf(rows: readonly TraceRow[]): readonly [number, number] {
  let first = Infinity;
  let last = 0;
  for (const row of rows) {
    const range = rangeOf(row);
    if (range === undefined) continue;
    first = Math.min(first, range[0]);
    last = Math.max(last, range[1]);
  }
  return first === Infinity ? [0, 0] : [first, last];
}

function laneOf({ execution, rows }: Run): string {
  return `${rows[0]?.model ?? ''}\n${execution.instance}`;
}

/** By id; a run that never computed (its requests failed before) has no width and no place. */
function runsOf(rows: readonly TraceRow[]): ReadonlyMap<number, Run> {
  const runs = new Map<number, Run>();
  for (const row of rows) {
    const { execution, stamps } = row;
    const { computeStart, computeEnd } = stamps;
    if (execution === undefined || computeStart === undefined || computeEnd === undefined) continue;
    const run = runs.get(execution.id);
    if (run === undefined) {
      runs.set(execution.id, { execution, rows: [row], startNs: computeStart, endNs: computeEnd });
      continue;
    }
    run.rows.push(row);
    run.startNs = Math.min(run.startNs, computeStart);
    run.endNs = Math.max(run.endNs, computeEnd);
  }
  return runs;
}

function waitsOf(
  blocks: readonly TimelineBlock[],
  originNs: number,
): { readonly waits: readonly TimelineWait[]; readonly levelCounts: ReadonlyMap<number, number> } {
  const waits = blocks
    .flatMap(({ rows, lane, startNs }) =>
      rows.flatMap((row) => {
        const queued = row.stamps.queueStart;
        return queued === undefined ? [] : [{ row, lane, startNs: queued - originNs, endNs: startNs }];
      }),
    )
    .toSorted((a, b) => a.startNs - b.startNs);
  /** By lane: when each of its lines is free again. */
  const free = new Map<number, number[]>();
  const placed = waits.map((wait): TimelineWait => {
    let levels = free.get(wait.lane);
    if (levels === undefined) free.set(wait.lane, (levels = []));
    let level = levels.findIndex((untilNs) => untilNs <= wait.startNs);
    if (level < 0) level = Math.min(levels.length, MAX_LEVELS - 1);
    levels[level] = Math.max(levels[level] ?? 0, wait.endNs);
    return { ...wait, level };
  });
  return {
    waits: placed,
    levelCounts: new Map([...free].map(([lane, levels]) => [lane, levels.length])),
  };
}

/** What of the time is shown. */
export interface TimeWindow {
  readonly fromNs: number;
  readonly toNs: number;
}

/** Nothing is drawn closer than this. */
const SHORTEST_NS = 2000;

/** All of it, with a little air. */
export function wholeWindow({ durationNs }: TimelineLayout): TimeWindow {
  const air = durationNs * 0.02;
  return { fromNs: -air, toNs: durationNs + air };
}

/** `factor` below 1 shows less; the moment at `atNs` stays where it is. */
export function zoomed(window: TimeWindow, factor: number, atNs: number, whole: TimeWindow): TimeWindow {
  const width = window.toNs - window.fromNs;
  const next = Math.min(Math.max(width * factor, SHORTEST_NS), whole.toNs - whole.fromNs);
  const share = (atNs - window.fromNs) / width;
  return within({ fromNs: atNs - share * next, toNs: atNs + (1 - share) * next }, whole);
}

/** Later for a positive distance; stops at both ends. */
export function moved({ fromNs, toNs }: TimeWindow, byNs: number, whole: TimeWindow): TimeWindow {
  return within({ fromNs: fromNs + byNs, toNs: toNs + byNs }, whole);
}

/** So that a block is in sight, and no further. */
export function showing(window: TimeWindow, block: TimelineBlock, whole: TimeWindow): TimeWindow {
  const width = window.toNs - window.fromNs;
  if (block.startNs >= window.fromNs && block.endNs <= window.toNs) return window;
  const middle = (block.startNs + block.endNs) / 2;
  return within({ fromNs: middle - width / 2, toNs: middle + width / 2 }, whole);
}

function within({ fromNs, toNs }: TimeWindow, whole: TimeWindow): TimeWindow {
  const width = toNs - fromNs;
  const from = Math.min(Math.max(fromNs, whole.fromNs), whole.toNs - width);
  return { fromNs: from, toNs: from + width };
}

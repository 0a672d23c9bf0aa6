// What the moments of a request come to: its parts one behind the other, its whole time, and what is usual for its model.
// All durations are nanoseconds. A part whose beginning or end is not known is left out.

import type { TraceRow, TraceStamp } from '../../../src-shared/contract/trace-row.ts';
import { TRACE_STAMPS } from '../../../src-shared/contract/trace-row.ts';

/** Parts in their order. `steps`: what an ensemble spends on the models it is made of. */
const PART_NAMES = [
  'receive',
  'parse',
  'queue',
  'input',
  'infer',
  'output',
  'steps',
  'answer',
  'send',
] as const;

/** One of them. */
export type PartName = (typeof PART_NAMES)[number];

/** A part of a request. */
export interface TracePart {
  readonly name: PartName;
  readonly startNs: number;
  readonly endNs: number;
}

type Range = readonly [startNs: number, endNs: number] | undefined;

/** Rows never change, and lists are sorted by these. */
const ranges = new WeakMap<TraceRow, { readonly range: Range }>();

/** The first and the last moment that are known; undefined without any. */
export function rangeOf(row: TraceRow): Range {
  let known = ranges.get(row);
  if (known === undefined) ranges.set(row, (known = { range: rangeIn(row) }));
  return known.range;
}

function rangeIn({ stamps }: TraceRow): Range {
  let start: number | undefined;
  let end = 0;
  for (const stamp of TRACE_STAMPS) {
    const ns = stamps[stamp];
    if (ns === undefined) continue;
    start ??= ns;
    if (ns > end) end = ns;
  }
  return start === undefined ? undefined : [start, end];
}

/** From its first moment to its last; undefined where there are not two. */
export function totalNs(row: TraceRow): number | undefined {
  const range = rangeOf(row);
  return range === undefined || range[0] === range[1] ? undefined : range[1] - range[0];
}

/** Whether it is known how the request ended: one that only began may have been refused, or cut off with its server. */
export function hasOutcome({ stamps, isFailed }: TraceRow): boolean {
  return isFailed || stamps.requestEnd !== undefined || stamps.sendEnd !== undefined;
}

/** From the queue to the run; of an ensemble nothing, since its steps queue. */
export function queueNs({ stamps: { queueStart, computeStart } }: TraceRow): number | undefined {
  return queueStart === undefined || computeStart === undefined ? undefined : computeStart - queueStart;
}

/** Moments between which a part lies; the first that is known counts. */
const BORDERS: Readonly<Record<PartName, readonly [from: readonly TraceStamp[], to: readonly TraceStamp[]]>> =
  {
    receive: [['receiveStart'], ['receiveEnd']],
    parse: [
      ['receiveEnd', 'receiveStart', 'requestStart'],
      ['queueStart', 'requestStart'],
    ],
    queue: [['queueStart'], ['computeStart']],
    input: [['computeStart'], ['inputEnd']],
    infer: [['inputEnd'], ['outputStart']],
    output: [['outputStart'], ['computeEnd']],
    steps: [['queueStart'], ['requestEnd']],
    answer: [
      ['computeEnd', 'requestEnd'],
      ['sendStart', 'requestEnd'],
    ],
    send: [['sendStart'], ['sendEnd']],
  };

/** In their order, without those that are not known. `hasSteps`: it is an ensemble's, which runs no model itself. */
export function partsOf({ stamps }: TraceRow, hasSteps: boolean): readonly TracePart[] {
  const moment = (names: readonly TraceStamp[]): number | undefined =>
    names.map((name) => stamps[name]).find((ns) => ns !== undefined);
  return PART_NAMES.flatMap((name) => {
    if (name === 'steps' && (!hasSteps || stamps.computeStart !== undefined)) return [];
    const [from, to] = BORDERS[name];
    const startNs = moment(from);
    const endNs = moment(to);
    return startNs === undefined || endNs === undefined || endNs < startNs ? [] : [{ name, startNs, endNs }];
  });
}

/** The median of each part over these rows, and of their whole times. */
export interface UsualParts {
  /** Rows of the model. */
  readonly count: number;
  readonly parts: ReadonlyMap<PartName, number>;
  readonly totalNs: number | undefined;
}

/** What is usual for the rows of one model. */
export function usualParts(rows: readonly TraceRow[], hasSteps: boolean): UsualParts {
  const seen = new Map<PartName, number[]>();
  const totals: number[] = [];
  for (const row of rows) {
    for (const { name, startNs, endNs } of partsOf(row, hasSteps)) {
      const durations = seen.get(name);
      if (durations === undefined) seen.set(name, [endNs - startNs]);
      else durations.push(endNs - startNs);
    }
    const total = totalNs(row);
    if (total !== undefined) totals.push(total);
  }
  const parts = new Map<PartName, number>();
  for (const [name, durations] of seen) parts.set(name, median(durations) ?? 0);
  return { count: rows.length, parts, totalNs: median(totals) };
}

function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor((sorted.length - 1) / 2);
  const low = sorted[middle];
  const high = sorted[sorted.length - 1 - middle];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}

// Counts and latencies of the window that is being measured. A request belongs to the window in which its last response
// arrived. Latency is last response minus send start; with due times a second histogram starts at the due time, so that
// a request that had to wait before it was sent is not recorded as a fast one.

import type { SparseHistogram } from '../../metrics/latency-histogram.ts';
import { HistogramReader, LatencyHistogram, mergeHistograms } from '../../metrics/latency-histogram.ts';
import type { Lane } from '../load/lane.ts';

const SLOWEST_COUNT = 20;
/** A request that starts later than this after it was due counts as late. */
const LATE_NS = 1e6;

interface SlowRequest {
  readonly startNs: number;
  readonly latencyNs: number;
}

/** What was measured between two moments; durations are sums in ns over the successful requests. */
export interface WindowData {
  readonly startNs: number;
  readonly endNs: number;
  readonly requestCount: number;
  readonly errorCount: number;
  readonly firstError: string;
  /** Rows of the batches of successful requests. */
  readonly inferenceCount: number;
  readonly responseCount: number;
  readonly sequenceCount: number;
  readonly sentCount: number;
  readonly lateCount: number;
  readonly latencyNs: number;
  /** Sum of squares, in us. */
  readonly squaresUs: number;
  readonly minNs: number;
  readonly maxNs: number;
  readonly sendNs: number;
  readonly receiveNs: number;
  readonly histogram: SparseHistogram;
  readonly fromDue: SparseHistogram;
  readonly slowest: readonly SlowRequest[];
}

/** Counts what is sent and answered until `take` begins the next window; times are in nanoseconds. */
export class WindowRecorder {
  #startNs: number;
  #histogram = new LatencyHistogram();
  #fromDue = new LatencyHistogram();
  #bucket = new HistogramReader(this.#histogram);
  #counts = emptyCounts();
  #slowest: SlowRequest[] = [];
  #slowestFloorNs = 0;
  #lastError = '';
  #lastEndNs = 0;
  readonly #hasDueTimes: boolean;

  constructor(options: { readonly startNs: number; readonly hasDueTimes: boolean }) {
    this.#startNs = options.startNs;
    this.#hasDueTimes = options.hasDueTimes;
  }

  /** Requests that ended, with success or not, in the current window. */
  get doneCount(): number {
    return this.#counts.requestCount + this.#counts.errorCount;
  }

  /** In the current window. */
  get successCount(): number {
    return this.#counts.requestCount;
  }

  /** Rows of requests that succeeded in the current window. */
  get inferenceCount(): number {
    return this.#counts.inferenceCount;
  }

  /** Of the request that failed last, in any window; "" = none did. */
  get lastError(): string {
    return this.#lastError;
  }

  /** When the latest request ended; 0 = none did. */
  get lastEndNs(): number {
    return this.#lastEndNs;
  }

  /** To be called when the bytes were handed to the socket. */
  sent(lane: Lane): void {
    this.#counts.sentCount += 1;
    if (lane.startNs - lane.dueNs > LATE_NS) this.#counts.lateCount += 1;
  }

  /** The last response has come, or the request has failed. Reads the lane and keeps nothing of it. */
  done(lane: Lane): void {
    const counts = this.#counts;
    this.#lastEndNs = lane.endNs;
    if (lane.error !== undefined) {
      counts.errorCount += 1;
      if (counts.firstError === '') counts.firstError = lane.error;
      this.#lastError = lane.error;
      return;
    }
    const latencyNs = lane.endNs - lane.startNs;
    const latencyUs = latencyNs / 1000;
    counts.requestCount += 1;
    counts.inferenceCount += lane.message.rowCount;
    counts.responseCount += lane.responseCount;
    if (lane.message.isSequenceEnd) counts.sequenceCount += 1;
    counts.latencyNs += latencyNs;
    counts.squaresUs += latencyUs * latencyUs;
    if (latencyNs < counts.minNs) counts.minNs = latencyNs;
    if (latencyNs > counts.maxNs) counts.maxNs = latencyNs;
    counts.sendNs += Math.max(0, lane.sentNs - lane.startNs);
    counts.receiveNs += Math.max(0, lane.endNs - lane.firstNs);
    this.#histogram.record(latencyNs);
    if (this.#hasDueTimes) this.#fromDue.record(lane.endNs - lane.dueNs);
    if (latencyNs > this.#slowestFloorNs) this.#noteSlow(lane.startNs, latencyNs);
  }

  /** Latencies since the last call, for the live chart. Only one reader. */
  bucket(): SparseHistogram {
    return this.#bucket.next();
  }

  /** The window so far, without ending it. */
  peek(nowNs: number): WindowData {
    return {
      ...this.#counts,
      minNs: this.#counts.requestCount === 0 ? 0 : this.#counts.minNs,
      startNs: this.#startNs,
      endNs: nowNs,
      histogram: this.#histogram.total(),
      fromDue: this.#fromDue.total(),
      slowest: this.#slowest,
    };
  }

  /** Ends the window at `nowNs` and starts the next one there. */
  take(nowNs: number): WindowData {
    const data = this.peek(nowNs);
    this.#startNs = nowNs;
    this.#counts = emptyCounts();
    this.#histogram = new LatencyHistogram();
    this.#fromDue = new LatencyHistogram();
    this.#bucket = new HistogramReader(this.#histogram);
    this.#slowest = [];
    this.#slowestFloorNs = 0;
    return data;
  }

  #noteSlow(startNs: number, latencyNs: number): void {
    this.#slowest.push({ startNs, latencyNs });
    if (this.#slowest.length < 2 * SLOWEST_COUNT) return;
    this.#slowest = slowestOf(this.#slowest);
    this.#slowestFloorNs = this.#slowest.at(-1)?.latencyNs ?? 0;
  }
}

function slowestOf(requests: readonly SlowRequest[]): SlowRequest[] {
  return [...requests].sort((a, b) => b.latencyNs - a.latencyNs).slice(0, SLOWEST_COUNT);
}

interface Counts {
  requestCount: number;
  errorCount: number;
  firstError: string;
  inferenceCount: number;
  responseCount: number;
  sequenceCount: number;
  sentCount: number;
  lateCount: number;
  latencyNs: number;
  squaresUs: number;
  minNs: number;
  maxNs: number;
  sendNs: number;
  receiveNs: number;
}

function emptyCounts(): Counts {
  return {
    requestCount: 0,
    errorCount: 0,
    firstError: '',
    inferenceCount: 0,
    responseCount: 0,
    sequenceCount: 0,
    sentCount: 0,
    lateCount: 0,
    latencyNs: 0,
    squaresUs: 0,
    minNs: Infinity,
    maxNs: 0,
    sendNs: 0,
    receiveNs: 0,
  };
}

/** Windows that follow each other as one; gaps between them (pauses) do not count as time. */
export function mergeWindows(windows: readonly WindowData[]): WindowData & { readonly durationNs: number } {
  const sum = (pick: (window: WindowData) => number): number =>
    windows.reduce((total, window) => total + pick(window), 0);
  const withRequests = windows.filter(({ requestCount }) => requestCount > 0);
  return {
    startNs: windows[0]?.startNs ?? 0,
    endNs: windows.at(-1)?.endNs ?? 0,
    durationNs: sum(({ startNs, endNs }) => endNs - startNs),
    requestCount: sum((window) => window.requestCount),
    errorCount: sum((window) => window.errorCount),
    firstError: windows.find(({ firstError }) => firstError !== '')?.firstError ?? '',
    inferenceCount: sum((window) => window.inferenceCount),
    responseCount: sum((window) => window.responseCount),
    sequenceCount: sum((window) => window.sequenceCount),
    sentCount: sum((window) => window.sentCount),
    lateCount: sum((window) => window.lateCount),
    latencyNs: sum((window) => window.latencyNs),
    squaresUs: sum((window) => window.squaresUs),
    minNs: Math.min(...withRequests.map(({ minNs }) => minNs), Infinity),
    maxNs: Math.max(...windows.map(({ maxNs }) => maxNs), 0),
    sendNs: sum((window) => window.sendNs),
    receiveNs: sum((window) => window.receiveNs),
    histogram: mergeHistograms(windows.map(({ histogram }) => histogram)),
    fromDue: mergeHistograms(windows.map(({ fromDue }) => fromDue)),
    slowest: slowestOf(windows.flatMap(({ slowest }) => slowest)),
  };
}

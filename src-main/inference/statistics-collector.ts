// Counters of one loaded model version: what the statistics extension, the metrics and the charts read. Schedulers
// and backends report into it on the hot path, so everything is plain number fields; readers take snapshots.
// Counters live as long as the loaded version. Null requests (filler rows, warm-up) leave no trace here.

import type { Clock } from '../base/clock.ts';
import type {
  BatchStatisticsSnapshot,
  ModelStatisticsSnapshot,
  ResponseStatisticsSnapshot,
  StatisticDuration,
} from '../metrics/infer-statistics.ts';
import { LatencyHistogram } from '../metrics/latency-histogram.ts';
import type { ModelDurationObserver } from '../metrics/model-source.ts';
import { noFailures } from '../metrics/model-source.ts';
import type { FailureReason } from '../metrics/model-source.ts';
import type { ComputeTimes, ExecutionReporter, ResponseReport } from './execution.ts';
import type { InferenceRequest } from './inference-request.ts';

/** Bytes that a version keeps, by kind of memory and device. */
export type MemoryUsage = ModelStatisticsSnapshot['memoryUsage'];

/** Sums over the composing requests of one ensemble request. */
export interface EnsembleSums {
  readonly queueNs: number;
  readonly computeInputNs: number;
  readonly computeInferNs: number;
  readonly computeOutputNs: number;
}

/** Whose statistics these are, and by which clock they are stamped. */
export interface StatisticsCollectorOptions {
  readonly name: string;
  /** Decimal text. */
  readonly version: string;
  readonly clock: Clock;
  /** Asked at each snapshot; absent where nothing is known. */
  readonly memoryUsage?: () => MemoryUsage;
}

class Duration {
  count = 0;
  ns = 0;

  add(ns: number): void {
    this.count += 1;
    this.ns += ns;
  }

  snapshot(): StatisticDuration {
    return { count: this.count, ns: this.ns };
  }
}

class BatchCounters {
  readonly computeInput = new Duration();
  readonly computeInfer = new Duration();
  readonly computeOutput = new Duration();
}

class ResponseCounters {
  readonly computeInfer = new Duration();
  readonly computeOutput = new Duration();
  readonly success = new Duration();
  readonly fail = new Duration();
  readonly emptyResponse = new Duration();
  readonly cancel = new Duration();

  add(report: ResponseReport): void {
    const totalNs = report.inferNs + report.outputNs;
    if (report.kind === 'cancel') {
      this.cancel.add(totalNs);
      return;
    }
    this.computeInfer.add(report.inferNs);
    if (report.kind === 'success' || (report.kind === 'fail' && report.outputNs > 0)) {
      this.computeOutput.add(report.outputNs);
    }
    if (report.kind === 'success') this.success.add(totalNs);
    else if (report.kind === 'fail') this.fail.add(totalNs);
    else this.emptyResponse.add(totalNs);
  }

  snapshot(): ResponseStatisticsSnapshot {
    return {
      computeInfer: this.computeInfer.snapshot(),
      computeOutput: this.computeOutput.snapshot(),
      success: this.success.snapshot(),
      fail: this.fail.snapshot(),
      emptyResponse: this.emptyResponse.snapshot(),
      cancel: this.cancel.snapshot(),
    };
  }
}

/** Durations are nanoseconds of the server's clock. Warm-up runs count nowhere, as in Triton's statistics extension. */
export class StatisticsCollector implements ExecutionReporter {
  readonly name: string;
  readonly version: string;
  /** Requests accepted and not yet executing: nv_inference_pending_request_count. */
  pendingCount = 0;
  /** Requests refused at once because the queue was full. Not among `failures`: they were never accepted. */
  queueFullCount = 0;
  /** Requests that waited longer than the queue policy allows; each is also a failure REJECTED. */
  timedOutCount = 0;
  inferenceCount = 0;
  executionCount = 0;
  /** Failed requests by the label of nv_inference_request_failure. */
  readonly failures = noFailures();
  /** Successful requests: accepted to reported, queue to compute start, model run. */
  readonly requestLatency = new LatencyHistogram();
  readonly queueLatency = new LatencyHistogram();
  readonly computeLatency = new LatencyHistogram();
  observer: ModelDurationObserver | undefined;

  /** Stamps of executions in which no request counts (warm-up); a backend shares one object per execution. */
  readonly #uncountedTimes = new WeakSet<ComputeTimes>();
  #countedTimes: ComputeTimes | undefined;
  readonly #clock: Clock;
  readonly #memoryUsage: (() => MemoryUsage) | undefined;
  #lastInferenceMs = 0;
  #mostPending = 0;
  readonly #success = new Duration();
  readonly #fail = new Duration();
  readonly #queue = new Duration();
  readonly #computeInput = new Duration();
  readonly #computeInfer = new Duration();
  readonly #computeOutput = new Duration();
  readonly #cacheHit = new Duration();
  readonly #cacheMiss = new Duration();
  readonly #batches = new Map<number, BatchCounters>();
  readonly #responses = new Map<number, ResponseCounters>();

  constructor(options: StatisticsCollectorOptions) {
    this.name = options.name;
    this.version = options.version;
    this.#clock = options.clock;
    this.#memoryUsage = options.memoryUsage;
  }

  /** Moves the request to PENDING. Does nothing for one that is pending already. */
  enterPending(request: InferenceRequest): void {
    if (request.state === 'PENDING') return;
    request.state = 'PENDING';
    if (!request.isUncounted) this.pendingCount += 1;
  }

  /** Lowers the pending gauge if the request was pending; the caller moves it to its next state. */
  leavePending(request: InferenceRequest): void {
    if (request.state !== 'PENDING' || request.isUncounted) return;
    this.pendingCount -= 1;
    if (this.pendingCount > this.#mostPending) this.#mostPending = this.pendingCount;
  }

  /**
   * Most requests that were left waiting when one was taken, since the last call: what a look at `pendingCount` now
   * and then would miss. For one reader.
   */
  takeMostPending(): number {
    const most = Math.max(this.#mostPending, this.pendingCount);
    this.#mostPending = 0;
    return most;
  }

  request(
    request: InferenceRequest,
    isSuccess: boolean,
    times: ComputeTimes,
    reason: FailureReason = 'BACKEND',
  ): void {
    if (request.isUncounted) {
      if (times !== this.#countedTimes) this.#uncountedTimes.add(times);
      return;
    }
    this.#countedTimes = times;
    this.#uncountedTimes.delete(times);
    traceCompute(request, times);
    if (!isSuccess) {
      this.failed(request, reason);
      return;
    }
    const requestNs = this.#clock.nowNs() - request.times.requestStartNs;
    const queueNs = times.computeStartNs - request.times.queueStartNs;
    const computeInputNs = times.computeInputEndNs - times.computeStartNs;
    const computeInferNs = times.computeOutputStartNs - times.computeInputEndNs;
    const computeOutputNs = times.computeEndNs - times.computeOutputStartNs;
    this.#succeeded(requestNs, queueNs, computeInputNs, computeInferNs, computeOutputNs);
    this.inferenceCount += Math.max(1, request.batchSize);
    request.onComputed?.({ computeInputNs, computeInferNs, computeOutputNs });
  }

  execution(batchSize: number, times: ComputeTimes): void {
    if (this.#uncountedTimes.has(times)) return;
    this.#execution(
      batchSize,
      times.computeInputEndNs - times.computeStartNs,
      times.computeOutputStartNs - times.computeInputEndNs,
      times.computeEndNs - times.computeOutputStartNs,
    );
  }

  response(request: InferenceRequest, report: ResponseReport): void {
    if (request.isUncounted) return;
    let counters = this.#responses.get(report.index);
    if (counters === undefined) this.#responses.set(report.index, (counters = new ResponseCounters()));
    counters.add(report);
  }

  /** A request that was accepted and failed: rejected, cancelled by a scheduler, failed in preparation or backend. */
  failed(request: InferenceRequest, reason: FailureReason): void {
    if (request.isUncounted) return;
    this.failures[reason] += 1;
    this.#fail.add(this.#clock.nowNs() - request.times.requestStartNs);
  }

  /** A response found in the cache; `request.times` hold both lookup stamps. */
  cacheHit(request: InferenceRequest): void {
    const { times } = request;
    const requestNs = this.#clock.nowNs() - times.requestStartNs;
    const queueNs = times.cacheLookupStartNs - times.queueStartNs;
    const lookupNs = times.cacheLookupEndNs - times.cacheLookupStartNs;
    this.#success.add(requestNs);
    this.#queue.add(queueNs);
    this.#cacheHit.add(lookupNs);
    this.requestLatency.record(requestNs);
    this.queueLatency.record(queueNs);
    this.observer?.request({
      requestNs,
      queueNs,
      computeInputNs: undefined,
      computeInferNs: undefined,
      computeOutputNs: undefined,
    });
    this.observer?.cacheHit(lookupNs);
  }

  /** A miss whose response was offered to the cache: `durationNs` = lookup plus insertion. */
  cacheMiss(durationNs: number): void {
    this.#cacheMiss.add(durationNs);
    this.#success.ns += durationNs;
    this.observer?.cacheMiss(durationNs);
  }

  /** A finished, successful ensemble request. */
  ensembleSucceeded(request: InferenceRequest, sums: EnsembleSums): void {
    const requestNs = this.#clock.nowNs() - request.times.requestStartNs;
    const batchSize = Math.max(1, request.batchSize);
    const { queueNs, computeInputNs, computeInferNs, computeOutputNs } = sums;
    this.#succeeded(requestNs, queueNs, computeInputNs, computeInferNs, computeOutputNs);
    this.inferenceCount += batchSize;
    this.#execution(batchSize, computeInputNs, computeInferNs, computeOutputNs);
    request.onComputed?.(sums);
  }

  /** A copy of all counters now, durations in ns. Counts since the version was loaded. */
  snapshot(): ModelStatisticsSnapshot {
    return {
      name: this.name,
      version: this.version,
      lastInferenceMs: this.#lastInferenceMs,
      inferenceCount: this.inferenceCount,
      executionCount: this.executionCount,
      inference: {
        success: this.#success.snapshot(),
        fail: this.#fail.snapshot(),
        queue: this.#queue.snapshot(),
        computeInput: this.#computeInput.snapshot(),
        computeInfer: this.#computeInfer.snapshot(),
        computeOutput: this.#computeOutput.snapshot(),
        cacheHit: this.#cacheHit.snapshot(),
        cacheMiss: this.#cacheMiss.snapshot(),
      },
      responses: Object.fromEntries(
        [...this.#responses]
          .sort((a, b) => a[0] - b[0])
          .map(([index, counters]) => [String(index), counters.snapshot()]),
      ),
      batches: this.#batchSnapshots(),
      memoryUsage: this.#memoryUsage?.() ?? [],
    };
  }

  #batchSnapshots(): BatchStatisticsSnapshot[] {
    return [...this.#batches]
      .sort((a, b) => a[0] - b[0])
      .map(([batchSize, counters]) => ({
        batchSize,
        computeInput: counters.computeInput.snapshot(),
        computeInfer: counters.computeInfer.snapshot(),
        computeOutput: counters.computeOutput.snapshot(),
      }));
  }

  #succeeded(
    requestNs: number,
    queueNs: number,
    computeInputNs: number,
    computeInferNs: number,
    computeOutputNs: number,
  ): void {
    this.#success.add(requestNs);
    this.#queue.add(queueNs);
    this.#computeInput.add(computeInputNs);
    this.#computeInfer.add(computeInferNs);
    this.#computeOutput.add(computeOutputNs);
    this.requestLatency.record(requestNs);
    this.queueLatency.record(queueNs);
    this.computeLatency.record(computeInferNs);
    this.observer?.request({ requestNs, queueNs, computeInputNs, computeInferNs, computeOutputNs });
  }

  #execution(batchSize: number, inputNs: number, inferNs: number, outputNs: number): void {
    this.executionCount += 1;
    this.#lastInferenceMs = this.#clock.wallMs();
    let counters = this.#batches.get(batchSize);
    if (counters === undefined) this.#batches.set(batchSize, (counters = new BatchCounters()));
    counters.computeInput.add(inputNs);
    counters.computeInfer.add(inferNs);
    counters.computeOutput.add(outputNs);
  }
}

function traceCompute(request: InferenceRequest, times: ComputeTimes): void {
  const { trace } = request;
  if (trace === undefined) return;
  trace.activity('COMPUTE_START', times.computeStartNs);
  trace.activity('COMPUTE_INPUT_END', times.computeInputEndNs);
  trace.activity('COMPUTE_OUTPUT_START', times.computeOutputStartNs);
  trace.activity('COMPUTE_END', times.computeEndNs);
}

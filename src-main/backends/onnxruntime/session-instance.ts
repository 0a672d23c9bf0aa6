// One instance of an ONNX model: turns a payload into one job of its session, and the result into responses.
// Requests whose BYTES elements are not text are refused alone and the rest of the batch runs without them.
// Invariant: every request of a payload gets its final response, is reported, and is released, exactly once.

import { ServerError, toServerError } from '../../../src-shared/errors.ts';
import type { Clock } from '../../base/clock.ts';
import type { InstanceSpec, ModelInstance } from '../../inference/backend.ts';
import type { ComputeTimes, ExecutionReporter, Payload } from '../../inference/execution.ts';
import type { InferenceRequest } from '../../inference/inference-request.ts';
import type { HostedSession, JobSlot } from '../instance-host/hosted-session.ts';
import type { LargeResult } from '../instance-host/session-server.ts';
import type { InstanceHost } from '../instance-host/instance-host.ts';
import { gatherFeeds, writeFeeds } from './batch-gather.ts';
import { ExecutionAnswers } from './execution-answers.ts';
import { answersBeforeNext, oneTurnLater } from './even-batches.ts';
import type { InlineRuns } from './inline-runs.ts';
import type { InlineSession } from './inline-session.ts';
import type { InterfacePlan } from './interface-plan.ts';
import {
  RUN_END_WORD,
  RUN_START_WORD,
  MIN_RESULT_BYTE_SIZE,
  largerResultArea,
  layOutJob,
  readResult,
  writeJobHeader,
} from './job-layout.ts';
import type { RunOutput } from './job-layout.ts';
import { onnxruntimeErrors } from './onnxruntime-errors.ts';
import type { SteadyRows } from './steady-rows.ts';
import { cutOff, fillUp } from './steady-rows.ts';
import type { LayoutTimes } from './layout-times.ts';
import { finishRequest } from './request-answers.ts';
import { rowsOf } from './request-inputs.ts';
import { SEGMENT_DETAIL } from './string-tensors.ts';

/** What one instance works with. It closes the session and its inline runs, and nothing else. */
export interface SessionInstanceParts {
  readonly spec: InstanceSpec;
  readonly plan: InterfacePlan;
  readonly session: HostedSession;
  readonly host: InstanceHost;
  readonly clock: Clock;
  readonly reporter: ExecutionReporter;
  readonly memoryByteSize: number | undefined;
  readonly gpuProvider?: string | undefined;
  /** The next payload may be taken while short runs are still on their way through the worker. */
  readonly mayOverlap: boolean;
  /** The next payload may be taken before the requests of a finished one are answered. */
  readonly mayAnswerLast: boolean;
  /** Undefined where a run has the rows of its requests and no others. */
  readonly steadyRows?: SteadyRows | undefined;
  /** Undefined for a model that always runs in the session's thread. */
  readonly inline: Pick<InlineRuns, 'book' | 'noteCompany' | 'take' | 'ran' | 'close'> | undefined;
}

/** Jobs an overlapping instance has in the worker at most, and the time they may take together. */
const MAX_OVERLAP = 16;
const MAX_OVERLAP_NS = 400_000;
/** Nobody waits behind runs longer than this in a thread that instances share. */
const MAX_SHARED_RUN_NS = 5_000_000;
/** A slot up to this size may still hold a result while the next job is laid out in another one. */
const MAX_SPARE_BYTES = 512 * 1024;

interface Job {
  readonly requests: readonly InferenceRequest[];
  readonly batchSize: number;
  /** Those of the batch, and those that it was filled up with. */
  readonly runRows: number;
  readonly startNs: number;
  /** Where inputs and outputs lie; the event loop's own session has memory of its own. */
  readonly memory: Pick<JobSlot, 'words' | 'bytes'>;
  /** Undefined for a run of the event loop. */
  readonly slot: JobSlot | undefined;
  readonly times: LayoutTimes | undefined;
  readonly nextCount: (() => number) | undefined;
  readonly finished: () => void;
}

/**
 * Throws INVALID_ARG, with nothing answered, for a payload of more rows than max_batch_size; a request that
 * cannot be read is answered alone.
 */
export class SessionInstance implements ModelInstance {
  readonly spec: InstanceSpec;
  readonly memoryByteSize: number | undefined;
  readonly gpuProvider: string | undefined;
  readonly #parts: SessionInstanceParts;
  readonly #plan: InterfacePlan;
  #inFlight = 0;
  #resultByteSize = MIN_RESULT_BYTE_SIZE;
  #averageRunNs = Infinity;
  #room: (() => void) | undefined;
  #drained: (() => void) | undefined;

  constructor(parts: SessionInstanceParts) {
    this.spec = parts.spec;
    this.memoryByteSize = parts.memoryByteSize;
    this.gpuProvider = parts.gpuProvider;
    this.#parts = parts;
    this.#plan = parts.plan;
  }

  /** Not async: the next payload should be here before #succeeded goes on, and an async function resolves late. */
  execute(payload: Payload): Promise<void> {
    try {
      return this.#execute(payload);
    } catch (thrown) {
      return Promise.reject(toServerError(thrown));
    }
  }

  #execute(payload: Payload): Promise<void> {
    const startNs = this.#parts.clock.nowNs();
    const requests = this.#dropCancelled(payload.requests, startNs);
    if (requests.length === 0) return Promise.resolve();
    this.#checkBatch(requests);
    const done = this.#start(requests, startNs, payload.nextCount);
    if (!this.#parts.mayOverlap || this.#averageRunNs * 2 > MAX_OVERLAP_NS) return done;
    if (this.#inFlight >= MAX_OVERLAP || this.#inFlight * this.#averageRunNs > MAX_OVERLAP_NS)
      return new Promise((resolve) => (this.#room = resolve));
    return Promise.resolve();
  }

  /** Waits for what is in the worker, then releases the session. */
  async close(): Promise<void> {
    if (this.#inFlight > 0) await new Promise<void>((resolve) => (this.#drained = resolve));
    this.#parts.inline?.close();
    await this.#parts.host.closeSession(this.#parts.session);
  }

  #dropCancelled(requests: readonly InferenceRequest[], startNs: number): readonly InferenceRequest[] {
    if (this.#plan.keepsRows || !requests.some((request) => request.isCancelled)) return requests;
    const now = this.#parts.clock.nowNs();
    const times = flatTimes(startNs, now);
    for (const request of requests) {
      if (request.isCancelled) {
        finishRequest(request, this.#parts.reporter, times, new ServerError('CANCELLED', ''));
      }
    }
    return requests.filter((request) => !request.isCancelled && request.state !== 'RELEASED');
  }

  /** Throws INVALID_ARG when the payload is larger than the model allows; nothing is answered then. */
  #checkBatch(requests: readonly InferenceRequest[]): void {
    const rows = requests.reduce((sum, request) => sum + rowsOf(request), 0);
    if (rows !== 1 && rows > this.#plan.maxBatchSize) {
      throw onnxruntimeErrors.batchTooLarge({
        rows,
        instance: this.spec.name,
        limit: this.#plan.maxBatchSize,
      });
    }
  }

  /**
   * Lays the job out and sends it, or lets the event loop do it. Throws when the requests cannot be gathered; nothing is
   * answered then.
   */
  #start(requests: readonly InferenceRequest[], startNs: number, nextCount?: () => number): Promise<void> {
    const { inline, session, steadyRows } = this.#parts;
    const batchSize = requests.reduce((sum, request) => sum + rowsOf(request), 0);
    const runRows = steadyRows?.rowsFor(batchSize) ?? batchSize;
    const gathered = gatherFeeds(this.#plan, requests);
    const feeds = runRows === batchSize ? gathered : fillUp(gathered, batchSize, runRows);
    const layout = layOutJob(feeds, this.#resultByteSize);
    const times = inline?.book.of(feeds);
    if (this.#inFlight > 0 || requests.length > 1) inline?.noteCompany();
    // One at a time: the event loop's session has memory for one job.
    const near = times && this.#inFlight === 0 ? inline?.take(times, layout.byteSize, startNs) : undefined;
    const slot = near === undefined ? session.takeSlot(layout.byteSize) : undefined;
    near?.reserve(layout.byteSize);
    const memory = (near ?? slot) as Job['memory'];
    writeJobHeader(memory.words, feeds, layout);
    writeFeeds(memory.bytes, feeds, layout);
    this.#inFlight += 1;
    return new Promise((finished) => {
      const job: Job = { requests, batchSize, runRows, startNs, memory, slot, times, nextCount, finished };
      // Who handed the payload over goes on first, as when a thread runs it.
      if (near !== undefined) queueMicrotask(() => this.#runInline(near, job));
      if (slot === undefined) return;
      session.run(slot, (error, value) => {
        if (error === undefined) this.#succeeded(job, value as RunOutput[] | undefined);
        else this.#failed(job, error);
      });
    });
  }

  #runInline(near: InlineSession, job: Job): void {
    let large: LargeResult | undefined;
    try {
      large = near.run();
    } catch (thrown) {
      this.#failed(job, toServerError(thrown));
      return;
    }
    this.#succeeded(job, large?.value as RunOutput[] | undefined);
  }

  #succeeded(job: Job, value: RunOutput[] | undefined): void {
    const { memory, requests } = job;
    const runStartNs = memory.words[RUN_START_WORD] ?? job.startNs;
    const runEndNs = memory.words[RUN_END_WORD] ?? runStartNs;
    const runNs = runEndNs - runStartNs;
    // A large result is for a thread, where it is made while the event loop goes on.
    job.times?.note(value === undefined ? runNs : Infinity);
    if (job.slot === undefined) this.#parts.inline?.ran(runNs);
    if (value !== undefined) this.#resultByteSize = largerResultArea(this.#resultByteSize, value);
    const times = {
      computeStartNs: job.startNs,
      computeInputEndNs: runStartNs,
      computeOutputStartNs: runEndNs,
    };
    // The next job may lie in another slot, but not one of many bytes, nor in the event loop's one memory.
    const isKept =
      this.#parts.mayAnswerLast &&
      value === undefined &&
      (job.slot?.bytes.length ?? Infinity) <= MAX_SPARE_BYTES;
    const taken = isKept ? undefined : this.#takeOutputs(job, value);
    const makeAnswers = (): ExecutionAnswers => {
      const outputs = taken ?? this.#takeOutputs(job, value);
      const { plan, reporter, clock } = this.#parts;
      const parts = { plan, reporter, times, nowNs: () => clock.nowNs() };
      return new ExecutionAnswers(requests, outputs, value !== undefined, parts);
    };
    if (!this.#parts.mayAnswerLast) {
      const answers = makeAnswers();
      this.#ended(runNs);
      answers.rest(job.batchSize);
      job.finished();
      return;
    }
    this.#ended(runNs);
    const byteSize = value?.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) ?? 0;
    const early = answersBeforeNext(requests.length, job.nextCount?.() ?? 0, { runNs, byteSize });
    if (early === 0) {
      // In the turn between these two the next payload is sent: the thread works while answers are made.
      job.finished();
      queueMicrotask(() => makeAnswers().rest(job.batchSize));
      return;
    }
    const answers = makeAnswers();
    answers.first(early);
    oneTurnLater(() => {
      job.finished();
      queueMicrotask(() => answers.rest(job.batchSize));
    });
  }

  /** Reads the outputs out of the job's slot, which is free then. */
  #takeOutputs(
    { memory, slot, batchSize, runRows }: Job,
    value: RunOutput[] | undefined,
  ): readonly RunOutput[] {
    const outputs = value ?? readResult(memory.words, memory.bytes, this.#plan.outputs.length);
    if (slot !== undefined) this.#parts.session.releaseSlot(slot);
    return runRows === batchSize ? outputs : cutOff(outputs, batchSize, runRows);
  }

  #failed(job: Job, error: ServerError): void {
    if (job.slot !== undefined) this.#parts.session.releaseSlot(job.slot);
    this.#ended(this.#averageRunNs);
    const times = flatTimes(job.startNs, this.#parts.clock.nowNs());
    const culprit = job.requests[Number(error.details?.[SEGMENT_DETAIL] ?? -1)];
    if (culprit !== undefined && job.requests.length > 1 && !this.#plan.keepsRows) {
      finishRequest(culprit, this.#parts.reporter, times, error);
      this.#runRest(job, job.requests.filter((request) => request !== culprit)); // prettier-ignore
      return;
    }
    for (const request of job.requests) finishRequest(request, this.#parts.reporter, times, error);
    job.finished();
  }

  #runRest(job: Job, rest: readonly InferenceRequest[]): void {
    this.#start(rest, job.startNs).then(job.finished, (thrown: unknown) => {
      const times = flatTimes(job.startNs, this.#parts.clock.nowNs());
      for (const request of rest) finishRequest(request, this.#parts.reporter, times, toServerError(thrown));
      job.finished();
    });
  }

  /** A run is over that took so long. */
  #ended(runNs: number): void {
    if (runNs > MAX_SHARED_RUN_NS && runNs < Infinity) this.#parts.session.ranLong();
    this.#averageRunNs =
      this.#averageRunNs === Infinity ? runNs : this.#averageRunNs + (runNs - this.#averageRunNs) / 8;
    this.#inFlight -= 1;
    const room = this.#room;
    this.#room = undefined;
    room?.();
    if (this.#inFlight === 0) this.#drained?.();
  }
}

function flatTimes(startNs: number, endNs: number): ComputeTimes {
  return {
    computeStartNs: startNs,
    computeInputEndNs: endNs,
    computeOutputStartNs: endNs,
    computeEndNs: endNs,
  };
}

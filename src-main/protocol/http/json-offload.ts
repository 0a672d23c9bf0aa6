// Parsing and printing of large JSON away from the event loop: a few worker threads started on first use, one job at a
// time each, the others in order of arrival. Bytes go over by transfer after one copy; results come back by transfer.
// Work for a client that has left is dropped, and stopped with its thread when it does not end soon by itself. A worker
// that dies fails its job and is replaced with the next one. One that has read much ends when nothing came for a while:
// an idle thread collects no garbage, and would keep what it needed.

import { Worker } from 'node:worker_threads';
import { errorFromWire } from '../../../src-shared/errors.ts';
import { systemClock, type Clock, type Timer } from '../../base/clock.ts';
import { freeChunk } from '../../base/free-memory.ts';
import { workerEntryUrl } from '../../base/worker-entry.ts';
import type { OutputTensor } from '../../inference/inference-response.ts';
import { serverErrors } from '../../service/server-errors.ts';
import { httpErrors } from './http-errors.ts';
import type { BodyBytes } from './infer-binary.ts';
import type { InferParseOptions } from './infer-parser.ts';
import type { GenerateModel, ParsedGenerate } from './generate-parser.ts';
import type { JsonJob, JsonResult, ResultMessage } from './json-jobs.ts';
import type { ParsedLoad } from './load-parameters.ts';
import type { ParsedInfer } from './parsed-infer.ts';

/** JSON above this size leaves the loop. */
export const OFFLOAD_MIN_BYTES = 256 * 1024;
/** Bytes copied before other work gets a turn. */
const COPY_SLICE_BYTES = 8 * 1024 * 1024;

/** Work that nobody waits for may go on for this long; starting another thread costs as much. */
const ABANDONED_MS = 100;

/** A thread that read a text of this size keeps hundreds of megabytes for itself; a new one is there in a moment. */
const LAST_JOB_BYTES = 8 * 1024 * 1024;

/** A text of this size may have cost its thread tens of megabytes: a million empty objects are 3 MB of text. */
const MUCH_BYTES = 1024 * 1024;

/** For how long a thread that has read much waits for more. */
const IDLE_MS = 2000;

interface Pending {
  readonly job: JsonJob;
  readonly transfer: ArrayBuffer;
  readonly isLast: boolean;
  readonly resolve: (result: JsonResult) => void;
  readonly reject: (error: Error) => void;
}

interface Lane {
  readonly worker: Worker;
  running: Pending | undefined;
  hasReadMuch: boolean;
  /** Its end, when it is idle until then. */
  end: Timer | undefined;
}

/** Each call rejects with CANCELLED when its `gone` aborts first: the client has left. */
export interface JsonOffload {
  /** The first `byteSize` bytes of the body as an infer request. */
  parse(
    body: BodyBytes,
    byteSize: number,
    options: InferParseOptions,
    gone?: AbortSignal,
  ): Promise<ParsedInfer>;
  /** A generate request. */
  generate(
    json: Uint8Array,
    model: GenerateModel,
    maxInputByteSize: number,
    gone?: AbortSignal,
  ): Promise<ParsedGenerate>;
  /** The body of a load request; rejects with its faults. */
  load(json: Uint8Array, gone?: AbortSignal): Promise<ParsedLoad>;
  /** The members `keys` of a body as a small JSON text; rejects with its faults. */
  excerpt(json: Uint8Array, keys: readonly string[], gone?: AbortSignal): Promise<string>;
  /** Elements of one output as JSON text without brackets; undefined when bytes and count disagree. */
  print(output: OutputTensor, elementCount: number, gone?: AbortSignal): Promise<Uint8Array | undefined>;
  /** Ends the threads; jobs under way reject. */
  close(): Promise<void>;
}

/** Rejects jobs with UNAVAILABLE once it is closed, and with CANCELLED when their client has gone. */
export class JsonWorkers implements JsonOffload {
  readonly #maxLanes: number;
  readonly #lanes = new Set<Lane>();
  readonly #queue = new Set<Pending>();
  readonly #clock: Clock;
  #isClosed = false;

  constructor(maxWorkers: number, clock: Clock = systemClock) {
    this.#maxLanes = maxWorkers;
    this.#clock = clock;
  }

  /** Number of threads that it holds now. */
  get threadCount(): number {
    return this.#lanes.size;
  }

  async parse(
    body: BodyBytes,
    byteSize: number,
    options: InferParseOptions,
    gone?: AbortSignal,
  ): Promise<ParsedInfer> {
    const json = await copyHead(body, byteSize);
    const job: JsonJob = { kind: 'parse', json, options };
    return (await this.#run(job, json.buffer as ArrayBuffer, gone)) as ParsedInfer;
  }

  async generate(
    json: Uint8Array,
    model: GenerateModel,
    maxInputByteSize: number,
    gone?: AbortSignal,
  ): Promise<ParsedGenerate> {
    const copy = new Uint8Array(json);
    const job: JsonJob = { kind: 'generate', json: copy, model, maxInputByteSize };
    return (await this.#run(job, copy.buffer, gone)) as ParsedGenerate;
  }

  async load(json: Uint8Array, gone?: AbortSignal): Promise<ParsedLoad> {
    const copy = new Uint8Array(json);
    return (await this.#run({ kind: 'load', json: copy }, copy.buffer, gone)) as ParsedLoad;
  }

  async excerpt(json: Uint8Array, keys: readonly string[], gone?: AbortSignal): Promise<string> {
    const copy = new Uint8Array(json);
    return (await this.#run({ kind: 'excerpt', json: copy, keys }, copy.buffer, gone)) as string;
  }

  async print(
    output: OutputTensor,
    elementCount: number,
    gone?: AbortSignal,
  ): Promise<Uint8Array | undefined> {
    const bytes = new Uint8Array(output.bytes);
    const job: JsonJob = { kind: 'print', bytes, datatype: output.datatype, elementCount };
    return (await this.#run(job, bytes.buffer as ArrayBuffer, gone)) as Uint8Array | undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const pending of this.#queue) pending.reject(serverErrors.exiting());
    this.#queue.clear();
    await Promise.all([...this.#lanes].map((lane) => lane.worker.terminate()));
  }

  #run(job: JsonJob, transfer: ArrayBuffer, gone: AbortSignal | undefined): Promise<JsonResult> {
    if (this.#isClosed) return Promise.reject(serverErrors.exiting());
    return new Promise((resolve, reject) => {
      const leave = (): void => this.#abandon(pending);
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T): void => {
          gone?.removeEventListener('abort', leave);
          settle(value);
        };
      const isLast = transfer.byteLength > LAST_JOB_BYTES;
      const pending: Pending = { job, transfer, isLast, resolve: settled(resolve), reject: settled(reject) };
      this.#queue.add(pending);
      gone?.addEventListener('abort', leave, { once: true });
      if (gone?.aborted === true) leave();
      this.#dispatch();
    });
  }

  /** Drops a job that waits; stops one that runs, unless it is done soon. */
  #abandon(pending: Pending): void {
    this.#queue.delete(pending);
    pending.reject(httpErrors.clientGone());
    for (const lane of this.#lanes) {
      if (lane.running !== pending) continue;
      this.#clock.after(ABANDONED_MS, () => {
        if (lane.running === pending) this.#remove(lane, '');
      });
    }
  }

  /** Gives waiting jobs to workers without one, and starts workers while there is room. */
  #dispatch(): void {
    for (const pending of this.#queue) {
      const lane = this.#freeLane();
      if (lane === undefined) return;
      this.#queue.delete(pending);
      lane.end?.cancel();
      lane.running = pending;
      lane.hasReadMuch ||= pending.transfer.byteLength >= MUCH_BYTES;
      lane.worker.ref();
      lane.worker.postMessage(pending.job satisfies JsonJob, [pending.transfer]);
    }
  }

  #freeLane(): Lane | undefined {
    for (const lane of this.#lanes) if (lane.running === undefined) return lane;
    return this.#lanes.size < this.#maxLanes ? this.#start() : undefined;
  }

  #start(): Lane {
    const worker = new Worker(workerEntryUrl('json'), { name: 'json' });
    const lane: Lane = { worker, running: undefined, hasReadMuch: false, end: undefined };
    worker.unref();
    worker.on('message', (message: ResultMessage) => {
      const { running } = lane;
      lane.running = undefined;
      worker.unref();
      if (message.failure === undefined) running?.resolve(message.result);
      else running?.reject(errorFromWire(message.failure));
      if (running?.isLast === true) this.#remove(lane, '');
      else this.#dispatch();
      if (lane.running === undefined && lane.hasReadMuch) this.#endWhenIdle(lane);
    });
    let cause = 'JSON worker stopped';
    worker.on('error', (error: Error) => {
      cause = `JSON worker failed: ${error.message}`;
    });
    worker.on('exit', () => this.#remove(lane, cause));
    this.#lanes.add(lane);
    return lane;
  }

  #endWhenIdle(lane: Lane): void {
    lane.end = this.#clock.after(IDLE_MS, () => this.#remove(lane, ''));
  }

  /** Ends a worker and its job, and lets the next one take its place. */
  #remove(lane: Lane, cause: string): void {
    if (!this.#lanes.delete(lane)) return;
    const { running } = lane;
    lane.running = undefined;
    void lane.worker.terminate();
    running?.reject(httpErrors.notRead({ reason: cause }));
    if (!this.#isClosed) this.#dispatch();
  }
}

/**
 * A copy of the head that can be transferred, made in slices so that other requests get their turn. What was received is
 * freed on the way where the head is all of the body.
 */
async function copyHead(body: BodyBytes, byteSize: number): Promise<Uint8Array> {
  const copy = Buffer.allocUnsafeSlow(byteSize);
  const isWhole = byteSize === body.byteSize;
  let at = 0;
  let sincePause = 0;
  for (const chunk of body.slice(0, byteSize).chunks) {
    const { byteLength } = chunk;
    copy.set(chunk, at);
    at += byteLength;
    sincePause += byteLength;
    if (isWhole) freeChunk(chunk);
    if (sincePause >= COPY_SLICE_BYTES) {
      sincePause = 0;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }
  return copy;
}

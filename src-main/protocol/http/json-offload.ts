// Parsing and printing of large JSON away from the event loop: a few worker threads started on first use. Bytes go
// over by transfer after one copy; results come back by transfer. A worker that dies fails its jobs and is replaced
// by the next one.

import { Worker } from 'node:worker_threads';
import { errorFromWire, internal, unavailable } from '../../../src-shared/errors.ts';
import { workerEntryUrl } from '../../base/worker-entry.ts';
import type { OutputTensor } from '../../inference/inference-response.ts';
import type { BodyBytes } from './infer-binary.ts';
import type { InferParseOptions } from './infer-parser.ts';
import type { GenerateModel, ParsedGenerate } from './generate-parser.ts';
import type { JsonJob, JsonResult, JobMessage, ResultMessage } from './json-jobs.ts';
import type { ParsedLoad } from './load-parameters.ts';
import type { ParsedInfer } from './parsed-infer.ts';

/** JSON above this size leaves the loop. */
export const OFFLOAD_MIN_BYTES = 256 * 1024;
/** Bytes copied before other work gets a turn. */
const COPY_SLICE_BYTES = 8 * 1024 * 1024;

interface Pending {
  readonly resolve: (result: JsonResult) => void;
  readonly reject: (error: Error) => void;
}

interface Lane {
  readonly worker: Worker;
  readonly pending: Map<number, Pending>;
}

export interface JsonOffload {
  /** The first `byteSize` bytes of the body as an infer request. */
  parse(body: BodyBytes, byteSize: number, options: InferParseOptions): Promise<ParsedInfer>;
  /** A generate request. */
  generate(json: Uint8Array, model: GenerateModel, maxInputByteSize: number): Promise<ParsedGenerate>;
  /** The body of a load request; rejects with its faults. */
  load(json: Uint8Array): Promise<ParsedLoad>;
  /** The members `keys` of a body as a small JSON text; rejects with its faults. */
  excerpt(json: Uint8Array, keys: readonly string[]): Promise<string>;
  /** Elements of one output as JSON text without brackets; undefined when bytes and count disagree. */
  print(output: OutputTensor, elementCount: number): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

export class JsonWorkers implements JsonOffload {
  readonly #maxLanes: number;
  readonly #lanes: Lane[] = [];
  #nextId = 1;
  #isClosed = false;

  constructor(maxWorkers: number) {
    this.#maxLanes = maxWorkers;
  }

  async parse(body: BodyBytes, byteSize: number, options: InferParseOptions): Promise<ParsedInfer> {
    const json = await copyHead(body, byteSize);
    return (await this.#run({ kind: 'parse', json, options }, json.buffer as ArrayBuffer)) as ParsedInfer;
  }

  async generate(json: Uint8Array, model: GenerateModel, maxInputByteSize: number): Promise<ParsedGenerate> {
    const copy = new Uint8Array(json);
    const job: JsonJob = { kind: 'generate', json: copy, model, maxInputByteSize };
    return (await this.#run(job, copy.buffer)) as ParsedGenerate;
  }

  async load(json: Uint8Array): Promise<ParsedLoad> {
    const copy = new Uint8Array(json);
    return (await this.#run({ kind: 'load', json: copy }, copy.buffer)) as ParsedLoad;
  }

  async excerpt(json: Uint8Array, keys: readonly string[]): Promise<string> {
    const copy = new Uint8Array(json);
    return (await this.#run({ kind: 'excerpt', json: copy, keys }, copy.buffer)) as string;
  }

  async print(output: OutputTensor, elementCount: number): Promise<Uint8Array | undefined> {
    const bytes = new Uint8Array(output.bytes);
    const job: JsonJob = { kind: 'print', bytes, datatype: output.datatype, elementCount };
    return (await this.#run(job, bytes.buffer as ArrayBuffer)) as Uint8Array | undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#lanes.map((lane) => lane.worker.terminate()));
  }

  #run(job: JsonJob, transfer: ArrayBuffer): Promise<JsonResult> {
    if (this.#isClosed) return Promise.reject(unavailable('Server exiting'));
    const lane = this.#pick();
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      lane.pending.set(id, { resolve, reject });
      lane.worker.ref();
      lane.worker.postMessage({ id, job } satisfies JobMessage, [transfer]);
    });
  }

  /** The least busy worker; a new one while all are busy and there is room. */
  #pick(): Lane {
    let best: Lane | undefined;
    for (const lane of this.#lanes) {
      if (best === undefined || lane.pending.size < best.pending.size) best = lane;
    }
    if (best !== undefined && (best.pending.size === 0 || this.#lanes.length >= this.#maxLanes)) return best;
    return this.#start();
  }

  #start(): Lane {
    const worker = new Worker(workerEntryUrl('json'), { name: 'json' });
    const lane: Lane = { worker, pending: new Map() };
    worker.unref();
    worker.on('message', (message: ResultMessage) => {
      const pending = lane.pending.get(message.id);
      lane.pending.delete(message.id);
      if (lane.pending.size === 0) worker.unref();
      if (message.failure === undefined) pending?.resolve(message.result);
      else pending?.reject(errorFromWire(message.failure));
    });
    let cause = 'JSON worker stopped';
    worker.on('error', (error: Error) => {
      cause = `JSON worker failed: ${error.message}`;
    });
    worker.on('exit', () => {
      const at = this.#lanes.indexOf(lane);
      if (at >= 0) this.#lanes.splice(at, 1);
      for (const pending of lane.pending.values()) pending.reject(internal(cause));
      lane.pending.clear();
    });
    this.#lanes.push(lane);
    return lane;
  }
}

/** A copy of the head that can be transferred, made in slices so that other requests get their turn. */
async function copyHead(body: BodyBytes, byteSize: number): Promise<Uint8Array> {
  const copy = new Uint8Array(byteSize);
  let at = 0;
  let sincePause = 0;
  for (const chunk of body.slice(0, byteSize).chunks) {
    copy.set(chunk, at);
    at += chunk.byteLength;
    sincePause += chunk.byteLength;
    if (sincePause >= COPY_SLICE_BYTES) {
      sincePause = 0;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }
  return copy;
}

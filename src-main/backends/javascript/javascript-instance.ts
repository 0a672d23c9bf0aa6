// One instance of a JavaScript model: packs the requests of a payload into one message, and turns what the thread
// sends back into responses, statistics and releases. A lost thread fails what it had and is started again for the
// next payload.
// Invariant: every request is answered with one final response and released once, whatever the model's code does.

import {
  errorFromWire,
  errorToWire,
  internal,
  toServerError,
  unavailable,
} from '../../../src-shared/errors.ts';
import type { ServerError } from '../../../src-shared/errors.ts';
import type { Clock, Timer } from '../../base/clock.ts';
import { getLogger } from '../../base/log.ts';
import type { InstanceSpec, ModelInstance } from '../../inference/backend.ts';
import type { ComputeTimes, ExecutionReporter, Payload } from '../../inference/execution.ts';
import type { InferenceRequest } from '../../inference/inference-request.ts';
import type { OutputTensor } from '../../inference/inference-response.ts';
import { clientOutputShape } from '../../inference/output-shape.ts';
import { ResponseSender } from '../../inference/response-sender.ts';
import { copyBytes } from '../../inference/tensor-bytes.ts';
import type { ModelThread, ModelThreadListener } from './model-thread.ts';
import { packedBytes, TensorPacker } from './packed-tensors.ts';
import type { FromWorker, RequestMessage, ResponseMessage, WorkerSetup } from './worker-messages.ts';

const log = getLogger('javascript');

export interface JavaScriptInstanceOptions {
  readonly spec: InstanceSpec;
  readonly setup: WorkerSetup;
  readonly clock: Clock;
  readonly reporter: ExecutionReporter;
  /** An execute() that takes longer is ended together with its thread; 0 = never. */
  readonly executeTimeoutMs: number;
  readonly unloadTimeoutMs: number;
  readonly startThread: (
    listener: ModelThreadListener,
    signal: AbortSignal | undefined,
  ) => Promise<ModelThread>;
}

interface OpenRequest {
  readonly request: InferenceRequest;
  readonly sender: ResponseSender;
  readonly execution: Execution;
  readonly offCancel: () => void;
  hasFailed: boolean;
  lastResponseNs: number;
}

/** The payload that runs now. */
interface Execution {
  readonly batchSize: number;
  readonly keys: readonly number[];
  readonly computeStartNs: number;
  /** Set when execute() returned. */
  times: ComputeTimes | undefined;
  readonly done: () => void;
}

export class JavaScriptInstance implements ModelInstance, ModelThreadListener {
  readonly spec: InstanceSpec;
  readonly memoryByteSize = undefined;
  readonly #options: JavaScriptInstanceOptions;
  readonly #isDecoupled: boolean;
  readonly #open = new Map<number, OpenRequest>();
  #thread: ModelThread | undefined;
  #running: Execution | undefined;
  #nextKey = 1;
  #unloadTimer: Timer | undefined;
  /** Set when the time for unloading is over: nothing is executed any more. */
  #endReason: ServerError | undefined;

  constructor(options: JavaScriptInstanceOptions) {
    this.spec = options.spec;
    this.#options = options;
    this.#isDecoupled = options.setup.config.modelTransactionPolicy?.decoupled === true;
  }

  /** Starts the thread and the model's initialize(). */
  async start(signal?: AbortSignal): Promise<void> {
    this.#thread = await this.#options.startThread(this, signal);
  }

  /** What was accepted has unload_timeout_ms from now; what hangs then is ended with its thread. */
  unloading(): void {
    const { unloadTimeoutMs, clock, setup } = this.#options;
    this.#unloadTimer ??= clock.after(unloadTimeoutMs, () => {
      this.#endReason = unavailable(
        `model '${setup.modelName}' is being unloaded and instance '${this.spec.name}' was not done within unload_timeout_ms = ${unloadTimeoutMs}`,
      );
      this.#end(this.#endReason);
    });
  }

  async execute(payload: Payload): Promise<void> {
    if (this.#endReason !== undefined) throw this.#endReason;
    if (this.#thread === undefined || this.#thread.hasEnded) {
      log.warn(`starts the code of instance '${this.spec.name}' again`, {
        model: this.#options.setup.modelName,
      });
      await this.start();
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#running = this.#begin(payload, resolve);
    const watchdog = this.#watch();
    await promise;
    watchdog?.cancel();
  }

  async close(): Promise<void> {
    this.#unloadTimer?.cancel();
    await this.#thread?.close(this.#options.unloadTimeoutMs);
    this.#thread = undefined;
  }

  // --- told by the thread ---

  executed(message: Extract<FromWorker, { kind: 'executed' }>): void {
    const execution = this.#running;
    if (execution === undefined) return;
    this.#running = undefined;
    execution.times = {
      computeStartNs: execution.computeStartNs,
      computeInputEndNs: message.startedNs,
      computeOutputStartNs: message.endedNs,
      computeEndNs: this.#options.clock.nowNs(),
    };
    for (const response of message.responses) void this.#respond(response, true);
    for (const key of execution.keys) this.#finishUnanswered(key, message.error);
    execution.done();
  }

  response(message: Extract<FromWorker, { kind: 'response' }>): void {
    const { key, serial, response, isFinal } = message;
    void this.#deliver(key, serial, response, isFinal);
  }

  lost(error: ServerError): void {
    const execution = this.#running;
    this.#running = undefined;
    for (const key of [...this.#open.keys()]) this.#fail(key, error);
    execution?.done();
  }

  // --- own affairs ---

  #begin(payload: Payload, done: () => void): Execution {
    const packer = new TensorPacker();
    const keys: number[] = [];
    const { clock } = this.#options;
    const execution: Execution = {
      batchSize: payload.batchSize,
      keys,
      computeStartNs: clock.nowNs(),
      times: undefined,
      done,
    };
    const requests = payload.requests.map((request) => {
      const key = this.#nextKey++;
      keys.push(key);
      this.#open.set(key, {
        request,
        execution,
        sender: new ResponseSender(request, { isDecoupled: this.#isDecoupled }),
        offCancel: request.onCancel(() => this.#thread?.post({ kind: 'cancel', key })),
        hasFailed: false,
        lastResponseNs: execution.computeStartNs,
      });
      return requestMessage(key, request, packer);
    });
    const data = packer.pack();
    this.#thread?.post({ kind: 'execute', requests, data }, [data]);
    for (const [at, { isCancelled }] of payload.requests.entries()) {
      if (isCancelled) this.#thread?.post({ kind: 'cancel', key: keys[at] ?? 0 });
    }
    return execution;
  }

  #watch(): Timer | undefined {
    const { executeTimeoutMs, clock } = this.#options;
    if (executeTimeoutMs <= 0) return undefined;
    return clock.after(executeTimeoutMs, () => {
      const error = internal(
        `model '${this.#options.setup.modelName}': execute() of instance '${this.spec.name}' took longer than execute_timeout_ms = ${executeTimeoutMs} and was ended`,
      );
      this.#end(error);
    });
  }

  /** Fails everything that is open and ends the thread. */
  #end(error: ServerError): void {
    for (const key of [...this.#open.keys()]) this.#fail(key, error);
    void this.#thread?.terminate();
  }

  async #deliver(
    key: number,
    serial: number,
    response: ResponseMessage | undefined,
    isFinal: boolean,
  ): Promise<void> {
    try {
      if (response !== undefined) await this.#respond(response, isFinal);
      else {
        const entry = this.#open.get(key);
        this.#report(entry, 'empty');
        await entry?.sender.end();
        this.#finish(key);
      }
      this.#thread?.post({ kind: 'sent', serial, error: undefined });
    } catch (thrown) {
      this.#thread?.post({ kind: 'sent', serial, error: errorToWire(thrown) });
    }
  }

  async #respond(response: ResponseMessage, isFinal: boolean): Promise<void> {
    const entry = this.#open.get(response.key);
    if (entry === undefined) return;
    let taken: void | Promise<void> = undefined;
    try {
      if (response.error !== undefined) throw errorFromWire(response.error);
      const outputs = this.#outputs(entry.request, response);
      this.#report(entry, 'success');
      const parameters = new Map(Object.entries(response.parameters));
      taken = entry.sender.send(outputs, { isFinal, parameters });
    } catch (thrown) {
      entry.hasFailed = true;
      this.#report(entry, 'fail');
      if (!entry.sender.isEnded) taken = entry.sender.fail(toServerError(thrown), { isFinal });
    }
    if (isFinal) this.#finish(response.key);
    await taken;
  }

  /** The outputs the client asked for; implicit state goes to the scheduler. */
  #outputs(request: InferenceRequest, response: ResponseMessage): OutputTensor[] {
    const { config } = this.#options.setup;
    const outputs: OutputTensor[] = [];
    for (const packed of response.outputs) {
      const { name, datatype } = packed;
      const bytes = packedBytes(response.data, packed);
      const shape = clientOutputShape(config, name, packed.shape);
      if (request.stateOutputs.includes(name)) {
        request.onStateOutput?.({ name, datatype, shape: packed.shape, bytes });
      }
      if (request.requestedOutputs.includes(name)) outputs.push({ name, datatype, shape, bytes });
    }
    return outputs;
  }

  /** After execute(): what it threw goes to everybody it did not answer; single-response models are complete now. */
  #finishUnanswered(key: number, error: ResponseMessage['error']): void {
    const entry = this.#open.get(key);
    if (entry === undefined) return;
    if (error !== undefined) this.#fail(key, errorFromWire(error));
    else if (!this.#isDecoupled) {
      entry.hasFailed ||= entry.sender.count !== 1;
      void entry.sender.end();
      this.#finish(key);
    }
  }

  #fail(key: number, error: ServerError): void {
    const entry = this.#open.get(key);
    if (entry === undefined) return;
    entry.hasFailed = true;
    if (!entry.sender.isEnded) void entry.sender.fail(error);
    this.#finish(key);
  }

  /** Reports and releases a request whose final response was sent. */
  #finish(key: number): void {
    const entry = this.#open.get(key);
    if (entry === undefined) return;
    this.#open.delete(key);
    entry.offCancel();
    const { reporter, clock } = this.#options;
    const { execution, request, hasFailed } = entry;
    const nowNs = clock.nowNs();
    const times = execution.times ?? {
      computeStartNs: execution.computeStartNs,
      computeInputEndNs: execution.computeStartNs,
      computeOutputStartNs: nowNs,
      computeEndNs: nowNs,
    };
    reporter.request(request, !hasFailed, times, hasFailed ? 'BACKEND' : undefined);
    // A filler row in front says nothing about the execution: the first request that counts does.
    if (!hasFailed && !request.isUncounted) this.#reportExecution(execution, times);
    request.release();
  }

  /** Once per execution, when its first request succeeded. */
  #reportExecution(execution: Execution, times: ComputeTimes): void {
    if (this.#reported.has(execution)) return;
    this.#reported.add(execution);
    this.#options.reporter.execution(execution.batchSize, times);
  }

  readonly #reported = new WeakSet<Execution>();

  #report(entry: OpenRequest | undefined, kind: 'success' | 'fail' | 'empty'): void {
    if (entry === undefined || !this.#isDecoupled) return;
    const nowNs = this.#options.clock.nowNs();
    const inferNs = nowNs - entry.lastResponseNs;
    entry.lastResponseNs = nowNs;
    this.#options.reporter.response(entry.request, {
      index: entry.sender.count,
      kind,
      inferNs,
      outputNs: 0,
    });
  }
}

function requestMessage(key: number, request: InferenceRequest, packer: TensorPacker): RequestMessage {
  const inputs = [...request.inputs, ...request.overrideInputs].map(
    ({ name, datatype, shapeWithBatch, bytes }) =>
      packer.add({
        name,
        datatype,
        shape: shapeWithBatch,
        byteSize: bytes.byteSize,
        write: (target) => void copyBytes(bytes, target, 0),
      }),
  );
  return {
    key,
    id: request.id,
    correlationId: request.correlationId,
    flags: request.flags,
    priority: request.priority,
    timeoutUs: request.timeoutUs,
    parameters: Object.fromEntries(request.parameters),
    batchSize: request.batchSize,
    inputs,
    wantedOutputs: [...request.requestedOutputs, ...request.stateOutputs],
    requestedOutputs: request.requestedOutputs,
  };
}

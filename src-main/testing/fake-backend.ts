// A backend with scripted delays, results and failures. It keeps every payload it executed and counts the instances
// that are alive, so that a test can end by asserting that none is left.

import type { BackendDescription } from '../../src-shared/config/backend-description.ts';
import { describeBackend } from '../../src-shared/config/backend-description.ts';
import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type {
  AutoCompletion,
  Backend,
  BackendModel,
  InstanceSpec,
  ModelInstance,
  ModelLoadContext,
} from '../inference/backend.ts';
import { toServerError } from '../../src-shared/errors.ts';
import type { Clock } from '../base/clock.ts';
import type { ComputeTimes, ExecutionReporter, Payload } from '../inference/execution.ts';
import type { InferenceRequest } from '../inference/inference-request.ts';
import type { OutputTensor } from '../inference/inference-response.ts';
import { contiguous } from '../inference/tensor-bytes.ts';

/** What a fake model does. */
export interface FakeScript {
  /** Milliseconds of one execution; default 0. */
  readonly delayMs?: number | ((payload: Payload, spec: InstanceSpec) => number);
  /** Outputs of one request; throwing answers it with that error. Default: INPUT<k> copied to OUTPUT<k>. */
  readonly compute?: (request: InferenceRequest) => readonly OutputTensor[];
  /** Takes the place of the whole execution: answers, reports and releases by itself. */
  readonly execute?: (payload: Payload, instance: FakeInstance) => Promise<void>;
  /** Thrown by execute() instead of taking the requests. */
  readonly executeError?: (payload: Payload) => Error | undefined;
  readonly loadDelayMs?: number;
  readonly loadError?: Error;
  /** What making the instance rejects with; undefined = it is made. */
  readonly createError?: (spec: InstanceSpec) => Error | undefined;
}

/** One execution as the fake saw it. */
export interface FakeExecution {
  readonly instanceName: string;
  readonly startedMs: number;
  readonly batchSize: number;
  readonly requestIds: readonly string[];
  readonly payload: Payload;
}

/** Instance 0 of a model on the CPU. */
export function fakeSpec(change: Partial<InstanceSpec> = {}): InstanceSpec {
  return {
    name: 'M_0',
    kind: 'KIND_CPU',
    deviceId: -1,
    ordinal: 0,
    isPassive: false,
    hostPolicy: 'cpu',
    ...change,
  };
}

/** Answers each payload as its script says, after the script's delay on the given clock. */
export class FakeInstance implements ModelInstance {
  readonly spec: InstanceSpec;
  readonly memoryByteSize = undefined;
  readonly clock: Clock;
  readonly reporter: ExecutionReporter;
  readonly executions: FakeExecution[];
  readonly #script: FakeScript;
  readonly #startNs: number;
  readonly #onClose: () => void;
  /** Executions running now; above 1 the scheduler broke its contract. */
  runningCount = 0;
  maxRunningCount = 0;
  isClosed = false;

  constructor(options: {
    readonly clock: Clock;
    readonly reporter: ExecutionReporter;
    readonly script?: FakeScript;
    readonly spec?: Partial<InstanceSpec>;
    /** Shared list of all instances' executions. */
    readonly executions?: FakeExecution[];
    readonly onClose?: () => void;
  }) {
    this.spec = fakeSpec(options.spec);
    this.clock = options.clock;
    this.reporter = options.reporter;
    this.executions = options.executions ?? [];
    this.#script = options.script ?? {};
    this.#startNs = options.clock.nowNs();
    this.#onClose = options.onClose ?? (() => undefined);
  }

  /** Sizes of the executed batches in order. */
  get batchSizes(): number[] {
    return this.executions.map((execution) => execution.batchSize);
  }

  async execute(payload: Payload): Promise<void> {
    this.executions.push({
      instanceName: this.spec.name,
      startedMs: (this.clock.nowNs() - this.#startNs) / 1e6,
      batchSize: payload.batchSize,
      requestIds: payload.requests.map((request) => request.id),
      payload,
    });
    this.runningCount += 1;
    this.maxRunningCount = Math.max(this.maxRunningCount, this.runningCount);
    try {
      const failure = this.#script.executeError?.(payload);
      if (failure !== undefined) throw failure;
      if (this.#script.execute !== undefined) await this.#script.execute(payload, this);
      else await this.#run(payload);
    } finally {
      this.runningCount -= 1;
    }
  }

  close(): Promise<void> {
    if (!this.isClosed) this.#onClose();
    this.isClosed = true;
    return Promise.resolve();
  }

  async #run(payload: Payload): Promise<void> {
    const computeStartNs = this.clock.nowNs();
    const { delayMs = 0 } = this.#script;
    const waitMs = typeof delayMs === 'number' ? delayMs : delayMs(payload, this.spec);
    if (waitMs > 0) await this.clock.wait(waitMs);
    const endNs = this.clock.nowNs();
    const times: ComputeTimes = {
      computeStartNs,
      computeInputEndNs: computeStartNs,
      computeOutputStartNs: endNs,
      computeEndNs: endNs,
    };
    let successCount = 0;
    for (const request of payload.requests) if (this.#answer(request, times)) successCount += 1;
    if (successCount > 0) this.reporter.execution(payload.batchSize, times);
  }

  #answer(request: InferenceRequest, times: ComputeTimes): boolean {
    try {
      const outputs = (this.#script.compute ?? copyInputs)(request);
      this.reporter.request(request, true, times);
      void request.respondOutputs(outputs, true);
      return true;
    } catch (thrown) {
      this.reporter.request(request, false, times, 'BACKEND');
      void request.respondError(toServerError(thrown));
      return false;
    } finally {
      request.release();
    }
  }
}

/** INPUT<k> -> OUTPUT<k>, requested outputs only. */
export function copyInputs(request: InferenceRequest): OutputTensor[] {
  const outputs: OutputTensor[] = [];
  for (const input of request.inputs) {
    const name = input.name.replace(/^INPUT/, 'OUTPUT');
    if (!request.requestedOutputs.includes(name)) continue;
    outputs.push({
      name,
      datatype: input.datatype,
      shape: input.clientShape,
      bytes: contiguous(input.bytes).slice(),
    });
  }
  return outputs;
}

/**
 * A model without a script gives its inputs back as outputs. `liveInstanceCount` and `liveModelCount` must be
 * zero at the end of a test.
 */
export class FakeBackend implements Backend {
  readonly description: BackendDescription;
  /** Model name -> script; may be changed between loads. */
  readonly scripts = new Map<string, FakeScript>();
  readonly executions: FakeExecution[] = [];
  readonly instances: FakeInstance[] = [];
  liveInstanceCount = 0;
  liveModelCount = 0;
  loadCount = 0;

  constructor(name = 'fake', change: Partial<BackendDescription> = {}) {
    this.description = describeBackend({ name, title: name, summary: 'Scripted by a test.', ...change });
  }

  autoComplete(_files: unknown, config: ModelConfig): Promise<AutoCompletion> {
    return Promise.resolve({ config, origins: new Map() });
  }

  async load(context: ModelLoadContext): Promise<BackendModel> {
    const script = this.scripts.get(context.modelName) ?? {};
    this.loadCount += 1;
    if (script.loadDelayMs !== undefined) {
      await context.clock.wait(script.loadDelayMs, { signal: context.signal });
    }
    if (script.loadError !== undefined) throw script.loadError;
    this.liveModelCount += 1;
    return {
      notices: [],
      createInstance: async (spec) => {
        const failure = script.createError?.(spec);
        if (failure !== undefined) throw failure;
        this.liveInstanceCount += 1;
        const instance = new FakeInstance({
          clock: context.clock,
          reporter: context.reporter,
          script,
          spec,
          executions: this.executions,
          onClose: () => {
            this.liveInstanceCount -= 1;
          },
        });
        this.instances.push(instance);
        return Promise.resolve(instance);
      },
      close: () => {
        this.liveModelCount -= 1;
        return Promise.resolve();
      },
    };
  }
}

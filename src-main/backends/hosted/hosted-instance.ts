// One instance of a model whose code runs in a thread or a process: hands payloads to it, and turns what it tells into
// responses, statistics and releases. Code that is lost fails what it had and is started again.
// Invariant: every request is answered with one final response and released once, whatever the model's code does.

import { toServerError } from '../../../src-shared/errors.ts';
import type { ServerError } from '../../../src-shared/errors.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import type { Clock, Timer } from '../../base/clock.ts';
import { InFlight } from '../../base/in-flight.ts';
import { getLogger } from '../../base/log.ts';
import type { InstanceHost, InstanceSpec, ModelInstance } from '../../inference/backend.ts';
import type { ExecutionReporter, Payload } from '../../inference/execution.ts';
import { requestPrefix } from '../../inference/request-prefix.ts';
import type {
  ExecutionResult,
  HostedCode,
  HostedCodeListener,
  HostedResponse,
  HostedStatistics,
  StartHostedCode,
} from './hosted-code.ts';
import { hostedErrors } from './hosted-errors.ts';
import type { HostedExecution, HostedRequestContext } from './hosted-request.ts';
import { HostedRequest } from './hosted-request.ts';
import { Overlap } from './overlap.ts';

/** What an instance of such a model is made of. */
export interface HostedInstanceOptions {
  readonly spec: InstanceSpec;
  readonly modelName: string;
  readonly config: ModelConfig;
  readonly clock: Clock;
  readonly reporter: ExecutionReporter;
  /** Room of log lines. */
  readonly room: string;
  /** The code runs in a process of its own. */
  readonly isProcess: boolean;
  /** An execute() that takes longer is ended together with its code; 0 = never. */
  readonly executeTimeoutMs: number;
  readonly unloadTimeoutMs: number;
  readonly startCode: StartHostedCode;
  /** Whether lost code is started again when it is lost, or with the next payload. */
  readonly restartsAtOnce: boolean;
  /** The next payload may come while quick ones are still on their way. */
  readonly mayOverlap: boolean;
  /** How the backend counts what happened. */
  readonly statistics: HostedStatistics;
  /** A request without any input is refused, as by backends that read the batch size from the first one. */
  readonly needsInputs: boolean;
}

/**
 * Lost code is started again at once or with the next payload, as `restartsAtOnce` says; the requests it had are
 * answered with an error.
 */
export class HostedInstance implements ModelInstance, HostedCodeListener {
  readonly spec: InstanceSpec;
  readonly memoryByteSize = undefined;
  readonly #options: HostedInstanceOptions;
  readonly #log;
  readonly #isDecoupled: boolean;
  readonly #context: HostedRequestContext;
  readonly #open = new InFlight<HostedRequest>();
  readonly #executions = new InFlight<HostedExecution>();
  #code: HostedCode | undefined;
  #starting: Promise<void> | undefined;
  readonly #overlap: Overlap;
  #restartCount = 0;
  #unloadTimer: Timer | undefined;
  #isClosed = false;
  #drained: (() => void) | undefined;
  #lostReason = '';
  /** Set when the time for unloading is over: nothing is executed any more. */
  #endReason: ServerError | undefined;

  constructor(options: HostedInstanceOptions) {
    this.spec = options.spec;
    this.#options = options;
    this.#log = getLogger(options.room);
    this.#overlap = new Overlap(options.mayOverlap);
    this.#isDecoupled = options.config.modelTransactionPolicy?.decoupled === true;
    const { config, clock, reporter, statistics } = options;
    this.#context = { config, clock, reporter, statistics, isDecoupled: this.#isDecoupled };
  }

  /** The code that runs now; undefined while there is none. */
  get code(): HostedCode | undefined {
    return this.#code?.hasEnded === true ? undefined : this.#code;
  }

  get host(): InstanceHost | undefined {
    if (!this.#options.isProcess) return undefined;
    return { pid: this.code?.pid, restartCount: this.#restartCount };
  }

  /** Starts the code and the model's initialize(). Calls that come meanwhile wait for the same start. */
  async start(signal?: AbortSignal): Promise<void> {
    this.#starting ??= this.#options.startCode(this, signal).then(
      async (code) => {
        this.#starting = undefined;
        this.#code = code;
        if (this.#isClosed) await code.terminate();
      },
      (thrown: unknown) => {
        this.#starting = undefined;
        throw thrown;
      },
    );
    await this.#starting;
  }

  /** What was accepted has unload_timeout_ms from now; what hangs then is ended with its code. */
  unloading(): void {
    const { unloadTimeoutMs, clock, modelName } = this.#options;
    this.#unloadTimer ??= clock.after(unloadTimeoutMs, () => {
      this.#endReason = hostedErrors.notDoneAtUnload({
        model: modelName,
        instance: this.spec.name,
        limit: unloadTimeoutMs,
      });
      this.#end(this.#endReason);
    });
  }

  /** Lost code is no state to answer in, until it is started again. */
  async isReady(): Promise<void> {
    if (this.code === undefined) throw hostedErrors.lost({ reason: this.#lostReason });
    await this.code.isReady?.();
  }

  async execute(payload: Payload): Promise<void> {
    if (this.#endReason !== undefined) throw this.#endReason;
    if (this.#options.needsInputs) checkInputs(payload);
    if (this.code === undefined) await this.#startAgain();
    const { promise, resolve } = Promise.withResolvers<void>();
    const watchdog = this.#watch();
    this.#begin(payload, () => {
      watchdog?.cancel();
      resolve();
    });
    await this.#overlap.room(promise);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unloadTimer?.cancel();
    await this.#starting?.catch(() => undefined);
    if (this.#executions.size > 0 && this.code !== undefined) {
      await new Promise<void>((resolve) => (this.#drained = resolve));
    }
    await this.#code?.close(this.#options.unloadTimeoutMs);
    this.#code = undefined;
  }

  // --- told by the code ---

  executed(result: ExecutionResult): void {
    const execution = this.#executions.take(result.execution);
    if (execution === undefined) return;
    if (this.#executions.size === 0) this.#drained?.();
    const nowNs = this.#options.clock.nowNs();
    execution.times = {
      computeStartNs: execution.computeStartNs,
      computeInputEndNs: result.startedNs ?? execution.handedOverNs,
      computeOutputStartNs: result.endedNs ?? nowNs,
      computeEndNs: nowNs,
    };
    for (const entry of execution.requests) this.#settle(entry, result);
    this.#overlap.done(execution.handedOverNs, nowNs);
    execution.done();
  }

  async response(key: number, response: HostedResponse | undefined, isFinal: boolean): Promise<void> {
    const entry = this.#open.get(key);
    if (entry === undefined) return;
    if (response !== undefined) {
      await this.#respond(entry, response, isFinal);
      return;
    }
    entry.reportResponse('empty');
    const taken = entry.sender.end();
    this.#finish(entry);
    await taken;
  }

  lost(error: ServerError): void {
    this.#lostReason = error.message;
    const executions = this.#executions.values();
    for (const { number } of executions) this.#executions.take(number);
    this.#drained?.();
    for (const entry of this.#open.values()) this.#fail(entry, error);
    for (const execution of executions) {
      for (const entry of execution.requests) entry.report();
      this.#overlap.done(execution.handedOverNs, this.#options.clock.nowNs());
      execution.done();
    }
    if (this.#options.restartsAtOnce && !this.#isClosed) void this.#restart();
  }

  // --- own affairs ---

  async #startAgain(): Promise<void> {
    if (this.#starting === undefined) {
      this.#restartCount += 1;
      this.#log.warn(`starts the code of instance '${this.spec.name}' again`, {
        model: this.#options.modelName,
      });
    }
    await this.start();
  }

  /** A start that fails is tried again by the next payload, which tells its error to somebody. */
  async #restart(): Promise<void> {
    try {
      await this.#startAgain();
    } catch (thrown) {
      this.#log.error(
        `instance '${this.spec.name}' could not be started again: ${toServerError(thrown).message}`,
        {
          model: this.#options.modelName,
        },
      );
    }
  }

  #begin(payload: Payload, done: () => void): void {
    const { clock } = this.#options;
    const computeStartNs = clock.nowNs();
    const execution = this.#executions.add((number) => ({
      number,
      batchSize: payload.batchSize,
      requests: [],
      computeStartNs,
      handedOverNs: computeStartNs,
      times: undefined,
      isReported: false,
      done,
    }));
    this.#overlap.begin();
    const keyed = payload.requests.map((request) => {
      const entry = this.#open.add((key) => new HostedRequest(key, request, execution, this.#context));
      execution.requests.push(entry);
      return { key: entry.key, request };
    });
    this.#code?.execute(execution.number, keyed);
    execution.handedOverNs = clock.nowNs();
    for (const entry of execution.requests) entry.onCancel(() => this.#code?.cancel(entry.key));
  }

  #watch(): Timer | undefined {
    const { executeTimeoutMs, clock } = this.#options;
    if (executeTimeoutMs <= 0) return undefined;
    return clock.after(executeTimeoutMs, () => {
      const error = hostedErrors.executeTimedOut({
        model: this.#options.modelName,
        instance: this.spec.name,
        limit: executeTimeoutMs,
      });
      this.#end(error);
    });
  }

  /** Fails everything that is open and ends the code. */
  #end(error: ServerError): void {
    for (const entry of this.#open.values()) this.#fail(entry, error);
    void this.#code?.terminate();
  }

  /** After execute(): what it returned, what it threw for those it did not answer, what is to run again. */
  #settle(entry: HostedRequest, result: ExecutionResult): void {
    const { key } = entry;
    if (this.#open.get(key) === undefined) {
      entry.report();
      return;
    }
    const response = result.responses.get(key);
    if (response !== undefined) void this.#respond(entry, response, true);
    else if (result.error !== undefined) this.#fail(entry, result.error);
    else if (result.rescheduled.includes(key)) this.#reschedule(entry);
    else if (result.staysOpen(key)) entry.reportIfSettled();
    else {
      entry.hasFailed ||= entry.sender.count !== 1;
      void entry.sender.end();
      this.#finish(entry);
    }
  }

  async #respond(entry: HostedRequest, response: HostedResponse, isFinal: boolean): Promise<void> {
    let taken: void | Promise<void> = undefined;
    try {
      if (response.error !== undefined) throw response.error;
      const outputs = entry.outputsOf(response);
      entry.reportResponse('success');
      taken = entry.sender.send(outputs, { isFinal, parameters: response.parameters });
    } catch (thrown) {
      entry.hasFailed ||= this.#options.statistics.failsByResponse;
      entry.reportResponse('fail');
      if (!entry.sender.isEnded) taken = entry.sender.fail(toServerError(thrown), { isFinal });
    }
    if (isFinal) this.#finish(entry);
    await taken;
  }

  #reschedule(entry: HostedRequest): void {
    try {
      // Each run of such a request counts, not only the last.
      entry.report();
      entry.release({ reschedule: true });
      this.#open.take(entry.key);
    } catch (thrown) {
      this.#log.error(`instance '${this.spec.name}': ${toServerError(thrown).message}`, {
        model: this.#options.modelName,
      });
      if (!this.#isDecoupled) entry.hasFailed = true;
      void entry.sender.end();
      this.#finish(entry);
    }
  }

  #fail(entry: HostedRequest, error: ServerError): void {
    entry.hasFailed = true;
    if (!entry.sender.isEnded) void entry.sender.fail(error);
    this.#finish(entry);
  }

  /** Reports and releases a request whose final response was sent. */
  #finish(entry: HostedRequest): void {
    if (this.#open.take(entry.key) === undefined) return;
    entry.finish();
  }
}

/** Requests of one batch have the same inputs, so that all of them are refused or none. Throws INVALID_ARG. */
function checkInputs({ requests }: Payload): void {
  for (const { id, inputs, overrideInputs } of requests)
    if (inputs.length + overrideInputs.length === 0)
      throw hostedErrors.withoutInputs({ prefix: requestPrefix(id) });
}

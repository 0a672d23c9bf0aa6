// The thread of one JavaScript model instance as the engine sees it. Code that hangs cannot be asked to stop, so every
// end has a deadline after which the thread is terminated.
// Invariant: once started, `lost` is told exactly once, when the thread has ended for whatever reason.

import { Worker } from 'node:worker_threads';
import { errorFromWire, errorToWire } from '../../../src-shared/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { getLogger } from '../../base/log.ts';
import { workerEntryUrl } from '../../base/worker-entry.ts';
import type { ModelInvoker } from '../../inference/model-invoker.ts';
import { CodeLife } from '../hosted/code-life.ts';
import { HostedCalls } from '../hosted/hosted-calls.ts';
import type { HostedCode, HostedCodeListener, KeyedRequest } from '../hosted/hosted-code.ts';
import { javascriptErrors } from './javascript-errors.ts';
import { callResponseMessage, executeMessage, hostedCall, hostedResponse } from './thread-messages.ts';
import type { FromWorker, ToWorker, WorkerSetup } from './worker-messages.ts';

const log = getLogger('javascript');

/** What the thread of one instance is started with, and who hears of it. */
export interface ModelThreadOptions {
  readonly setup: WorkerSetup;
  readonly clock: Clock;
  readonly invoker: ModelInvoker | undefined;
  readonly listener: HostedCodeListener;
  /** Whether requests without response stay open after execute(). */
  readonly isDecoupled: boolean;
  /** MiB of the old generation, as V8 counts them. */
  readonly maxHeapMb: number;
}

/** Its heap is bounded by `maxHeapMb`: a model that needs more loses its thread, not the server. */
export class ModelThread implements HostedCode {
  readonly #options: ModelThreadOptions;
  readonly #worker: Worker;
  readonly #calls: HostedCalls;
  readonly #life = new CodeLife();
  readonly #exited = Promise.withResolvers<void>();
  #lastError: Error | undefined;

  private constructor(options: ModelThreadOptions) {
    this.#options = options;
    this.#worker = new Worker(workerEntryUrl('javascript-model'), {
      name: options.setup.instanceName,
      workerData: options.setup,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: options.maxHeapMb },
    });
    this.#calls = new HostedCalls({
      invoker: options.invoker,
      answer: (...answer) => this.#post(...callResponseMessage(...answer)),
    });
    this.#worker.on('message', (message: FromWorker) => this.#receive(message));
    this.#worker.on('error', (thrown) => {
      this.#lastError = thrown instanceof Error ? thrown : new Error(String(thrown));
    });
    this.#worker.on('exit', (code) => this.#ended(code));
    this.#worker.stdout.on('data', (text: Buffer) => this.#print('info', text));
    this.#worker.stderr.on('data', (text: Buffer) => this.#print('warn', text));
  }

  /** Resolves when the model's initialize() is done; rejects with its error, the thread being gone then. */
  static async start(
    options: ModelThreadOptions & { readonly signal?: AbortSignal | undefined },
  ): Promise<ModelThread> {
    return CodeLife.start(() => {
      const thread = new ModelThread(options);
      return { code: thread, life: thread.#life };
    }, options.signal);
  }

  get hasEnded(): boolean {
    return this.#life.hasEnded;
  }

  execute(execution: number, requests: readonly KeyedRequest[]): void {
    this.#post(...executeMessage(execution, requests));
  }

  cancel(key: number): void {
    this.#post({ kind: 'cancel', key });
  }

  /** Lets the model finalize, but no longer than `graceMs`; then the thread is gone. */
  async close(graceMs: number): Promise<void> {
    await this.#life.finalize(
      this.#options.clock,
      graceMs,
      () => this.#post({ kind: 'finalize' }),
      () => log.warn(`model code did not finalize within ${graceMs} ms and is ended`, this.#fields()),
    );
    await this.terminate();
  }

  async terminate(): Promise<void> {
    if (!this.hasEnded) await this.#worker.terminate();
    await this.#exited.promise;
  }

  #receive(message: FromWorker): void {
    switch (message.kind) {
      case 'ready':
        this.#life.running();
        break;
      case 'failed':
        this.#life.failed(errorFromWire(message.error));
        break;
      case 'executed':
        this.#executed(message);
        break;
      case 'response':
        void this.#respond(message);
        break;
      case 'call':
        this.#calls.call(hostedCall(message));
        break;
      case 'cancelCall':
        this.#calls.cancel(message.call);
        break;
      case 'log':
        log[message.level](message.message, this.#fields());
        break;
      case 'finalized':
        this.#life.finalized();
        break;
    }
  }

  #executed(message: Extract<FromWorker, { kind: 'executed' }>): void {
    const { execution, startedNs, endedNs, error } = message;
    const { listener, isDecoupled } = this.#options;
    listener.executed({
      execution,
      startedNs,
      endedNs,
      responses: new Map(message.responses.map((response) => [response.key, hostedResponse(response)])),
      error: error && errorFromWire(error),
      staysOpen: () => isDecoupled,
      rescheduled: [],
    });
  }

  async #respond(message: Extract<FromWorker, { kind: 'response' }>): Promise<void> {
    const { serial, key, response, isFinal } = message;
    try {
      await this.#options.listener.response(key, response && hostedResponse(response), isFinal);
      this.#post({ kind: 'sent', serial, error: undefined });
    } catch (thrown) {
      this.#post({ kind: 'sent', serial, error: errorToWire(thrown) });
    }
  }

  #post(message: ToWorker, transfer: readonly ArrayBuffer[] = []): void {
    if (!this.hasEnded) this.#worker.postMessage(message, transfer);
  }

  #ended(code: number): void {
    this.#calls.cancelAll();
    const { setup, listener } = this.#options;
    const cause = this.#lastError === undefined ? `exit code ${code}` : this.#lastError.message;
    const error = javascriptErrors.threadEnded({
      model: setup.modelName,
      version: setup.modelVersion,
      instance: setup.instanceName,
      reason: cause,
    });
    const isLost = this.#life.ended(error);
    this.#exited.resolve();
    if (isLost) listener.lost(error);
  }

  #print(level: 'info' | 'warn', text: Buffer): void {
    for (const line of text.toString('utf8').split('\n')) {
      if (line.trim() !== '') log[level](line, this.#fields());
    }
  }

  #fields(): { readonly model: string; readonly instance: string } {
    const { modelName, instanceName } = this.#options.setup;
    return { model: modelName, instance: instanceName };
  }
}

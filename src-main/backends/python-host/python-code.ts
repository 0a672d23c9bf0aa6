// The code of one Python model instance: its process, and the frames that pass. What a model asks of the server
// (metrics, other models) is answered by HostQuestions.
// Invariant: `lost` is told exactly once after a successful start, when the process has ended for whatever reason.

import { toServerError } from '../../../src-shared/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { getLogger } from '../../base/log.ts';
import { CodeLife } from '../hosted/code-life.ts';
import type { HostedCode, HostedCodeListener, HostedResponse, KeyedRequest } from '../hosted/hosted-code.ts';
import type { ModelInvoker } from '../../inference/model-invoker.ts';
import type { ModelServices } from '../../inference/model-services.ts';
import type { RequestTrace } from '../../inference/request-trace.ts';
import type { Block } from './blocks.ts';
import { BlockReader } from './blocks.ts';
import type { Frame } from './frames.ts';
import {
  FRAME_FLAG,
  frameHeader,
  FROM_HOST,
  jsonFrame,
  payloadJson,
  payloadOffsets,
  TO_HOST,
} from './frames.ts';
import type { HostSetup, WireLogLine } from './host-messages.ts';
import { errorText, failureOf, requestExtra, requestTensors, responseOf } from './host-messages.ts';
import { executionOf, failedExecution, failedResponse } from './host-results.ts';
import { HostCalls } from './host-calls.ts';
import { pythonHostErrors } from './host-errors.ts';
import type { HostLane } from './host-lane.ts';
import type { HostProcesses } from './host-processes.ts';
import type { Question } from './host-questions.ts';
import { HostQuestions, questionOf } from './host-questions.ts';
import type { ReadinessAnswer } from './host-readiness.ts';
import { HostReadiness } from './host-readiness.ts';
import { writeLogLine } from './model-log.ts';
import { StoppedWatch } from './stopped-watch.ts';

const log = getLogger('python');

/** What the code of one instance is made of. */
export interface PythonCodeOptions {
  /** The processes of the model version, of which this instance gets a lane. */
  readonly processes: HostProcesses;
  readonly setup: HostSetup;
  readonly clock: Clock;
  readonly invoker: ModelInvoker | undefined;
  /** Asked when a model wants them, since the server is built after its backends; `undefined` before. */
  readonly services: () => ModelServices | undefined;
  readonly listener: HostedCodeListener;
}

/** Started by `PythonCode.start`, which rejects with the model's own exception where initialize() raises one. */
export class PythonCode implements HostedCode {
  readonly #options: PythonCodeOptions;
  readonly #instance: string;
  readonly #calls: HostCalls;
  readonly #questions: HostQuestions;
  readonly #readiness: HostReadiness;
  #hasReadiness = false;
  readonly #reader = new BlockReader();
  readonly #life = new CodeLife();
  readonly #watch: StoppedWatch;
  /** Traces of open requests, for calls that belong to them. */
  readonly #traces = new Map<number, RequestTrace>();
  #lane: HostLane | undefined;
  /** Its end is no news: its start failed with an error, or it was asked to end. */
  #isGivenUp = false;

  private constructor(options: PythonCodeOptions) {
    this.#options = options;
    this.#instance = options.setup.args['model_instance_name'] ?? '';
    this.#calls = new HostCalls({
      invoker: options.invoker,
      channel: () => (this.hasEnded ? undefined : this.#lane?.channel),
      traceOf: (key) => this.#traces.get(key),
    });
    this.#questions = new HostQuestions(options.services);
    this.#watch = new StoppedWatch(
      options.clock,
      () => this.pid,
      () => this.#lane?.fail('was stopped by a signal, and nothing let it go on'),
    );
    this.#readiness = new HostReadiness(options.clock, this.#instance, () =>
      this.#send(frameHeader(TO_HOST.isReady, 0)),
    );
  }

  /** Resolves when the model's initialize() is done; rejects with its error, the process being gone then. */
  static async start(
    options: PythonCodeOptions & { readonly signal?: AbortSignal | undefined },
  ): Promise<PythonCode> {
    return CodeLife.start(() => {
      const code = new PythonCode(options);
      return { code, life: code.#life, begin: code.#begin() };
    }, options.signal);
  }

  get hasEnded(): boolean {
    return this.#life.hasEnded;
  }

  get pid(): number | undefined {
    return this.#lane?.pid;
  }

  execute(execution: number, requests: readonly KeyedRequest[]): void {
    const blocks = requests.map(({ key, request }) => {
      if (request.trace !== undefined) this.#traces.set(key, request.trace);
      return {
        key,
        tensors: requestTensors(request),
        wanted: [...request.requestedOutputs, ...request.stateOutputs],
        extra: requestExtra(request),
      };
    });
    this.#watch.begin();
    this.#lane?.channel.sendBlocks(
      { kind: TO_HOST.execute, a: execution, b: requests.length },
      blocks,
      (thrown) => this.#options.listener.executed(failedExecution(execution, toServerError(thrown))),
    );
  }

  /** Rejects with UNAVAILABLE, saying why, when the model is in no state to answer. */
  async isReady(): Promise<void> {
    if (this.#hasReadiness) await this.#readiness.check();
  }

  cancel(key: number): void {
    this.#send(frameHeader(TO_HOST.cancel, 0, key));
  }

  async close(graceMs: number): Promise<void> {
    await this.#life.finalize(
      this.#options.clock,
      graceMs,
      () => {
        this.#watch.begin();
        this.#send(frameHeader(TO_HOST.finalize, 0));
      },
      () => log.warn(`model code did not finalize within ${graceMs} ms and is ended`, this.#fields()),
    );
    await this.terminate();
  }

  async terminate(): Promise<void> {
    this.#isGivenUp = true;
    await this.#lane?.kill();
  }

  async #begin(): Promise<void> {
    const { processes, setup } = this.#options;
    this.#lane = await processes.open({
      onFrame: (frame) => this.#receive(frame),
      onExit: (how) => this.#ended(how),
    });
    this.#watch.begin();
    this.#send(jsonFrame(TO_HOST.setup, setup));
  }

  // --- what arrives ---

  #receive(frame: Frame): void | Promise<void> {
    switch (frame.kind) {
      case FROM_HOST.executed:
        this.#watch.end();
        return this.#executed(frame);
      case FROM_HOST.response:
        return this.#response(frame);
      case FROM_HOST.call:
        return this.#calls.receive(frame);
      case FROM_HOST.freed:
        this.#lane?.channel.freed(payloadOffsets(frame));
        return undefined;
      case FROM_HOST.cancelCall:
        this.#calls.cancel(frame.a);
        return undefined;
      case FROM_HOST.log:
        writeLogLine(payloadJson(frame.payload) as WireLogLine, this.#fields());
        return undefined;
      default:
        this.#lifeCycle(frame);
        return undefined;
    }
  }

  #lifeCycle(frame: Frame): void {
    switch (frame.kind) {
      case FROM_HOST.ready:
        this.#hasReadiness = (payloadJson(frame.payload) as { readonly hasIsReady: boolean }).hasIsReady;
        this.#watch.end();
        this.#life.running();
        break;
      case FROM_HOST.failed: {
        const error = failureOf(payloadJson(frame.payload));
        log.info(`Failed to initialize Python stub: ${error.message}`, this.#fields());
        this.#isGivenUp = true;
        this.#life.failed(error);
        break;
      }
      case FROM_HOST.finalized:
        this.#watch.end();
        this.#life.finalized();
        break;
      case FROM_HOST.ask:
        void this.#ask(frame.a, questionOf(payloadJson(frame.payload)));
        break;
      case FROM_HOST.readiness:
        this.#readiness.answered(payloadJson(frame.payload) as ReadinessAnswer);
        break;
    }
  }

  #executed(frame: Frame): void | Promise<void> {
    const { listener } = this.#options;
    const endedNs = this.#options.clock.nowNs();
    if ((frame.flags & FRAME_FLAG.batchFailed) !== 0) {
      const reason = errorText(payloadJson(frame.payload) as string);
      const error = pythonHostErrors.executeFailed({ reason });
      listener.executed({ ...failedExecution(frame.a, error), endedNs });
      return undefined;
    }
    const blocks = this.#blocks(frame);
    const read = blocks.map((block) => this.#lane?.channel.tensors(block) ?? []);
    if (!read.some((each) => each instanceof Promise)) {
      listener.executed(executionOf(frame.a, endedNs, blocks, read as HostedResponse['outputs'][]));
      return undefined;
    }
    return Promise.all(read).then(
      (outputs) => listener.executed(executionOf(frame.a, endedNs, blocks, outputs)),
      (thrown: unknown) => listener.executed(failedExecution(frame.a, toServerError(thrown))),
    );
  }

  #blocks({ payload, b: count }: Frame): Block[] {
    const blocks: Block[] = [];
    let at = 0;
    for (let index = 0; index < count; index += 1) {
      const block = this.#reader.read(payload, at);
      at += block.byteSize;
      this.#traces.delete(block.key);
      blocks.push(block);
    }
    return blocks;
  }

  #response({ flags, a: serial, b: key, payload }: Frame): void | Promise<void> {
    const isFinal = (flags & FRAME_FLAG.final) !== 0;
    if (isFinal) this.#traces.delete(key);
    if ((flags & FRAME_FLAG.hasBlock) === 0) {
      void this.#deliver(serial, key, undefined, isFinal);
      return undefined;
    }
    const block = this.#reader.read(payload, 0);
    const outputs = this.#lane?.channel.tensors(block) ?? [];
    if (!(outputs instanceof Promise)) {
      void this.#deliver(serial, key, responseOf(block, outputs), isFinal);
      return undefined;
    }
    return outputs.then(
      (read) => void this.#deliver(serial, key, responseOf(block, read), isFinal),
      (thrown: unknown) => void this.#deliver(serial, key, failedResponse(toServerError(thrown)), isFinal),
    );
  }

  /** Not waited for by later frames: the receiver may ask to wait for long. */
  async #deliver(
    serial: number,
    key: number,
    response: HostedResponse | undefined,
    isFinal: boolean,
  ): Promise<void> {
    try {
      await this.#options.listener.response(key, response, isFinal);
      this.#send(frameHeader(TO_HOST.sent, 0, serial));
    } catch (thrown) {
      this.#send(jsonFrame(TO_HOST.sent, toServerError(thrown).message, serial, 1));
    }
  }

  async #ask(serial: number, question: Question): Promise<void> {
    try {
      if (question.op === 'drop') {
        await this.#options.listener.response(question.key ?? 0, undefined, true);
        return;
      }
      const value = await this.#questions.answer(question);
      if (serial !== 0) this.#send(jsonFrame(TO_HOST.reply, { value }, serial));
    } catch (thrown) {
      const error = toServerError(thrown).message;
      if (serial !== 0) this.#send(jsonFrame(TO_HOST.reply, { error }, serial));
    }
  }

  #ended(how: string): void {
    const isLostEarly = this.#life.isStarting && !this.#isGivenUp;
    const isLostLate = this.#life.isClosing && !this.#isGivenUp;
    if (this.#life.isRunning || isLostEarly || isLostLate) {
      const when = isLostEarly ? ' while it started' : isLostLate ? ' in finalize()' : '';
      log.error(`the Python process of instance '${this.#instance}' ended${when} (${how})`, this.#fields());
    }
    this.#watch.close();
    this.#calls.cancelAll();
    this.#questions.close();
    const error = pythonHostErrors.processEnded({ instance: this.#instance }, { details: { how } });
    if (this.#life.ended(error)) this.#options.listener.lost(error);
  }

  #send(frame: Buffer): void {
    if (!this.hasEnded) this.#lane?.channel.send(frame);
  }

  #fields(): { readonly model: string; readonly instance: string } {
    return { model: this.#options.setup.args['model_name'] ?? '', instance: this.#instance };
  }
}

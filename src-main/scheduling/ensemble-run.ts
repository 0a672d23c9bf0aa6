// One request to an ensemble, from its start to the release of the last step's request. Steps start as soon as their
// own inputs are there and run in parallel; responses are sent as their outputs become complete.
// (docs/reference/ensembles.md#execution)
// Invariant: one final response, after the last step has ended; one release, after all step requests were released.

import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import { ServerError, toServerError } from '../../src-shared/errors.ts';
import type { Clock } from '../base/clock.ts';
import { getLogger } from '../base/log.ts';
import type { RosterEntry } from '../base/roster.ts';
import type { ComputeDurations, InferenceRequest, ResponseCallback } from '../inference/inference-request.ts';
import { NO_PARAMETERS, type InferenceResponse, type OutputTensor } from '../inference/inference-response.ts';
import type { ModelInvoker, ModelUse } from '../inference/model-invoker.ts';
import { logsRequests } from '../inference/request-log.ts';
import { singleResponse } from '../inference/single-response.ts';
import type { StatisticsCollector } from '../inference/statistics-collector.ts';
import { bytesOf } from '../inference/tensor-bytes.ts';
import {
  EnsembleTensors,
  type EnsembleGraph,
  type EnsembleProgress,
  type ReadyStep,
} from './ensemble-graph.ts';
import { ensembleErrors } from './ensemble-errors.ts';
import { StepNotes } from './ensemble-history.ts';
import type { FinishedRun } from './ensemble-history.ts';
import { logStepOutputs } from './ensemble-log.ts';
import type { InflightLimit, InflightWait } from './ensemble-inflight-limit.ts';
import { tagOfResponse, tagParameters, type SequenceTag } from './ensemble-sequence-tag.ts';
import {
  cancelBeforeStart,
  createStepRequest,
  ensembleOutput,
  type EnsembleValue,
} from './ensemble-step-request.ts';

/** What all requests of one ensemble share. */
export interface EnsembleParts {
  readonly config: ModelConfig;
  readonly graph: EnsembleGraph;
  readonly clock: Clock;
  readonly statistics: StatisticsCollector;
  readonly invoker: ModelInvoker;
  /** By step index; undefined = no limit. */
  readonly limits: readonly (InflightLimit | undefined)[];
  /** Called once, after the request and all of its steps' requests were released. */
  readonly onFinished: (run: EnsembleRun, finished: FinishedRun) => void;
}

const log = getLogger('scheduling');

type Waiting = Promise<unknown> | undefined;

/**
 * Answers its request with the first error of a step and starts no further step; it ends when the steps that
 * already run have released their requests.
 */
export class EnsembleRun implements RosterEntry {
  readonly request: InferenceRequest;
  rosterIndex = -1;
  readonly #parts: EnsembleParts;
  readonly #tensors: EnsembleTensors<EnsembleValue>;
  readonly #uses: ModelUse[] = [];
  readonly #startNs: number;
  readonly #startedWallMs: number;
  readonly #notes = new StepNotes();
  /** Next iteration of the outputs of each decoupled step. */
  readonly #iterations: number[] = [];
  #waits: Set<InflightWait> | undefined;
  readonly #sums = { queueNs: 0, computeInputNs: 0, computeInferNs: 0, computeOutputNs: 0 };
  #error: ServerError | undefined;
  /** A decoupled step told the failure ahead of its end. */
  #hasFailedAhead = false;
  /** Steps that are starting, waiting for a slot, or have not sent their final response. */
  #runningCount = 0;
  #unreleasedCount = 0;
  #responseCount = 0;
  #isEnded = false;
  #isFinished = false;

  constructor(parts: EnsembleParts, request: InferenceRequest) {
    this.#parts = parts;
    this.request = request;
    this.#startNs = parts.clock.nowNs();
    this.#startedWallMs = parts.clock.wallMs();
    this.#sums.queueNs = this.#startNs - request.times.queueStartNs;
    this.#tensors = new EnsembleTensors(parts.graph.plan(request.requestedOutputs));
  }

  /** Once. Never throws: a model that is not there becomes the answer. May be over when it returns. */
  start(): void {
    const { config, graph, invoker } = this.#parts;
    this.request.state = 'PENDING';
    this.request.state = 'EXECUTING';
    try {
      for (const { modelName, modelVersion } of graph.steps) {
        this.#uses.push(invoker.use(modelName, modelVersion));
      }
      // Requests are checked by how many inputs they have. A required one that is missing behind that never arrives.
      const inputs = config.input.flatMap(({ name, optional }): [string, EnsembleValue | undefined][] => {
        const value = this.#ensembleInput(name);
        return value === undefined && !optional ? [] : [[name, value]];
      });
      void this.#proceed(this.#tensors.put(0, inputs));
    } catch (thrown) {
      this.#fail(toServerError(thrown));
    }
    this.#settle();
  }

  #ensembleInput(name: string): EnsembleValue | undefined {
    const input = this.request.inputs.find((candidate) => candidate.name === name);
    if (input === undefined) return undefined;
    const { correlationId, flags, batchSize } = this.request;
    const { datatype, shapeWithBatch, bytes } = input;
    return { datatype, shape: shapeWithBatch, bytes, batchSize, sequence: { correlationId, flags } };
  }

  /** Sends the outputs that became complete and starts the steps that became ready. */
  #proceed({ ready, outputs }: EnsembleProgress<EnsembleValue>): Waiting {
    // Counted before any of them starts: a step may answer while it is being started.
    this.#runningCount += ready.length;
    let waiting: Waiting = outputs === undefined ? undefined : this.#respond(outputs);
    for (const step of ready) {
      const wait = this.#launch(step);
      if (wait !== undefined) waiting = waiting === undefined ? wait : Promise.all([waiting, wait]);
    }
    return waiting;
  }

  #launch(ready: ReadyStep<EnsembleValue>): Waiting {
    const wait = this.#parts.limits[ready.step.index]?.acquire();
    if (wait === undefined) {
      this.#startStep(ready);
      return undefined;
    }
    const waits = this.#openWaits();
    waits.add(wait);
    if (this.request.isCancelled) wait.proceed();
    return wait.done.then(() => {
      waits.delete(wait);
      this.#startStep(ready);
    });
  }

  /** Waits for a slot that are not over; a cancellation ends them. */
  #openWaits(): Set<InflightWait> {
    if (this.#waits === undefined) {
      this.#waits = new Set();
      this.request.onCancel(() => this.#endWaits());
    }
    return this.#waits;
  }

  #startStep(ready: ReadyStep<EnsembleValue>): void {
    const use = this.#uses[ready.step.index];
    if (use === undefined || this.#error !== undefined) {
      this.#stepEnded(ready);
      return;
    }
    const startNs = this.#parts.clock.nowNs();
    const respond: ResponseCallback = (response, isFinal) =>
      this.#stepResponded(ready, request, use, startNs, response, isFinal);
    const taken = use.isDecoupled ? respond : singleResponse(respond, { allowsNone: true });
    const request = createStepRequest(ready, use, this.request, taken);
    request.times.requestStartNs = startNs;
    request.parent = this.request;
    request.stepIndex = ready.step.index;
    request.onComputed = this.#stepComputed;
    this.#unreleasedCount += 1;
    request.onRelease(this.#stepReleased);
    try {
      if (this.request.isCancelled) cancelBeforeStart(request, use.config);
      use.infer(request);
    } catch (thrown) {
      this.#unreleasedCount -= 1;
      request.trace?.end();
      this.#record(ready, startNs, false);
      this.#fail(toServerError(thrown));
      this.#stepEnded(ready);
    }
  }

  #stepResponded(
    ready: ReadyStep<EnsembleValue>,
    request: InferenceRequest,
    use: ModelUse,
    startNs: number,
    response: InferenceResponse | undefined,
    isFinal: boolean,
  ): void | Promise<void> {
    if (isFinal) {
      this.#runningCount -= 1;
      this.#parts.limits[ready.step.index]?.release();
      this.#record(ready, startNs, response?.error === undefined);
    }
    let wait: Waiting;
    if (response?.error !== undefined) {
      this.#hasFailedAhead ||= this.#error === undefined && !isFinal;
      this.#fail(response.error);
    } else if (response !== undefined && this.#error === undefined) {
      try {
        wait = this.#take(ready, request, use, response);
      } catch (thrown) {
        this.#fail(toServerError(thrown));
      }
    }
    this.#settle();
    return wait?.then(() => undefined);
  }

  /** Puts the outputs of one response into the ensemble's tensors. */
  #take(
    { step, iteration }: ReadyStep<EnsembleValue>,
    request: InferenceRequest,
    use: ModelUse,
    response: InferenceResponse,
  ): Waiting {
    const sequence: SequenceTag = tagOfResponse(response.parameters, request);
    if (logsRequests()) logStepOutputs(step.outputs, response);
    const arrived = step.outputs.map(({ modelTensor, ensembleTensor }) => {
      const output = outputNamed(response, modelTensor);
      const value = output && {
        datatype: output.datatype,
        shape: output.shape,
        bytes: bytesOf(output.bytes),
        batchSize: request.batchSize,
        sequence,
      };
      return [ensembleTensor, value] as const;
    });
    // Fresh numbers in order of arrival behind a decoupled step; otherwise those of the run that made them.
    const next = this.#iterations[step.index] ?? 0;
    if (use.isDecoupled) this.#iterations[step.index] = next + 1;
    return this.#proceed(this.#tensors.put(use.isDecoupled ? next : iteration, arrived));
  }

  #respond(outputs: NonNullable<EnsembleProgress<EnsembleValue>['outputs']>): Waiting {
    const { config } = this.#parts;
    const { modelName, actualVersion, id } = this.request;
    const tag = outputs.find(({ value }) => value !== undefined)?.value?.sequence;
    const tensors = outputs.flatMap(({ ensembleTensor, value }) => {
      if (value !== undefined) return [ensembleOutput(config, ensembleTensor, value)];
      log.verbose(1, `Composing models did not output tensor ${ensembleTensor}`);
      return [];
    });
    this.#responseCount += 1;
    this.#isEnded = this.#runningCount === 0;
    const taken = this.request.respond(
      {
        modelName,
        modelVersion: actualVersion,
        id,
        parameters: tag === undefined ? NO_PARAMETERS : tagParameters(tag),
        outputs: tensors,
        error: undefined,
      },
      this.#isEnded,
    );
    return taken instanceof Promise ? taken : undefined;
  }

  #stepEnded({ step }: ReadyStep<EnsembleValue>): void {
    this.#runningCount -= 1;
    this.#parts.limits[step.index]?.release();
    this.#settle();
  }

  // One function for all steps of the run.
  readonly #stepComputed = (durations: ComputeDurations): void => {
    this.#sums.computeInputNs += durations.computeInputNs;
    this.#sums.computeInferNs += durations.computeInferNs;
    this.#sums.computeOutputNs += durations.computeOutputNs;
  };

  readonly #stepReleased = (request: InferenceRequest): void => {
    this.#unreleasedCount -= 1;
    request.trace?.end();
    this.#settle();
  };

  // Told once those that run have ended, as newer servers do: who asks again then does not meet what is left of it.
  /** The first failure is the ensemble's; no further steps start. */
  #fail(error: ServerError): void {
    if (this.#error !== undefined) return;
    this.#error = new ServerError(error.code, `in ensemble '${this.#parts.config.name}', ${error.message}`, {
      cause: error,
    });
    this.#endWaits();
  }

  #endWaits(): void {
    for (const wait of [...(this.#waits ?? [])]) wait.proceed();
  }

  /** Ends the run once no step is running, and finishes it once all step requests are released. */
  #settle(): void {
    if (this.#runningCount > 0) return;
    if (!this.#isEnded) {
      this.#isEnded = true;
      this.#sendEnd();
    }
    if (this.#unreleasedCount === 0 && !this.#isFinished) {
      this.#isFinished = true;
      this.#finish();
    }
  }

  #sendEnd(): void {
    const isDecoupled = this.#uses.some((use) => use.isDecoupled);
    if (this.#error === undefined && this.#responseCount === 0 && !isDecoupled) {
      this.#fail(ensembleErrors.deadlock({ prefix: this.request.logPrefix }));
    }
    if (this.#error === undefined) {
      void this.request.respond(undefined, true);
      return;
    }
    // Counted here and again when the run is finished, as Triton does: clients' tests rely on the doubled counter. Only
    // here where a decoupled step said so ahead of its end.
    this.#parts.statistics.failed(this.request, 'OTHER');
    void this.request.respondError(this.#error);
  }

  #finish(): void {
    const { statistics, clock, onFinished } = this.#parts;
    if (this.#error === undefined) statistics.ensembleSucceeded(this.request, this.#sums);
    else if (!this.#hasFailedAhead) statistics.failed(this.request, 'OTHER');
    for (const use of this.#uses) use.release();
    this.request.release();
    onFinished(this, {
      startedWallMs: this.#startedWallMs,
      durationNs: clock.nowNs() - this.#startNs,
      responseCount: this.#responseCount,
      error: this.#error?.message,
      notes: this.#notes,
      uses: this.#uses,
    });
  }

  #record({ step, iteration }: ReadyStep<EnsembleValue>, startNs: number, isSuccess: boolean): void {
    const durationNs = this.#parts.clock.nowNs() - startNs;
    this.#notes.add(step.index, iteration, startNs - this.#startNs, durationNs, isSuccess);
  }
}

function outputNamed({ outputs }: InferenceResponse, name: string): OutputTensor | undefined {
  for (const output of outputs) if (output.name === name) return output;
  return undefined;
}

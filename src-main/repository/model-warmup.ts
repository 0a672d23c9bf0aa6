// Runs warm-up samples on instances: before a version becomes ready, and on request later. Samples go to the backend
// directly, without queue, cache or statistics. A batch of N is N requests in one execution, as the server forms it.

import type { ModelConfig, ModelWarmup } from '../../src-shared/config/model-config.ts';
import type { ServerError } from '../../src-shared/errors.ts';
import { toServerError } from '../../src-shared/errors.ts';
import type { Clock } from '../base/clock.ts';
import { getLogger } from '../base/log.ts';
import type { ModelInstance } from '../inference/backend.ts';
import type { Payload } from '../inference/execution.ts';
import type { InferInput } from '../inference/inference-request.ts';
import { InferenceRequest } from '../inference/inference-request.ts';
import type { OutputTensor } from '../inference/inference-response.ts';
import { warmupInput } from './warmup-data.ts';
import { warmupErrors } from './warmup-errors.ts';

const log = getLogger('repository');

/** Requests of one warm-up execution; more than this is a mistake that would use up the memory of the machine. */
const MAX_SAMPLE_REQUESTS = 65_536;

/** The model version that is warmed up. */
export interface WarmupSubject {
  readonly name: string;
  readonly version: string;
  readonly modelDir: string;
  readonly config: ModelConfig;
  /** Checks and completes a request as inference does. */
  readonly normalize: (request: InferenceRequest) => void;
  readonly clock: Clock;
}

/** One run of a warm-up that succeeded. */
export interface WarmupIteration {
  readonly instanceName: string;
  readonly sample: string;
  /** 1-based. */
  readonly iteration: number;
  readonly latencyNs: number;
}

/** How the samples reach an instance, and who hears of each run. */
export interface WarmupRunOptions {
  readonly signal: AbortSignal;
  /** How a payload reaches the instance: directly while it loads, through its queue once it serves. */
  readonly execute: (instance: ModelInstance, payload: Payload) => Promise<void>;
  /** Told after each execution of a sample that succeeded. */
  readonly onIteration?: ((iteration: WarmupIteration) => void) | undefined;
  /** What each request of a sample holds, before its first run; to be copied by whoever keeps it. */
  readonly onInputs?: ((inputs: readonly InferInput[]) => void) | undefined;
  /** What the model answered to one request of a sample; to be copied by whoever keeps it. */
  readonly onOutputs?: ((outputs: readonly OutputTensor[]) => void) | undefined;
  /** Name the sample also when its data cannot be prepared; a load gives the reason alone, as the reference does. */
  readonly namesUnprepared?: boolean;
}

/** Executions a set of samples takes on one instance. */
export function warmupRunCount(samples: readonly ModelWarmup[]): number {
  return samples.reduce((sum, sample) => sum + (sample.batchSize === 0 ? 0 : Math.max(1, sample.count)), 0);
}

interface PreparedSample {
  readonly sample: ModelWarmup;
  readonly inputs: readonly InferInput[];
}

/**
 * Runs the samples in order on one instance, once the data of all of them is there. Throws INVALID_ARG naming the sample
 * that failed.
 */
export async function runWarmup(
  subject: WarmupSubject,
  instance: ModelInstance,
  samples: readonly ModelWarmup[],
  options: WarmupRunOptions,
): Promise<void> {
  for (const { sample, inputs } of await prepareAll(subject, samples, options.namesUnprepared === true)) {
    options.onInputs?.(inputs);
    for (let iteration = 1; iteration <= Math.max(1, sample.count); iteration += 1) {
      options.signal.throwIfAborted();
      log.verbose(
        1,
        `model '${subject.name}' instance ${instance.spec.name} is running warmup sample '${sample.name}' ` +
          `for iteration ${iteration}`,
      );
      const startNs = subject.clock.nowNs();
      await runOnce(subject, sample, inputs, {
        instanceName: instance.spec.name,
        execute: (payload) => options.execute(instance, payload),
        onOutputs: options.onOutputs,
      });
      options.onIteration?.({
        instanceName: instance.spec.name,
        sample: sample.name,
        iteration,
        latencyNs: subject.clock.nowNs() - startNs,
      });
    }
  }
}

async function prepareAll(
  subject: WarmupSubject,
  samples: readonly ModelWarmup[],
  namesUnprepared: boolean,
): Promise<readonly PreparedSample[]> {
  const prepared: PreparedSample[] = [];
  for (const sample of samples) {
    const { name, batchSize } = sample;
    if (batchSize === 0) {
      log.verbose(1, `Skipping batch 0 warmup sample '${name}'`, { model: subject.name });
      continue;
    }
    if (batchSize > MAX_SAMPLE_REQUESTS)
      throw warmupErrors.batchSize({ sample: name, size: batchSize, limit: MAX_SAMPLE_REQUESTS });
    log.verbose(1, `Generating warmup sample data for '${name}'`, { model: subject.name });
    prepared.push({ sample, inputs: await prepare(subject, sample, namesUnprepared) });
  }
  return prepared;
}

/** The inputs of a sample that the model takes; throws what is wrong with them before anything runs. */
async function prepare(
  subject: WarmupSubject,
  sample: ModelWarmup,
  namesSample: boolean,
): Promise<InferInput[]> {
  let isThere = false;
  try {
    const inputs = await sampleInputs(subject, sample);
    isThere = true;
    sampleRequest(subject, inputs, []);
    return inputs;
  } catch (thrown) {
    if (namesSample) throw sampleError(sample, [toServerError(thrown)]);
    if (!isThere) log.error(`ERROR: Failed to create instance: ${toServerError(thrown).message}`);
    throw thrown;
  }
}

async function sampleInputs(subject: WarmupSubject, sample: ModelWarmup): Promise<InferInput[]> {
  const { name: modelName, modelDir, config } = subject;
  const model = { modelName, modelDir, hasBatchAxis: config.maxBatchSize > 0 };
  return await Promise.all(
    Object.entries(sample.inputs).map(([name, setting]) => warmupInput(name, setting, model)),
  );
}

function sampleError(sample: ModelWarmup, errors: readonly ServerError[]): ServerError {
  const texts = errors.map(({ message }) => `${message}; `).join('');
  return warmupErrors.failed({ sample: sample.name, reasons: texts }, { cause: errors[0] });
}

interface RunOnceOptions extends Pick<WarmupRunOptions, 'onOutputs'> {
  readonly instanceName: string;
  readonly execute: (payload: Payload) => Promise<void>;
}

/** Each request of a sample has one row. A backend says the same of what it is given. */
function checkRows({ config }: WarmupSubject, { batchSize }: ModelWarmup, instance: string): void {
  if (batchSize <= 1 || batchSize <= config.maxBatchSize) return;
  throw warmupErrors.tooManyRows({ rows: batchSize, instance, limit: config.maxBatchSize });
}

async function runOnce(
  subject: WarmupSubject,
  sample: ModelWarmup,
  inputs: readonly InferInput[],
  { instanceName, execute, onOutputs }: RunOnceOptions,
): Promise<void> {
  const errors: ServerError[] = [];
  const prepared = Array.from({ length: sample.batchSize }, () =>
    sampleRequest(subject, inputs, errors, onOutputs),
  );
  const requests = prepared.map(({ request }) => request);
  try {
    checkRows(subject, sample, instanceName);
    await execute({ requests, batchSize: requests.length, closeReason: 'direct' });
    await Promise.all(prepared.map(({ finalResponse }) => finalResponse));
  } catch (thrown) {
    // Nothing was answered then: each request has this answer.
    errors.push(...requests.map(() => toServerError(thrown)));
  }
  if (errors.length > 0) throw sampleError(sample, errors);
}

function sampleRequest(
  subject: WarmupSubject,
  inputs: readonly InferInput[],
  errors: ServerError[],
  onOutputs?: WarmupRunOptions['onOutputs'],
): { request: InferenceRequest; finalResponse: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const configured = new Set(subject.config.input.map(({ name }) => name));
  const request = new InferenceRequest({
    modelName: subject.name,
    modelVersion: Number(subject.version),
    inputs: inputs.filter(({ name }) => configured.has(name)),
    onResponse: (response, isFinal) => {
      if (response?.error !== undefined) errors.push(response.error);
      else if (response !== undefined) onOutputs?.(response.outputs);
      if (isFinal) resolve();
    },
  });
  request.actualVersion = subject.version;
  request.isWarmup = true;
  subject.normalize(request);
  // Controls and states are no inputs of the configuration: they reach the backend unchecked.
  request.overrideInputs = inputs.filter(({ name }) => !configured.has(name));
  return { request, finalResponse: promise };
}

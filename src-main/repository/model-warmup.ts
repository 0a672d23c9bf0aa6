// Runs warm-up samples on instances: before a version becomes ready, and on request later. Samples go to the backend
// directly, without queue, cache or statistics. A batch of N is N requests in one execution, as the server forms it.

import type { ModelConfig, ModelWarmup } from '../../src-shared/config/model-config.ts';
import type { ServerError } from '../../src-shared/errors.ts';
import { invalidArg, toServerError } from '../../src-shared/errors.ts';
import type { Clock } from '../base/clock.ts';
import { getLogger } from '../base/log.ts';
import type { ModelInstance } from '../inference/backend.ts';
import type { Payload } from '../inference/execution.ts';
import type { InferInput } from '../inference/inference-request.ts';
import { InferenceRequest } from '../inference/inference-request.ts';
import { warmupInput } from './warmup-data.ts';

const log = getLogger('repository');

/** Requests of one warm-up execution; more than this is a mistake that would use up the memory of the machine. */
const MAX_SAMPLE_REQUESTS = 65_536;

export interface WarmupSubject {
  readonly name: string;
  readonly version: string;
  readonly modelDir: string;
  readonly config: ModelConfig;
  /** Checks and completes a request as inference does. */
  readonly normalize: (request: InferenceRequest) => void;
  readonly clock: Clock;
}

export interface WarmupIteration {
  readonly instanceName: string;
  readonly sample: string;
  /** 1-based. */
  readonly iteration: number;
  readonly latencyNs: number;
}

export interface WarmupRunOptions {
  readonly signal: AbortSignal;
  /** How a payload reaches the instance: directly while it loads, through its queue once it serves. */
  readonly execute: (instance: ModelInstance, payload: Payload) => Promise<void>;
  readonly onIteration?: ((iteration: WarmupIteration) => void) | undefined;
  /** Name the sample also when its data cannot be prepared; a load gives the reason alone, as the reference does. */
  readonly namesUnprepared?: boolean;
}

/** Executions a set of samples takes on one instance. */
export function warmupRunCount(samples: readonly ModelWarmup[]): number {
  return samples.reduce((sum, sample) => sum + (sample.batchSize === 0 ? 0 : Math.max(1, sample.count)), 0);
}

/** Runs the samples in order on one instance. Throws INVALID_ARG naming the sample that failed. */
export async function runWarmup(
  subject: WarmupSubject,
  instance: ModelInstance,
  samples: readonly ModelWarmup[],
  options: WarmupRunOptions,
): Promise<void> {
  for (const sample of samples) {
    if (sample.batchSize === 0) {
      log.verbose(1, `skipping batch 0 warmup sample '${sample.name}'`, { model: subject.name });
      continue;
    }
    if (sample.batchSize > MAX_SAMPLE_REQUESTS) {
      throw invalidArg(
        `warmup sample '${sample.name}' has batch_size ${sample.batchSize}, expected at most ${MAX_SAMPLE_REQUESTS}`,
      );
    }
    const inputs = await prepare(subject, sample, options.namesUnprepared === true);
    for (let iteration = 1; iteration <= Math.max(1, sample.count); iteration += 1) {
      options.signal.throwIfAborted();
      log.verbose(
        1,
        `model '${subject.name}' instance ${instance.spec.name} is running warmup sample '${sample.name}' ` +
          `for iteration ${iteration}`,
      );
      const startNs = subject.clock.nowNs();
      await runOnce(subject, sample, inputs, (payload) => options.execute(instance, payload));
      options.onIteration?.({
        instanceName: instance.spec.name,
        sample: sample.name,
        iteration,
        latencyNs: subject.clock.nowNs() - startNs,
      });
    }
  }
}

/** The inputs of a sample that the model takes; throws what is wrong with them before anything runs. */
async function prepare(
  subject: WarmupSubject,
  sample: ModelWarmup,
  namesSample: boolean,
): Promise<InferInput[]> {
  try {
    const inputs = await sampleInputs(subject, sample);
    sampleRequest(subject, inputs, []);
    return inputs;
  } catch (thrown) {
    if (namesSample) throw sampleError(sample, [toServerError(thrown)]);
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
  return invalidArg(`failed to run warmup sample '${sample.name}': ${texts}`, { cause: errors[0] });
}

async function runOnce(
  subject: WarmupSubject,
  sample: ModelWarmup,
  inputs: readonly InferInput[],
  execute: (payload: Payload) => Promise<void>,
): Promise<void> {
  const errors: ServerError[] = [];
  const prepared = Array.from({ length: sample.batchSize }, () => sampleRequest(subject, inputs, errors));
  const requests = prepared.map(({ request }) => request);
  try {
    await execute({ requests, batchSize: requests.length, closeReason: 'direct' });
    await Promise.all(prepared.map(({ finalResponse }) => finalResponse));
  } catch (thrown) {
    errors.push(toServerError(thrown));
  }
  if (errors.length > 0) throw sampleError(sample, errors);
}

function sampleRequest(
  subject: WarmupSubject,
  inputs: readonly InferInput[],
  errors: ServerError[],
): { request: InferenceRequest; finalResponse: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const configured = new Set(subject.config.input.map(({ name }) => name));
  const request = new InferenceRequest({
    modelName: subject.name,
    modelVersion: Number(subject.version),
    inputs: inputs.filter(({ name }) => configured.has(name)),
    onResponse: (response, isFinal) => {
      if (response?.error !== undefined) errors.push(response.error);
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

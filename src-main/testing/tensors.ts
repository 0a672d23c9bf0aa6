// Short builders for configs, tensors and requests, and a recorder for what came back.

import type {
  ModelConfig,
  ModelDynamicBatching,
  ModelInput,
  ModelOutput,
  ModelQueuePolicy,
} from '../../src-shared/config/model-config.ts';
import type { DataType } from '../../src-shared/datatypes.ts';
import type { ServerError } from '../../src-shared/errors.ts';
import type { InferenceRequestInit } from '../inference/inference-request.ts';
import { InferenceRequest, InferInput } from '../inference/inference-request.ts';
import type { InferenceResponse } from '../inference/inference-response.ts';
import { bytesOf, copied } from '../inference/tensor-bytes.ts';

/** Little-endian INT32 values. */
export function int32Input(name: string, shape: readonly number[], values: readonly number[]): InferInput {
  return new InferInput(name, 'INT32', shape, bytesOf(new Uint8Array(Int32Array.from(values).buffer)));
}

/** BYTES elements with their 4-byte length prefixes. */
export function textInput(name: string, shape: readonly number[], values: readonly string[]): InferInput {
  return new InferInput(name, 'BYTES', shape, bytesOf(encodeTexts(values)));
}

/** BYTES elements: four bytes of length, little-endian, and UTF-8. */
export function encodeTexts(values: readonly string[]): Uint8Array {
  const parts = values.map((value) => Buffer.from(value, 'utf8'));
  const bytes = Buffer.alloc(parts.reduce((sum, part) => sum + 4 + part.length, 0));
  let at = 0;
  for (const part of parts) {
    at = bytes.writeUInt32LE(part.length, at);
    at += part.copy(bytes, at);
  }
  return new Uint8Array(bytes);
}

/** Zero-filled tensor of any fixed-size type. */
export function zeroInput(
  name: string,
  datatype: DataType,
  shape: readonly number[],
  byteSize: number,
): InferInput {
  return new InferInput(name, datatype, shape, bytesOf(new Uint8Array(byteSize)));
}

/** Of bytes that may begin at any place; little-endian as the machine. */
export function int32Values(bytes: Uint8Array): number[] {
  return [...new Int32Array(copied(bytes).buffer)];
}

/** What one request received. */
export class Answer {
  readonly responses: InferenceResponse[] = [];
  finalCount = 0;
  /** Order among all answers of one `AnswerBook`. */
  readonly responseOrder: number[] = [];
  releaseCount = 0;
  request!: InferenceRequest;

  /** The final response has come. */
  get isDone(): boolean {
    return this.finalCount > 0;
  }

  /** Of the first response that has one; undefined = none has. */
  get error(): ServerError | undefined {
    return this.responses.find((response) => response.error !== undefined)?.error;
  }

  /** "ok", "pending", or the error code. */
  get outcome(): string {
    if (!this.isDone) return 'pending';
    return this.error === undefined ? 'ok' : this.error.code;
  }
}

/** Builds requests and keeps their answers in the order of creation. */
export class AnswerBook {
  readonly answers: Answer[] = [];
  #responseCount = 0;

  /** For any version of model M, without inputs, unless told otherwise; answers go to the book. */
  request(init: Partial<Omit<InferenceRequestInit, 'onResponse'>> = {}): InferenceRequest {
    const answer = new Answer();
    const request = new InferenceRequest({
      modelName: 'M',
      modelVersion: -1,
      inputs: [],
      ...init,
      onResponse: (response, isFinal) => {
        if (response !== undefined) answer.responses.push(response);
        if (isFinal) answer.finalCount += 1;
        answer.responseOrder.push(this.#responseCount++);
      },
    });
    request.actualVersion = '1';
    answer.request = request;
    request.onRelease(() => {
      answer.releaseCount += 1;
    });
    this.answers.push(answer);
    return request;
  }

  /** One per request: "pending", "ok" or the code of its error. */
  get outcomes(): string[] {
    return this.answers.map((answer) => answer.outcome);
  }
}

/** An INT32 [-1] input named INPUT0 unless told otherwise. */
export function inputConfig(change: Partial<ModelInput> = {}): ModelInput {
  return {
    name: 'INPUT0',
    dataType: 'TYPE_INT32',
    format: 'FORMAT_NONE',
    dims: [-1],
    reshape: undefined,
    isShapeTensor: false,
    allowRaggedBatch: false,
    optional: false,
    isNonLinearFormatIo: false,
    ...change,
  };
}

/** OUTPUT0, INT32, one open dimension, with the changes. */
export function outputConfig(change: Partial<ModelOutput> = {}): ModelOutput {
  return {
    name: 'OUTPUT0',
    dataType: 'TYPE_INT32',
    dims: [-1],
    reshape: undefined,
    labelFilename: '',
    isShapeTensor: false,
    isNonLinearFormatIo: false,
    ...change,
  };
}

/** No limit and no timeout, with the changes; `maxQueueSize` 0 is endless. */
export function queuePolicy(change: Partial<ModelQueuePolicy> = {}): ModelQueuePolicy {
  return {
    timeoutAction: 'REJECT',
    defaultTimeoutMicroseconds: 0n,
    allowTimeoutOverride: false,
    maxQueueSize: 0,
    ...change,
  };
}

/** As an empty `dynamic_batching {}` says, with the changes. */
export function dynamicBatching(change: Partial<ModelDynamicBatching> = {}): ModelDynamicBatching {
  return {
    preferredBatchSize: [],
    maxQueueDelayMicroseconds: 0n,
    preserveOrdering: false,
    priorityLevels: 0n,
    defaultPriorityLevel: 0n,
    defaultQueuePolicy: undefined,
    priorityQueuePolicy: {},
    ...change,
  };
}

/** A complete config: model M, max_batch_size 8, one INT32 input and output, no scheduler. */
export function modelConfig(change: Partial<ModelConfig> = {}): ModelConfig {
  return {
    name: 'M',
    platform: '',
    backend: 'fake',
    runtime: '',
    versionPolicy: undefined,
    maxBatchSize: 8,
    input: [inputConfig()],
    output: [outputConfig()],
    batchInput: [],
    batchOutput: [],
    optimization: undefined,
    dynamicBatching: undefined,
    sequenceBatching: undefined,
    ensembleScheduling: undefined,
    instanceGroup: [],
    defaultModelFilename: '',
    ccModelFilenames: {},
    metricTags: {},
    parameters: {},
    modelWarmup: [],
    modelOperations: undefined,
    modelTransactionPolicy: undefined,
    modelRepositoryAgents: undefined,
    responseCache: undefined,
    modelMetrics: undefined,
    ...change,
  };
}

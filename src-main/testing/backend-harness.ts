// Runs a backend without a server: loads a model, builds requests with the shapes the normaliser would give them,
// executes payloads and collects what was answered and reported.

import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import { elementByteSize } from '../../src-shared/datatypes.ts';
import type { DataType } from '../../src-shared/datatypes.ts';
import type { ServerError } from '../../src-shared/errors.ts';
import { systemClock } from '../base/clock.ts';
import type { Backend, BackendModel, InstanceSpec, ModelInstance } from '../inference/backend.ts';
import type { ComputeTimes, ExecutionReporter } from '../inference/execution.ts';
import { InferInput, InferenceRequest } from '../inference/inference-request.ts';
import type { InferenceRequestInit } from '../inference/inference-request.ts';
import type { InferenceResponse } from '../inference/inference-response.ts';
import { bytesOf } from '../inference/tensor-bytes.ts';

/** Statistics reports, in order. */
export class RecordingReporter implements ExecutionReporter {
  readonly requests: {
    readonly isSuccess: boolean;
    readonly times: ComputeTimes;
    readonly reason?: string;
  }[] = [];
  readonly executions: { readonly batchSize: number; readonly times: ComputeTimes }[] = [];

  request(_request: InferenceRequest, isSuccess: boolean, times: ComputeTimes, reason?: string): void {
    this.requests.push(reason === undefined ? { isSuccess, times } : { isSuccess, times, reason });
  }

  execution(batchSize: number, times: ComputeTimes): void {
    this.executions.push({ batchSize, times });
  }

  response(): void {
    throw new Error('models that answer once do not report responses');
  }
}

/** Bytes of numbers in wire layout; texts become length-prefixed elements. FP16 takes raw 16-bit patterns. */
export function tensorBytes(datatype: DataType, values: readonly (number | bigint | string)[]): Uint8Array {
  if (datatype === 'BYTES') {
    const parts = values.flatMap((value) => {
      const text = Buffer.from(String(value));
      const length = Buffer.alloc(4);
      length.writeUInt32LE(text.byteLength);
      return [length, text];
    });
    return new Uint8Array(Buffer.concat(parts));
  }
  const bytes = new Uint8Array(values.length * elementByteSize(datatype));
  const view = new DataView(bytes.buffer);
  values.forEach((value, index) => writeElement(view, datatype, index, value));
  return bytes;
}

function writeElement(
  view: DataView,
  datatype: DataType,
  index: number,
  value: number | bigint | string,
): void {
  const at = index * elementByteSize(datatype);
  const number = Number(value);
  switch (datatype) {
    case 'BOOL':
    case 'UINT8':
      return view.setUint8(at, number);
    case 'INT8':
      return view.setInt8(at, number);
    case 'UINT16':
    case 'FP16':
    case 'BF16':
      return view.setUint16(at, number, true);
    case 'INT16':
      return view.setInt16(at, number, true);
    case 'UINT32':
      return view.setUint32(at, number, true);
    case 'INT32':
      return view.setInt32(at, number, true);
    case 'FP32':
      return view.setFloat32(at, number, true);
    case 'FP64':
      return view.setFloat64(at, number, true);
    case 'UINT64':
      return view.setBigUint64(at, BigInt(value), true);
    case 'INT64':
      return view.setBigInt64(at, BigInt(value), true);
    case 'BYTES':
      throw new Error('texts are not written element by element');
  }
}

/** Elements of a tensor in wire layout, as numbers, bigints or texts. */
function tensorValues(datatype: DataType, bytes: Uint8Array): (number | bigint | string)[] {
  const own = bytes.slice();
  switch (datatype) {
    case 'BOOL':
    case 'UINT8':
      return [...own];
    case 'INT8':
      return [...new Int8Array(own.buffer)];
    case 'UINT16':
    case 'FP16':
    case 'BF16':
      return [...new Uint16Array(own.buffer)];
    case 'INT16':
      return [...new Int16Array(own.buffer)];
    case 'UINT32':
      return [...new Uint32Array(own.buffer)];
    case 'INT32':
      return [...new Int32Array(own.buffer)];
    case 'FP32':
      return [...new Float32Array(own.buffer)];
    case 'FP64':
      return [...new Float64Array(own.buffer)];
    case 'UINT64':
      return [...new BigUint64Array(own.buffer)];
    case 'INT64':
      return [...new BigInt64Array(own.buffer)];
    case 'BYTES':
      return textElements(own);
  }
}

function textElements(bytes: Uint8Array): string[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const texts: string[] = [];
  for (let at = 0; at < buffer.byteLength;) {
    const byteLength = buffer.readUInt32LE(at);
    texts.push(buffer.toString('utf8', at + 4, at + 4 + byteLength));
    at += 4 + byteLength;
  }
  return texts;
}

/**
 * `shape` is taken for the client's and the model's; nothing is checked. Bytes are used as they are, values are
 * encoded.
 */
export function inferInput(
  name: string,
  datatype: DataType,
  shape: readonly number[],
  values: readonly (number | bigint | string)[] | Uint8Array,
): InferInput {
  const bytes = values instanceof Uint8Array ? values : tensorBytes(datatype, values);
  return new InferInput(name, datatype, shape, bytesOf(bytes));
}

/** A request with what came back of it. A right one ends with one final response and one release. */
export interface TestRequest {
  readonly request: InferenceRequest;
  readonly responses: InferenceResponse[];
  /** Final responses so far, with or without a response in them. */
  readonly finalCount: () => number;
  /** How often the request was released so far. */
  readonly releaseCount: () => number;
}

/** A request as it reaches an instance. `batchSize` 0 = the model does not batch. */
export function testRequest(
  inputs: readonly InferInput[],
  batchSize: number,
  init: Partial<InferenceRequestInit> = {},
): TestRequest {
  const responses: InferenceResponse[] = [];
  let finals = 0;
  let releases = 0;
  const request = new InferenceRequest({
    modelName: 'model',
    modelVersion: 1,
    ...init,
    inputs,
    onResponse: (response, isFinal) => {
      if (response !== undefined) responses.push(response);
      if (isFinal) finals += 1;
    },
  });
  request.batchSize = batchSize;
  request.actualVersion = '1';
  request.onRelease(() => {
    releases += 1;
  });
  for (const input of inputs) input.shape = batchSize > 0 ? input.clientShape.slice(1) : input.clientShape;
  return { request, responses, finalCount: () => finals, releaseCount: () => releases };
}

/** Disposing closes its instances, then the model. */
export class LoadedModel implements AsyncDisposable {
  readonly model: BackendModel;
  readonly reporter: RecordingReporter;
  readonly #instances: ModelInstance[] = [];

  constructor(model: BackendModel, reporter: RecordingReporter) {
    this.model = model;
    this.reporter = reporter;
  }

  /** An instance on the CPU unless `spec` says otherwise; the model closes it. */
  async instance(spec: Partial<InstanceSpec> = {}): Promise<ModelInstance> {
    const instance = await this.model.createInstance(
      {
        name: 'model_0',
        kind: 'KIND_CPU',
        deviceId: -1,
        ordinal: 0,
        isPassive: false,
        hostPolicy: 'cpu',
        ...spec,
      },
      { signal: new AbortController().signal },
    );
    this.#instances.push(instance);
    return instance;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const instance of this.#instances) await instance.close();
    await this.model.close();
  }
}

/** Loads version 1 of the model in `modelDir`. */
export async function loadModel(
  backend: Backend,
  modelDir: string,
  config: ModelConfig,
  backendConfig: ReadonlyMap<string, string> = new Map(),
): Promise<LoadedModel> {
  const reporter = new RecordingReporter();
  const model = await backend.load({
    modelName: config.name,
    version: '1',
    modelDir,
    versionDir: `${modelDir}/1`,
    config,
    clock: systemClock,
    backendConfig,
    reporter,
    invoker: undefined,
    signal: new AbortController().signal,
  });
  return new LoadedModel(model, reporter);
}

/** Runs requests as one payload and waits until each has its final response. */
export async function executeAll(instance: ModelInstance, tests: readonly TestRequest[]): Promise<void> {
  const answered = tests.map(
    ({ request, finalCount }) =>
      new Promise<void>((resolve) => {
        if (finalCount() > 0) resolve();
        request.onRelease(() => resolve());
      }),
  );
  const requests = tests.map((test) => test.request);
  const batchSize = requests.reduce((sum, request) => sum + Math.max(1, request.batchSize), 0);
  await instance.execute({ requests, batchSize, closeReason: 'direct' });
  await Promise.all(answered);
}

/** The error of a request that must have failed. */
export function errorOf(test: TestRequest): ServerError {
  const error = test.responses[0]?.error;
  if (error === undefined) throw new Error('the request was answered without an error');
  return error;
}

/** Elements of one output of a request that must have succeeded. */
export function outputValues(test: TestRequest, name: string): (number | bigint | string)[] {
  const response = test.responses[0];
  if (response?.error !== undefined) throw response.error;
  const output = response?.outputs.find((entry) => entry.name === name);
  if (output === undefined) throw new Error(`the response has no output '${name}'`);
  return tensorValues(output.datatype, output.bytes);
}

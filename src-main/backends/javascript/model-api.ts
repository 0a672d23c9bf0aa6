// What the author of a JavaScript or TypeScript model sees: the functions a model file may export, and the requests,
// tensors and tools they are given. docs/javascript-models.md explains it with examples.

import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import type { DataType } from '../../../src-shared/datatypes.ts';
import type { StatusCode } from '../../../src-shared/errors.ts';
import type { ImageTensorOptions } from './image-tensor.ts';

/** FP16 and BF16 are raw bits in a Uint16Array; BOOL is a Uint8Array of 0 and 1; BYTES is an array of elements. */
export type TensorData =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array
  | readonly Uint8Array[];

/** An input of a request, as execute() sees it. */
export interface InputTensor {
  readonly name: string;
  readonly datatype: DataType;
  /** Batch dimension first for models with max_batch_size > 0. */
  readonly shape: readonly number[];
  /** The model's own copy. */
  readonly data: TensorData;
  /** Elements of a BYTES tensor as text (UTF-8). Throws for other datatypes. */
  texts(): string[];
}

/** What may be given for an output: data alone is taken as one row (`[1, n]`, or `[n]` without batching). */
export type OutputValue = OutputData | { readonly shape?: readonly number[]; readonly data: OutputData };
/** Elements of an output: a typed array, or a list that is converted to the datatype of the configuration. */
export type OutputData = TensorData | readonly (number | bigint | boolean | string | Uint8Array)[];

/** A parameter of a request or an answer; bigint is a 64-bit integer. */
export type ParameterValue = string | bigint | number | boolean;

/** The answer to one request. */
export interface ModelResponse {
  /** By output name; the datatype comes from the configuration. Outputs nobody asked for are dropped. */
  readonly outputs?: Readonly<Record<string, OutputValue>>;
  readonly parameters?: Readonly<Record<string, ParameterValue>>;
  /** Makes this an error response. */
  readonly error?: string | Error | { readonly code?: StatusCode; readonly message: string };
}

/** One request of a batch, as execute() sees it. */
export interface ModelRequest {
  readonly id: string;
  /** 0n or "" = not part of a sequence. */
  readonly correlationId: bigint | string;
  readonly isSequenceStart: boolean;
  readonly isSequenceEnd: boolean;
  readonly priority: bigint;
  readonly timeoutUs: number;
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  /** 0 for models that do not batch. */
  readonly batchSize: number;
  /** Sequence controls and implicit state included. */
  readonly inputs: Readonly<Record<string, InputTensor>>;
  readonly requestedOutputs: readonly string[];
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal;
  /** Sends one response now. Resolves when the receiver is ready for the next. */
  send(response: ModelResponse): Promise<void>;
  /** Ends a decoupled request; no response may follow. */
  end(): Promise<void>;
}

/** A response, a stream of responses (decoupled models), or nothing when the request is answered through send(). */
export type ExecuteResult =
  | ModelResponse
  | AsyncIterable<ModelResponse>
  | Iterable<ModelResponse>
  | undefined;

/** A request to another model of the server. */
export interface InferCall {
  readonly model: string;
  /** Default -1: the newest ready version. */
  readonly version?: number;
  readonly inputs: Readonly<
    Record<
      string,
      { readonly datatype: DataType; readonly shape: readonly number[]; readonly data: OutputData }
    >
  >;
  /** Default: every output. */
  readonly requestedOutputs?: readonly string[];
  readonly id?: string;
  readonly correlationId?: bigint | string;
  readonly isSequenceStart?: boolean;
  readonly isSequenceEnd?: boolean;
  readonly priority?: bigint;
  readonly timeoutUs?: number;
  readonly parameters?: Readonly<Record<string, ParameterValue>>;
  readonly signal?: AbortSignal;
}

/** One response of the other model; its outputs by name. An error of that model is thrown instead. */
export interface InferResult {
  readonly modelName: string;
  readonly modelVersion: string;
  readonly outputs: Readonly<Record<string, InputTensor>>;
  readonly parameters: Readonly<Record<string, ParameterValue>>;
}

/** What a model knows of itself and may do; good for as long as the instance lives. */
export interface ModelContext {
  readonly modelName: string;
  readonly modelVersion: string;
  readonly modelDir: string;
  readonly versionDir: string;
  readonly instanceName: string;
  readonly config: ModelConfig;
  /** `parameters` of the configuration as plain texts. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly isDecoupled: boolean;
  readonly log: {
    info(message: string): void;
    warn(message: string): void;
    error(message: string): void;
  };
  /** Asks another model. Rejects with its error; models with a stream of responses need inferStream. */
  infer(call: InferCall): Promise<InferResult>;
  /**
   * Asks another model that may answer more than once. Throws its error while it is read; leaving the loop early
   * cancels the request.
   */
  inferStream(call: InferCall): AsyncIterable<InferResult>;
  /** Decodes, resizes, crops and scales an image (JPEG, PNG, WebP, ...) to tensor data. */
  imageToTensor(image: Uint8Array, options: ImageTensorOptions): Promise<Float32Array | Uint8Array>;
}

/** The exports of `model.js|mjs|cjs|ts`, or the same functions on its default export. */
export interface JavaScriptModel {
  /** Called once, before the first batch. What it throws fails the load of the instance. */
  initialize?(context: ModelContext): void | Promise<void>;
  /**
   * One batch, one call at a time. A result for each request in their order; `undefined` when a decoupled model sends
   * all by itself. What it throws fails every request of the batch.
   */
  execute(
    requests: readonly ModelRequest[],
    context: ModelContext,
  ): readonly ExecuteResult[] | undefined | Promise<readonly ExecuteResult[] | undefined>;
  /** Called once at the end, and waited for `unload_timeout_ms` at most. Not called when the thread was lost. */
  finalize?(): void | Promise<void>;
}

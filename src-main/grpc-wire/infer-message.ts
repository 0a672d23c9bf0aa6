// The inference messages as plain values: tensors stay views of the received message, nothing is converted yet.

import type { ServerError } from '../../src-shared/errors.ts';
import type { WireMessage } from './wire-message.ts';

/** Values a response parameter can have; integers are bigint so that 64 bits survive. */
export type GrpcParameterValue = string | bigint | number | boolean;

/**
 * A parameter by the member of the proto's oneof that was set. Integers are bigint, since 64 bits do not fit a number.
 */
export type GrpcParameter =
  | { readonly choice: 'bool_param'; readonly value: boolean }
  | { readonly choice: 'int64_param'; readonly value: bigint }
  | { readonly choice: 'uint64_param'; readonly value: bigint }
  | { readonly choice: 'string_param'; readonly value: string }
  | { readonly choice: 'double_param'; readonly value: number }
  | { readonly choice: 'none'; readonly value: undefined };

/** One entry of `ModelInferRequest.inputs` as it came: nothing of it is checked yet. */
export interface GrpcInferInput {
  name: string;
  datatype: string;
  shape: number[];
  parameters: ReadonlyMap<string, GrpcParameter>;
  /** Encoded InferTensorContents; several pieces when the field came more than once. Undefined = not present. */
  contents: Uint8Array[] | undefined;
}

/** An InferRequestedOutputTensor; classification and shared memory are among its parameters. */
export interface GrpcRequestedOutput {
  name: string;
  parameters: ReadonlyMap<string, GrpcParameter>;
}

/** A `ModelInferRequest` as it came. Texts that the client left out are '', as in the proto. */
export interface GrpcInferRequest {
  modelName: string;
  modelVersion: string;
  id: string;
  parameters: ReadonlyMap<string, GrpcParameter>;
  inputs: GrpcInferInput[];
  outputs: GrpcRequestedOutput[];
  /** Of each entry its bytes, in the parts in which they came. */
  rawInputContents: WireMessage[];
  /** Why the request is refused although its encoding is right; the rest of it was not read then. */
  fault: ServerError | undefined;
  /** Large memory that holds this request alone. */
  memory: readonly ArrayBuffer[];
}

/** One output to be written; `bytes` is its wire layout, little-endian and packed. */
export interface GrpcOutput {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
  /** Empty for outputs that went to shared memory. */
  readonly bytes: Uint8Array;
}

/** A ModelInferResponse, with raw contents and typed ones alike as `outputs`. */
export interface GrpcInferResponse {
  readonly modelName: string;
  readonly modelVersion: string;
  readonly id: string;
  readonly parameters: ReadonlyMap<string, GrpcParameterValue>;
  readonly outputs: readonly GrpcOutput[];
}

/** One message of `ModelStreamInfer` as a client reads it. */
export interface GrpcStreamResponse {
  /** Empty = success. */
  readonly errorMessage: string;
  readonly response: GrpcInferResponse;
}

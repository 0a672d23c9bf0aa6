// ModelInferRequest to wire bytes, for clients: tensors always travel as raw contents.

import protobuf from 'protobufjs';

import type { GrpcParameterValue } from './infer-message.ts';

/** An input to be sent; `bytes` is its wire layout, which goes into `raw_input_contents`. */
export interface OutgoingInput {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
  /** Undefined: the tensor is elsewhere (shared memory) and takes no raw entry. */
  readonly bytes: Uint8Array | undefined;
  readonly parameters: ReadonlyMap<string, GrpcParameterValue>;
}

interface OutgoingRequest {
  readonly modelName: string;
  readonly modelVersion: string;
  readonly id: string;
  readonly parameters: ReadonlyMap<string, GrpcParameterValue>;
  readonly inputs: readonly OutgoingInput[];
  readonly outputs: readonly {
    readonly name: string;
    readonly parameters: ReadonlyMap<string, GrpcParameterValue>;
  }[];
}

/** The bytes of a ModelInferRequest, without the five bytes that gRPC puts in front. */
export function encodeInferRequest(request: OutgoingRequest): Buffer {
  const writer = protobuf.Writer.create();
  if (request.modelName !== '') writer.uint32(tag(1)).string(request.modelName);
  if (request.modelVersion !== '') writer.uint32(tag(2)).string(request.modelVersion);
  if (request.id !== '') writer.uint32(tag(3)).string(request.id);
  writeParameters(writer, 4, request.parameters);
  for (const input of request.inputs) writeInput(writer, input);
  for (const output of request.outputs) {
    writer.uint32(tag(6)).fork();
    writer.uint32(tag(1)).string(output.name);
    writeParameters(writer, 2, output.parameters);
    writer.ldelim();
  }
  for (const { bytes } of request.inputs) if (bytes !== undefined) writer.uint32(tag(7)).bytes(bytes);
  return Buffer.from(writer.finish());
}

function tag(field: number, wireType = 2): number {
  return (field << 3) | wireType;
}

function writeInput(writer: protobuf.Writer, input: OutgoingInput): void {
  writer.uint32(tag(5)).fork();
  writer.uint32(tag(1)).string(input.name);
  writer.uint32(tag(2)).string(input.datatype);
  writer.uint32(tag(3)).fork();
  for (const dim of input.shape) writer.int64(dim);
  writer.ldelim();
  writeParameters(writer, 4, input.parameters);
  writer.ldelim();
}

/** Entries of a map<string, InferParameter> field; integers go as int64_param. */
export function writeParameters(
  writer: protobuf.Writer,
  field: number,
  parameters: ReadonlyMap<string, GrpcParameterValue>,
): void {
  for (const [key, value] of parameters) {
    writer.uint32(tag(field)).fork();
    writer.uint32(tag(1)).string(key);
    writer.uint32(tag(2)).fork();
    if (typeof value === 'boolean') writer.uint32(tag(1, 0)).bool(value);
    else if (typeof value === 'bigint') writer.uint32(tag(2, 0)).int64(BigInt.asIntN(64, value).toString());
    else if (typeof value === 'string') writer.uint32(tag(3)).string(value);
    else writer.uint32(tag(4, 1)).double(value);
    writer.ldelim().ldelim();
  }
}

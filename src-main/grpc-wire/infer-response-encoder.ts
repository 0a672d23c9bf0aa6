// ModelInferResponse and ModelStreamInferResponse to wire bytes: small fields through a writer, tensors copied once
// into the message. `contents` is never used; every output has exactly one raw entry
// (docs/reference/grpc.md#tensor-data).

import protobuf from 'protobufjs';

import { invalidArg } from '../../src-shared/errors.ts';
import type { GrpcInferResponse, GrpcOutput, GrpcStreamResponse } from './infer-message.ts';
import { writeParameters } from './infer-request-encoder.ts';

const MAX_MESSAGE_BYTES = 2_147_483_647;
const NO_DATA = new Uint8Array();

export function encodeInferResponse(response: GrpcInferResponse): Buffer {
  const head = encodeHead(response);
  return joinRaw(head, response.outputs, NO_DATA);
}

export function encodeStreamResponse({ errorMessage, response }: GrpcStreamResponse): Buffer {
  const head = encodeHead(response);
  const innerSize = head.byteLength + rawSize(response.outputs);
  const outer = protobuf.Writer.create();
  if (errorMessage !== '') outer.uint32(tag(1, 2)).string(errorMessage);
  outer.uint32(tag(2, 2)).uint32(innerSize);
  return joinRaw(head, response.outputs, outer.finish());
}

function tag(field: number, wireType: number): number {
  return (field << 3) | wireType;
}

function encodeHead(response: GrpcInferResponse): Uint8Array {
  const writer = protobuf.Writer.create();
  if (response.modelName !== '') writer.uint32(tag(1, 2)).string(response.modelName);
  if (response.modelVersion !== '') writer.uint32(tag(2, 2)).string(response.modelVersion);
  if (response.id !== '') writer.uint32(tag(3, 2)).string(response.id);
  writeParameters(writer, 4, response.parameters);
  for (const output of response.outputs) {
    writer.uint32(tag(5, 2)).fork();
    writer.uint32(tag(1, 2)).string(output.name);
    writer.uint32(tag(2, 2)).string(output.datatype);
    if (output.shape.length > 0) {
      writer.uint32(tag(3, 2)).fork();
      for (const dim of output.shape) writer.int64(dim);
      writer.ldelim();
    }
    writer.ldelim();
  }
  return writer.finish();
}

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size += 1;
  return size;
}

function rawSize(outputs: readonly GrpcOutput[]): number {
  let total = 0;
  for (const { bytes } of outputs) total += 1 + varintSize(bytes.byteLength) + bytes.byteLength;
  return total;
}

function joinRaw(head: Uint8Array, outputs: readonly GrpcOutput[], prefix: Uint8Array): Buffer {
  const byteSize = prefix.byteLength + head.byteLength + rawSize(outputs);
  if (byteSize > MAX_MESSAGE_BYTES) {
    throw invalidArg(
      `Response has byte size ${byteSize} which exceeds gRPC's byte size limit ${MAX_MESSAGE_BYTES}.`,
    );
  }
  const message = Buffer.allocUnsafe(byteSize);
  message.set(prefix, 0);
  message.set(head, prefix.byteLength);
  let at = prefix.byteLength + head.byteLength;
  for (const { bytes } of outputs) {
    message[at] = tag(6, 2);
    at += 1;
    let rest = bytes.byteLength;
    while (rest >= 128) {
      message[at] = (rest % 128) | 0x80;
      at += 1;
      rest = Math.floor(rest / 128);
    }
    message[at] = rest;
    at += 1;
    message.set(bytes, at);
    at += bytes.byteLength;
  }
  return message;
}

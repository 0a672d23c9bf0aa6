// ModelInferResponse and ModelStreamInferResponse to wire bytes: small fields through a writer; small tensors are
// copied once into the message, large ones are parts of it as they lie. `contents` is never used; every output has exactly one raw entry
// (docs/reference/grpc.md#tensor-data).

import protobuf from 'protobufjs';

import type { GrpcInferResponse, GrpcOutput, GrpcStreamResponse } from './infer-message.ts';
import { writeParameters } from './infer-request-encoder.ts';
import { grpcWireErrors } from './wire-errors.ts';
import type { WireMessage } from './wire-message.ts';
import { MAX_MESSAGE_BYTES } from './wire-message.ts';

/** Tensors up to this size are copied into the message: one write of all is cheaper than a part of its own. */
const MAX_COPIED_BYTES = 32 * 1024;
const NO_DATA = new Uint8Array();

/** The message in parts. Throws INVALID_ARG above gRPC's limit of 2 GiB. */
export function encodeInferResponse(response: GrpcInferResponse): WireMessage {
  const head = encodeHead(response);
  return withRaw(head, response.outputs, NO_DATA);
}

/** The same inside a message of a stream, with the error text, empty for none. */
export function encodeStreamResponse({ errorMessage, response }: GrpcStreamResponse): WireMessage {
  const head = encodeHead(response);
  const innerSize = head.byteLength + rawSize(response.outputs);
  const outer = protobuf.Writer.create();
  if (errorMessage !== '') outer.uint32(tag(1, 2)).string(errorMessage);
  outer.uint32(tag(2, 2)).uint32(innerSize);
  return withRaw(head, response.outputs, outer.finish());
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

/** Head and tensors behind `prefix`: put together as far as they are small, the others as they lie. */
function withRaw(head: Uint8Array, outputs: readonly GrpcOutput[], prefix: Uint8Array): WireMessage {
  const byteSize = prefix.byteLength + head.byteLength + rawSize(outputs);
  if (byteSize > MAX_MESSAGE_BYTES) {
    throw grpcWireErrors.responseTooLarge({ size: byteSize, limit: MAX_MESSAGE_BYTES });
  }
  const parts = new JoinedParts(byteSize);
  parts.add(prefix);
  parts.add(head);
  for (const { bytes } of outputs) {
    parts.addRawHead(bytes.byteLength);
    parts.add(bytes);
  }
  return parts.finish();
}

/** Copies small pieces into one buffer, and leaves large ones where they are. */
class JoinedParts {
  readonly #parts: Uint8Array[] = [];
  #left: number;
  #block: Buffer;
  #used = 0;

  constructor(byteSize: number) {
    this.#left = byteSize;
    this.#block = Buffer.allocUnsafe(Math.min(byteSize, MAX_COPIED_BYTES));
  }

  add(piece: Uint8Array): void {
    if (piece.byteLength > MAX_COPIED_BYTES) {
      this.#close();
      this.#parts.push(piece);
      this.#left -= piece.byteLength;
      return;
    }
    this.#makeRoom(piece.byteLength);
    this.#block.set(piece, this.#used);
    this.#used += piece.byteLength;
    this.#left -= piece.byteLength;
  }

  /** Tag and length of one entry of raw contents. */
  addRawHead(byteSize: number): void {
    this.#makeRoom(1 + varintSize(byteSize));
    const from = this.#used;
    this.#block[this.#used++] = tag(6, 2);
    let rest = byteSize;
    while (rest >= 128) {
      this.#block[this.#used++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    this.#block[this.#used++] = rest;
    this.#left -= this.#used - from;
  }

  finish(): WireMessage {
    this.#close();
    return this.#parts;
  }

  #makeRoom(byteSize: number): void {
    if (this.#used + byteSize <= this.#block.length) return;
    this.#close();
    this.#block = Buffer.allocUnsafe(Math.max(byteSize, Math.min(this.#left, MAX_COPIED_BYTES)));
  }

  #close(): void {
    if (this.#used > 0) this.#parts.push(this.#block.subarray(0, this.#used));
    this.#block = this.#block.subarray(this.#used);
    this.#used = 0;
  }
}

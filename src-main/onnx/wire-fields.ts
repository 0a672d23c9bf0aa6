// Edits one field of an encoded protobuf message and leaves every other byte as it is, fields nobody knows included.

import { WireCursor } from './wire-cursor.ts';
import { WireWriter } from './wire-writer.ts';
import { onnxErrors } from './onnx-errors.ts';

/** One field of an encoded message, which can be written again as it was. */
export interface WireField {
  readonly number: number;
  /** Tag, length and content, as they were written. */
  readonly raw: Uint8Array;
  /** Content of a length-delimited field; empty for numbers. */
  readonly content: Uint8Array;
}

const FIXED_BYTE_SIZE: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

/** The fields of a message, in order. INVALID_ARG where the bytes are no message. */
export function wireFields(message: Uint8Array, where: string): readonly WireField[] {
  const cursor: WireCursor = new WireCursor(where, message.byteLength);
  cursor.load(0, new Uint8Array(message));
  const fields: WireField[] = [];
  while (cursor.position < message.byteLength) {
    const from = cursor.position;
    const key = cursor.varint();
    const wire = key % 8;
    const isBlock = wire === 2;
    if (wire === 0) cursor.varint();
    const byteSize = isBlock ? cursor.varint() : wire === 0 ? 0 : FIXED_BYTE_SIZE[wire];
    const start = cursor.position;
    if (byteSize === undefined || byteSize < 0 || start + byteSize > message.byteLength) {
      cursor.fail(`a field of wire type ${wire} does not fit`);
    }
    cursor.position = start + byteSize;
    fields.push({
      number: Math.floor(key / 8),
      raw: message.subarray(from, cursor.position),
      content: isBlock ? message.subarray(start, cursor.position) : message.subarray(0, 0),
    });
  }
  return fields;
}

/** The message with the first field of that number edited. INVALID_ARG when it has none. */
export function editWireField(
  message: Uint8Array,
  number: number,
  edit: (content: Uint8Array) => Uint8Array,
  where: string,
): Uint8Array {
  const fields = wireFields(message, where);
  const at = fields.findIndex((field) => field.number === number);
  if (at === -1) throw onnxErrors.noField({ place: where, number });
  const parts = fields.map(({ raw, content }, index) =>
    index === at ? new WireWriter().bytes(number, edit(content)).finish() : raw,
  );
  return new Uint8Array(Buffer.concat(parts));
}

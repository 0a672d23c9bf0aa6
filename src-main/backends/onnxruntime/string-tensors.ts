// BYTES tensors in the worker: length-prefixed elements to the strings the library takes, and back.
// The library's strings are text, so an element that is not valid UTF-8 is refused by name instead of being changed.

import { isUtf8 } from 'node:buffer';

import { TEXT_LENGTH_BYTES } from '../../../src-shared/datatypes.ts';
import type { Segment } from './job-layout.ts';
import { onnxruntimeErrors } from './onnxruntime-errors.ts';

/** Marks an error as caused by one segment, so that the others can be run without it. */
export const SEGMENT_DETAIL = 'segment';

/**
 * Elements of `bytes`, which consists of consecutive segments (one per request).
 * Throws INVALID_ARG, with the segment's index in the details, for incomplete and for non-UTF-8 elements.
 */
export function decodeStrings(input: string, bytes: Buffer, segments: readonly Segment[]): string[] {
  const strings: string[] = [];
  let at = 0;
  segments.forEach((segment, index) => {
    const fail = (message: string): never => {
      throw onnxruntimeErrors.texts({ reason: message }, { details: { [SEGMENT_DETAIL]: index } });
    };
    const end = at + segment.byteSize;
    for (let element = 0; element < segment.elementCount; element++) {
      const left = end - at - TEXT_LENGTH_BYTES;
      if (left < 0) {
        fail(
          `unexpected number of string elements ${element} for inference input '${input}', expecting ${segment.elementCount}`,
        );
      }
      const byteLength = bytes.readUInt32LE(at);
      at += TEXT_LENGTH_BYTES;
      if (byteLength > left) {
        fail(
          `incomplete string data for inference input '${input}', expecting string of length ${byteLength} but only ${left} bytes available`,
        );
      }
      const stop = at + byteLength;
      if (!isUtf8(bytes.subarray(at, stop))) {
        fail(
          `element ${element} of BYTES input '${input}' is not valid UTF-8: ONNX string tensors hold text, other bytes would be changed on the way`,
        );
      }
      strings.push(bytes.toString('utf8', at, stop));
      at = stop;
    }
    if (end - at >= TEXT_LENGTH_BYTES) {
      const { elementCount } = segment;
      fail(
        `unexpected number of string elements ${elementCount + 1} for inference input '${input}', expecting ${elementCount}`,
      );
    }
    at = end;
  });
  return strings;
}

/** Bytes that the texts take with their lengths, four bytes each, in front of them. */
export function encodedByteSize(strings: readonly string[]): number {
  let total = 0;
  for (const text of strings) total += TEXT_LENGTH_BYTES + Buffer.byteLength(text);
  return total;
}

/** Writes the length-prefixed form into `target` from `offset`. */
export function encodeStrings(strings: readonly string[], target: Buffer, offset: number): void {
  let at = offset;
  for (const text of strings) {
    const byteLength = target.write(text, at + TEXT_LENGTH_BYTES);
    target.writeUInt32LE(byteLength, at);
    at += TEXT_LENGTH_BYTES + byteLength;
  }
}

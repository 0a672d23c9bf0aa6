// Which tensors are shown as values to type, and which stay bytes.

import { expect, test } from 'vitest';

import { encodeTexts, encodeValues } from '../tensor/value-codec.ts';
import { editableValues } from './editable-values.ts';

const tensor = (datatype: string, shape: readonly number[], bytes: Uint8Array) => ({
  ...{ name: 'X', datatype, shape, bytes },
});

test.each([
  ['texts', 'BYTES', [1, 3], ['Wörld', '', 'one\n\ttwo']],
  ['numbers', 'FP32', [2, 2], ['0.1', '-3', '1e-7', 'NaN']],
  ['half floats', 'FP16', [2], ['0.5', 'Infinity']],
  ['large integers', 'UINT64', [1], ['18446744073709551615']],
  ['truth values', 'BOOL', [2], ['true', 'false']],
] as const)('%s can be typed', (_name, datatype, shape, values) => {
  expect(editableValues(tensor(datatype, shape, encodeValues(values, datatype)))).toEqual(values);
});

const bytesElement = (...content: number[]): Uint8Array => Uint8Array.of(content.length, 0, 0, 0, ...content);

test.each([
  ['is no text', tensor('BYTES', [1], bytesElement(0xff, 0xfe, 0x41))],
  ['has a line break that a text field changes', tensor('BYTES', [1], encodeTexts(['a\r\nb']))],
  ['has other elements than its shape says', tensor('BYTES', [2], encodeTexts(['a']))],
  ['has bytes behind its elements', tensor('BYTES', [1], Uint8Array.of(...encodeTexts(['a']), 7))],
  ['has a sign that its text loses', tensor('FP32', [1], Uint8Array.of(0, 0, 0, 0x80))],
  ['has a truth value of its own', tensor('BOOL', [1], Uint8Array.of(2))],
  ['has many elements', tensor('INT8', [33], new Uint8Array(33))],
  ['is long', tensor('BYTES', [1], encodeTexts(['x'.repeat(64 * 1024)]))],
  ['has no elements', tensor('FP32', [0], new Uint8Array())],
  ['is of an unknown type', tensor('FP8', [1], Uint8Array.of(1))],
])('a tensor that %s stays bytes', (_name, kept) => {
  expect(editableValues(kept)).toBeUndefined();
});

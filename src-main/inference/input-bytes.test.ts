// The bytes of inputs: texts in chunks that end anywhere, and raw input whose shape is deduced.

import { describe, expect, test } from 'vitest';
import { InferInput } from './inference-request.ts';
import { NO_BYTES, bytesOf } from './tensor-bytes.ts';
import { encodeTexts, textInput } from '../testing/tensors.ts';
import { failure, named, normalize, PAIR, RID } from '../testing/normalized-requests.ts';

describe('BYTES', () => {
  const config = { input: [named('T', { dataType: 'TYPE_STRING', dims: [-1] })], maxBatchSize: 0 };
  const chunked = (count: number, bytes: Uint8Array, cuts: readonly number[]) => {
    const edges = [0, ...cuts, bytes.byteLength];
    const chunks = edges.slice(1).map((end, at) => bytes.subarray(edges[at], end));
    return new InferInput('T', 'BYTES', [count], { chunks, byteSize: bytes.byteLength });
  };
  const two = encodeTexts(['ab', 'cde']);

  test.each([
    { case: 'whole', input: chunked(2, two, []), expected: 'accepted' },
    { case: 'cut in a payload', input: chunked(2, two, [5]), expected: 'accepted' },
    { case: 'cut in a length', input: chunked(2, two, [2, 8]), expected: 'accepted' },
    {
      case: 'cut everywhere',
      input: chunked(2, two, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
      expected: 'accepted',
    },
    {
      case: 'too many',
      input: chunked(1, two, []),
      expected: `${RID}unexpected number of string elements 2 for inference input 'T' for model 'M', expecting 1`,
    },
    {
      case: 'too few',
      input: chunked(3, two, []),
      expected: `${RID}expected 3 string elements for inference input 'T' for model 'M', got 2`,
    },
    {
      case: 'the last text cut short',
      input: chunked(2, two.subarray(0, -1), []),
      expected: `incomplete string data for inference input 'T', expecting string of length 3 but only 2 bytes available`,
    },
    {
      case: 'ends inside a length',
      input: chunked(2, two.subarray(0, 8), []),
      expected: `${RID}incomplete string length indicator for inference input 'T' for model 'M', expecting 4 bytes but only 2 bytes available. Please make sure the string length indicator is in one buffer.`,
    },
    { case: 'empty texts', input: textInput('T', [2], ['', '']), expected: 'accepted' },
  ])('$case', ({ input, expected }) => {
    expect(failure(config, { inputs: [input] })).toBe(expected);
  });
});

describe('raw input', () => {
  const raw = (byteSize: number) => bytesOf(new Uint8Array(byteSize));

  test('one wildcard is deduced, a batch of 1 is put in front', () => {
    const request = normalize({ input: [named('A', { dims: [-1, 2] })] }, { rawInput: raw(24) });
    expect(request.inputs[0]?.name).toBe('A');
    expect(request.inputs[0]?.clientShape).toEqual([1, 3, 2]);
    expect(request.batchSize).toBe(1);
  });

  test('BYTES: the blob is one element and gets its length', () => {
    const config = { input: [named('T', { dataType: 'TYPE_STRING', dims: [1] })], maxBatchSize: 0 };
    const request = normalize(config, { rawInput: bytesOf(Buffer.from('hello')) });
    expect(request.inputs[0]?.clientShape).toEqual([1]);
    expect(request.inputs[0]?.bytes.byteSize).toBe(9);
  });

  test('an empty blob is a zero-size tensor', () => {
    const request = normalize({ input: [named('A', { dims: [-1] })] }, { rawInput: NO_BYTES });
    expect(request.inputs[0]?.clientShape).toEqual([1, 0]);
  });

  test.each([
    {
      config: PAIR,
      message:
        "Raw request must only have 1 input (found 1) to be deduced but got 2 inputs in 'M' model configuration",
    },
    {
      config: { input: [named('A', { dims: [-1, -1] })] },
      message:
        "The shape of the raw input 'A' can not be deduced because there are more than one variable-sized dimension",
    },
    {
      config: { input: [named('A', { dataType: 'TYPE_STRING' as const, dims: [2] })] },
      message: "For BYTE datatype raw input 'A', the model must have input shape [1]",
    },
    {
      config: { input: [named('A')] },
      message: "input byte size mismatch for input 'raw_input' for model 'M'. Expected 8, got 4",
    },
  ])('$message', ({ config, message }) => {
    expect(failure(config, { rawInput: raw(4) })).toBe(`${RID}${message}`);
  });
});

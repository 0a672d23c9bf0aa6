// What an editor is told about a whole text: no finding that follows from another one, no advice against choices that
// the server itself made.

import { describe, expect, test } from 'vitest';

import { SOME_BACKENDS } from '../testing/some-backends.ts';
import { checkConfigText } from './check-config.ts';
import { describeTensor } from './model-description.ts';
import { applyTextEdits } from './text-format/ast.ts';

const DESCRIPTION = {
  inputs: [describeTensor('A', 'FP32', [-1, 3])],
  outputs: [describeTensor('B', 'FP32', [-1, 3])],
};
const IO =
  'input { name: "A" data_type: TYPE_FP32 dims: 3 } output { name: "B" data_type: TYPE_FP32 dims: 3 }';
const ONNX = 'platform: "onnxruntime_onnx"';

const check = (text: string) =>
  checkConfigText(text, {
    directoryName: 'm',
    availableVersions: [1],
    entries: [],
    backends: SOME_BACKENDS,
    description: DESCRIPTION,
    physicalCores: 2,
  } as Parameters<typeof checkConfigText>[1]).issues;

const codes = (text: string): readonly string[] => check(text).map(({ code }) => code);

describe('checkConfigText', () => {
  test('a negative maximum batch size is one finding, not one for each tensor as well', () => {
    expect(codes(`${ONNX} max_batch_size: -1 ${IO}`)).toEqual(['D07']);
    const preferring = 'dynamic_batching { preferred_batch_size: [ 4, 8 ] }';
    expect(codes(`${ONNX} max_batch_size: -1 ${IO} ${preferring}`)).toEqual(['D07']);
  });

  test('numbers of instances and threads that the server chose are not held against the user', () => {
    expect(codes(`${ONNX} max_batch_size: 4 dynamic_batching {} ${IO}`)).not.toContain('D41');
  });

  test('a number of instances that is written is', () => {
    const text = `${ONNX} max_batch_size: 4 dynamic_batching {} instance_group { count: 4 kind: KIND_CPU } ${IO}`;
    expect(codes(text)).toContain('D41');
  });

  test.each([
    ['max_batch_size: "eight"', 'max_batch_size: 8'],
    ['max_batch_size: sixteen', 'max_batch_size: 16'],
  ])('%s is repaired as %s', (text, expected) => {
    const [issue] = check(text);
    expect(applyTextEdits(text, issue?.fixes?.[0]?.edits ?? [])).toBe(expected);
  });
});

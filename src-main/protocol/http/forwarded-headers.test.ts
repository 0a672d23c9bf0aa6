// Headers that become parameters: their text.

import { expect, test } from 'vitest';

import type { ParameterValue } from '../../inference/inference-response.ts';
import { compileHeaderPattern } from '../../inference/header-pattern.ts';
import { forwardHeaders } from './infer-parameters.ts';

/** As an HTTP parser gives it: one character per byte. */
const asRead = (text: string): string => Buffer.from(text).toString('latin1');

test.each([
  ['plain', 'plain'],
  [asRead('é€😀'), 'é€😀'],
  ['\xe9', '\xe9'],
])('the header %j becomes the parameter %j', (value, expected) => {
  const parameters = new Map<string, ParameterValue>();
  const pattern = compileHeaderPattern('my_') ?? { test: () => false };
  forwardHeaders(pattern, ['my_one', value, 'other', 'no'], parameters);
  expect([...parameters]).toEqual([['my_one', expected]]);
});

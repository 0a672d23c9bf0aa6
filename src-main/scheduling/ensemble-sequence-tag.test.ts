import { expect, test } from 'vitest';
import { tagOfResponse, tagParameters } from './ensemble-sequence-tag.ts';

const NONE = { correlationId: 0n, flags: 0 };

test.each([
  [2n ** 63n + 5n, 5n - 2n ** 63n],
  [2n ** 64n - 1n, -1n],
  [2n ** 63n - 1n, 2n ** 63n - 1n],
  ['a', 'a'],
])('the id %s is told as %s, and read back', (correlationId, told) => {
  const parameters = tagParameters({ correlationId, flags: 0 });
  expect(parameters.get('sequence_id')).toBe(told);
  expect(tagOfResponse(parameters, NONE).correlationId).toBe(correlationId);
});

// What a failed measurement says reaches its cell whole.

import { expect, test } from 'vitest';

import { inOneLine } from './error-line.ts';

test('every line of an error is in its cell, without colours and what ends a cell', () => {
  const thrown = new Error('locator.click: Timeout\n\u001b[2mCall log:\u001b[22m\n\n  - waiting for a | b\n');
  expect(inOneLine(thrown)).toBe('Error: locator.click: Timeout / Call log: / - waiting for a \\| b');
  expect(inOneLine('plain')).toBe('plain');
});

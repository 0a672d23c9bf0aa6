// What a Python process tells of an error, as the server has it.

import { expect, test } from 'vitest';
import { failureOf } from './host-messages.ts';

test.each([
  ['as it is', 'all of it\nand a second line', 'all of it\nand a second line'],
  ['up to its first zero byte, as in Triton', 'told\0not told\0', 'told'],
  ['which may be the first of all', '\0not told', ''],
])('a text is told %s', (_, text, told) => {
  expect(failureOf({ text, code: 'NOT_FOUND' })).toMatchObject({ code: 'NOT_FOUND', message: told });
});

test('a code that nobody knows is UNKNOWN, none at all is INTERNAL', () => {
  expect(failureOf({ text: 'x', code: 'NONSENSE' }).code).toBe('UNKNOWN');
  expect(failureOf({ text: 'x' }).code).toBe('INTERNAL');
});

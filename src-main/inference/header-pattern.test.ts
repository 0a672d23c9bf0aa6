import { expect, test } from 'vitest';

import { compileHeaderPattern } from './header-pattern.ts';

test.each([
  ['my_.*', 'X-MY_HEADER', true],
  ['^my_.*', 'X-MY_HEADER', false],
  ['(?i)my_', 'MY_HEADER', true],
  ['(?-i)my_', 'MY_HEADER', false],
  ['(?i)(?-i)my_', 'my_header', true],
  ['(?P<kind>my|your)_', 'your_header', true],
])('%s on %s: %s', (pattern, name, isMatch) => {
  expect(compileHeaderPattern(pattern)?.test(name)).toBe(isMatch);
});

test.each(['', '(', '[z-a]'])('%o forwards nothing, and the server starts', (pattern) => {
  expect(compileHeaderPattern(pattern)).toBeUndefined();
});

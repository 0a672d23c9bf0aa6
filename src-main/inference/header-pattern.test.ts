import { expect, test } from 'vitest';

import { compileHeaderPattern } from './header-pattern.ts';

test.each([
  ['my_.*', 'X-MY_HEADER', true],
  ['^my_.*', 'X-MY_HEADER', false],
  ['(?i)my_', 'MY_HEADER', true],
  ['(?-i)my_', 'MY_HEADER', false],
  ['(?i)(?-i)my_', 'my_header', true],
  ['(?P<kind>my|your)_', 'your_header', true],
  ['x|(?-i)MY_.*|^[[:alpha:]]+_one$', 'my_one', true],
  ['x|(?-i)MY_.*|^[[:alpha:]]+_one$', 'MY_ONE', true],
  ['x|(?-i)MY_.*|^[[:alpha:]]+_one$', 'My_One', false],
  ['^(?-i:my)_(?i)ONE\\z', 'my_one', true],
  ['^(?-i:my)_(?i)ONE\\z', 'My_one', false],
])('%s on %s: %s', (pattern, name, isMatch) => {
  expect(compileHeaderPattern(pattern)?.test(name)).toBe(isMatch);
});

test.each(['', '(', '[z-a]', '(?<!a)my', '(?=my)', '(a)\\1'])(
  '%o forwards nothing, and the server starts',
  (pattern) => {
    expect(compileHeaderPattern(pattern)).toBeUndefined();
  },
);

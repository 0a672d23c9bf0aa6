import { expect, test } from 'vitest';

import { missingTests } from './named-tests.ts';

const read = (file: string): string | undefined =>
  file === 'a.test.ts' ? `test('keeps its word', () => {})` : undefined;
const page = (...rows: readonly string[]): string =>
  ['| Rule | Held by |', '| ---- | ------- |', ...rows].join('\n');

test('a row whose test is there is fine', () => {
  expect(missingTests(page('| It keeps its word | `a.test.ts`: "keeps its word" |'), read)).toEqual([]);
});

test('a row without a test, and tests that are not there, are named', () => {
  const rows = ['| Alone |  |', '| b | `b.test.ts`: "x" |', '| a | `a.test.ts`: "breaks its word" |'];
  expect(missingTests(page(...rows), read)).toEqual([
    'names no test: | Alone | |',
    'there is no test file b.test.ts',
    "a.test.ts has no test 'breaks its word'",
  ]);
});

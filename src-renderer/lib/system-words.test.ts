import { expect, test } from 'vitest';

import { isMissing, systemWords } from './system-words.ts';

test.each([
  ["EACCES: permission denied, scandir '/data'", 'permission denied'],
  ['ENOSPC: no space left on device, write', 'no space left on device'],
  ["EIO: i/o error, read '/it's, here'", 'i/o error'],
  ['the bucket does not answer', 'the bucket does not answer'],
])('%j in plain words', (error, words) => expect(systemWords(error)).toBe(words));

test('only a path with nothing at it is missing', () => {
  expect(isMissing("ENOENT: no such file or directory, scandir '/gone'")).toBe(true);
  expect(isMissing("EACCES: permission denied, scandir '/data'")).toBe(false);
  expect(isMissing(undefined)).toBe(false);
});

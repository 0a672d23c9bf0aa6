// What may be the name of a file that is dragged out.

import { expect, test, vi } from 'vitest';

import { isFileName } from './drag-out.ts';

vi.mock('electron', () => ({ app: {}, nativeImage: {} }));

test.each([
  ['OUTPUT0.npy', true],
  ['.hidden', true],
  ['a'.repeat(255), true],
  ['', false],
  ['.', false],
  ['..', false],
  ['../escaped.json', false],
  ['a\\b', false],
  ['C:x', false],
  ['a\0b', false],
  ['ä'.repeat(128), false],
])('%j names a file: %s', (name, expected) => {
  expect(isFileName(name)).toBe(expected);
});

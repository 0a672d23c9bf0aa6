import { expect, test } from 'vitest';

import { copiedBytes, copiedInputsNotice, sharesInputs } from './shared-inputs.ts';

test.each([
  ['20.18.1', false],
  ['24.8.0', false],
  ['24.9.0', true],
  ['24.18.0', true],
  ['26.0.0', true],
])('native code of Node %s reads shared memory: %s', (version, expected) => {
  expect(sharesInputs(version)).toBe(expected);
  expect(copiedInputsNotice(version) === undefined).toBe(expected);
});

test('the notice says which Node this is and which would do', () => {
  expect(copiedInputsNotice('24.1.0')).toMatch(/Node 24\.1\.0.*Node 24\.9/);
});

test('a copy is a buffer of its own with the same bytes', () => {
  const slot = new SharedArrayBuffer(8);
  new Uint8Array(slot).set([1, 2, 3, 4, 5, 6, 7, 8]);
  const copy = copiedBytes(slot, 2, 4);
  expect(copy).toBeInstanceOf(ArrayBuffer);
  expect([...new Uint8Array(copy)]).toEqual([3, 4, 5, 6]);
  new Uint8Array(slot).fill(0);
  expect([...new Uint8Array(copy)]).toEqual([3, 4, 5, 6]);
});

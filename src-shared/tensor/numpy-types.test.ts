import { expect, test } from 'vitest';

import { DATA_TYPES, elementByteSize } from '../datatypes.ts';
import { datatypeOfNumpy, numpyKind, numpyName } from './numpy-types.ts';

test('each datatype of a fixed size but BF16 has a name, which leads back, and a kind of its size', () => {
  const known = DATA_TYPES.filter((datatype) => numpyName(datatype) !== undefined);
  expect(DATA_TYPES.filter((datatype) => !known.includes(datatype))).toEqual(['BYTES', 'BF16']);
  for (const datatype of known) {
    expect(datatypeOfNumpy(numpyName(datatype) ?? '')).toBe(datatype);
    expect(Number(numpyKind(datatype)?.slice(1))).toBe(elementByteSize(datatype));
  }
  expect([datatypeOfNumpy('object'), numpyKind('BF16')]).toEqual([undefined, undefined]);
});

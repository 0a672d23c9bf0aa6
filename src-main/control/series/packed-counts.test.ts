import fc from 'fast-check';
import { expect, test } from 'vitest';

import { packCounts, unpackCounts } from './packed-counts.ts';

test('what is packed comes back', () => {
  const counts = fc.dictionary(
    fc.nat(4000).map(String),
    fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 2 ** 40 })),
  );
  fc.assert(
    fc.property(counts, (byKey) => {
      const sparse = Object.entries(byKey)
        .map(([key, count]) => [Number(key), count] as const)
        .sort((a, b) => a[0] - b[0])
        .flat();
      expect(unpackCounts(packCounts(sparse))).toEqual(sparse);
    }),
  );
});

test('a count among neighbours takes two bytes', () => {
  expect(packCounts([900, 5, 901, 120, 960, 1])).toHaveLength(7);
  expect(packCounts([])).toHaveLength(0);
});

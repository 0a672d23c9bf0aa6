import { expect, test } from 'vitest';

import { fitting } from './overflow-row.tsx';

test.each([
  ['all fit', [50, 50], 100, 2],
  ['the last one goes, and the button for it takes room too', [50, 50, 50], 140, 2],
  ['the button alone', [50, 50], 40, 0],
  ['nothing is laid out yet', [50, 50], 0, 2],
  ['none', [], 10, 0],
])('%s', (_what, widths, available, count) => {
  expect(fitting(widths, available)).toBe(count);
});

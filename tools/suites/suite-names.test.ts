import { expect, test } from 'vitest';

import { longSuites } from './long-suites.ts';
import { quickSuites } from './quick-suites.ts';

test('every suite has a name of its own, by which it is asked for and its report is kept', () => {
  const names = [...quickSuites(2), ...longSuites()].map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

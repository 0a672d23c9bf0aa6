import { expect, test } from 'vitest';

import { portRange } from './port-conflict-dialog.tsx';

test('neighbouring ports read as a range', () => {
  expect([portRange([8010, 8011, 8012]), portRange([8010, 9011]), portRange([8010])]).toEqual([
    '8010-8012',
    '8010, 9011',
    '8010',
  ]);
});

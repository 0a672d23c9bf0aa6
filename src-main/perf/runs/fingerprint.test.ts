import { expect, it } from 'vitest';

import { machineWarnings } from './fingerprint.ts';

it.each([
  ['a steady machine', { powerSource: 'AC', throttleCount: 5 }, { powerSource: 'AC', throttleCount: 5 }, []],
  [
    'a machine that tells nothing',
    { powerSource: '', throttleCount: undefined },
    { powerSource: '', throttleCount: undefined },
    [],
  ],
  [
    'a plug that was pulled',
    { powerSource: 'AC', throttleCount: undefined },
    { powerSource: 'battery', throttleCount: undefined },
    [/battery/],
  ],
  [
    'heat',
    { powerSource: 'AC', throttleCount: 5 },
    { powerSource: 'AC', throttleCount: 9 },
    [/slowed down 4 times/],
  ],
])('%s', (_name, before, after, expected) => {
  const warnings = machineWarnings(before, after);
  expect(warnings).toHaveLength(expected.length);
  for (const [index, pattern] of expected.entries()) expect(warnings[index]).toMatch(pattern);
});

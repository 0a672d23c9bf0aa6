import { expect, test } from 'vitest';

import type { VersionPolicy } from './version-policy.ts';
import { isSamePolicy, readPolicy, withPolicy, wouldServe } from './version-policy.ts';

const TEXT = '# mine\nname: "m"\nversion_policy { latest { num_versions: 2 } }\nmax_batch_size: 4\n';
const policy = (change: Partial<VersionPolicy>): VersionPolicy => ({
  kind: 'default',
  latestCount: 1,
  versions: [],
  ...change,
});

test('a policy is read', () => {
  expect(readPolicy(TEXT)).toEqual(policy({ kind: 'latest', latestCount: 2 }));
  expect(readPolicy('')).toEqual(policy({}));
});

test.each([policy({ kind: 'all' }), policy({ kind: 'specific', versions: [1, 3] }), policy({})])(
  'the policy $kind replaces the one before and leaves the rest alone',
  (wanted) => {
    const text = withPolicy(TEXT, wanted);
    expect(isSamePolicy(readPolicy(text), wanted)).toBe(true);
    expect(text).toContain('# mine\nname: "m"\n');
    expect(text).toContain('max_batch_size: 4\n');
    expect(text.includes('latest')).toBe(false);
  },
);

test.each([
  [policy({}), [3]],
  [policy({ kind: 'latest', latestCount: 2 }), [2, 3]],
  [policy({ kind: 'all' }), [1, 2, 3]],
  [policy({ kind: 'specific', versions: [1, 9] }), [1]],
])('%j would serve %j', (wanted, served) => {
  expect(wouldServe(wanted, [3, 1, 2])).toEqual(served);
});

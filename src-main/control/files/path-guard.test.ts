// Which paths a page may name.

import os from 'node:os';

import { expect, test } from 'vitest';

import { PathGuard } from './path-guard.ts';

const guard = new PathGuard(() => []);

test.each(['s3://bucket/models', 's3://https://host:9000/bucket', 'gs://bucket', 'as://account/container'])(
  '%s is told apart from a path that lacks its beginning',
  (location) => {
    expect(() => guard.check(location)).toThrow(`'${location}' is no folder of this machine`);
  },
);

test('a path has to be whole, there, and inside a root if there are any', () => {
  expect(() => guard.check('models')).toThrow("'models' is no absolute path");
  expect(() => guard.check('/no/such/folder')).toThrow('does not exist or cannot be read');
  expect(guard.check(os.tmpdir())).not.toBe('');
  expect(() => new PathGuard(() => [os.tmpdir()]).check('/')).toThrow('outside the folders');
});

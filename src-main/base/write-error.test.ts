import { expect, test } from 'vitest';

import { writeError } from './write-error.ts';

const full = (more: object = {}): Error =>
  Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', ...more });

test.each([
  [
    full(),
    '/data/models/net/config.pbtxt',
    "'config.pbtxt' could not be written: no space is left on the disk of /data/models/net",
  ],
  [
    full({ path: '/a/b', dest: '/data/c' }),
    undefined,
    "'c' could not be written: no space is left on the disk of /data",
  ],
  [full({ path: '/data/c' }), undefined, "'c' could not be written: no space is left on the disk of /data"],
  [full({ code: 'EDQUOT' }), undefined, 'A file could not be written: no space is left on the disk'],
])('a full disk is told by file and folder as far as they are known', (thrown, file, message) => {
  expect(writeError(thrown, file)).toMatchObject({
    code: 'UNAVAILABLE',
    message,
    details: { remedy: expect.stringMatching(/^Make room on/) as string },
    cause: thrown,
  });
});

test.each([Object.assign(new Error('denied'), { code: 'EACCES' }), 'a text', undefined])(
  'what no full disk is to blame for stays as it was',
  (thrown) => expect(writeError(thrown, '/a')).toBe(thrown),
);

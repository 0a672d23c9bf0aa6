import { expect, test } from 'vitest';

import { CallMetadata } from './call-metadata.ts';

test("the map has the last value of each key, bytes of those in -bin, and nothing of the protocol's", () => {
  const metadata = new CallMetadata([
    ':path',
    '/service/method',
    'te',
    'trailers',
    'my_one',
    '1',
    'my_one',
    '2 ',
    'some-bin',
    Buffer.from([7]).toString('base64'),
  ]);
  expect(metadata.map()).toEqual({ my_one: '2 ', 'some-bin': Buffer.from([7]) });
  expect(metadata.get('my_one')).toEqual(['1', '2 ']);
});

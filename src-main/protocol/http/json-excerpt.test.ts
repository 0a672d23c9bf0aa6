import { describe, expect, test } from 'vitest';
import { jsonExcerpt } from './json-excerpt.ts';

const excerpt = (text: string, ...keys: string[]): string => jsonExcerpt(Buffer.from(text), keys);

describe('jsonExcerpt', () => {
  test.each([
    ['{"ready":true,"x":[1,{"ready":1}]}', '{"ready":true}'],
    ['{"ready":[[[1]],{"a":1},"t",null]}', '{"ready":[[],{},"t",null]}'],
    ['{"ready":1.0}', '{"ready":1.0}'],
    ['{"ready":18446744073709551615}', '{"ready":18446744073709551615}'],
    ['{"ready":"\\u20ac\\"\\n"}', '{"ready":"\u20ac\\"\\n"}'],
    ['{"ready":1,"ready":2}', '{"ready":1}'],
    ['{"x":1}', '{}'],
    ['{"ready":{"ready":1,"other":2}}', '{"ready":{"ready":1}}'],
    ['[1]', '[1]'],
    ['null', 'null'],
  ])('%s', (text, expected) => {
    expect(excerpt(text, 'ready')).toBe(expected);
  });

  test('what is no JSON is refused', () => {
    expect(() => excerpt('{"ready":')).toThrow('failed to parse the request JSON buffer');
  });
});

import { describe, expect, test } from 'vitest';

import { ValueFormatter } from './value-formatter.ts';

function format(text: string, escapesNonAscii = false): string | undefined {
  const value = new ValueFormatter(escapesNonAscii);
  let written = '';
  // A number ends only with what is behind it.
  for (const unit of `${text}\n`.split('')) {
    if (value.isDone) return /^\s$/.test(unit) ? written : undefined;
    written += value.push(unit);
    if (value.isBroken) return undefined;
  }
  return value.isDone ? written : undefined;
}

describe('a value is written as json.dumps writes it', () => {
  test.each([
    ['{"a":1,"b":[true,null,"x"]}', '{"a": 1, "b": [true, null, "x"]}'],
    ['{ "a" :\n1 , "b" : { } }', '{"a": 1, "b": {}}'],
    ['[ ]', '[]'],
    ['[[1],[]]', '[[1], []]'],
    ['12345678901234567890', '12345678901234567890'],
    ['-1.50e+3', '-1.50e+3'],
    ['"\\/ \\u0041 \\n \\u0007 \\" \\\\"', '"/ A \\n \\u0007 \\" \\\\"'],
    ['"é\\u00e9"', '"éé"'],
  ])('%s', (text, written) => {
    expect(format(text)).toBe(written);
  });

  test('letters beyond ASCII are escaped where they are wanted so, pairs as two', () => {
    expect(format('"é 😀 \u007f"', true)).toBe('"\\u00e9 \\ud83d\\ude00 \\u007f"');
  });
});

describe('what is no JSON breaks it', () => {
  test.each([
    ...[
      '{a:1}',
      '{"a" 1}',
      '{"a":1,}',
      '[1,]',
      '[1}',
      '{"a":1]',
      '01',
      'tru',
      '1.',
      '-',
      '"\\x"',
      '"\\u12G4"',
    ],
    ...[
      '{,}',
      '[,1]',
      '{"a":}',
      '}',
      ':',
      ',',
      `"a${String.fromCodePoint(1)}"`,
      '{1:2}',
      '[1 2]',
      '{"a":1 "b":2}',
    ],
  ])('%j', (text) => {
    expect(format(text)).toBeUndefined();
  });
});

test('pieces leave as they come', () => {
  const value = new ValueFormatter(false);
  const pieces = [...'{"city": "Par'].map((unit) => value.push(unit));
  expect(pieces.join('')).toBe('{"city": "Par');
  expect(value.isDone).toBe(false);
});

test('a number without an end is given up', () => {
  expect(format(`[${'1'.repeat(2000)}]`)).toBeUndefined();
});

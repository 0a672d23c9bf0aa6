import { describe, expect, test } from 'vitest';

import { HpackDecoder } from '../../../http2/hpack-decoder.ts';
import { statusOnly, statusTrailers } from './reply-blocks.ts';

function fieldsOf(block: Uint8Array): Map<string, string> {
  const { fields } = new HpackDecoder(4096, 65_536).decode(Buffer.from(block));
  const found = new Map<string, string>();
  for (let at = 0; at < fields.length; at += 2) found.set(fields[at] ?? '', fields[at + 1] ?? '');
  return found;
}

const TEXTS: readonly (readonly [name: string, details: string, field: string])[] = [
  ['words', 'Deadline Exceeded', 'Deadline Exceeded'],
  [
    'every printable sign',
    `in "a[1]" <b> {c} ^d^ \`e\` |f| ~g~ h\\i; 'j'`,
    `in "a[1]" <b> {c} ^d^ \`e\` |f| ~g~ h\\i; 'j'`,
  ],
  ['a percent sign', '100% of it', '100%25 of it'],
  ['control characters', 'one\ntwo\tthree\u007f', 'one%0Atwo%09three%7F'],
  ['beyond ASCII', 'größe 😀', 'gr%C3%B6%C3%9Fe %F0%9F%98%80'],
  ['half of a surrogate pair', 'a\ud800b', 'a%EF%BF%BDb'],
];

describe.each(TEXTS)('a status text of %s', (_name, details, field) => {
  test.each([
    ['trailers', statusTrailers],
    ['the only block', statusOnly],
  ] as const)('stands in %s as clients show it', (_where, encode) => {
    const fields = fieldsOf(encode(3, details));
    expect(fields.get('grpc-status')).toBe('3');
    expect(fields.get('grpc-message')).toBe(field);
    expect(decodeURIComponent(field)).toBe(details.toWellFormed());
  });
});

test.each([
  ['plain signs', 'x'.repeat(5_000_000)],
  ['lines', 'a line\n'.repeat(1100)],
  ['letters of three bytes', '한'.repeat(1000)],
  ['pairs', '😀'.repeat(1000)],
])('a long text of %s is cut, so that clients show it at all', (_, details) => {
  const field = fieldsOf(statusTrailers(13, details)).get('grpc-message') ?? '';
  expect(field.length).toBeLessThanOrEqual(7168);
  expect(field.length).toBeGreaterThan(7000);
  const [, kept = '', more] = /^(.*)\.\.\. \((\d+) characters more\)$/s.exec(decodeURIComponent(field)) ?? [];
  expect(details.startsWith(kept.replace(/\ufffd$/, ''))).toBe(true);
  expect(kept.length + Number(more)).toBe(details.length);
});

test('a text that just fits is not cut', () => {
  const details = 'x'.repeat(7168);
  expect(fieldsOf(statusTrailers(13, details)).get('grpc-message')).toBe(details);
});

test('a status without a text has no field for it', () => {
  expect([...fieldsOf(statusTrailers(0, '')).keys()]).toEqual(['grpc-status']);
});

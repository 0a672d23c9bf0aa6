import { expect, test } from 'vitest';

import type { PlainHead } from '../wire/plain-head.ts';
import { readPlainHead } from '../wire/plain-head.ts';
import { HeadBook } from './head-book.ts';

const head = (length: number, ...fields: string[]): PlainHead =>
  readPlainHead(
    ['POST /v2/models/m/infer HTTP/1.1', `Content-Length: ${length}`, ...fields].join('\r\n'),
  ) as PlainHead;

function book(isExact = false): { told: string[]; heads: HeadBook } {
  const told: string[] = [];
  const heads = new HeadBook(
    isExact,
    (number, { contentLength }) => told.push(`${number}: ${contentLength}`),
    () => told.push('forget'),
  );
  return { told, heads };
}

test('heads that differ in their length alone have one number, unless that counts', () => {
  const plain = book();
  expect([1, 2, 1].map((length) => plain.heads.number(head(length)))).toEqual([0, 0, 0]);
  expect(plain.heads.number(head(1, 'User-Agent: a'))).toBe(1);
  expect(plain.told).toEqual(['0: 1', '1: 1']);
  const exact = book(true);
  expect([1, 2, 1].map((length) => exact.heads.number(head(length)))).toEqual([0, 1, 0]);
});

test('one object keeps its number, also after others', () => {
  const { heads, told } = book();
  const first = head(1, 'X-A: 1');
  expect([heads.number(first), heads.number(head(1)), heads.number(first)]).toEqual([0, 1, 0]);
  expect(told).toHaveLength(2);
});

test('so many heads are kept, then it begins anew', () => {
  const { heads, told } = book();
  const first = head(1, 'X-A: 0');
  for (let index = 0; index < 512; index += 1) heads.number(index === 0 ? first : head(1, `X-A: ${index}`));
  expect(told).not.toContain('forget');
  expect(heads.number(head(1, 'X-A: 512'))).toBe(0);
  // The one of before has no number any more.
  expect(heads.number(first)).toBe(1);
  expect(told.slice(512)).toEqual(['forget', '0: 1', '1: 1']);
});

test('so many characters of them are kept', () => {
  const { heads, told } = book();
  for (let index = 0; index < 40; index += 1) heads.number(head(1, `X-A: ${index}${'x'.repeat(15_000)}`));
  expect(told.filter((one) => one === 'forget')).toHaveLength(1);
});

import { expect, test } from 'vitest';

import { FakeClock } from '../testing/fake-clock.ts';
import { ClientBook, countError } from './client-book.ts';

test('requests are counted by protocol and user agent, errors by whoever answers', () => {
  const book = new ClientBook(new FakeClock());
  countError(book.note('HTTP', 'curl/8.5'), '400', 'no such input');
  book.note('HTTP', 'curl/8.5');
  book.note('gRPC', 'curl/8.5');
  book.note('HTTP', '');
  expect(
    book.list().map((e) => [e.protocol, e.userAgent, e.requestCount, e.errorCount, e.lastError]),
  ).toEqual(
    expect.arrayContaining([
      ['HTTP', 'curl/8.5', 2, 1, '400 no such input'],
      ['gRPC', 'curl/8.5', 1, 0, undefined],
      ['HTTP', '', 1, 0, undefined],
    ]),
  );
});

test('the client not seen for longest makes room for a new one', async () => {
  const clock = new FakeClock();
  const book = new ClientBook(clock);
  for (let index = 0; index < 100; index += 1) {
    book.note('HTTP', `client ${index}`);
    await clock.advance(10);
  }
  book.note('HTTP', 'client 0');
  book.note('HTTP', 'a new one');
  const names = book.list().map(({ userAgent }) => userAgent);
  expect(names).toHaveLength(100);
  expect(names).toContain('client 0');
  expect(names).toContain('a new one');
  expect(names).not.toContain('client 1');
});

test('requests of a protocol are counted over clients, also over those that made room', () => {
  const book = new ClientBook(new FakeClock());
  for (let index = 0; index < 130; index += 1) book.note('OpenAI', `client ${index}`);
  book.note('OpenAI', 'client 129');
  book.note('HTTP', 'client 129');
  expect(book.list().filter(({ protocol }) => protocol === 'OpenAI')).toHaveLength(100);
  expect(book.countOf('OpenAI')).toBe(131);
  expect([book.countOf('HTTP'), book.countOf('SageMaker')]).toEqual([1, 0]);
});

test('a very long user agent is cut', () => {
  const book = new ClientBook(new FakeClock());
  book.note('HTTP', 'x'.repeat(10_000));
  book.note('HTTP', 'x'.repeat(10_001));
  expect(book.list().map(({ userAgent, requestCount }) => [userAgent.length, requestCount])).toEqual([
    [200, 2],
  ]);
});

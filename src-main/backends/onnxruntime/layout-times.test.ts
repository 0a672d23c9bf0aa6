import { describe, expect, it } from 'vitest';

import { TimesBook } from './layout-times.ts';

const feed = (...dims: readonly number[]) => ({ dims, byteSize: 4, segments: [] });

function noted(...runs: readonly (readonly [count: number, runNs: number])[]) {
  const times = new TimesBook().of([feed(1, 4)]);
  for (const [count, runNs] of runs) for (let run = 0; run < count; run += 1) times.note(runNs);
  return times.areShort;
}

describe('the last runs of a set of shapes', () => {
  it('say nothing before there are 64 of them', () => {
    expect(noted([63, 1000])).toBe(false);
    expect(noted([64, 1000])).toBe(true);
  });

  it('are short up to 80 us', () => {
    expect(noted([64, 80_000])).toBe(true);
    expect(noted([64, 80_001])).toBe(false);
  });

  it('may have a quarter of outliers', () => {
    expect(noted([48, 1000], [16, 1e9])).toBe(true);
    expect(noted([47, 1000], [17, 1e9])).toBe(false);
  });

  it('are the last 64', () => {
    expect(noted([640, 1000], [17, 90_000])).toBe(false);
    expect(noted([640, 1e9], [64, 30_000])).toBe(true);
  });
});

describe('the book of a model', () => {
  it('tells shapes apart, also of inputs that are left out', () => {
    const book = new TimesBook();
    const first = book.of([feed(1, 4), feed(2)]);
    const others = [
      [feed(1, 4), undefined],
      [feed(4, 1), feed(2)],
      [feed(1, 4, 1), feed(2)],
      [undefined, feed(2)],
    ];
    for (const feeds of others) expect(book.of(feeds)).not.toBe(first);
    expect(book.of([feed(1, 4), feed(2)])).toBe(first);
  });

  it('forgets the shapes that were longest unused', () => {
    const book = new TimesBook();
    const first = book.of([feed(0)]);
    const second = book.of([feed(1)]);
    for (let size = 2; size < 8; size += 1) book.of([feed(size)]);
    expect(book.of([feed(0)])).toBe(first);
    book.of([feed(8)]);
    expect(book.of([feed(0)])).toBe(first);
    expect(book.of([feed(1)])).not.toBe(second);
  });
});

import { describe, expect, it } from 'vitest';

import { bytesLeftBehind } from '../testing/minor-collections.ts';
import { InFlight } from './in-flight.ts';

interface Entry {
  readonly number: number;
}

const entry = (number: number): Entry => ({ number });

describe('what is under way', () => {
  it('is found by its number until it is taken out', () => {
    const table = new InFlight<Entry>();
    const first = table.add(entry);
    const second = table.add(entry);
    expect([first.number, second.number]).toEqual([1, 2]);
    expect(table.get(1)).toBe(first);
    expect(table.take(1)).toBe(first);
    expect([table.get(1), table.take(1), table.get(0), table.get(33)]).toEqual(
      Array.from({ length: 4 }, () => undefined),
    );
    expect([table.size, table.values()]).toEqual([1, [second]]);
  });

  it('keeps what stays long while others come and go', () => {
    const table = new InFlight<Entry>();
    const stays = table.add(entry);
    const seen = new Set<number>([stays.number]);
    for (let count = 0; count < 1000; count += 1) {
      const { number } = table.add(entry);
      expect(seen.has(number)).toBe(false);
      seen.add(number);
      table.take(number);
    }
    expect(table.values()).toEqual([stays]);
    expect(table.get(stays.number)).toBe(stays);
  });

  it('grows with what it holds', () => {
    const table = new InFlight<Entry>();
    const entries = Array.from({ length: 1000 }, () => table.add(entry));
    expect(table.size).toBe(1000);
    expect(entries.every((each) => table.get(each.number) === each)).toBe(true);
    expect(table.values()).toEqual(entries);
  });

  it('begins again after the largest number, past those still there', () => {
    const table = new InFlight<Entry>(0x7fff_fffd);
    const numbers = Array.from({ length: 3 }, () => table.add(entry).number);
    expect(numbers).toEqual([0x7fff_fffe, 0x7fff_ffff, 1]);
    expect(table.get(0x7fff_ffff)?.number).toBe(0x7fff_ffff);
  });

  it('forgets the number of an entry that could not be made', () => {
    const table = new InFlight<Entry>();
    expect(() =>
      table.add(() => {
        throw new Error('no');
      }),
    ).toThrow('no');
    expect([table.size, table.values()]).toEqual([0, []]);
  });

  it('lets go of what was taken out, also when it is old itself', () => {
    const table = new InFlight<Entry & { readonly content: readonly number[] }>();
    const fill = (count: number): void => {
      for (let done = 0; done < count; done += 1) {
        const content = Array.from({ length: 200 }, () => 0);
        const { number } = table.add((each) => ({ number: each, content }));
        if (number > 16) table.take(number - 16);
      }
    };
    const leftBytes = bytesLeftBehind(
      () => fill(100),
      () => fill(20_000),
    );
    expect(table.size).toBe(16);
    // The entries take more than 30 MB together; what lives are 16 of them.
    expect(leftBytes).toBeLessThan(8_000_000);
  });
});

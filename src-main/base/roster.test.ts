import { expect, test } from 'vitest';

import { Roster } from './roster.ts';

const entry = (name: string) => ({ name, rosterIndex: -1 });
const names = (roster: Roster<ReturnType<typeof entry>>) =>
  roster
    .toArray()
    .map(({ name }) => name)
    .sort();

test('knows who is here, whoever leaves first', () => {
  const roster = new Roster<ReturnType<typeof entry>>();
  const [a, b, c, d] = [entry('a'), entry('b'), entry('c'), entry('d')] as const;
  for (const one of [a, b, c, d]) roster.add(one);
  roster.remove(a);
  expect(names(roster)).toEqual(['b', 'c', 'd']);
  roster.remove(d);
  roster.remove(a);
  expect(names(roster)).toEqual(['b', 'c']);
  roster.add(a);
  roster.remove(b);
  roster.remove(c);
  expect([names(roster), roster.length]).toEqual([['a'], 1]);
  roster.remove(a);
  roster.remove(a);
  expect(roster.length).toBe(0);
});

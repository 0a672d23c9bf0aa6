import { expect, test } from 'vitest';

import type { LogLine } from '../../../src-shared/contract/observe-views.ts';
import { fakeLogs } from '../../testing/fake-views.ts';
import { FilteredLog, logMatcher, NO_FILTER, tritonLine } from './log-filter.ts';

function line(changes: Partial<LogLine>): LogLine {
  return {
    sequence: 1,
    atMs: 0,
    pid: 4242,
    level: 'info',
    room: 'repository',
    message: '',
    model: undefined,
    instance: undefined,
    requestId: undefined,
    ...changes,
  };
}

test.each([
  [
    'words in any order and case',
    { text: 'SIMPLE loaded' },
    line({ message: "successfully loaded 'simple'" }),
    true,
  ],
  ['a missing word', { text: 'simple failed' }, line({ message: "successfully loaded 'simple'" }), false],
  ['the request id', { text: 'r-7' }, line({ requestId: 'r-7' }), true],
  ['an expression', { text: '/load(ed|ing)/' }, line({ message: 'Loading x' }), true],
  ['an expression on the request id', { text: '/^r-\\d+$/' }, line({ requestId: 'r-7' }), true],
  ['a case-sensitive expression', { text: '/loading/u' }, line({ message: 'Loading x' }), false],
  ['a level that is too low', { minLevel: 'warn' as const }, line({ level: 'info' }), false],
  ['another model', { models: ['a'] }, line({ model: 'b' }), false],
  [
    'a message that names the model',
    { models: ['a'] },
    line({ message: "failed to load 'a' version 1" }),
    true,
  ],
  ['a cleared line', { clearedUpTo: 1 }, line({}), false],
])('%s', (_title, filter, candidate, matches) => {
  expect(logMatcher({ ...NO_FILTER, ...filter })(candidate)).toBe(matches);
});

test('an expression that cannot be read throws', () => {
  expect(() => logMatcher({ ...NO_FILTER, text: '/(/' })).toThrow(SyntaxError);
});

test('new lines are looked at once, dropped ones leave the view', () => {
  const all = fakeLogs(50);
  const view = new FilteredLog();
  const before = view.setFilter({ ...NO_FILTER, minLevel: 'error' }, all.slice(0, 20));
  const after = view.update(all);
  expect(before.every(({ level }) => level === 'error')).toBe(true);
  expect(after.map(({ sequence }) => sequence)).toEqual(
    all.filter(({ level }) => level === 'error').map(({ sequence }) => sequence),
  );
  expect(view.update(all.slice(30)).every(({ sequence }) => sequence > 30)).toBe(true);
});

test('a text that goes on is looked for in what matched, and shows what a fresh look would', () => {
  const all = fakeLogs(200);
  const asked = { count: 0 };
  const watched = all.map((one) => ({
    ...one,
    get room(): string {
      asked.count += 1;
      return one.room;
    },
  }));
  const view = new FilteredLog();
  const typed = ['', 'l', 'lo', 'loaded', 'loaded s', 'load', '/load/', '/load/x', '/load', ''];
  const looks = typed.map((text) => {
    asked.count = 0;
    const filter = { ...NO_FILTER, text, models: [] };
    const shown = view.setFilter(filter, watched).map(({ sequence }) => sequence);
    expect(shown, text).toEqual(all.filter(logMatcher(filter)).map(({ sequence }) => sequence));
    return asked.count;
  });
  const matching = (text: string): number => all.filter(logMatcher({ ...NO_FILTER, text })).length;
  expect(looks.slice(2, 5)).toEqual([matching('l'), matching('lo'), matching('loaded')]);
  expect(looks[5]).toBe(200);
  expect(view.setFilter({ ...NO_FILTER, minLevel: 'error', text: 'l' }, watched)).toEqual(
    watched.filter(({ level, message }) => level === 'error' && message.includes('l')),
  );
});

test('lines are copied as the server prints them: with its process, and whom they are about where the text does not say', () => {
  const at = Date.UTC(2026, 4, 4, 12, 4, 0, 137);
  const copied = (changes: Partial<LogLine>) => tritonLine(line({ atMs: at, ...changes }));
  expect(copied({ level: 'warn', message: 'careful' })).toBe(
    'W0504 12:04:00.137000 4242 repository:0] "careful"',
  );
  expect(copied({ message: "loaded 'm'", model: 'm', instance: 'm_0', requestId: 'r7' })).toBe(
    'I0504 12:04:00.137000 4242 repository:0] "loaded \'m\' instance=m_0 requestId=r7"',
  );
  expect(copied({ message: '\n+---+\n| a |\n+---+' })).toBe(
    'I0504 12:04:00.137000 4242 repository:0] \n+---+\n| a |\n+---+',
  );
  expect(copied({ message: '\nI0504 forged' })).toBe(
    'I0504 12:04:00.137000 4242 repository:0] "\\nI0504 forged"',
  );
});

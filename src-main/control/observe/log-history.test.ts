// The log lines that a window can ask for: numbered, in batches, and going on where a former process ended.

import { afterEach, expect, test } from 'vitest';

import type { LogLine } from '../../../src-shared/contract/observe-views.ts';
import { getLogger } from '../../base/log.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { LogHistory } from './log-history.ts';

const log = getLogger('history test');
const closing: LogHistory[] = [];
afterEach(() => closing.splice(0).forEach((history) => history.close()));

function started(clock = new FakeClock()) {
  const batches: (readonly LogLine[])[] = [];
  const history = new LogHistory({ clock, onLines: (lines) => batches.push(lines), pid: 4242 });
  history.start();
  closing.push(history);
  return { clock, history, batches };
}

test('lines come in batches, each with what it is about', async () => {
  const { clock, batches } = started();
  log.warn('careful', { model: 'm', instance: 'm_0', requestId: 'r7' });
  log.info('more');
  expect(batches).toEqual([]);
  await clock.advance(100);
  expect(batches).toHaveLength(1);
  expect(batches[0]?.[0]).toMatchObject({
    pid: 4242,
    level: 'warn',
    room: 'history test',
    message: 'careful',
    model: 'm',
    instance: 'm_0',
    requestId: 'r7',
  });
  expect(batches[0]?.[1]).toMatchObject({
    message: 'more',
    model: undefined,
    instance: undefined,
    requestId: undefined,
  });
  await clock.advance(1000);
  expect(batches).toHaveLength(1);
});

test('a flood waits its turn: at most 200 lines, ten times a second', async () => {
  const { clock, batches } = started();
  for (let index = 0; index < 450; index += 1) log.info(`line ${index}`);
  await clock.advance(100);
  expect(batches.map(({ length }) => length)).toEqual([200]);
  await clock.advance(300);
  expect(batches.map(({ length }) => length)).toEqual([200, 200, 50]);
  expect(batches.flat().map(({ message }) => message)).toEqual(
    Array.from({ length: 450 }, (_, index) => `line ${index}`),
  );
});

test('long lines: 16 MiB of them are kept, and a batch is some megabyte', async () => {
  const { clock, history, batches } = started();
  const text = 'x'.repeat(64 * 1024);
  for (let index = 0; index < 300; index += 1) log.info(`${text.slice(3)}${String(index).padStart(3, '0')}`);
  const ends = (lines: readonly LogLine[]) => lines.map(({ message }) => Number(message.slice(-3)));
  expect(ends(history.after(0, 1000))).toEqual(Array.from({ length: 256 }, (_, index) => 44 + index));
  await clock.advance(100);
  expect(batches.map(ends)).toEqual([Array.from({ length: 16 }, (_, index) => 44 + index)]);
});

test('what came after a line is given, the newest of it', () => {
  const { history } = started();
  for (const text of ['a', 'b', 'c', 'd']) log.info(text);
  const all = history.after(0, 100);
  expect(all.map(({ message }) => message)).toEqual(['a', 'b', 'c', 'd']);
  expect(history.after(all[1]?.sequence ?? 0, 100).map(({ message }) => message)).toEqual(['c', 'd']);
  expect(history.after(0, 2).map(({ message }) => message)).toEqual(['c', 'd']);
  expect(history.after(all[3]?.sequence ?? 0, 2)).toEqual([]);
});

test('the lines of the next process come after those of this one, for windows that outlive both', async () => {
  const clock = new FakeClock();
  const before = started(clock);
  for (let index = 0; index < 50; index += 1) log.info(`old ${index}`);
  const known = before.history.after(0, 100).at(-1)?.sequence ?? 0;
  before.history.close();
  await clock.advance(1000);
  const { history } = started(clock);
  log.info('new');
  expect(history.after(known, 100).map(({ message }) => message)).toEqual(['new']);
  expect(Number.isSafeInteger(history.after(known, 100)[0]?.sequence)).toBe(true);
});

test('nothing is taken after it was closed', () => {
  const { history } = started();
  history.close();
  log.info('late');
  expect(history.after(0, 10)).toEqual([]);
});

// What of a model that prints a lot gets into the log.

import { expect, test } from 'vitest';

import { FakeClock } from '../../testing/fake-clock.ts';
import { PrintedLines } from './printed-lines.ts';

const burst = (count: number): Buffer =>
  Buffer.from(Array.from({ length: count }, (_, at) => `line ${at}\n`).join(''));

function printed(): { readonly clock: FakeClock; readonly lines: string[]; readonly printing: PrintedLines } {
  const clock = new FakeClock();
  const lines: string[] = [];
  return { clock, lines, printing: new PrintedLines(clock, (line) => lines.push(line)) };
}

test('what a burst leaves out is said once, although nothing is printed after it', async () => {
  const { clock, lines, printing } = printed();
  printing.push(burst(1200));
  expect(lines).toHaveLength(1000);
  await clock.advance(1000);
  expect(lines.at(-1)).toBe('(200 further lines of output left out: more than 1000 lines or 1 MiB a second)');
  await clock.advance(5000);
  printing.push(burst(1));
  printing.end();
  expect(lines).toHaveLength(1002);
});

test('the next second has its lines again, behind what was left out before', async () => {
  const { clock, lines, printing } = printed();
  printing.push(burst(1100));
  printing.push(burst(50));
  await clock.advance(1000);
  printing.push(burst(2));
  expect(lines.slice(1000)).toEqual([
    '(150 further lines of output left out: more than 1000 lines or 1 MiB a second)',
    'line 0',
    'line 1',
  ]);
});

test('a line that goes on without end is said in parts, and the end of the output ends one', () => {
  const { lines, printing } = printed();
  printing.push(Buffer.from('x'.repeat(20_000)));
  printing.push(Buffer.from('tail'));
  printing.end();
  expect(lines.map((line) => line.length)).toEqual([16 * 1024 + '... (3616 characters more)'.length, 4]);
});

test('long lines: a second has a megabyte of them', async () => {
  const { clock, lines, printing } = printed();
  for (let at = 0; at < 100; at += 1) printing.push(Buffer.from(`${'x'.repeat(16 * 1024)}\n`));
  expect(lines).toHaveLength(64);
  await clock.advance(1000);
  expect(lines.slice(64)).toEqual([
    '(36 further lines of output left out: more than 1000 lines or 1 MiB a second)',
  ]);
  printing.push(Buffer.from('again\n'));
  expect(lines.at(-1)).toBe('again');
});

test.each([
  ['several lines of one chunk', ['a\nb\nc\n'], 3],
  ['a line that comes in parts', ['abc', 'def', 'ghi\n', 'next\n'], 2],
  ['a line whose end comes by itself', ['abc', '\nnext\n'], 2],
  ['empty lines, which the log has none of', ['\n\na\n\n'], 1],
  ['one that never ends', ['x'.repeat(100_000)], 1],
])('what is left out is counted in lines: %s', (_, chunks, count) => {
  const { lines, printing } = printed();
  printing.push(burst(1000));
  for (const chunk of chunks) printing.push(Buffer.from(chunk));
  printing.end();
  expect(lines.slice(1000)).toEqual([
    `(${count} further lines of output left out: more than 1000 lines or 1 MiB a second)`,
  ]);
});

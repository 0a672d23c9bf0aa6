// Lines, tables, routing and settings of the log.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';

import type { LogRecord } from '../base/log.ts';
import { getLogger, setLogSwitches } from '../base/log.ts';
import { logLine } from './log-line.ts';
import { LogOutput } from './log-output.ts';
import { LogSettings } from './log-settings.ts';
import { textTable } from './text-table.ts';

const record: LogRecord = {
  wallMs: Date.UTC(2026, 10, 21, 6, 5, 9, 42),
  level: 'warn',
  verbosity: 0,
  room: 'http',
  message: 'a "quoted"\nline',
  fields: { model: 'm', version: undefined },
};

afterEach(() => setLogSwitches({ info: true, warn: true, error: true, verboseLevel: 0 }));

test.each([
  ['default', true, 'W1121 06:05:09.042000 7 http:0] "a \\"quoted\\"\\nline model=m"'],
  ['ISO8601', true, '2026-11-21T06:05:09Z W 7 http:0] "a \\"quoted\\"\\nline model=m"'],
  ['default', false, 'W1121 06:05:09.042000 7 http:0] a "quoted"\nline model=m'],
] as const)('format %s, escaped: %s', (format, isEscaped, line) => {
  expect(logLine(record, { format, pid: 7, isEscaped })).toBe(line);
});

test('a message of several lines that is no table is escaped', () => {
  const map = { ...record, level: 'info' as const, message: '\nMax Resource Map===>\n', fields: undefined };
  expect(logLine(map, { format: 'default', pid: 7, isEscaped: true })).toMatch(
    /\] "\\nMax Resource Map===>\\n"$/,
  );
});

test('a table is never escaped', () => {
  const table = { ...record, level: 'info' as const, message: textTable([['A'], ['1']]), fields: undefined };
  expect(logLine(table, { format: 'default', pid: 7, isEscaped: true })).toBe(
    'I1121 06:05:09.042000 7 http:0] \n+---+\n| A |\n+---+\n| 1 |\n+---+\n',
  );
});

test('cells are wrapped when the table is too wide', () => {
  expect(
    textTable(
      [
        ['Model', 'Status'],
        ['m', 'x'.repeat(25)],
      ],
      30,
    ),
  ).toBe(
    [
      '',
      '+-------+--------------------+',
      '| Model | Status             |',
      '+-------+--------------------+',
      '| m     | xxxxxxxxxxxxxxxxxx |',
      '|       | xxxxxxx            |',
      '+-------+--------------------+',
      '',
    ].join('\n'),
  );
});

function capture(file = ''): { output: LogOutput; written: string[] } {
  const written: string[] = [];
  const write = (text: string): void => void written.push(text);
  return { output: new LogOutput({ format: 'default', file, pid: 7, write }), written };
}

test('records of every level go to one place, in their order', () => {
  const { output, written } = capture();
  const log = getLogger('room');
  log.info('i');
  log.warn('w');
  log.error('e');
  output.close();
  log.info('after closing');
  expect(written.map((line) => line.slice(-4))).toEqual(['"i"\n', '"w"\n', '"e"\n']);
});

test('with a file everything is appended to it', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'conch-log-'));
  const file = path.join(folder, 'server.log');
  for (const message of ['first', 'second']) {
    const { output, written } = capture(file);
    getLogger('room').info(message);
    output.close();
    expect(written).toEqual([]);
  }
  expect(await readFile(file, 'utf8')).toMatch(/"first"\n.*"second"\n$/);
  await rm(folder, { recursive: true });
});

test('a file that cannot be opened leaves the terminal in use', () => {
  const { output, written } = capture('/nonexistent-folder/log');
  getLogger('room').info('still here');
  output.close();
  expect(written[0]).toContain('failed to open log file');
  expect(written).toHaveLength(2);
});

test('settings switch levels independently and change the format', () => {
  const { output, written } = capture();
  const settings = new LogSettings(output, '');
  settings.update({ logInfo: false, logVerboseLevel: 1 });
  const log = getLogger('room');
  log.info('silenced');
  log.verbose(1, 'verbose');
  log.verbose(2, 'too verbose');
  log.error('error');
  expect(settings.update({ logFormat: 'ISO8601' })).toEqual({
    logFile: '',
    logInfo: false,
    logWarning: true,
    logError: true,
    logVerboseLevel: 1,
    logFormat: 'ISO8601',
  });
  log.error('iso');
  output.close();
  expect(written.map((line) => line.slice(-8))).toEqual(['erbose"\n', '"error"\n', '] "iso"\n']);
  expect(written[2]).toMatch(/^\d{4}-\d\d-\d\dT/);
});

test.each([
  [2 ** 31 - 1, 2 ** 31 - 1],
  [2 ** 31, 0],
  [2 ** 32 - 1, 0],
])(
  'the verbose level %d is told as %d, as a number of 32 bits with a sign that is not below zero',
  (given, told) => {
    const settings = new LogSettings(capture().output, '');
    expect(settings.update({ logVerboseLevel: given }).logVerboseLevel).toBe(told);
    settings.update({ logVerboseLevel: 0 });
  },
);

import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { addLogSink, getLogger } from '../base/log.ts';
import { RotatingLogFile } from './rotating-log-file.ts';

const log = getLogger('test');

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'conch-log-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function logFile(changes: Partial<ConstructorParameters<typeof RotatingLogFile>[0]> = {}): RotatingLogFile {
  return new RotatingLogFile({
    file: path.join(folder, 'logs/conch.log'),
    format: () => 'ISO8601',
    ...changes,
  });
}

test('lines of an earlier run stay, new ones follow, and nothing is written after the end', async () => {
  const first = logFile();
  first.start();
  log.info('one');
  first.close();
  log.info('between');
  const second = logFile();
  second.start();
  log.warn('two');
  second.close();
  const lines = (await readFile(first.path, 'utf8')).trim().split('\n');
  expect(lines.map((line) => line.split('] ')[1])).toEqual(['"one"', '"two"']);
});

test('a full file moves aside and the oldest is removed', async () => {
  const file = logFile({ maxByteSize: 120, keptFiles: 3 });
  file.start();
  for (let index = 0; index < 20; index += 1) log.info(`line ${index}`);
  file.close();
  const names = (await readdir(path.join(folder, 'logs'))).sort();
  expect(names).toEqual(['conch.1.log', 'conch.2.log', 'conch.log']);
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, 'logs', name), 'utf8')));
  for (const text of texts) expect(text.length).toBeLessThanOrEqual(120);
  expect(texts[2]).toContain('line 19');
  expect(texts.join('')).not.toContain('line 0"');
});

test('a file that cannot be written is said once and never stops the log', async () => {
  const warnings: string[] = [];
  const off = addLogSink(({ level, message }) => void (level === 'warn' && warnings.push(message)));
  const file = logFile({ file: path.join(folder, 'logs') });
  await mkdir(path.join(folder, 'logs'));
  file.start();
  log.info('one');
  log.info('two');
  off();
  file.close();
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain('is no longer written');
});

// Label files as a program in C++ reads them.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { configOf } from '../testing/config-text.ts';
import { readLabels } from './model-labels.ts';

const CONFIG = configOf('output [ { name: "O" data_type: TYPE_FP32 dims: [ 4 ] label_filename: "l.txt" } ]');

test.each([
  ['a\nb\n', ['a', 'b']],
  ['a\n\nb', ['a', '', 'b']],
  ['', []],
  ['a\r\nb\n', [process.platform === 'win32' ? 'a' : 'a\r', 'b']],
  [Buffer.from([0xff, 0x0a, 0xc3, 0xbc, 0x0a]), ['\u00ff', '\u00c3\u00bc']],
  ['a\0b\nc', ['a', 'c']],
])('%j holds the labels %j', async (text, expected) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'conch-labels-'));
  try {
    await writeFile(path.join(folder, 'l.txt'), text);
    expect((await readLabels(CONFIG, folder)).get('O')).toEqual(expected);
  } finally {
    await rm(folder, { recursive: true });
  }
});

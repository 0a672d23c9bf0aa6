// Writes docs/options.md from the table of options. With --check it only compares, so that a forgotten run is noticed.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import prettier from 'prettier';

import { SERVER_OPTIONS } from '../src-main/options/option-table.ts';
import { optionsPage } from './options-page.ts';

const file = path.resolve(import.meta.dirname, '../docs/options.md');
const style = await prettier.resolveConfig(file);
const text = await prettier.format(optionsPage(SERVER_OPTIONS), { ...style, parser: 'markdown' });
if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
} else if (readFileSync(file, 'utf8') !== text) {
  process.stderr.write('docs/options.md is out of date: run npm run docs\n');
  process.exitCode = 1;
}

// The checklist of scheduling behaviour as a list: every row has a test that carries its number in the title, here or
// in the file named for it. A row without a test fails by its number.

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';

const RANGES: readonly (readonly [first: number, last: number])[] = [
  [1, 19], // dynamic batcher
  [20, 28], // queue policies and priorities
  [30, 56], // direct sequences
  [60, 75], // oldest sequences, implicit state, iterative sequences
  [80, 89], // rate limiter, passive instances, worker threads
  [90, 105], // ensembles and decoupled models
  [110, 117], // response cache
  [120, 127], // optional inputs, reshape, variable, zero-size and scalar tensors
  [130, 133], // batch inputs and outputs, custom batching
  [140, 153], // cancellation, timeouts, response statistics
];

/** Rows whose test lies beside the source, by a part of its title. */
const ELSEWHERE: Readonly<Record<string, readonly [file: string, title: string]>> = {
  70: ['src-main/scheduling/sequence-states.test.ts', 'strings start empty, or as the file has them'],
  72: [
    'tests/conformance/scheduling/sequences.test.ts',
    'an iterative sequence needs no id and streams down to 0',
  ],
  74: [
    'src-main/scheduling/sequence-iterative.test.ts',
    'a sequence that went idle before it was rescheduled ends with the START error',
  ],
  89: [
    'src-main/backends/instance-host/instance-host.test.ts',
    'gives each session a thread of its own, and shares threads beyond the cap',
  ],
  // Batching libraries are native code: they are refused by name.
  132: ['src-main/repository/lifecycle-faults.test.ts', 'TRITON_BATCH_STRATEGY_PATH'],
};

const root = path.resolve(import.meta.dirname, '../../..');
const files = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.test.ts'));
const texts = await Promise.all(files.map((name) => readFile(path.join(import.meta.dirname, name), 'utf8')));
const covered = new Set(
  texts.flatMap((text) =>
    [...text.matchAll(/['"`]rows? ((?:\d+b?(?:, | and )?)+)[: ]/g)].flatMap((match) =>
      (match[1] ?? '').split(/, | and /),
    ),
  ),
);
const rows = ['6b', ...RANGES.flatMap(([first, last]) => range(first, last))];

function range(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, at) => String(first + at));
}

it.each(rows)('row %s has a test', async (row) => {
  const elsewhere = ELSEWHERE[row];
  if (elsewhere === undefined) {
    expect(covered).toContain(row);
    return;
  }
  const [file, title] = elsewhere;
  expect(await readFile(path.join(root, file), 'utf8')).toContain(title);
});

import { expect, test } from 'vitest';

import { loadSummary } from './load-summary.ts';

const phases = [
  { text: 'completing config', ms: 10 },
  { text: 'instance 1 of 2', ms: 700 },
  { text: 'instance 2 of 2', ms: 600 },
  { text: 'warmup 1 of 1', ms: 400 },
];

test('names the parts that count, instances as one, and the memory where it is known', () => {
  expect(loadSummary({ totalMs: 1800, phases, memoryDeltaBytes: 212 * 1024 * 1024 })).toBe(
    'Loaded in 1.8 s (session 1.3 s, warm-up 400 ms), +212 MiB',
  );
});

test('a load without parts is its time alone', () => {
  expect(loadSummary({ totalMs: 12, phases: [], memoryDeltaBytes: undefined })).toBe('Loaded in 12 ms');
});

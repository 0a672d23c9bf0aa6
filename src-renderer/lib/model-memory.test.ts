import { expect, test } from 'vitest';

import { grownBy } from './memory-growth.ts';
import { memoryLong } from './memory-words.ts';
import { isMeasurable, memoryShort, modelMemory, tellsMemory } from './model-memory.ts';

const MIB = 1024 * 1024;

test('what was measured counts, whatever the weights are', () => {
  const model = { timings: { memoryDeltaBytes: 54 * MIB }, memoryBytes: 4 };
  expect(modelMemory(model)).toEqual({ kind: 'measured', bytes: 54 * MIB });
  expect(memoryShort(model)).toBe('54.0 MiB');
  expect(memoryLong(model)).toContain('54.0 MiB');
});

test('weights are the least it can be, and are called so', () => {
  const model = { timings: { memoryDeltaBytes: undefined }, memoryBytes: 4 * MIB };
  expect(memoryShort(model)).toBe('≥ 4.0 MiB');
  expect(memoryLong(model)).toMatch(/^At least 4\.0 MiB/);
});

test.each([0, 504, undefined])(
  'a model with next to no weights (%j) has no known cost, not one of 0 B',
  (memoryBytes) => {
    const model = { timings: undefined, memoryBytes };
    expect(memoryShort(model)).toBe('–');
    expect(memoryLong(model)).toMatch(/not measured/i);
  },
);

test('a load that took nothing to be seen was measured, and is not measured again', () => {
  const timings = { memoryDeltaBytes: 0 };
  expect(memoryShort({ timings, memoryBytes: 504 })).toBe('–');
  expect(memoryLong({ timings, memoryBytes: 504 })).toMatch(/^Too little to be seen/);
  expect(memoryShort({ timings, memoryBytes: 4 * MIB })).toBe('≥ 4.0 MiB');
  expect(memoryLong({ timings, memoryBytes: 4 * MIB })).toMatch(/4\.0 MiB.*did not grow/);
  expect(isMeasurable({ timings, memoryBytes: 504 })).toBe(false);
  expect(isMeasurable({ timings: { memoryDeltaBytes: undefined }, memoryBytes: 504 })).toBe(true);
  expect([grownBy(timings), grownBy({ memoryDeltaBytes: 54 * MIB })]).toEqual(['', ', +54.0 MiB']);
});

test('a column of memory is worth its room for half of the loaded models, or for a large one', () => {
  const unknown = { state: 'ready', timings: undefined, memoryBytes: undefined } as const;
  const small = { ...unknown, memoryBytes: 640 * 1024 };
  const large = { ...unknown, timings: { memoryDeltaBytes: 54 * MIB } };
  expect(tellsMemory([unknown, unknown])).toBe(false);
  expect(tellsMemory([small, unknown, unknown])).toBe(false);
  expect(tellsMemory([small, unknown])).toBe(true);
  expect(tellsMemory([large, unknown, unknown, unknown])).toBe(true);
  expect(tellsMemory([])).toBe(false);
});

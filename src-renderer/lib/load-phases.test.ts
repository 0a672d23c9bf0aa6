// Phases of a load: counted parts are added up, small ones are left out, a warm-up never is.

import { expect, test } from 'vitest';

import { toldPhases } from './load-phases.ts';

test('parts of one phase are added up, longest first, small ones left out', () => {
  const phases = [
    { text: 'completing config', ms: 2 },
    { text: 'instance 1 of 2', ms: 60 },
    { text: 'instance 2 of 2', ms: 80 },
    { text: 'loading model', ms: 30 },
  ];
  expect(toldPhases(phases, 172)).toEqual([
    { text: 'instance', ms: 140 },
    { text: 'loading model', ms: 30 },
  ]);
});

test('instances that tell what they do are one phase as well', () => {
  const phases = [
    { text: 'instance 1 of 2: its process starts', ms: 60 },
    { text: 'instance 2 of 2: its process starts', ms: 80 },
  ];
  expect(toldPhases(phases, 140)).toEqual([{ text: 'instance: its process starts', ms: 140 }]);
});

test('a warm-up is told however short it was', () => {
  const phases = [
    { text: 'loading model', ms: 99 },
    { text: 'warmup 1 of 1', ms: 1 },
  ];
  expect(toldPhases(phases, 100).map(({ text }) => text)).toEqual(['loading model', 'warmup']);
});

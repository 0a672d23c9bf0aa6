import { expect, test } from 'vitest';

import type { NativeTensor } from '../native-ort.ts';
import { compareOutputs, worstOf } from './compare-outputs.ts';

const floats = (...values: number[]): NativeTensor => ({
  type: 'float32',
  dims: [values.length],
  data: Float32Array.from(values),
  location: 'cpu',
});
const whole = (...values: number[]): NativeTensor => ({
  type: 'int64',
  dims: [values.length],
  data: BigInt64Array.from(values.map(BigInt)),
  location: 'cpu',
});

const differences = (cpu: NativeTensor, gpu: NativeTensor): number =>
  compareOutputs({ OUT: cpu }, { OUT: gpu })[0]?.difference ?? -1;

test('floats differ as a share of the largest value', () => {
  expect(differences(floats(0, 10), floats(0, 10))).toBe(0);
  expect(differences(floats(0.001, 10), floats(0.002, 10))).toBeCloseTo(1e-4, 6);
  expect(differences(floats(0, 0), floats(0, 1))).toBeGreaterThan(1);
});

test('what is no number must be so on both sides', () => {
  expect(differences(floats(NaN, 1), floats(NaN, 1))).toBe(0);
  expect(differences(floats(1, 1), floats(NaN, 1))).toBe(Infinity);
  expect(differences(floats(Infinity), floats(-Infinity))).toBe(Infinity);
});

test('half floats are compared as numbers', () => {
  const half = (...bits: number[]): NativeTensor => ({
    type: 'float16',
    dims: [bits.length],
    data: Uint16Array.from(bits),
    location: 'cpu',
  });
  // 1 and the next number above it.
  expect(differences(half(0x3c00), half(0x3c01))).toBeCloseTo(1 / 1024, 6);
});

test('of whole numbers and texts the share that differs counts', () => {
  expect(differences(whole(1, 2, 3, 4), whole(1, 2, 4, 3))).toBe(0.5);
});

test('another shape, another type and a missing output differ altogether', () => {
  expect(differences(floats(1, 2), { ...floats(1, 2), dims: [2, 1] })).toBe(Infinity);
  expect(differences(floats(1), whole(1))).toBe(Infinity);
  expect(compareOutputs({ A: floats(1) }, {})).toEqual([{ name: 'A', difference: Infinity, allowed: 0.01 }]);
});

test('of several runs the worst one counts, for each output', () => {
  const of = (name: string, difference: number) => ({ name, difference, allowed: 0.01 });
  expect(worstOf([of('A', 0.1), of('B', 0), of('A', 0.3), of('B', 0.2)])).toEqual([
    of('A', 0.3),
    of('B', 0.2),
  ]);
});

import { expect, test } from 'vitest';

import type { GpuPoint, ResourcePoint } from '../../../src-shared/contract/observe-views.ts';
import { gpuNote, gpuPoints, gpuSeries, gpusOf } from './gpu-series.ts';

const gpu = (name: string, percent: number): GpuPoint => ({ name, source: 'sysfs', percent });
const point = (atMs: number, ...gpus: readonly GpuPoint[]): ResourcePoint => ({
  atMs,
  bucketMs: 1000,
  cpuPercent: 0,
  rssBytes: 0,
  gpuPercent: undefined,
  gpuMemoryBytes: undefined,
  gpus,
});

test('each GPU has a line of its own, two of one name too', () => {
  const points = [point(1), point(2, gpu('card0', 50), gpu('card0', 100))];
  const names = gpusOf(points).map(({ name }) => name);
  expect(gpuSeries(names).map(({ title }) => title)).toEqual(['0: card0', '1: card0']);
  expect(gpuPoints(points)).toMatchObject([
    { x: 1, gpu0: undefined, gpu1: undefined },
    { x: 2, gpu0: 0.5, gpu1: 1 },
  ]);
});

test('no more lines than can be told apart', () => {
  expect(gpuSeries(Array.from({ length: 8 }, (_, at) => `card${at}`))).toHaveLength(5);
});

test('what told of the GPUs is said', () => {
  expect(gpuNote([])).toBeUndefined();
  expect(gpuNote([{ name: 'Apple M3', source: 'ioreg', percent: 1 }])).toBe('GPU: Apple M3 (ioreg)');
  expect(gpuNote([gpu('card0', 1), gpu('card1', 2)])).toBe(
    'GPUs: card0 (files of the driver), card1 (files of the driver)',
  );
});

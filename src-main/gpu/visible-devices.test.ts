// CUDA's own rules for the GPUs that a process sees.

import { expect, test } from 'vitest';
import { visibleGpus } from './visible-devices.ts';

const GPUS = [
  { index: 1, uuid: 'GPU-bb1' },
  { index: 0, uuid: 'GPU-aa0' },
  { index: 2, uuid: 'GPU-bb2' },
];

test.each([
  [undefined, [0, 1, 2]],
  ['2,0', [2, 0]],
  [' 1 , 2 ', [1, 2]],
  ['GPU-bb2,GPU-aa', [2, 0]],
  ['0,7,1', [0]],
  ['0,-1,1', [0]],
  ['-1', []],
  ['', []],
  ['bb1', []],
  ['1,1', [1]],
])('CUDA_VISIBLE_DEVICES=%s shows %j', (visible, shown) => {
  expect(visibleGpus(GPUS, visible).map(({ index }) => index)).toEqual(shown);
});

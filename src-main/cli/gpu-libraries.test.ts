// What `conch gpu status` says of machines.
import { expect, test } from 'vitest';

import type { GpuFacts } from './gpu-libraries.ts';
import { gpuText } from './gpu-libraries.ts';

const H100 = 'NVIDIA H100 80GB HBM3 (NVIDIA, discrete, driver nvidia 580.159.04, 81559 MiB)';
const NVIDIA: GpuFacts = {
  gpus: [H100],
  hasCudaLibraries: false,
  hasWebGpu: false,
  hasCudaGpu: true,
  installedBytes: 0,
  folder: '/data',
};

test('without the CUDA libraries, what reaches a GPU by itself does', () => {
  expect(gpuText(NVIDIA, 'linux')).toBe(
    [
      `GPU             ${H100}`,
      'CUDA libraries  not installed',
      'ONNX models on  the CPU',
      'Python, PyTorch the GPU, where their configuration allows it',
      'Fetch the CUDA libraries: conch gpu install',
      '',
    ].join('\n'),
  );
});

test.each([
  ['CUDA', { ...NVIDIA, hasCudaLibraries: true }, 'Models run on   the GPU, where'],
  ['WebGPU', { ...NVIDIA, hasWebGpu: true }, 'ONNX models on  the GPU through WebGPU, where that works'],
  [
    'WebGPU alone',
    { ...NVIDIA, hasWebGpu: true, hasCudaGpu: false },
    'Models run on   the GPU through WebGPU',
  ],
  ['nothing', { ...NVIDIA, gpus: [], hasCudaGpu: false }, 'Models run on   the CPU'],
])('by %s', (_way, facts, line) => {
  expect(gpuText(facts, 'linux')).toContain(line);
});

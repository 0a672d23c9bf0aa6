// A model that is placed on a GPU is compared with the CPU in the background, and its log says what came of it. Skipped
// unless CONCH_GPU_PROVIDER names a provider.

import { describe, expect, test } from 'vitest';

import { floatTensor } from '../../../src-main/onnx/onnx-writer.ts';
import { graphModel, value } from '../../../src-main/testing/onnx-test-models.ts';
import { TempRepository } from '../../../src-main/testing/temp-repository.ts';
import { ServerProcess } from '../../processes/served-process.ts';
import { provider } from './gpu-world.ts';

const LONG_MS = 300_000;
const WIDTH = 8;
const GPU = 'backend: "onnxruntime"\nmax_batch_size: 8\ninstance_group [ { kind: KIND_GPU } ]\n';

const matrix = floatTensor(
  'w',
  [WIDTH, WIDTH],
  Array.from({ length: WIDTH * WIDTH }, (_, at) => ((at * 7) % 17) / 17 - 0.5),
);

const layer = graphModel(
  [{ opType: 'MatMul', inputs: ['INPUT', 'w'], outputs: ['OUTPUT'] }],
  [value('INPUT', 'FP32', ['n', WIDTH])],
  [value('OUTPUT', 'FP32', ['n', WIDTH])],
  { initializers: [matrix] },
);

/** Another answer each time, which is no fault of the GPU. */
const random = graphModel(
  [
    { opType: 'RandomUniformLike', inputs: ['INPUT'], outputs: ['r'] },
    { opType: 'Add', inputs: ['INPUT', 'r'], outputs: ['OUTPUT'] },
  ],
  [value('INPUT', 'FP32', ['n', WIDTH])],
  [value('OUTPUT', 'FP32', ['n', WIDTH])],
);

describe.skipIf(provider === '')('a model that is placed on a GPU', () => {
  test.each([
    ['the same numbers', layer],
    ['random numbers', random],
  ])(
    'is compared with the CPU by speed and by answers: %s',
    async (_, model) => {
      await using repository = await TempRepository.create({
        'm/1/model.onnx': model,
        'm/config.pbtxt': GPU,
      });
      await using server = ServerProcess.serve(
        `--model-repository=${repository.path}`,
        `--backend-config=onnxruntime,gpu-providers=${provider}`,
      );
      const line = await server.printed(new RegExp(`'${provider}' (?:is|could|answers)[^\\n]+`));
      expect(line).toMatch(
        /is (?:slower than the CPU|worth it): [\d.]+ ms against [\d.]+ ms on the CPU with one row, .* with 8 rows/,
      );
    },
    LONG_MS,
  );

  test(
    'is not compared where that is switched off',
    async () => {
      await using repository = await TempRepository.create({
        'm/1/model.onnx': layer,
        'm/config.pbtxt': GPU,
      });
      await using server = ServerProcess.serve(
        `--model-repository=${repository.path}`,
        `--backend-config=onnxruntime,gpu-providers=${provider}`,
        '--backend-config=onnxruntime,gpu-comparison=0',
      );
      await server.http();
      await new Promise((resolve) => setTimeout(resolve, 6000));
      expect(server.log).not.toMatch(/on the CPU with one row|could not be compared/);
    },
    LONG_MS,
  );
});

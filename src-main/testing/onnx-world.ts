// The onnxruntime backend with one model folder of its own, for test files that make their models from graphs.

import { writeFile } from 'node:fs/promises';

import { afterAll } from 'vitest';

import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import { OnnxruntimeBackend } from '../backends/onnxruntime/onnxruntime-backend.ts';
import { loadModel } from './backend-harness.ts';
import type { LoadedModel } from './backend-harness.ts';
import { TempRepository } from './temp-repository.ts';

/** What a test of ONNX models works with; closed after each test. */
export interface OnnxWorld {
  readonly backend: OnnxruntimeBackend;
  readonly repository: TempRepository;
  /** Makes `bytes` the file of the model `m` and loads it. */
  readonly load: (bytes: Uint8Array, config: ModelConfig) => Promise<LoadedModel>;
}

/** Closed when the tests of the file are over. */
export async function onnxWorld(): Promise<OnnxWorld> {
  const backend = new OnnxruntimeBackend();
  const repository = await TempRepository.create({ 'm/1/': '' });
  afterAll(async () => {
    await backend.close();
    await repository.close();
  });
  return {
    backend,
    repository,
    load: async (bytes, config) => {
      await writeFile(repository.at('m/1/model.onnx'), bytes);
      return loadModel(backend, repository.at('m'), config);
    },
  };
}

import { rm, writeFile } from 'node:fs/promises';

import { afterEach, expect, it } from 'vitest';

import { instanceGroup } from '../../../src-shared/config/config-defaults.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import {
  executeAll,
  inferInput,
  loadModel,
  outputValues,
  testRequest,
} from '../../testing/backend-harness.ts';
import { graphModel, identityConfig, value } from '../../testing/onnx-test-models.ts';
import { TempRepository } from '../../testing/temp-repository.ts';
import { OnnxruntimeBackend } from './onnxruntime-backend.ts';

const closings: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(closings.splice(0).map((close) => close())));

/** The shape of its output is left to the runtime. */
const OPEN_MODEL = graphModel(
  [{ opType: 'Neg', inputs: ['INPUT'], outputs: ['OUTPUT'] }],
  [value('INPUT', 'FP32', ['n', 3])],
  [value('OUTPUT', 'FP32', undefined)],
);

/** A model that was inspected with `config`, whose file is gone by the time its instances are made. */
async function loadedWithoutFile(change: Partial<ModelConfig>) {
  const repository = await TempRepository.create({ 'm/1/': '' });
  const backend = new OnnxruntimeBackend();
  closings.push(
    () => backend.close(),
    () => repository.close(),
  );
  const file = repository.at('m/1/model.onnx');
  await writeFile(file, OPEN_MODEL);
  const config = { ...identityConfig(8, 'FP32', [3]), ...change };
  const model = await loadModel(backend, repository.at('m'), config);
  await rm(file);
  return model;
}

it('the sessions of an inspection become the instances', async () => {
  await using model = await loadedWithoutFile({
    instanceGroup: [instanceGroup({ kind: 'KIND_CPU', count: 2 })],
  });
  const instances = await Promise.all([model.instance({ name: 'm_0' }), model.instance({ name: 'm_1' })]);
  for (const instance of instances) {
    const test = testRequest([inferInput('INPUT', 'FP32', [1, 3], [1, 2, 3])], 1);
    await executeAll(instance, [test]);
    expect(outputValues(test, 'OUTPUT')).toEqual([-1, -2, -3]);
  }
  await expect(model.instance({ name: 'm_2' })).rejects.toMatchObject({ code: 'INTERNAL' });
});

it('an instance that needs another session makes its own', async () => {
  await using model = await loadedWithoutFile({ instanceGroup: [instanceGroup({ kind: 'KIND_GPU' })] });
  await expect(model.instance({ name: 'm_0' })).rejects.toMatchObject({
    code: 'INTERNAL',
    message: expect.stringMatching(/^onnx runtime error 3: /) as string,
  });
});

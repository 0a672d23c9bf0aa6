import { writeFile } from 'node:fs/promises';

import { afterAll } from 'vitest';

import { loadModel } from '../testing/backend-harness.ts';
import { backendSuite } from '../testing/backend-suite.ts';
import { graphModel, onnxConfig, value } from '../testing/onnx-test-models.ts';
import { TempRepository } from '../testing/temp-repository.ts';
import { identityBackend } from './identity/identity-backend.ts';
import { OnnxruntimeBackend } from './onnxruntime/onnxruntime-backend.ts';

const onnxruntime = new OnnxruntimeBackend();
const repository = await TempRepository.create({ 'm/1/': '' });
afterAll(async () => {
  await onnxruntime.close();
  await repository.close();
});

const tensor = { datatype: 'INT32', dims: [-1] } as const;
const config = onnxConfig(4, [{ name: 'INPUT0', ...tensor }], [{ name: 'OUTPUT0', ...tensor }]);

backendSuite({
  name: 'onnxruntime',
  load: async () => {
    const bytes = graphModel(
      [{ opType: 'Identity', inputs: ['INPUT0'], outputs: ['OUTPUT0'] }],
      [value('INPUT0', 'INT32', ['n', 'm'])],
      [value('OUTPUT0', 'INT32', ['n', 'm'])],
    );
    await writeFile(repository.at('m/1/model.onnx'), bytes);
    return loadModel(onnxruntime, repository.at('m'), config);
  },
});

backendSuite({
  name: 'identity',
  load: () => loadModel(identityBackend, repository.at('m'), { ...config, backend: 'identity' }),
});

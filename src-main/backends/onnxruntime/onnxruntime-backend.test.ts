// Model files of the ONNX Runtime backend: those that cannot be loaded, and configurations completed from them.

import { appendFile, truncate, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { floatTensor } from '../../onnx/onnx-writer.ts';
import { loadModel } from '../../testing/backend-harness.ts';
import { graphModel, identityConfig, identityModel, value } from '../../testing/onnx-test-models.ts';
import { onnxWorld } from '../../testing/onnx-world.ts';
import { configOf } from '../../testing/config-text.ts';

const { backend, repository, load } = await onnxWorld();

describe('files', () => {
  it('a corrupt file fails with what is wrong, and leaves no worker behind', async () => {
    await expect(
      load(Buffer.from('this is no model, but it is long enough to look at'), identityConfig(8, 'FP32', [3])),
    ).rejects.toMatchObject({
      code: 'INTERNAL',
      message: expect.stringMatching(
        /^onnx runtime error 7: Load model from .* failed:Protobuf parsing failed\. It is not a valid ONNX file: /,
      ) as string,
    });
  });

  it('a file above 2 GiB is refused by its size', async () => {
    const bytes = identityModel('FP32', ['n', 3]);
    await writeFile(repository.at('m/1/model.onnx'), bytes);
    // A field that nobody knows, of 2 GiB: field 1000 with its length, then a hole in the file.
    const head = Buffer.from([0xc2, 0x3e, 0x80, 0x80, 0x80, 0x80, 0x08]);
    await appendFile(repository.at('m/1/model.onnx'), head);
    await truncate(repository.at('m/1/model.onnx'), bytes.byteLength + head.byteLength + 2 ** 31);
    const loading = loadModel(backend, repository.at('m'), identityConfig(8, 'FP32', [3]));
    await expect(loading).rejects.toMatchObject({
      code: 'INTERNAL',
      message: expect.stringMatching(/It has 2\d{9} bytes, and an ONNX file ends at 2 GiB/) as string,
    });
  });

  it('an operator the runtime does not know fails when the instance is created', async () => {
    const bytes = graphModel(
      [{ opType: 'NoSuchOperator', inputs: ['INPUT'], outputs: ['OUTPUT'] }],
      [value('INPUT', 'FP32', ['n', 3])],
      [value('OUTPUT', 'FP32', ['n', 3])],
    );
    await using model = await load(bytes, identityConfig(8, 'FP32', [3]));
    await expect(model.instance()).rejects.toMatchObject({
      code: 'INTERNAL',
      message: expect.stringMatching(/^onnx runtime error \d+: .*NoSuchOperator/s) as string,
    });
  });

  it('a missing file is named', async () => {
    await expect(
      loadModel(backend, repository.at('nowhere'), identityConfig(8, 'FP32', [3])),
    ).rejects.toMatchObject({
      code: 'INTERNAL',
      message: expect.stringMatching(/^failed to stat file .*model\.onnx$/) as string,
    });
  });

  it('a folder named model.onnx holds the file, or is reported without it', async () => {
    const modelDir = repository.at('folder');
    await repository.write({ 'folder/1/model.onnx/': '' });
    const config = identityConfig(8, 'FP32', [3]);
    await expect(loadModel(backend, modelDir, config)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(
        /^unable to find '.*model\.onnx\/model\.onnx' for model instance 'model'$/,
      ) as string,
    });
    await repository.write({ 'folder/1/model.onnx/model.onnx': identityModel('FP32', ['n', 3]) });
    await using model = await loadModel(backend, modelDir, config);
    expect(model.model.notices).toEqual([]);
  });
});

describe('auto-completion', () => {
  const complete = async (bytes: Uint8Array, text: string) => {
    await writeFile(repository.at('m/1/model.onnx'), bytes);
    return backend.autoComplete(
      { modelName: 'm', version: '1', modelDir: repository.at('m'), versionDir: repository.at('m/1') },
      configOf(text),
      { defaultMaxBatchSize: 4, backendConfig: new Map(), signal: new AbortController().signal },
    );
  };

  it('reads batch size, tensors and scheduler from the file', async () => {
    const { config, origins } = await complete(identityModel('BYTES', ['n', 3]), '');
    expect(config).toMatchObject({
      maxBatchSize: 4,
      input: [{ name: 'INPUT', dataType: 'TYPE_STRING', dims: [3] }],
      output: [{ name: 'OUTPUT', dataType: 'TYPE_STRING', dims: [3] }],
    });
    expect(config?.dynamicBatching).toBeDefined();
    expect([...origins.keys()]).toEqual(expect.arrayContaining(['max_batch_size', 'input', 'output']));
  });

  it('asks the runtime for sizes that the file leaves open', async () => {
    const bytes = graphModel(
      [{ opType: 'MatMul', inputs: ['INPUT', 'W'], outputs: ['OUTPUT'] }],
      [value('INPUT', 'FP32', ['n', 3])],
      [value('OUTPUT', 'FP32', ['n', 'M'])],
      { initializers: [floatTensor('W', [3, 2], [1, 2, 3, 4, 5, 6])] },
    );
    const { config } = await complete(bytes, '');
    expect(config?.output).toMatchObject([{ dims: [2] }]);
  });

  it('asks the runtime for shapes that the file leaves open', async () => {
    const bytes = graphModel(
      [{ opType: 'Identity', inputs: ['INPUT'], outputs: ['OUTPUT'] }],
      [value('INPUT', 'FP32', ['n', 3])],
      [value('OUTPUT', 'FP32', undefined)],
    );
    const { config } = await complete(bytes, '');
    expect(config?.output).toMatchObject([{ dims: [3], dataType: 'TYPE_FP32' }]);
    expect(config?.maxBatchSize).toBe(4);
  });

  it('tells that the runtime does not take a model before what its shapes cannot be', async () => {
    const [input, output] = [value('INPUT', 'FP32', [0]), value('OUTPUT', 'FP32', [0])];
    const node = { opType: 'Identity', inputs: ['INPUT'], outputs: ['OUTPUT'] };
    const future = graphModel([node], [input], [output], { opsetVersion: 99 });
    await expect(complete(future, '')).rejects.toMatchObject({
      message: expect.stringMatching(/^onnx runtime error 1: Load model from .*Opset 99/s) as string,
    });
    const { config } = await complete(graphModel([node], [input], [output]), '');
    expect(config?.input).toMatchObject([{ dims: [0] }]);
  });

  it('refuses a batch size the model cannot have', async () => {
    await expect(complete(identityModel('FP32', [2, 3]), 'max_batch_size: 4')).rejects.toMatchObject({
      code: 'INVALID_ARG',
      message:
        "autofill failed for model 'm': model does not support batching while non-zero max_batch_size is specified",
    });
  });
});

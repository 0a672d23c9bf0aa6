import { appendFile, truncate, writeFile } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

import { modelInput } from '../../../src-shared/config/config-defaults.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import type { InstanceSpec } from '../../inference/backend.ts';
import { floatTensor } from '../../onnx/onnx-writer.ts';
import {
  executeAll,
  inferInput,
  loadModel,
  outputValues,
  testRequest,
} from '../../testing/backend-harness.ts';
import {
  graphModel,
  identityConfig,
  identityModel,
  onnxConfig,
  value,
} from '../../testing/onnx-test-models.ts';
import { onnxWorld } from '../../testing/onnx-world.ts';
import { namedGpuProviders, planProviders } from './provider-choice.ts';
import { sessionOptions } from './session-options.ts';

const { backend, repository, load } = await onnxWorld();

function configOf(text: string): ModelConfig {
  const parsed = parseModelConfig(`name: "m" ${text}`);
  expect(parsed.issues).toEqual([]);
  return parsed.config;
}

const spec: InstanceSpec = {
  name: 'm_0',
  kind: 'KIND_CPU',
  deviceId: -1,
  ordinal: 0,
  isPassive: false,
  hostPolicy: 'cpu',
};

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
    expect(config.dynamicBatching).toBeDefined();
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
    expect(config.output).toMatchObject([{ dims: [2] }]);
  });

  it('asks the runtime for shapes that the file leaves open', async () => {
    const bytes = graphModel(
      [{ opType: 'Identity', inputs: ['INPUT'], outputs: ['OUTPUT'] }],
      [value('INPUT', 'FP32', ['n', 3])],
      [value('OUTPUT', 'FP32', undefined)],
    );
    const { config } = await complete(bytes, '');
    expect(config.output).toMatchObject([{ dims: [3], dataType: 'TYPE_FP32' }]);
    expect(config.maxBatchSize).toBe(4);
  });

  it('refuses a batch size the model cannot have', async () => {
    await expect(complete(identityModel('FP32', [2, 3]), 'max_batch_size: 4')).rejects.toMatchObject({
      code: 'INVALID_ARG',
      message:
        "autofill failed for model 'm': model does not support batching while non-zero max_batch_size is specified",
    });
  });
});

describe('interface check', () => {
  const twoInputs = graphModel(
    [{ opType: 'Add', inputs: ['A', 'B'], outputs: ['SUM'] }],
    [value('A', 'FP32', ['n', 3]), value('B', 'FP32', ['n', 3])],
    [value('SUM', 'FP32', ['n', 3])],
  );
  const a = { name: 'A', datatype: 'FP32', dims: [3] } as const;
  const b = { name: 'B', datatype: 'FP32', dims: [3] } as const;
  const sum = { name: 'SUM', datatype: 'FP32', dims: [3] } as const;

  it.each<[string, Uint8Array, ModelConfig, string]>([
    [
      'too few inputs',
      twoInputs,
      onnxConfig(8, [a], [sum]),
      'configuration expects 1 inputs, model provides 2',
    ],
    [
      'unknown input',
      twoInputs,
      onnxConfig(8, [a, { ...b, name: 'C' }], [sum]),
      "unexpected inference input 'C', allowed inputs are: A, B",
    ],
    [
      'unknown output',
      twoInputs,
      onnxConfig(8, [a, b], [{ ...sum, name: 'X' }]),
      "unexpected inference output 'X', allowed outputs are: SUM",
    ],
    [
      'other type',
      twoInputs,
      onnxConfig(8, [a, { ...b, datatype: 'INT32' }], [sum]),
      "unable to load model 'model', configuration expects datatype TYPE_INT32 for input 'B', model provides TYPE_FP32",
    ],
    [
      'other dims',
      twoInputs,
      onnxConfig(0, [a, b], [sum]),
      "model 'model', tensor 'A': the model expects 2 dimensions (shape [-1,3]) but the model configuration specifies 1 dimensions (shape [3])",
    ],
    [
      'no batch axis',
      identityModel('FP32', [1, 3]),
      identityConfig(8, 'FP32', [3]),
      "model 'model', tensor 'INPUT': for the model to support batching the shape should have at least 1 dimension and the first dimension must be -1; but shape expected by the model is [1,3]",
    ],
    [
      'variable config dim, fixed model dim',
      identityModel('FP32', ['n', 3]),
      identityConfig(8, 'FP32', [-1]),
      'making complete shape [-1,-1])',
    ],
    [
      'scalar with other dims',
      identityModel('FP32', []),
      identityConfig(0, 'FP32', [2]),
      "unable to load model 'model', scalar tensor 'INPUT', should only provide 1 in the model configuration when the model doesn't support batching. Model configuration provided: [2].",
    ],
    [
      'ragged input of rank 2',
      identityModel('FP32', ['n', 'm']),
      {
        ...identityConfig(8, 'FP32', [-1]),
        input: [modelInput({ name: 'INPUT', dataType: 'TYPE_FP32', dims: [-1], allowRaggedBatch: true })],
      },
      "configuration expects model provides input with shape [-1]  for ragged input 'INPUT', model provides [-1,-1]",
    ],
    [
      'optional input of a batching model',
      identityModel('FP32', ['n', 3]),
      {
        ...identityConfig(8, 'FP32', [3]),
        input: [
          modelInput({ name: 'INPUT', dataType: 'TYPE_FP32', dims: [3] }),
          modelInput({ name: 'EXTRA', dataType: 'TYPE_FP32', dims: [3], optional: true }),
        ],
      },
      "optional input 'EXTRA' is not supported for models that support batching",
    ],
    [
      'control the model lacks',
      identityModel('FP32', ['n', 3]),
      {
        ...identityConfig(8, 'FP32', [3]),
        sequenceBatching: configOf(
          'sequence_batching { control_input [ { name: "START" control [ { kind: CONTROL_SEQUENCE_START int32_false_true: [ 0, 1 ] } ] } ] }',
        ).sequenceBatching,
      },
      "configuration specified sequence control 'START', but model does not provide that input",
    ],
    [
      'control of another type',
      twoInputs,
      {
        ...onnxConfig(8, [a], [sum]),
        sequenceBatching: configOf(
          'sequence_batching { control_input [ { name: "B" control [ { kind: CONTROL_SEQUENCE_START int32_false_true: [ 0, 1 ] } ] } ] }',
        ).sequenceBatching,
      },
      "sequence control 'B' in model has dims [3] but dims [1] is expected",
    ],
  ])('%s', async (_title, bytes, config, message) => {
    await expect(load(bytes, config)).rejects.toThrow(message);
  });

  it.each([
    ['another name than the inputs have', 'M'],
    ['a name of an input', 'n'],
  ])('an output whose size only the runtime can infer is served: %s', async (_title, symbol) => {
    const bytes = graphModel(
      [{ opType: 'MatMul', inputs: ['INPUT', 'W'], outputs: ['OUTPUT'] }],
      [value('INPUT', 'FP32', ['n', 3])],
      [value('OUTPUT', 'FP32', ['n', symbol])],
      { initializers: [floatTensor('W', [3, 2], [1, 2, 3, 4, 5, 6])] },
    );
    const io = (output: number): ModelConfig =>
      onnxConfig(
        4,
        [{ name: 'INPUT', datatype: 'FP32', dims: [3] }],
        [{ name: 'OUTPUT', datatype: 'FP32', dims: [output] }],
      );
    await using model = await load(bytes, io(2));
    const instance = await model.instance();
    const test = testRequest([inferInput('INPUT', 'FP32', [1, 3], [1, 1, 1])], 1);
    await executeAll(instance, [test]);
    expect(outputValues(test, 'OUTPUT')).toEqual([9, 12]);
    await expect(load(bytes, io(5))).rejects.toThrow('the model expects 2 dimensions (shape [-1,2])');
  });
});

describe('session options', () => {
  const options = (text: string, backendConfig: ReadonlyMap<string, string> = new Map()) =>
    sessionOptions(configOf(text), backendConfig);
  const parameter = (key: string, text: string): string =>
    `parameters { key: "${key}" value: { string_value: "${text}" } }`;

  it.each([
    ['', 'all'],
    ['optimization { graph { level: -1 } }', 'basic'],
    ['optimization { graph { level: 1 } }', 'extended'],
    ['optimization { graph { level: 2 } }', 'disabled'],
    ['optimization { graph { level: 7 } }', 'all'],
  ])('graph level of "%s" is %s', (text, level) => {
    expect(options(text).settings.graphOptimizationLevel).toBe(level);
  });

  it('takes threads, memory and execution mode from parameters', () => {
    const text = [
      parameter('intra_op_thread_count', '3'),
      parameter('inter_op_thread_count', '0'),
      parameter('execution_mode', '1'),
      parameter('enable_mem_arena', 'off'),
      parameter('enable_mem_pattern', 'True'),
    ].join(' ');
    const { settings } = options(text);
    expect(settings).toMatchObject({
      intraOpNumThreads: 3,
      executionMode: 'parallel',
      enableCpuMemArena: false,
      enableMemPattern: true,
    });
    expect(settings.interOpNumThreads).toBeUndefined();
  });

  it('keeps threads from spinning unless the model asks for it', () => {
    expect(options('').settings.extra).toMatchObject({ session: { 'intra_op.allow_spinning': '0' } });
    expect(options(parameter('session.intra_op.allow_spinning', '1')).settings.extra).toMatchObject({
      session: { 'intra_op.allow_spinning': '1' },
    });
  });

  it.each([
    ['', 5],
    ['optimization { priority: PRIORITY_MAX }', 0],
    ['optimization { priority: PRIORITY_MIN }', 19],
  ])('"%s" runs at niceness %d', (text, niceLevel) => {
    expect(options(text).niceLevel).toBe(niceLevel);
  });

  it.each([
    [parameter('intra_op_thread_count', 'many'), "failed to convert 'many' to integral number"],
    [parameter('enable_mem_arena', 'maybe'), "failed to convert 'maybe' to boolean"],
    [
      parameter('execution_mode', '2'),
      'Invalid configuration value provided. Expected values for  execution_mode are 0 or 1 but got 2 .',
    ],
  ])('%s is refused', (text, message) => {
    expect(() => options(text)).toThrow(message);
  });

  it('custom operator libraries are refused by name', () => {
    expect(() => options('model_operations { op_library_filename: [ "libown.so" ] }')).toThrow(/libown\.so/);
  });

  it('says what has no effect', () => {
    const text = parameter('gpu_mem_limit', '1') + parameter('memory.enable_memory_arena_shrinkage', 'cpu:0');
    expect(options(text, new Map([['enable-global-threadpool', '1']])).notices).toEqual([
      expect.stringContaining("'memory.enable_memory_arena_shrinkage'"),
      expect.stringContaining("'gpu_mem_limit'"),
      expect.stringContaining("'enable-global-threadpool'"),
    ]);
  });
});

describe('threads of the backend', () => {
  const own = 'parameters { key: "intra_op_thread_count" value: { string_value: "3" } }';
  const threads = (text: string, entries: readonly (readonly [string, string])[]) =>
    sessionOptions(configOf(text), new Map(entries)).settings.intraOpNumThreads;

  it('count for models that say nothing', () => {
    expect(threads('', [['intra_op_thread_count', '2']])).toBe(2);
    expect(threads(own, [['intra_op_thread_count', '2']])).toBe(3);
    expect(threads('', [['intra_op_thread_count', '0']])).toBeUndefined();
  });

  it('count for all models where the pool is global, as in the reference', () => {
    const global = ['enable-global-threadpool', '1'] as const;
    expect(threads(own, [global, ['intra_op_thread_count', '2']])).toBe(2);
    expect(threads(own, [global])).toBeUndefined();
  });
});

describe('execution providers', () => {
  const gpuSpec: InstanceSpec = { ...spec, name: 'group_0', kind: 'KIND_GPU', deviceId: 1 };
  const accelerators = (text: string) => configOf(`optimization { execution_accelerators { ${text} } }`);
  const names = (plan: ReturnType<typeof planProviders>) =>
    plan.attempts.map((attempt) => attempt.map((choice) => choice.name));

  it('a CPU instance uses the CPU', () => {
    expect(names(planProviders(configOf(''), spec, new Set(['cpu', 'cuda']), 'strict', ['cuda']))).toEqual([
      ['cpu'],
    ]);
  });

  it('a GPU instance uses what was asked for, then its own provider, then the CPU', () => {
    const config = accelerators('gpu_execution_accelerator [ { name: "tensorrt" } ]');
    const plan = planProviders(config, gpuSpec, new Set(['cpu', 'cuda', 'tensorrt', 'webgpu']), 'fallback', [
      'cuda',
    ]);
    expect(names(plan)).toEqual([['tensorrt', 'cuda', 'cpu'], ['cuda', 'cpu'], ['cpu']]);
    expect(plan.attempts[0]?.[0]?.deviceId).toBe(1);
  });

  it('the order of the backend comes after what the model asks for', () => {
    const available = new Set(['cpu', 'cuda', 'tensorrt', 'webgpu']);
    const order = namedGpuProviders(new Map([['gpu-providers', 'webgpu, cuda']]));
    const plan = (text: string) =>
      names(planProviders(accelerators(text), gpuSpec, available, 'fallback', order));
    expect(plan('')).toEqual([['webgpu', 'cpu'], ['cuda', 'cpu'], ['cpu']]);
    expect(plan('gpu_execution_accelerator [ { name: "tensorrt" } ]')).toEqual([
      ['tensorrt', 'cuda', 'cpu'],
      ['webgpu', 'cpu'],
      ['cuda', 'cpu'],
      ['cpu'],
    ]);
    expect(planProviders(configOf(''), gpuSpec, available, 'fallback', order).attempts[0]?.[0]).toEqual({
      name: 'webgpu',
    });
    expect(() => namedGpuProviders(new Map([['gpu-providers', 'cuda,fast']]))).toThrow(
      "backend option 'gpu-providers' names 'fast', expected tensorrt, cuda, webgpu, dml, coreml",
    );
  });

  it('without a GPU it falls back, or fails when the policy is strict', async () => {
    expect(names(planProviders(configOf(''), gpuSpec, new Set(['cpu', 'webgpu']), 'fallback', []))).toEqual([
      ['cpu'],
    ]);
    expect(() => planProviders(configOf(''), gpuSpec, new Set(['cpu']), 'strict', ['cuda'])).toThrow(
      'instance group group of model m has kind KIND_GPU but no GPUs are available',
    );
    await using model = await load(identityModel('FP32', ['n', 3]), identityConfig(8, 'FP32', [3]));
    await model.instance({ kind: 'KIND_GPU', deviceId: 0 });
    expect(model.model.notices).toEqual([
      'asked for KIND_GPU, runs on the CPU: no GPU execution provider is available',
    ]);
  });

  it.each([
    ['gpu_execution_accelerator [ { name: "fast" } ]', "unknown Execution Accelerator 'fast' is requested"],
    [
      'cpu_execution_accelerator [ { name: "openvino" } ]',
      "unknown Execution Accelerator 'openvino' is requested",
    ],
    [
      'gpu_execution_accelerator [ { name: "tensorrt" parameters { key: "speed" value: "9" } } ]',
      "unknown parameter 'speed' is provided for TensorRT Execution Accelerator",
    ],
    [
      'gpu_execution_accelerator [ { name: "tensorrt" parameters { key: "precision_mode" value: "FP7" } } ]',
      "unsupported precision mode 'FP7' is requested",
    ],
    [
      'gpu_execution_accelerator [ { name: "tensorrt" parameters { key: "max_workspace_size_bytes" value: "abc" } } ]',
      "failed to convert 'abc' to unsigned long long integral number",
    ],
    [
      'gpu_execution_accelerator [ { name: "cuda" parameters { key: "do_copy_in_default_stream" value: "x" } } ]',
      "failed to convert 'x' to boolean",
    ],
  ])('%s is refused', (text, message) => {
    expect(() => planProviders(accelerators(text), gpuSpec, new Set(['cpu']), 'fallback', [])).toThrow(
      message,
    );
  });
});

import { describe, expect, test } from 'vitest';
import { completeBackendFields, folderToInspect, type DirectoryEntry } from './backend-completion.ts';
import { autoCompleteOnnx, mergeBackendCompletion } from './config-auto-complete.ts';
import { completeModelConfig } from './complete-model-config.ts';
import { emptyModelConfig, emptyPart, modelInput } from './config-defaults.ts';
import { normalizeInstanceGroups, planInstances } from './config-normalize.ts';
import { originOf, originsOfTree } from './config-origins.ts';
import type { ModelConfig } from './model-config.ts';
import { describeTensor, type ModelDescription } from './model-description.ts';
import { parseModelConfig } from './parse-model-config.ts';
import { SOME_BACKENDS } from '../testing/some-backends.ts';

const file = (name: string): DirectoryEntry => ({ name, isDirectory: false });
const folder = (name: string): DirectoryEntry => ({ name, isDirectory: true });
const parse = (text: string): ModelConfig => parseModelConfig(text).config;

describe('completeBackendFields', () => {
  test.each<[string, readonly DirectoryEntry[], [platform: string, backend: string, filename: string]]>([
    ['', [file('model.onnx')], ['onnxruntime_onnx', 'onnxruntime', 'model.onnx']],
    ['', [folder('model.onnx')], ['onnxruntime_onnx', 'onnxruntime', 'model.onnx']],
    ['', [folder('model.plan'), file('model.onnx')], ['onnxruntime_onnx', 'onnxruntime', 'model.onnx']],
    ['', [file('model.plan'), file('model.onnx')], ['tensorrt_plan', 'tensorrt', 'model.plan']],
    ['', [file('model.pt2')], ['torch_aoti', 'pytorch', 'model.pt2']],
    ['', [file('model.py')], ['', 'python', 'model.py']],
    ['platform: "onnxruntime_onnx"', [], ['onnxruntime_onnx', 'onnxruntime', 'model.onnx']],
    ['backend: "onnxruntime"', [], ['onnxruntime_onnx', 'onnxruntime', 'model.onnx']],
    ['backend: "pytorch"', [], ['pytorch_libtorch', 'pytorch', 'model.pt']],
    ['backend: "pytorch" runtime: "model.py"', [file('model.pt')], ['pytorch_libtorch', 'pytorch', '']],
    ['backend: "identity"', [file('model.onnx')], ['', 'identity', '']],
    ['default_model_filename: "model.py"', [], ['', 'python', 'model.py']],
    ['default_model_filename: "net.onnx"', [file('model.onnx')], ['', '', 'net.onnx']],
    ['platform: "ensemble"', [file('model.onnx')], ['ensemble', '', '']],
  ])('%s with %j', (text, entries, expected) => {
    const { config, issues } = completeBackendFields(parse(text), { directoryName: 'm', entries });
    expect([config.platform, config.backend, config.defaultModelFilename]).toEqual(expected);
    expect(config.name).toBe('m');
    expect(issues).toEqual([]);
  });

  // Rows of the checklist of framework backends.
  test.each<
    [string, string, readonly DirectoryEntry[], [platform: string, backend: string, filename: string]]
  >([
    ['2: no configuration', '', [file('model.pt')], ['pytorch_libtorch', 'pytorch', '']],
    ['2: no configuration', '', [file('model.xml')], ['', 'openvino', 'model.xml']],
    [
      '2: no configuration',
      '',
      [folder('model.savedmodel')],
      ['tensorflow_savedmodel', 'tensorflow', 'model.savedmodel'],
    ],
    [
      '2: no configuration',
      '',
      [file('model.graphdef')],
      ['tensorflow_graphdef', 'tensorflow', 'model.graphdef'],
    ],
    ['2: no configuration', '', [file('model.plan')], ['tensorrt_plan', 'tensorrt', 'model.plan']],
    ['3: both archives', '', [file('model.pt'), file('model.pt2')], ['pytorch_libtorch', 'pytorch', '']],
    [
      '4: torch_aoti without a file name',
      'platform: "torch_aoti"',
      [],
      ['torch_aoti', 'pytorch', 'model.pt2'],
    ],
  ])('row %s, %s with %j', (_, text, entries, expected) => {
    const { config, issues } = completeBackendFields(parse(text), { directoryName: 'm', entries });
    expect([config.platform, config.backend, config.defaultModelFilename]).toEqual(expected);
    expect(issues).toEqual([]);
  });

  test('row 2: a folder named <x>.dali without a configuration', () => {
    const { config } = completeBackendFields(emptyModelConfig(), {
      directoryName: 'decode.dali',
      entries: [],
    });
    expect(config).toMatchObject({ backend: 'dali' });
  });

  test('a custom backend is named behind the first dot of the model name', () => {
    const { config } = completeBackendFields(emptyModelConfig(), {
      directoryName: 'no.my.identity',
      entries: [],
    });
    expect(config).toMatchObject({ backend: 'my.identity', defaultModelFilename: 'model.my.identity' });
  });

  test('without any hint the model name is blamed, in the words of the reference', () => {
    const { issues } = completeBackendFields(emptyModelConfig(), {
      directoryName: 'no_version',
      entries: [],
    });
    expect(issues[0]?.message).toBe(
      "Invalid model name: Could not determine backend for model 'no_version' with no backend in model configuration. Expected model name of the form 'model.<backend_name>'.",
    );
  });

  test('the first folder in string order is looked at', () => {
    expect(folderToInspect(['2', '10', '1'])).toBe('1');
    expect(folderToInspect(['2', '10'])).toBe('10');
    expect(folderToInspect(['1', '.git'])).toBe('.git');
    expect(folderToInspect([])).toBeUndefined();
  });
});

describe('instance groups', () => {
  const groups = (text: string, gpus: readonly number[]): unknown =>
    normalizeInstanceGroups(parse(`name: "m" ${text}`), {
      gpuInventory: gpus.map((id) => ({ id })),
      backends: SOME_BACKENDS,
    }).config.instanceGroup.map(({ name, kind, count, gpus: ids }) => [name, kind, count, ids]);

  test.each<[string, readonly number[], unknown]>([
    ['backend: "onnxruntime"', [], [['m', 'KIND_CPU', 2, []]]],
    ['backend: "onnxruntime"', [0, 1], [['m', 'KIND_GPU', 1, [0, 1]]]],
    ['backend: "identity"', [], [['m', 'KIND_CPU', 1, []]]],
    ['backend: "python"', [0], [['m', 'KIND_CPU', 1, []]]],
    [
      'backend: "onnxruntime" instance_group [ { }, { kind: KIND_CPU count: 3 name: "x" } ]',
      [0],
      [
        ['m_0', 'KIND_GPU', 1, [0]],
        ['x', 'KIND_CPU', 3, []],
      ],
    ],
    ['backend: "x" instance_group { gpus: 7 }', [0], [['m_0', 'KIND_CPU', 1, [7]]]],
    ['backend: "x" instance_group { kind: KIND_GPU }', [], [['m_0', 'KIND_GPU', 1, []]]],
    ['backend: "x" instance_group { kind: KIND_MODEL count: -4 }', [0], [['m_0', 'KIND_MODEL', 1, []]]],
    ['platform: "ensemble"', [0], []],
  ])('%s on GPUs %j', (text, gpus, expected) => {
    expect(groups(text, gpus)).toEqual(expected);
  });

  test('instances are counted anew on each device and get the host policy of their kind', () => {
    const { config } = normalizeInstanceGroups(
      parse(
        'name: "m" backend: "x" instance_group [ { kind: KIND_GPU count: 2 }, { kind: KIND_CPU host_policy: "p" }, { kind: KIND_MODEL } ]',
      ),
      { gpuInventory: [{ id: 0 }, { id: 3 }] },
    );
    const planned = planInstances(config.instanceGroup).map(({ name, deviceId, hostPolicy }) => [
      name,
      deviceId,
      hostPolicy,
    ]);
    expect(planned).toEqual([
      ['m_0_0', 0, 'gpu_0'],
      ['m_0_1', 0, 'gpu_0'],
      ['m_0_0', 3, 'gpu_3'],
      ['m_0_1', 3, 'gpu_3'],
      ['m_1_0', undefined, 'p'],
      ['m_2_0', undefined, 'model'],
    ]);
  });
});

describe('autoCompleteOnnx', () => {
  const batchable: ModelDescription = {
    inputs: [
      describeTensor('A', 'FP32', [-1, 3, -1]),
      describeTensor('W', 'FP32', [3], { isOptional: true }),
    ],
    outputs: [describeTensor('B', 'BYTES', [-1])],
  };
  const fixed: ModelDescription = {
    inputs: [describeTensor('A', 'FP32', [1, 3])],
    outputs: [describeTensor('B', 'FP32', [])],
  };
  const complete = (
    text: string,
    description: ModelDescription,
    size?: number,
  ): ReturnType<typeof autoCompleteOnnx> =>
    autoCompleteOnnx(
      parse(`name: "m" ${text}`),
      description,
      size === undefined ? {} : { defaultMaxBatchSize: size },
    );

  test('fills in batch size, scheduler and tensors of a model that can batch', () => {
    const { config, origins, notes } = complete('', batchable);
    expect(config.maxBatchSize).toBe(4);
    expect(config.dynamicBatching).toEqual(emptyPart('dynamicBatching'));
    expect(config.input.map(({ name, dims, dataType }) => [name, dims, dataType])).toEqual([
      ['A', [3, -1], 'TYPE_FP32'],
    ]);
    expect(config.output[0]).toMatchObject({
      name: 'B',
      dataType: 'TYPE_STRING',
      dims: [1],
      reshape: { shape: [] },
    });
    expect(origins.get('max_batch_size')?.reason).toBe(
      'all inputs and outputs start with -1, default maximum is 4',
    );
    expect(notes.map((note) => note.level)).toEqual(['warn']);
  });

  test.each<[string, number | undefined, number, boolean]>([
    ['', 5, 5, true],
    ['', 1, 1, false],
    ['', 0, 0, false],
    ['max_batch_size: 2', undefined, 2, true],
    ['max_batch_size: 1', undefined, 1, false],
    ['max_batch_size: 8 sequence_batching { }', undefined, 8, false],
  ])('%s with default %s', (text, size, maxBatchSize, isBatching) => {
    const { config } = complete(text, batchable, size);
    expect([config.maxBatchSize, config.dynamicBatching !== undefined]).toEqual([maxBatchSize, isBatching]);
  });

  test('keeps the leading -1 when batching is switched off', () => {
    expect(complete('', batchable, 0).config.input[0]?.dims).toEqual([-1, 3, -1]);
  });

  test('takes complete shapes of a model that cannot batch; a scalar becomes one element', () => {
    const { config } = complete('', fixed);
    expect(config).toMatchObject({ maxBatchSize: 0, dynamicBatching: undefined });
    expect(config.input[0]).toMatchObject({ dims: [1, 3], dataType: 'TYPE_FP32' });
    expect(config.output[0]).toMatchObject({ dims: [1], reshape: undefined });
  });

  test('refuses a batch size that the model cannot have, and tensors that are none', () => {
    expect(complete('max_batch_size: 1', fixed).issues[0]?.message).toBe(
      "autofill failed for model 'm': model does not support batching while non-zero max_batch_size is specified",
    );
    const zipMap = { inputs: [], outputs: [describeTensor('P', undefined, [], { kind: 'sequence' })] };
    expect(complete('', zipMap).issues[0]).toMatchObject({
      message: "Unsupported ONNX Type 'ONNX_TYPE_SEQUENCE' for I/O 'P', expected 'ONNX_TYPE_TENSOR'.",
      statusCode: 'UNSUPPORTED',
    });
  });

  test.each(['float8e4m3fn', 'int4', 'uint2', 'complex64'])(
    'names %s, which no request can carry',
    (type) => {
      const sourceType = `tensor(${type})`;
      const inputs = [describeTensor('Q', undefined, [2], { sourceType })];
      expect(complete('', { inputs, outputs: [] }).issues[0]).toMatchObject({
        message: `Unsupported data type '${sourceType}' for I/O 'Q', the protocol has no name for its elements.`,
        statusCode: 'UNSUPPORTED',
      });
    },
  );

  test('is skipped altogether when inputs and outputs are written', () => {
    const text =
      'input { name: "A" data_type: TYPE_FP32 dims: 3 } output { name: "B" data_type: TYPE_FP32 dims: 1 }';
    const { config, notes } = complete(text, batchable);
    expect(config.maxBatchSize).toBe(0);
    expect(notes[0]?.text).toBe(
      "skipping model configuration auto-complete for 'm': inputs and outputs already specified",
    );
  });

  test('takes a tensor made of the batch for an input that is written', () => {
    const batchInput =
      'batch_input { kind: BATCH_ELEMENT_COUNT target_name: "N" data_type: TYPE_FP32 source_input: "A" }';
    expect(complete(batchInput, batchable).config).toMatchObject({ input: [], output: [{ name: 'B' }] });
    const both = `${batchInput} output { name: "B" data_type: TYPE_FP32 dims: 1 }`;
    expect(complete(both, batchable).notes[0]?.text).toContain('already specified');
  });

  test('fills only the side that is empty', () => {
    const { config } = complete('input { name: "A" data_type: TYPE_FP32 dims: [ 3, 1 ] }', batchable);
    expect(config.input[0]?.dims).toEqual([3, 1]);
    expect(config.output).toHaveLength(1);
  });
});

describe('mergeBackendCompletion', () => {
  const written = emptyModelConfig({ name: 'm', sequenceBatching: emptyPart('sequenceBatching') });

  test('takes batch size, tensors and the transaction policy, and nothing else', () => {
    const completed = {
      ...written,
      name: 'other',
      maxBatchSize: 3,
      input: [modelInput({ name: 'A' })],
      runtime: 'x',
    };
    const { config } = mergeBackendCompletion(written, {
      ...completed,
      modelTransactionPolicy: { decoupled: true },
    });
    expect(config).toMatchObject({
      name: 'm',
      runtime: '',
      maxBatchSize: 3,
      modelTransactionPolicy: { decoupled: true },
    });
    expect(config.input).toHaveLength(1);
  });

  test('refuses another scheduler', () => {
    const completed = {
      ...written,
      sequenceBatching: undefined,
      dynamicBatching: emptyPart('dynamicBatching'),
    };
    expect(mergeBackendCompletion(written, completed).issues[0]).toMatchObject({
      message: 'Cannot update scheduling choice from 13 to 13 when auto-completing.',
      statusCode: 'INTERNAL',
    });
  });
});

describe('completeModelConfig', () => {
  test('knows where every value comes from', () => {
    const parsed = parseModelConfig(
      'max_batch_size: 2 sequence_batching { oldest { } } parameters { key: "a.b" value { string_value: "x" } }',
    );
    const { config, origins } = completeModelConfig(parsed.config, {
      directoryName: 'm',
      entries: [file('model.onnx')],
      origins: originsOfTree(parsed.tree),
      description: {
        inputs: [describeTensor('A', 'FP32', [-1, 3])],
        outputs: [describeTensor('B', 'FP32', [-1, 3])],
      },
    });
    expect(config.sequenceBatching?.oldest?.preferredBatchSize).toEqual([2]);
    const kinds = Object.fromEntries(
      [
        'name',
        'backend',
        'max_batch_size',
        'input[0].dims',
        'sequence_batching.oldest',
        'sequence_batching.oldest.preferred_batch_size',
        'sequence_batching.max_sequence_idle_microseconds',
        'parameters["a.b"].string_value',
        'instance_group[0].kind',
        'optimization.input_pinned_memory.enable',
        'runtime',
      ].map((path) => [path, originOf(origins, path).kind]),
    );
    expect(kinds).toEqual({
      name: 'default',
      backend: 'auto-complete',
      max_batch_size: 'file',
      'input[0].dims': 'auto-complete',
      'sequence_batching.oldest': 'file',
      'sequence_batching.oldest.preferred_batch_size': 'default',
      'sequence_batching.max_sequence_idle_microseconds': 'default',
      'parameters["a.b"].string_value': 'file',
      'instance_group[0].kind': 'default',
      'optimization.input_pinned_memory.enable': 'default',
      runtime: 'default',
    });
  });
});

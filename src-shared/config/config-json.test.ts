import { describe, expect, test } from 'vitest';
import { completeModelConfig } from './complete-model-config.ts';
import { emptyModelConfig } from './config-defaults.ts';
import { modelConfigFromJson, modelConfigToJson } from './config-json.ts';
import { describeTensor } from './model-description.ts';
import { parseModelConfig } from './parse-model-config.ts';
import { SOME_BACKENDS } from '../testing/some-backends.ts';

const toJson = (text: string): string => modelConfigToJson(parseModelConfig(text).config);

describe('modelConfigToJson', () => {
  test('prints an auto-completed ONNX model on a CPU-only machine as the reference does', () => {
    const { config } = completeModelConfig(emptyModelConfig(), {
      directoryName: 'm',
      entries: [{ name: 'model.onnx', isDirectory: false }],
      backends: SOME_BACKENDS,
      description: {
        inputs: [describeTensor('A', 'INT32', [-1, 16])],
        outputs: [describeTensor('B', 'INT8', [-1, 16])],
      },
    });
    expect(modelConfigToJson(config)).toBe(
      [
        '{"name":"m","platform":"onnxruntime_onnx","backend":"onnxruntime","runtime":"","version_policy":{"latest":{"num_versions":1}},"max_batch_size":4,',
        '"input":[{"name":"A","data_type":"TYPE_INT32","format":"FORMAT_NONE","dims":[16],"is_shape_tensor":false,"allow_ragged_batch":false,"optional":false,"is_non_linear_format_io":false}],',
        '"output":[{"name":"B","data_type":"TYPE_INT8","dims":[16],"label_filename":"","is_shape_tensor":false,"is_non_linear_format_io":false}],"batch_input":[],"batch_output":[],',
        '"optimization":{"priority":"PRIORITY_DEFAULT","input_pinned_memory":{"enable":true},"output_pinned_memory":{"enable":true},"gather_kernel_buffer_threshold":0,"eager_batching":false},',
        '"dynamic_batching":{"preferred_batch_size":[4],"max_queue_delay_microseconds":0,"preserve_ordering":false,"priority_levels":0,"default_priority_level":0,"priority_queue_policy":{}},',
        '"instance_group":[{"name":"m","kind":"KIND_CPU","count":2,"gpus":[],"secondary_devices":[],"profile":[],"passive":false,"host_policy":""}],',
        '"default_model_filename":"model.onnx","cc_model_filenames":{},"metric_tags":{},"parameters":{},"model_warmup":[]}',
      ].join(''),
    );
  });

  test('keeps all digits of unsigned 64-bit integers, map keys included', () => {
    const json =
      toJson(`dynamic_batching { priority_levels: 18446744073709551615 default_priority_level: 4294967295
      priority_queue_policy { key: 4294967296 value { default_timeout_microseconds: 18446744073709551615 allow_timeout_override: true max_queue_size: 10 } } }`);
    expect(json).toContain('"priority_levels":18446744073709551615,"default_priority_level":4294967295');
    expect(json).toContain(
      '"4294967296":{"timeout_action":"REJECT","default_timeout_microseconds":18446744073709551615,"allow_timeout_override":true,"max_queue_size":10}',
    );
  });

  test.each([
    ['input { dims: [ 1, -1 ] reshape { shape: [ 16 ] } }', '"reshape":{"shape":[16]}'],
    ['version_policy { specific { versions: [ 1 ] } }', '"version_policy":{"specific":{"versions":[1]}}'],
    ['version_policy { all { } }', '"version_policy":{"all":{}}'],
    ['dynamic_batching { max_queue_delay_microseconds: 42 }', '"max_queue_delay_microseconds":42'],
    ['sequence_batching { max_sequence_idle_microseconds: 42 }', '"max_sequence_idle_microseconds":42'],
    [
      'sequence_batching { state { dims: 3 initial_state { dims: 3 zero_data: true name: "n" } } }',
      '"dims":[3],"initial_state":[{"data_type":"TYPE_INVALID","dims":["3"],"name":"n","zero_data":true}]',
    ],
    [
      'optimization { cuda { graph_spec { input { key: "x" value { dim: 4 } } } } }',
      '"input":{"x":{"dim":["4"]}}',
    ],
    [
      'instance_group { secondary_devices { device_id: 1 } }',
      '"secondary_devices":[{"kind":"KIND_NVDLA","device_id":"1"}]',
    ],
    ['ensemble_scheduling { step { model_version: -1 } }', '"model_version":-1'],
    [
      'model_warmup { inputs { key: "a" value { dims: 2 random_data: true } } }',
      '"inputs":{"a":{"data_type":"TYPE_INVALID","dims":[2],"random_data":true}}',
    ],
    ['sequence_batching { direct { minimum_slot_utilization: 0.5 } }', '"minimum_slot_utilization":0.5'],
    ['model_metrics { metric_control { histogram_options { buckets: [ 1, 2.5 ] } } }', '"buckets":[1,2.5]'],
    ['parameters { key: "k" value { string_value: "v" } }', '"parameters":{"k":{"string_value":"v"}}'],
  ])('%s', (text, json) => {
    expect(toJson(text)).toContain(json);
  });
});

describe('modelConfigFromJson', () => {
  test('reads back what it printed', () => {
    const { config } =
      parseModelConfig(`name: "m" max_batch_size: 8 input { name: "A" data_type: TYPE_FP32 dims: [ -1, 3 ] reshape { } }
      dynamic_batching { priority_levels: 18446744073709551615 default_queue_policy { timeout_action: DELAY } }
      instance_group [ { kind: KIND_GPU gpus: [ 0, 1 ] } ] parameters { key: "__proto__" value { string_value: "x" } }
      model_transaction_policy { decoupled: true }`);
    expect(modelConfigFromJson(modelConfigToJson(config))).toEqual({ config, issues: [] });
  });

  test('accepts camelCase names, strings for integers, enum names in any case, and empty text', () => {
    const { config, issues } = modelConfigFromJson(
      '{"maxBatchSize":"8","input":[{"name":"A","dataType":"type_fp32","dims":["-1",16],"format":2}],"backend":null}',
    );
    expect(issues).toEqual([]);
    expect(config.maxBatchSize).toBe(8);
    expect(config.input[0]).toMatchObject({ dataType: 'TYPE_FP32', dims: [-1, 16], format: 'FORMAT_NCHW' });
    expect(modelConfigFromJson('')).toEqual({ config: emptyModelConfig(), issues: [] });
  });

  test.each([
    ['{"max_batch_sise":1}', 'Message type "inference.ModelConfig" has no field named "max_batch_sise".'],
    ['{"max_batch_size":"x"}', 'max_batch_size: expected a whole number, got "x"'],
    ['{"max_batch_size":1.5}', 'max_batch_size: expected a whole number, got 1.5'],
    ['{"max_batch_size":3000000000}', 'max_batch_size: 3000000000 is out of range for int32'],
    ['{"name":1}', 'name: expected a string, got 1'],
    ['{"input":[{"data_type":"FP32"}]}', 'input[0].data_type: "FP32" is no value of inference.DataType'],
    ['{"parameters":[]}', 'parameters: expected an object, got an array'],
    [
      '{"dynamic_batching":{},"sequence_batching":{}}',
      'sequence_batching: Field "sequence_batching" is specified along with field "dynamic_batching", another member of oneof "scheduling_choice".',
    ],
    ['[]', 'expected an object, got an array'],
  ])('%s is refused', (json, message) => {
    expect(modelConfigFromJson(json).issues.map((issue) => issue.message)).toEqual([message]);
  });

  test('text that is not JSON is refused with the reason', () => {
    expect(modelConfigFromJson('{"a"').issues[0]?.message).toMatch(/^not valid JSON: /);
  });
});

test('one thing where a list belongs is a list of one, with a warning', () => {
  const json = '{"input":{"name":"a","dims":3},"instance_group":{"count":2}}';
  const { config, issues } = modelConfigFromJson(json);
  expect(config.input).toMatchObject([{ name: 'a', dims: [3] }]);
  expect(config.instanceGroup).toMatchObject([{ count: 2 }]);
  expect(issues.map(({ severity, message }) => [severity, message])).toEqual([
    ['warning', 'input: expected an array, got an object; taken for an array of one'],
    ['warning', 'input[0].dims: expected an array, got 3; taken for an array of one'],
    ['warning', 'instance_group: expected an array, got an object; taken for an array of one'],
  ]);
});

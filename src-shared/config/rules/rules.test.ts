// Every rule about the configuration alone by its sentence: one row per condition, on a configuration that is fine
// otherwise.

import { describe, expect, test } from 'vitest';
import { IO, dynamic, errorOf, identity } from '../../testing/rule-check.ts';

const sequence = (body: string): string => identity(`sequence_batching { ${body} }`);
const control = (name: string, body: string): string =>
  `control_input { name: "${name}" control { ${body} } }`;
const state = (body: string, initial = ''): string =>
  sequence(
    `state { input_name: "S" output_name: "T" data_type: TYPE_FP32 dims: [ -1, 2 ] ${body} ${initial} }`,
  );

test('the configurations that the rows start from are fine', () => {
  for (const text of [identity(''), dynamic(''), sequence(''), state('')])
    expect(errorOf(text)).toBeUndefined();
});

describe.each<[string, readonly [string, string][]]>([
  [
    'identity and batch size',
    [
      [`platform: "x" ${IO}`, "unexpected platform type 'x' for m"],
      [
        `platform: "ensemble" backend: "identity" ${IO}`,
        "Ensemble model 'm' must have platform type 'ensemble' and empty backend type",
      ],
      [`platform: "libtorch" ${IO}`, "unexpected 'platform' and 'backend' pair, got:libtorch, pytorch"],
      [`backend: "identity" max_batch_size: -1 ${IO}`, "'max_batch_size' must be non-negative value for m"],
    ],
  ],
  [
    'dynamic batching',
    [
      [dynamic('preferred_batch_size: [ 4, 0 ]'), 'dynamic batching preferred size must be positive for m'],
      [
        dynamic('preferred_batch_size: [ 4, 9 ]'),
        'dynamic batching preferred size must be <= max batch size for m',
      ],
      [
        dynamic('priority_levels: 3 default_priority_level: 4'),
        'default priority level must be in range [1, 3] for m',
      ],
      [
        dynamic('priority_levels: 3 default_priority_level: 1 priority_queue_policy { key: 4 value { } }'),
        'priority queue policy must have priority level in range [1, 3] for m',
      ],
      [
        dynamic('priority_levels: 2 default_priority_level: 1 preserve_ordering: true'),
        "Only one priority level is allowed when 'preserve_ordering' is true for m",
      ],
      [
        dynamic(
          'preserve_ordering: true default_queue_policy { timeout_action: DELAY default_timeout_microseconds: 1 }',
        ),
        "Queue policy can not have DELAY as timeout action when 'preserve_ordering' is true for m",
      ],
    ],
  ],
  [
    'sequence batching',
    [
      [
        sequence('') + ' response_cache { enable: true }',
        'Response Cache does not currently support model m with sequence batching scheduler. Please disable the response cache.',
      ],
      [
        sequence(control('', 'int32_false_true: [ 0, 1 ]')),
        'sequence batching control tensor must have a name for m',
      ],
      [
        sequence(control('E', 'kind: CONTROL_SEQUENCE_END')),
        "sequence batching must specify either 'int32_false_true', 'fp32_false_true' or 'bool_false_true' for CONTROL_SEQUENCE_END for m",
      ],
      [
        sequence(control('S', 'int32_false_true: [ 0, 1 ] bool_false_true: [ false, true ]')),
        "sequence batching specifies more than one from 'int32_false_true', 'fp32_false_true' and 'bool_false_true' for CONTROL_SEQUENCE_START for m",
      ],
      [
        sequence(control('S', 'fp32_false_true: [ 0, 1, 2 ]')),
        "sequence batching control 'fp32_false_true' must have exactly 2 entries for CONTROL_SEQUENCE_START for m",
      ],
      [
        sequence(
          control('C', 'kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_UINT64 int32_false_true: [ 0, 1 ]'),
        ),
        "sequence batching must not specify either 'int32_false_true', 'fp32_false_true' or 'bool_false_true' for CONTROL_SEQUENCE_CORRID for m",
      ],
      [
        sequence(control('C', 'kind: CONTROL_SEQUENCE_CORRID')),
        'unexpected data type for control CONTROL_SEQUENCE_CORRID for m. Allowed data types are TYPE_UINT64, TYPE_INT64, TYPE_UINT32, TYPE_INT32 and TYPE_STRING',
      ],
      [
        sequence(
          `${control('S', 'int32_false_true: [ 0, 1 ]')} ${control('T', 'int32_false_true: [ 0, 1 ]')}`,
        ),
        'sequence batching specifies multiple CONTROL_SEQUENCE_START tensors for m',
      ],
      [
        sequence('oldest { preferred_batch_size: 0 }'),
        'sequence batching preferred batch size must be positive for m',
      ],
      [
        sequence('oldest { preferred_batch_size: 9 }'),
        'sequence batching preferred batch size must be <= max batch size for m',
      ],
      [
        sequence('direct { minimum_slot_utilization: 1.5 }'),
        'sequence batching minimum slot utilization must be in range (0.0, 1.0] for m',
      ],
    ],
  ],
  [
    'sequence states',
    [
      [
        state('', 'initial_state { } initial_state { }'),
        "initial_state field for state input 'S' must contain exactly one or zero element. Found '2' elements.",
      ],
      [
        state('', 'initial_state { name: "i" data_type: TYPE_INT32 dims: [ 1, 2 ] zero_data: true }'),
        "The data type used for 'initial_state' field of state 'S' does not match the state data type.",
      ],
      [
        state('', 'initial_state { data_type: TYPE_FP32 dims: [ 1, 2 ] zero_data: true }'),
        "Field 'name' must be set when using initial_state for state input 'S'.",
      ],
      [
        state('', 'initial_state { name: "i" data_type: TYPE_FP32 dims: [ 2 ] zero_data: true }'),
        "Number of dimensions in 'initial_state' doesn't match the size of 'state' dimensions for state input 'S'. 1 != 2",
      ],
      [
        state('', 'initial_state { name: "i" data_type: TYPE_FP32 dims: [ -1, 2 ] zero_data: true }'),
        "'initial_state' field for state input name 'S' contains variable dimensions.",
      ],
      [
        state('', 'initial_state { name: "i" data_type: TYPE_FP32 dims: [ 1, 3 ] zero_data: true }'),
        "'initial_state' dim for input name 'S' doesn't match 'state' dim description. 3 != 2",
      ],
      [
        state('', 'initial_state { name: "i" data_type: TYPE_FP32 dims: [ 1, 2 ] }'),
        "initial_state setting expects state'S' to have state_data set",
      ],
      [
        sequence('state { input_name: "S" } state { input_name: "S" }'),
        "State input name 'S' specified more than once.",
      ],
    ],
  ],
  [
    'cache and metrics',
    [
      [
        identity('model_transaction_policy { decoupled: true } response_cache { enable: true }'),
        "Response Cache does not currently support model m with 'decoupled' transaction policy. Please disable the response cache.",
      ],
      [
        identity(
          'model_metrics { metric_control { metric_identifier { family: "nv_inference_first_response_histogram_ms" } } }',
        ),
        "metric control must specify 'histogram_options'",
      ],
    ],
  ],
  [
    'inputs and outputs',
    [
      [`backend: "x" input { data_type: TYPE_FP32 dims: 1 }`, "model input must specify 'name' for m"],
      [`backend: "x" output { name: "B" dims: 1 }`, "model output 'B' must specify 'data_type' for m"],
      [
        `backend: "x" output { name: "B" data_type: TYPE_FP32 }`,
        "model output 'B' must specify 'dims' for m",
      ],
      [
        `backend: "x" input { name: "A" data_type: TYPE_FP32 dims: -2 }`,
        "model input 'A' dimension must be integer >= 1, or -1 to indicate a variable-size dimension for m",
      ],
      [
        `backend: "x" input { name: "A" data_type: TYPE_FP32 dims: 1 format: FORMAT_NHWC }`,
        'model input NHWC/NCHW require 3 dims for m',
      ],
      [
        `backend: "x" input { name: "A" data_type: TYPE_FP32 dims: 1 is_shape_tensor: true }`,
        'shape tensors are only supported for TensorRT platform for m',
      ],
      [
        `backend: "x" output { name: "B" data_type: TYPE_FP32 dims: 1 is_non_linear_format_io: true }`,
        'Non-linear IO format is only supported for the TensorRT platform for m',
      ],
      [
        `platform: "tensorrt_plan" output { name: "B" data_type: TYPE_FP32 dims: 1 is_non_linear_format_io: true }`,
        'Non-linear IO format output requires 3 dims for m',
      ],
      [
        `backend: "x" input { name: "A" data_type: TYPE_FP32 dims: [ 4294967296, 4294967296 ] reshape { shape: [ 1 ] } }`,
        "element count for tensor 'A dims' exceeds maximum size of 9223372036854775807 for m",
      ],
      [identity('batch_input { source_input: "A" }'), "unexpected batch input data type 'TYPE_INVALID'"],
      [
        identity('batch_input { data_type: TYPE_INT8 source_input: "A" }'),
        'batch input data type must be TYPE_INT32 or TYPE_FP32 for m',
      ],
      [
        identity('batch_input { data_type: TYPE_INT32 source_input: "X" }'),
        "unknown source input name 'X' for m",
      ],
      [
        identity('batch_output { source_input: "X" target_name: "B" }'),
        "unknown source input name 'X' for m",
      ],
      [
        identity('batch_output { target_name: "B" }'),
        "batch output kind 'BATCH_SCATTER_WITH_INPUT_SHAPE' expects 1 source input, got 0 for m",
      ],
    ],
  ],
  [
    'instance groups',
    [
      [
        identity('instance_group { kind: KIND_MODEL gpus: 0 }'),
        'instance group m_0 of model m has kind KIND_MODEL but specifies one or more GPUs',
      ],
      [
        identity('instance_group { gpus: 0 }'),
        'instance group m_0 of model m has kind KIND_CPU but specifies one or more GPUs',
      ],
      [
        identity('instance_group { name: "g" profile: "0" }'),
        'instance group g of model m and platform specifies profile field which is only supported for TensorRT models',
      ],
      [
        `platform: "tensorrt_plan" instance_group { profile: "x" } ${IO}`,
        'instance group m_0 of model m and platform tensorrt_plan specifies invalid profile x. The field should contain the string representation of a non-negative integer.',
      ],
    ],
  ],
  [
    'ensembles',
    [
      [
        `platform: "ensemble" ensemble_scheduling { step { } } ${IO}`,
        "must specify 'model_name' in step 0 of ensemble 'm'",
      ],
      [
        `platform: "ensemble" ensemble_scheduling { step { model_name: "x" output_map { key: "o" value: "B" } } } ${IO}`,
        "must specify 'input_map' in step 0 of ensemble 'm'",
      ],
      [
        `platform: "ensemble" ensemble_scheduling { step { model_name: "x" input_map { key: "i" value: "A" } } } ${IO}`,
        "must specify 'output_map' in step 0 of ensemble 'm'",
      ],
      [
        `platform: "ensemble" ensemble_scheduling { step { model_name: "x" input_map { key: "i" value: "A" } output_map { key: "o" value: "B" } output_map { key: "p" value: "B" } } } ${IO}`,
        "ensemble tensor 'B' can appear in an output map only once for ensemble 'm' step 0",
      ],
      [
        `platform: "ensemble" ensemble_scheduling { step { model_name: "x" input_map { key: "i" value: "C" } output_map { key: "o" value: "B" } } } ${IO}`,
        "ensemble input 'A' for ensemble m' is not used",
      ],
      // As a running Triton answers, of three that are unused.
      [
        `platform: "ensemble"
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 4 ] } ] output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 4 ] } ]
ensemble_scheduling {
  step { model_name: "x" input_map { key: "a" value: "INPUT0" } output_map { key: "o" value: "OUTPUT0" } }
  step { model_name: "x" input_map [ { key: "a" value: "INPUT0" }, { key: "b" value: "OUTPUT0" } ] output_map { key: "o" value: "t3" } }
  step { model_name: "x" input_map { key: "a" value: "t2" } output_map { key: "o" value: "t1" } } }`,
        "ensemble tensor 't2' is unused in ensemble 'm'",
      ],
    ],
  ],
])('%s', (_, rows) => {
  test.each(rows)('%s', (text, message) => {
    const error = errorOf(text);
    expect(error?.message).toBe(message);
    expect(error?.span).toBeDefined();
  });
});

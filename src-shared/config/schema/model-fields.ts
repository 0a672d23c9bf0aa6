// Schema of the root message, ModelConfig, and of its small parts: parameters, warmup, agents, cache, metrics.

import { many, mapOf, message, one } from './field-types.ts';
import { INSTANCE_GROUP, OPTIMIZATION, VERSION_POLICY } from './instance-fields.ts';
import { DYNAMIC_BATCHING, ENSEMBLE_SCHEDULING, SEQUENCE_BATCHING } from './scheduling-fields.ts';
import { BATCH_INPUT, BATCH_OUTPUT, DATA_TYPE, MODEL_INPUT, MODEL_OUTPUT } from './tensor-fields.ts';

const PARAMETER = message('ModelParameter', 'The value of a parameter.', [
  one('string_value', 1, 'string', 'The value, always text.', { example: 'string_value: "4"' }),
]);

export const WARMUP_INPUT = message('ModelWarmup.Input', 'Data of one input of a warmup request.', [
  one('data_type', 1, DATA_TYPE, 'Element type of the data.'),
  many('dims', 2, 'int64', 'Shape without the batch dimension.', { limits: 'each 1 or more' }),
  one('zero_data', 3, 'bool', 'Zeros.', { oneof: 'input_data_type' }),
  one('random_data', 4, 'bool', 'Random values (zeros for strings).', { oneof: 'input_data_type' }),
  one('input_data_file', 5, 'string', 'Raw file in the folder warmup.', { oneof: 'input_data_type' }),
]);

export const WARMUP = message('ModelWarmup', 'Requests sent to each instance before it serves.', [
  one('name', 1, 'string', 'Name of the sample, for messages.'),
  one('batch_size', 2, 'uint32', 'Batch size of the sample.', {
    defaultText: '0, as for models without batching',
  }),
  mapOf('inputs', 3, 'string', WARMUP_INPUT, 'Data per input.', {
    limits: 'every input that is not optional',
  }),
  one('count', 4, 'uint32', 'How often the sample is sent.', { defaultText: '1' }),
]);

export const AGENT = message('ModelRepositoryAgents.Agent', 'A repository agent.', [
  one('name', 1, 'string', 'Name of the agent.', { example: 'name: "checksum"' }),
  mapOf('parameters', 2, 'string', 'string', 'Parameters of the agent.'),
]);

const METRIC_CONTROL = message('ModelMetrics.MetricControl', 'Changes one metric of this model.', [
  one(
    'metric_identifier',
    1,
    message('ModelMetrics.MetricControl.MetricIdentifier', 'Names a metric.', [
      one('family', 1, 'string', 'Metric family.', {
        limits: 'nv_inference_first_response_histogram_ms is the one that can be changed',
      }),
    ]),
    'Metric that is changed.',
  ),
  one(
    'histogram_options',
    2,
    message('ModelMetrics.MetricControl.HistogramOptions', 'Options of a histogram.', [
      many('buckets', 1, 'double', 'Upper bounds of the buckets.', {
        unit: 'milliseconds',
        defaultText: '[ 100, 500, 2000, 5000 ]',
      }),
    ]),
    'Options of a histogram.',
    { oneof: 'metric_options' },
  ),
]);

const SCHEDULING_CHOICE = {
  oneof: 'scheduling_choice',
  limits: 'at most one of dynamic_batching, sequence_batching, ensemble_scheduling',
};

/** The whole of `config.pbtxt`. */
export const MODEL_CONFIG = message('ModelConfig', 'The configuration of one model.', [
  one('name', 1, 'string', 'Name of the model; equal to the name of its folder.', {
    defaultText: 'the name of the folder',
  }),
  one('platform', 2, 'string', 'Older way to name the backend.', {
    example: 'platform: "onnxruntime_onnx"',
    limits: 'must fit the backend; "ensemble" for ensembles',
  }),
  one('backend', 17, 'string', 'Backend that runs the model.', {
    example: 'backend: "onnxruntime"',
    defaultText: 'found from the platform or the model file',
    limits: 'empty for ensembles',
  }),
  one('runtime', 25, 'string', 'Library or script of the backend.', { defaultText: 'searched for' }),
  one('version_policy', 3, VERSION_POLICY, 'Which version folders are served.', {
    defaultText: 'latest { num_versions: 1 }',
  }),
  one(
    'max_batch_size',
    4,
    'int32',
    'Largest batch. Above 0, tensors have a batch dimension that dims leave out.',
    {
      defaultText: '0, no batching; completed for ONNX models that can batch',
      limits: '0 or more',
      example: 'max_batch_size: 8',
    },
  ),
  many('input', 5, MODEL_INPUT, 'Tensors that clients send.', { defaultText: 'taken from the model file' }),
  many('output', 6, MODEL_OUTPUT, 'Tensors that clients receive.', {
    defaultText: 'taken from the model file',
  }),
  many('batch_input', 20, BATCH_INPUT, 'Model inputs derived from the make-up of a batch.'),
  many('batch_output', 21, BATCH_OUTPUT, 'Outputs cut by the shapes of an input.'),
  one('optimization', 12, OPTIMIZATION, 'How the model is executed.'),
  one('dynamic_batching', 11, DYNAMIC_BATCHING, 'Combine requests into batches.', {
    ...SCHEDULING_CHOICE,
    effect: 'Raises throughput when several requests are under way.',
    example: 'dynamic_batching { max_queue_delay_microseconds: 100 }',
  }),
  one(
    'sequence_batching',
    13,
    SEQUENCE_BATCHING,
    'Keep the requests of a sequence together.',
    SCHEDULING_CHOICE,
  ),
  one('ensemble_scheduling', 15, ENSEMBLE_SCHEDULING, 'Run other models as a graph.', SCHEDULING_CHOICE),
  many('instance_group', 7, INSTANCE_GROUP, 'How many instances run, and where.', {
    defaultText: 'one group of kind KIND_AUTO',
  }),
  one('default_model_filename', 8, 'string', 'Model file inside a version folder.', {
    defaultText: 'by backend, such as model.onnx',
  }),
  mapOf('cc_model_filenames', 9, 'string', 'string', 'Model file per CUDA compute capability.', {
    example: 'cc_model_filenames { key: "7.5" value: "model_75.onnx" }',
  }),
  mapOf('metric_tags', 10, 'string', 'string', 'Further labels on the metrics of this model.'),
  mapOf('parameters', 14, 'string', PARAMETER, 'Settings of the backend.', {
    example: 'parameters { key: "intra_op_thread_count" value { string_value: "4" } }',
  }),
  many('model_warmup', 16, WARMUP, 'Requests sent before the model is ready.'),
  one(
    'model_operations',
    18,
    message('ModelOperations', 'Custom operators.', [
      many('op_library_filename', 1, 'string', 'Libraries with custom operators.'),
    ]),
    'Custom operators of the model.',
  ),
  one(
    'model_transaction_policy',
    19,
    message('ModelTransactionPolicy', 'How responses relate to requests.', [
      one('decoupled', 1, 'bool', 'A request may have any number of responses.', { defaultText: 'false' }),
    ]),
    'How responses relate to requests.',
  ),
  one(
    'model_repository_agents',
    23,
    message('ModelRepositoryAgents', 'Agents that see the model before it loads.', [
      many('agents', 1, AGENT, 'Agents, called in this order.'),
    ]),
    'Agents that see the model before it loads.',
  ),
  one(
    'response_cache',
    24,
    message('ModelResponseCache', 'Use of the response cache.', [
      one('enable', 1, 'bool', 'Answer repeated requests from the cache.', {
        defaultText: 'false',
        limits: 'not with sequence batching or decoupled models; needs --cache-config',
      }),
    ]),
    'Use of the response cache.',
  ),
  one(
    'model_metrics',
    26,
    message('ModelMetrics', 'Changes to the metrics of this model.', [
      many('metric_control', 1, METRIC_CONTROL, 'One entry per metric.'),
    ]),
    'Changes to the metrics of this model.',
  ),
]);

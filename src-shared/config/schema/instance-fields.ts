// Schema of where and how instances run: instance groups, rate limiting, version policy, optimisation.

import { enumeration, many, mapOf, message, one } from './field-types.ts';

const RATE_LIMITER_RESOURCE = message(
  'ModelRateLimiter.Resource',
  'Something an execution needs and gives back.',
  [
    one('name', 1, 'string', 'Name of the resource; models that use the same name share it.'),
    one('global', 2, 'bool', 'One pool for the whole server instead of one per device.', {
      defaultText: 'false',
    }),
    one('count', 3, 'uint32', 'Units that one execution takes.', { defaultText: '0' }),
  ],
);

export const RATE_LIMITER = message(
  'ModelRateLimiter',
  'Limits when instances may run, across models. Needs --rate-limit=execution_count.',
  [
    many('resources', 1, RATE_LIMITER_RESOURCE, 'What each execution of an instance takes.'),
    one(
      'priority',
      2,
      'uint32',
      'Share of turns: an instance of priority P gets 1/P of those of priority 1.',
      {
        defaultText: '1',
        limits: '1 or more; 0 counts as 1',
      },
    ),
  ],
);

const INSTANCE_KIND = enumeration('ModelInstanceGroup.Kind', [
  ['KIND_AUTO', 'GPU if one is usable, otherwise CPU.'],
  ['KIND_GPU', 'One set of instances on each listed GPU.'],
  ['KIND_CPU', 'Instances on the CPU.'],
  ['KIND_MODEL', 'The model or backend places itself.'],
]);

const SECONDARY_DEVICE_KIND = enumeration('ModelInstanceGroup.SecondaryDevice.SecondaryDeviceKind', [
  ['KIND_NVDLA', 'Deep learning accelerator core.'],
]);

const SECONDARY_DEVICE = message(
  'ModelInstanceGroup.SecondaryDevice',
  'A further device an instance may use.',
  [
    one('kind', 1, SECONDARY_DEVICE_KIND, 'Kind of the device.', { defaultText: 'KIND_NVDLA' }),
    one('device_id', 2, 'int64', 'Number of the device.', { defaultText: '0', isJsonString: true }),
  ],
);

export const INSTANCE_GROUP = message('ModelInstanceGroup', 'A number of equal instances of the model.', [
  one('name', 1, 'string', 'Name of the group; instances are called <name>_0, <name>_1 ...', {
    defaultText: 'the model name, or <model>_<index> when groups are listed',
  }),
  one('kind', 4, INSTANCE_KIND, 'Device the instances run on.', { defaultText: 'KIND_AUTO' }),
  one('count', 2, 'int32', 'Instances per device for KIND_GPU, in total otherwise.', {
    defaultText: '1; 2 for ONNX models on the CPU',
    effect: 'Each instance runs one batch at a time and holds its own copy of the weights.',
    example: 'instance_group [ { kind: KIND_CPU count: 2 } ]',
  }),
  one('rate_limiter', 6, RATE_LIMITER, 'Resources and priority of the instances.', {
    defaultText: 'not limited',
  }),
  many('gpus', 3, 'int32', 'GPU ids for KIND_GPU; `count` instances are made on each.', {
    defaultText: 'all usable GPUs',
    limits: 'ids of usable GPUs; empty for KIND_CPU and KIND_MODEL',
    example: 'gpus: [ 0 ]',
  }),
  many('secondary_devices', 8, SECONDARY_DEVICE, 'Further devices of each instance.', {
    isTensorRtOnly: true,
  }),
  many('profile', 5, 'string', 'Optimisation profiles of the engine, by index.', {
    isTensorRtOnly: true,
    limits: 'text of a number of 0 or more',
  }),
  one('passive', 7, 'bool', 'The instances are loaded but get no requests.', { defaultText: 'false' }),
  one('host_policy', 9, 'string', 'Name of a --host-policy, which binds threads and memory.', {
    defaultText: 'cpu, model or gpu_<id> by kind',
  }),
]);

const LATEST = message('ModelVersionPolicy.Latest', 'Serve the numerically highest versions.', [
  one('num_versions', 1, 'uint32', 'How many versions are served.', {
    defaultText: '0, which selects nothing',
    limits: '1 or more',
  }),
]);

const SPECIFIC = message('ModelVersionPolicy.Specific', 'Serve the listed versions.', [
  many('versions', 1, 'int64', 'Version numbers; those without a folder are ignored with a log line.', {
    example: 'specific { versions: [ 1, 3 ] }',
  }),
]);

export const VERSION_POLICY = message('ModelVersionPolicy', 'Which version folders are served.', [
  one('latest', 1, LATEST, 'The highest version numbers.', {
    oneof: 'policy_choice',
    example: 'latest { num_versions: 1 }',
  }),
  one('all', 2, message('ModelVersionPolicy.All', 'Serve all versions.', []), 'Every version folder.', {
    oneof: 'policy_choice',
    example: 'all { }',
  }),
  one('specific', 3, SPECIFIC, 'Exactly the listed versions.', { oneof: 'policy_choice' }),
]);

const GRAPH = message('ModelOptimizationPolicy.Graph', 'Graph optimisation.', [
  one('level', 1, 'int32', 'ONNX: -1 basic, 0 all, 1 extended, 2 none.', { defaultText: '0' }),
]);

const SHAPE = message('ModelOptimizationPolicy.Cuda.GraphSpec.Shape', 'A shape.', [
  many('dim', 1, 'int64', 'Dimensions of the tensor.', { isJsonString: true }),
]);

const LOWER_BOUND = message('ModelOptimizationPolicy.Cuda.GraphSpec.LowerBound', 'Smallest usable shapes.', [
  one('batch_size', 1, 'int32', 'Smallest batch size.'),
  mapOf('input', 2, 'string', SHAPE, 'Smallest shape per input.'),
]);

const GRAPH_SPEC = message('ModelOptimizationPolicy.Cuda.GraphSpec', 'Shapes to capture a CUDA graph for.', [
  one('batch_size', 1, 'int32', 'Batch size of the graph.'),
  mapOf('input', 2, 'string', SHAPE, 'Shape per input.'),
  one('graph_lower_bound', 3, LOWER_BOUND, 'Smallest shapes that may use the graph.'),
]);

const CUDA = message('ModelOptimizationPolicy.Cuda', 'CUDA execution.', [
  one('graphs', 1, 'bool', 'Use CUDA graphs.', { defaultText: 'false' }),
  one('busy_wait_events', 2, 'bool', 'Wait for GPU events by spinning.', { defaultText: 'false' }),
  many('graph_spec', 3, GRAPH_SPEC, 'Shapes to capture graphs for.'),
  one('output_copy_stream', 4, 'bool', 'Copy outputs on a stream of their own.', { defaultText: 'false' }),
]);

export const ACCELERATOR = message(
  'ModelOptimizationPolicy.ExecutionAccelerators.Accelerator',
  'An execution provider.',
  [
    one('name', 1, 'string', 'GPU: tensorrt or cuda. CPU: openvino.', { example: 'name: "tensorrt"' }),
    mapOf('parameters', 2, 'string', 'string', 'Options of the provider.', {
      example: 'parameters { key: "precision_mode" value: "FP16" }',
    }),
  ],
);

const EXECUTION_ACCELERATORS = message(
  'ModelOptimizationPolicy.ExecutionAccelerators',
  'Execution providers to try, in order.',
  [
    many('gpu_execution_accelerator', 1, ACCELERATOR, 'Providers of KIND_GPU instances.'),
    many('cpu_execution_accelerator', 2, ACCELERATOR, 'Providers of every instance.'),
  ],
);

const PINNED_MEMORY = message('ModelOptimizationPolicy.PinnedMemoryBuffer', 'Use of page-locked memory.', [
  one('enable', 1, 'bool', 'Gather through page-locked memory where it helps.', { defaultText: 'false' }),
]);

const PRIORITY = enumeration('ModelOptimizationPolicy.ModelPriority', [
  ['PRIORITY_DEFAULT', 'Normal priority.'],
  ['PRIORITY_MAX', 'Before other models.'],
  ['PRIORITY_MIN', 'After other models.'],
]);

export const OPTIMIZATION = message('ModelOptimizationPolicy', 'How the model is executed.', [
  one('graph', 1, GRAPH, 'Graph optimisation.', { defaultText: 'all optimisations' }),
  one('priority', 2, PRIORITY, 'Priority among models on one device.', { defaultText: 'PRIORITY_DEFAULT' }),
  one('cuda', 3, CUDA, 'CUDA settings.'),
  one('execution_accelerators', 4, EXECUTION_ACCELERATORS, 'Execution providers.', {
    defaultText: 'none beside the device itself',
  }),
  one('input_pinned_memory', 5, PINNED_MEMORY, 'Page-locked memory for inputs.', {
    defaultText: '{ enable: true }',
  }),
  one('output_pinned_memory', 6, PINNED_MEMORY, 'Page-locked memory for outputs.', {
    defaultText: '{ enable: true }',
  }),
  one(
    'gather_kernel_buffer_threshold',
    7,
    'uint32',
    'Number of buffers from which a GPU kernel gathers them.',
    {
      defaultText: '0, never',
    },
  ),
  one('eager_batching', 8, 'bool', 'Prepare the next batch before an instance is free.', {
    defaultText: 'false',
  }),
]);

// What the ONNX Runtime backend says about itself.

import { describeBackend } from '../../../src-shared/config/backend-description.ts';

const NO_EFFECT = 'Read by Triton; has no effect here, which the model says when it loads.';

export const onnxruntimeDescription = describeBackend({
  name: 'onnxruntime',
  title: 'ONNX Runtime',
  summary: 'ONNX models, each instance a session in a thread; instances of very small models share threads.',
  aliases: ['onnx', 'ort', 'onnxrt'],
  format: 'onnx',
  artefacts: [{ name: 'model.onnx', form: 'file or folder', platform: 'onnxruntime_onnx' }],
  parameters: [
    {
      name: 'intra_op_thread_count',
      summary: 'Threads within an operator; 0, the default, leaves it to the library.',
    },
    {
      name: 'inter_op_thread_count',
      summary: 'Threads across operators when execution_mode is 1; default 0.',
    },
    { name: 'execution_mode', summary: '0 runs operators one after the other, 1 in parallel; default 0.' },
    { name: 'enable_mem_arena', summary: '1 keeps freed memory for the next execution; default 1.' },
    { name: 'enable_mem_pattern', summary: '1 plans memory ahead where shapes repeat; default 1.' },
    {
      name: 'session.use_device_allocator_for_initializers',
      summary: '1 takes weights out of the arena; default 0.',
    },
    {
      name: 'session.intra_op.allow_spinning',
      summary: '1 lets waiting threads spin: quicker, takes cores from others; default 0.',
    },
    {
      name: 'session.inter_op.allow_spinning',
      summary: '1 lets waiting threads spin: quicker, takes cores from others; default 0.',
    },
    { name: 'memory.enable_memory_arena_shrinkage', summary: NO_EFFECT },
    { name: 'cudnn_conv_algo_search', summary: NO_EFFECT },
    { name: 'gpu_mem_limit', summary: NO_EFFECT },
    { name: 'arena_extend_strategy', summary: NO_EFFECT },
    { name: 'do_copy_in_default_stream', summary: NO_EFFECT },
  ],
  settings: [
    {
      name: 'default-max-batch-size',
      summary: 'max_batch_size of completed models that can batch; default 4.',
    },
    { name: 'enable-global-threadpool', summary: '1 lets the pool sizes given here count for every model.' },
    { name: 'intra_op_thread_count', summary: 'For models that do not set it themselves.' },
    { name: 'inter_op_thread_count', summary: 'For models that do not set it themselves.' },
    {
      name: 'gpu-providers',
      summary:
        'GPU providers in the order in which they are tried: "cuda,webgpu"; default cuda, dml, coreml, webgpu.',
    },
    {
      name: 'gpu-comparison',
      summary: '0 leaves out the comparison with the CPU when a model is first placed on a GPU; default 1.',
    },
    {
      name: 'gpu-steady-batches',
      summary:
        '0 leaves batches on a GPU as they are; default 1: where the comparison found that another number of rows costs more than a run, batches that the server makes are filled up to one number.',
    },
    {
      name: 'inline-runs',
      summary:
        "0 keeps every run in the instance's thread; default 1: the event loop does runs of small models that take less time than the way to the thread.",
    },
    {
      name: 'direct-runs',
      summary:
        "0 takes every run through onnxruntime-node; default 1: short runs of small models are taken through the runtime's C interface, which costs less.",
    },
  ],
  instances: { cpuInstanceCount: 2 },
});

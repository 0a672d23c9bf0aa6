// What the backends of frameworks say about themselves. Their models run on the framework's own package in the user's
// Python. (docs/framework-backends.md)

import type { BackendDescription, BackendKey } from '../../../src-shared/config/backend-description.ts';
import { describeBackend } from '../../../src-shared/config/backend-description.ts';

const PYTHON_SETTING: BackendKey = {
  name: 'python-executable',
  summary: 'Path of the Python that has the framework; default: as for Python models.',
};

const key = (name: string, summary: string): BackendKey => ({ name, summary });

const COMMON = { format: 'binary', supportsOptionalInputs: false, createsInParallel: false } as const;

/** Value of `runtime` for models that are a class of the user's. */
export const PYTHON_RUNTIME = 'model.py';

export const pytorchDescription: BackendDescription = describeBackend({
  ...COMMON,
  name: 'pytorch',
  title: 'PyTorch',
  summary: 'TorchScript models, run by the package torch of the chosen Python.',
  aliases: ['torch', 'libtorch', 'torchscript'],
  artefacts: [
    { name: 'model.pt', form: 'file', platform: 'pytorch_libtorch' },
    { name: 'model.pt2', form: 'file', platform: 'torch_aoti' },
  ],
  runtimes: [PYTHON_RUNTIME],
  instances: { reachesGpusItself: true },
  parameters: [
    key('DISABLE_OPTIMIZED_EXECUTION', 'true: graph optimisation is off; default false.'),
    key('INFERENCE_MODE', 'true (default): inference mode around loading and running.'),
    key('DISABLE_CUDNN', 'true: without cuDNN; default false.'),
    key('ENABLE_CACHE_CLEANING', 'true: empties the CUDA cache after each execution; default false.'),
    key('ENABLE_WEIGHT_SHARING', 'true: the instances on a device share the weights; default false.'),
    key('ENABLE_JIT_PROFILING', 'Profiling mode of the JIT; untouched by default.'),
    key('ENABLE_JIT_EXECUTOR', 'Profiling executor of the JIT; untouched by default.'),
    key('ENABLE_TENSOR_FUSER', 'Tensor-expression fuser; untouched by default.'),
    key('INTRA_OP_THREAD_COUNT', 'Threads within an operator, for the instances of the model.'),
    key('INTER_OP_THREAD_COUNT', 'Threads between operators, for the instances of the model.'),
    key('NUM_THREADS', 'runtime: "model.py" only: threads within an operator; default 1.'),
    key('NUM_INTEROP_THREADS', 'runtime: "model.py" only: threads between operators; default 1.'),
    key(
      'TORCH_COMPILE_OPTIONAL_PARAMETERS',
      'runtime: "model.py" only: JSON object with arguments of torch.compile.',
    ),
  ],
  settings: [PYTHON_SETTING],
});

export const openvinoDescription: BackendDescription = describeBackend({
  ...COMMON,
  name: 'openvino',
  title: 'OpenVINO',
  summary: 'OpenVINO models, run by the package openvino of the chosen Python.',
  artefacts: [{ name: 'model.xml', form: 'file' }],
  instances: { preferredGroups: [{ kind: 'KIND_CPU', count: 0 }] },
  parameters: [
    key('TARGET_DEVICE', 'CPU (default), GPU, NPU, AUTO, MULTI:…, HETERO:….'),
    key('ENABLE_BATCH_PADDING', 'YES: smaller batches are filled up to max_batch_size.'),
    key('RESHAPE_IO_LAYERS', 'YES: inputs take the configured dims.'),
    key('INFERENCE_NUM_THREADS', 'Threads of inference.'),
    key('COMPILATION_NUM_THREADS', 'Threads of compilation.'),
    key('NUM_STREAMS', 'AUTO, NUMA or a number.'),
    key('PERFORMANCE_HINT', 'LATENCY, THROUGHPUT or CUMULATIVE_THROUGHPUT.'),
    key('HINT_BF16', 'YES: computes in bfloat16.'),
    key('SKIP_OV_DYNAMIC_BATCHSIZE', 'YES: no automatic batching.'),
    key('CPU_EXTENSION_PATH', 'Library with operators.'),
  ],
  settings: [PYTHON_SETTING],
});

export const tensorflowDescription: BackendDescription = describeBackend({
  ...COMMON,
  name: 'tensorflow',
  title: 'TensorFlow',
  summary: 'SavedModels and frozen graphs, run by the package tensorflow of the chosen Python.',
  aliases: ['tf'],
  artefacts: [
    { name: 'model.savedmodel', form: 'folder', platform: 'tensorflow_savedmodel' },
    { name: 'model.graphdef', form: 'file', platform: 'tensorflow_graphdef' },
  ],
  instances: { cpuInstanceCount: 2, reachesGpusItself: true },
  parameters: [
    key('TF_GRAPH_TAG', 'Tag of the graph in a SavedModel; default serve.'),
    key('TF_SIGNATURE_DEF', 'Signature to serve; default serving_default.'),
    key('TF_NUM_INTRA_THREADS', 'Threads within an operator; 0 = automatic.'),
    key('TF_NUM_INTER_THREADS', 'Threads between operators; 0 = automatic.'),
    key('TF_USE_PER_SESSION_THREADS', 'true: each session has threads of its own.'),
    key('TF_INIT_OPS_FILE', 'JSON file {"init_ops": […]} with operations to run once.'),
    key('MAX_SESSION_SHARE_COUNT', 'Instances on a device that share a session; default 1.'),
  ],
  settings: [
    PYTHON_SETTING,
    key('allow-soft-placement', 'false: operators run on the device they name, or not at all; default true.'),
    key(
      'gpu-memory-fraction',
      'Part of the GPU memory that a session takes; default 0, which takes what it needs.',
    ),
  ],
});

export const daliDescription: BackendDescription = describeBackend({
  ...COMMON,
  name: 'dali',
  title: 'DALI',
  summary: 'DALI pipelines, run by the package nvidia-dali of the chosen Python.',
  artefacts: [
    { name: 'model.dali', form: 'file' },
    { name: 'dali.py', form: 'file' },
  ],
  instances: { reachesGpusItself: true },
  runsCode: true,
  parameters: [
    key('num_threads', 'Threads of the pipeline; default: its own value.'),
    key(
      'split_along_outer_axis',
      'Outputs, separated by :, whose samples are merged along their first axis.',
    ),
  ],
  settings: [PYTHON_SETTING, key('plugin_libs', 'Libraries with operators of your own, separated by :.')],
});

export const tensorrtDescription: BackendDescription = describeBackend({
  ...COMMON,
  name: 'tensorrt',
  title: 'TensorRT',
  summary:
    'TensorRT plans, run by the package tensorrt of the chosen Python on an NVIDIA GPU, and only there.',
  aliases: ['trt'],
  artefacts: [{ name: 'model.plan', form: 'file', platform: 'tensorrt_plan' }],
  instances: { reachesGpusItself: true, isOnlyOnGpus: true },
  parameters: [
    key(
      'execution_context_allocation_strategy',
      'When memory for activations is allocated: STATIC (default), ON_PROFILE_CHANGE.',
    ),
  ],
  settings: [
    PYTHON_SETTING,
    key('plugins', 'Libraries with plugins, separated by ;.'),
    key(
      'version-compatible',
      'true: plans that were built version-compatible may bring code of theirs; default false.',
    ),
    key('coalesce-request-input', 'Read by Triton; has no effect here, which the model says when it loads.'),
    key(
      'execution-policy',
      'DEVICE_BLOCKING (default) or BLOCKING; has no effect here: each instance has a thread.',
    ),
  ],
});

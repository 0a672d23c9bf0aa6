// Options of backends and repository agents.

import { changed, field } from '../engine-field.ts';
import type { KeyedSetting } from '../option-builders.ts';
import { keyed, scalar } from '../option-builders.ts';
import type { OptionDefinition } from '../option-definition.ts';
import { anyText, oneOf, whole } from '../value-types.ts';

const SECTION = 'Running models';
const ONNX = 'onnxruntime';

const settings: readonly KeyedSetting[] = [
  {
    key: 'default-max-batch-size',
    scopes: ['', ONNX],
    screen: {
      kind: 'number',
      key: 'server.defaultMaxBatchSize',
      section: 'Models',
      title: 'Default max batch size',
      defaultValue: 4,
      help: 'max_batch_size that completion gives to models that can batch.',
      min: 0,
      max: 65_536,
    },
    read: whole().parse,
  },
  threads(
    'intra_op_thread_count',
    'server.intraOpThreads',
    'CPU threads of an operator',
    'intra_op_thread_count of models whose configuration has none; 0 lets ONNX Runtime take one for each core.',
  ),
  threads(
    'inter_op_thread_count',
    'server.interOpThreads',
    'Operators at a time',
    'inter_op_thread_count of models whose configuration has none; counts with execution_mode 1 only. 0 leaves it to ONNX Runtime.',
  ),
  {
    key: 'gpu-providers',
    scopes: [ONNX],
    screen: {
      kind: 'text',
      key: 'server.gpuProviders',
      section: SECTION,
      title: 'Order of GPU providers',
      defaultValue: '',
      help: 'Execution providers that a GPU instance tries before the CPU: cuda, tensorrt, webgpu, dml, coreml, separated by blanks. Empty: cuda, dml, coreml, webgpu, whichever works first. A provider that computes on the processor here is used only when it is named.',
      words: ['cuda', 'tensorrt', 'webgpu', 'dml', 'coreml'],
    },
    read: (text) => text,
  },
  {
    key: 'python-executable',
    scopes: ['python'],
    screen: {
      kind: 'text',
      key: 'server.pythonExecutable',
      section: SECTION,
      title: 'Python',
      defaultValue: '',
      help: 'Path of the Python that runs Python models. Empty: an environment .venv beside the repository, else python3 of the system.',
    },
    values: (program) => (program === '' ? [] : [String(program)]),
    read: (text) => text,
  },
];

/** 0 threads is no option at all. */
function threads(key: string, settingKey: string, title: string, help: string): KeyedSetting {
  return {
    key,
    scopes: [ONNX],
    screen: {
      kind: 'number',
      key: settingKey,
      section: SECTION,
      title,
      defaultValue: 0,
      help,
      min: 0,
      max: 1024,
    },
    values: (count) => (count === 0 ? [] : [String(count)]),
    read: whole().parse,
  };
}

/** In the order of the usage text. */
export const backendOptions: readonly OptionDefinition[] = [
  scalar({
    name: 'backend-directory',
    group: 'Backend',
    type: anyText,
    field: field('backends', 'directory'),
    help: 'Folder of backend libraries, named in messages and tables.',
  }),
  keyed({
    group: 'Backend',
    argument: '<string>,<string>=<string>',
    help: 'Setting of one backend or of all: [<backend>,]<key>=<value>.',
    form: { option: 'backend-config', scope: 'optional', scopeName: 'backend name', noun: 'backend' },
    entries: {
      get: ({ backends }) => backends.settings.map(({ backend, ...entry }) => ({ scope: backend, ...entry })),
      add: (engine, { scope, key, value }) =>
        changed(engine, 'backends', {
          settings: [...engine.backends.settings, { backend: scope, key, value }],
        }),
    },
    settings,
  }),
  scalar({
    name: 'repoagent-directory',
    group: 'Repository Agent',
    type: anyText,
    field: field('repository', 'agentDirectory'),
    help: 'Folder of repository agents, named in messages.',
  }),
];

/** An option that the reference does not have. */
export const gpuPolicy: OptionDefinition = scalar({
  name: 'gpu-policy',
  group: 'Conch',
  type: oneOf('gpu-policy', ['fallback', 'strict']),
  field: field('backends', 'gpuPolicy'),
  help: 'What KIND_GPU means without a usable GPU: "fallback" runs on the CPU with a mark, "strict" fails.',
  screen: {
    key: 'server.gpuPolicy',
    section: SECTION,
    title: 'Models that ask for a GPU',
    help: 'Fallback runs them on the CPU and marks them; strict refuses them, as Triton does.',
  },
});

// Management over gRPC with values of every kind: settings of the log and of traces, parameters of loads and unloads, names
// and sizes of shared memory. What holds afterwards is read back.

import type { PlainMessage } from '../../src-main/grpc-wire/messages.ts';
import { grpcCall } from './grpc-exchange.ts';
import { hideVolatile } from './normalise.ts';
import { ECHO_MODEL, pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

const KINDS: readonly PlainMessage[] = [
  {},
  { bool_param: false },
  { bool_param: true },
  { int64_param: 0 },
  { int64_param: '-1' },
  { string_param: '' },
  { string_param: 'x' },
  { double_param: 1.5 },
  { uint64_param: 3 },
];
/** Values of the settings of the log; the field of 32 bits is not among those of requests. */
const LOG_KINDS: readonly PlainMessage[] = [
  {},
  { bool_param: false },
  { bool_param: true },
  { uint32_param: 0 },
  { uint32_param: 1 },
  { string_param: '' },
  { string_param: 'ISO8601' },
  { string_param: 'default' },
];
const LOG = ['log_file', 'log_info', 'log_warning', 'log_error', 'log_verbose_level', 'log_format', 'other'];
const TRACE = [
  'trace_file',
  'trace_level',
  'trace_rate',
  'trace_count',
  'log_frequency',
  'trace_mode',
  'other',
];
const TRACE_VALUES: readonly (readonly string[])[] = [
  [],
  [''],
  ['0'],
  ['1', ''],
  [' 1'],
  ['1 '],
  ['+1'],
  ['1.5'],
  ['2147483648'],
  ['4294967296'],
  ['-2147483649'],
  ['OFF'],
  ['off'],
  ['TIMESTAMPS'],
  ['TENSORS', 'TIMESTAMPS'],
  ['TIMESTAMPS', 'x'],
  ['MIN'],
  ['MAX'],
  ['triton'],
  ['opentelemetry'],
];

type Call = readonly [rpc: string, message: PlainMessage];
const walk = (name: string, calls: readonly Call[]): ReferenceCase => ({
  name: `management over gRPC: ${name}`,
  run: async (target) => {
    const answers: unknown[] = [];
    for (const [rpc, message] of calls)
      answers.push({
        step: `${rpc} ${JSON.stringify(message)}`.slice(0, 200),
        answer: shown(target, await grpcCall(target.grpcPort, rpc, message)),
      });
    return answers;
  },
});
const shown = (target: Target, answer: unknown): unknown =>
  JSON.parse(
    hideVolatile(JSON.stringify(answer), target)
      .replace(/("trace_file":\{"value":\[)"[^"]*"/g, '$1"#"')
      .replace(/("log_file":\{"string_param":)"[^"]*"/g, '$1"#"'),
  );

const logs: readonly Call[] = LOG.flatMap((key) =>
  LOG_KINDS.map((value): Call => ['LogSettings', { settings: { [key]: value } }]),
);
const tracesOf = (model: PlainMessage): readonly Call[] =>
  TRACE.flatMap((key) => [
    ...TRACE_VALUES.map((value): Call => ['TraceSetting', { ...model, settings: { [key]: { value } } }]),
    ['TraceSetting', model] as Call,
  ]);

const loads = (key: string): readonly Call[] =>
  KINDS.flatMap((value): Call[] => [
    ['RepositoryModelLoad', { model_name: 'echo', parameters: { [key]: value } }],
    ['ModelReady', { name: 'echo' }],
  ]);
const unloads = (key: string): readonly Call[] =>
  KINDS.flatMap((value): Call[] => [
    ['RepositoryModelLoad', { model_name: 'echo' }],
    ['RepositoryModelUnload', { model_name: 'echo', parameters: { [key]: value } }],
    ['ModelReady', { name: 'echo' }],
  ]);
const CONFIG = JSON.stringify({
  backend: 'python',
  input: [{ name: 'INPUT0', data_type: 'TYPE_FP32', dims: [-1] }],
  output: [{ name: 'OUTPUT0', data_type: 'TYPE_FP32', dims: [-1] }],
});
const odd: readonly Call[] = [
  { config: { string_param: CONFIG } },
  { config: { string_param: CONFIG }, other: { string_param: 'x' } },
  { config: { string_param: CONFIG }, 'file:1/model.py': { bool_param: true } },
  { config: { string_param: CONFIG }, 'file:1/model.py': { string_param: 'x' } },
  { config: { string_param: CONFIG }, 'file:1/model.py': {} },
  { config: { string_param: CONFIG }, 'file:': { bytes_param: Buffer.from('x') } },
  { config: { string_param: CONFIG }, 'file:../x': { bytes_param: Buffer.from('x') } },
  { config: { string_param: CONFIG }, 'files:x': { bytes_param: Buffer.from('x') } },
  { config: { bytes_param: Buffer.from(CONFIG) } },
  { config: { string_param: '[]' } },
  { config: { string_param: 'null' } },
  { config: { string_param: '{}' } },
  { 'file:1/model.py': { bytes_param: Buffer.from('x') } },
].flatMap((parameters): Call[] => [
  ['RepositoryModelLoad', { model_name: 'echo', parameters: parameters as PlainMessage }],
  ['ModelReady', { name: 'echo' }],
  ['ModelConfig', { name: 'echo' }],
]);

const regions: readonly Call[] = [
  ...['', 'x', ' ', 'ä', 'x'.repeat(300)].flatMap((name): Call[] => [
    ['SystemSharedMemoryRegister', { name, key: '/conch-none', byte_size: 4 }],
    ['SystemSharedMemoryStatus', { name }],
    ['SystemSharedMemoryUnregister', { name }],
    ['CudaSharedMemoryStatus', { name }],
    ['CudaSharedMemoryUnregister', { name }],
  ]),
  ...['conch-none', '/conch/none', '/../etc/passwd', '/' + 'x'.repeat(300), '/.', '/ '].map((key): Call => [
    'SystemSharedMemoryRegister',
    { name: 'x', key, byte_size: 4 },
  ]),
  ...[0, '9223372036854775808', '18446744073709551615'].flatMap((size): Call[] => [
    ['SystemSharedMemoryRegister', { name: 'x', key: '/conch-none', byte_size: size }],
    ['SystemSharedMemoryRegister', { name: 'x', key: '/conch-none', offset: size, byte_size: 1 }],
  ]),
];
const index: readonly Call[] = [
  ['RepositoryIndex', {}],
  ['RepositoryIndex', { ready: true }],
  ['RepositoryIndex', { repository_name: '', ready: true }],
  ['RepositoryIndex', { repository_name: 'x', ready: true }],
  ...['ModelReady', 'ModelMetadata', 'ModelConfig', 'ModelStatistics'].flatMap((rpc) =>
    ['', '1', ' 1', '+1', '01', '1.0', '2', '-1', '9223372036854775808'].map((version): Call => [
      rpc,
      { name: 'still', version },
    ]),
  ),
];

export const MANAGEMENT_SCENE: Scene = {
  name: 'management',
  repositories: sameFor({ ...pythonFiles('echo', ECHO_MODEL), ...pythonFiles('still', ECHO_MODEL) }),
  args: ['--model-control-mode=explicit', '--load-model=still', '--trace-config=rate=1000'],
  cases: [
    walk('the index and versions', index),
    walk('shared memory', regions),
    walk('odd loads', odd),
    ...['config', 'x', 'file:1/x', 'unload_dependents'].map((key) => walk(`loads with ${key}`, loads(key))),
    ...['unload_dependents', 'x', 'config'].map((key) => walk(`unloads with ${key}`, unloads(key))),
    walk('settings of traces', tracesOf({})),
    walk('settings of traces of a model', tracesOf({ model_name: 'still' })),
    walk('settings of the log', logs),
  ],
};

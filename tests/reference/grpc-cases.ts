// gRPC: codes, messages and answers of every rpc, tensors in every field, streams.

import type { PlainMessage } from '../../src-main/grpc-wire/messages.ts';
import { grpcCall, grpcStream } from './grpc-exchange.ts';
import type { ReferenceCase } from './reference-case.ts';

function call(
  rpc: string,
  message: PlainMessage,
  change: (response: unknown) => unknown = (r) => r,
): ReferenceCase {
  return {
    name: `gRPC ${rpc} ${JSON.stringify(message, (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v)).slice(0, 200)}`,
    run: async ({ grpcPort }) => change(await grpcCall(grpcPort, rpc, message)),
  };
}

const text = (value: unknown): string => JSON.stringify(value);
const blank =
  (pattern: RegExp) =>
  (answer: unknown): unknown =>
    JSON.parse(text(answer).replace(pattern, '"blanked"'));

const management: readonly ReferenceCase[] = [
  call('ServerLive', {}),
  call('ServerReady', {}),
  call('ServerMetadata', {}, (answer) =>
    JSON.parse(text(answer).replace(/"version":"[^"]*"/, '"version":"#"')),
  ),
];

const reading: readonly ReferenceCase[] = [
  ...['add_sub', 'nope', ''].map((name) => call('ModelReady', { name })),
  ...['1', '9', 'x', '-1', '0', '1x', '99999999999999999999'].map((version) =>
    call('ModelReady', { name: 'add_sub', version }),
  ),
  ...['1', '9', 'x', '-1', '99999999999999999999'].map((version) =>
    call('ModelMetadata', { name: 'add_sub', version }, blank(/"(python|javascript)"/g)),
  ),
  call('ModelMetadata', { name: 'nope' }),
  call('ModelMetadata', { name: 'versions' }, blank(/"(python|javascript)"/g)),
  ...['batched', 'accumulate', 'repeat', 'chain', 'patient'].map((name) =>
    call('ModelConfig', { name }, blank(/"(python|javascript|model\.\w+|)"/g)),
  ),
  call('ModelConfig', { name: 'nope' }),
  call('ModelStatistics', { name: 'nope' }),
  call('ModelStatistics', { name: 'versions', version: '9' }),
  call('ModelStatistics', { name: 'versions', version: 'x' }),
  call('RepositoryIndex', { repository_name: 'x' }),
  call('RepositoryModelLoad', { model_name: 'nope' }),
  call('RepositoryModelLoad', { model_name: '' }),
  call('RepositoryModelLoad', { model_name: '../x' }),
  call('RepositoryModelLoad', { model_name: 'lifecycle', repository_name: 'x' }),
  call('RepositoryModelLoad', { model_name: 'lifecycle', parameters: { x: { string_param: 'y' } } }),
  call('RepositoryModelLoad', { model_name: 'lifecycle', parameters: { config: { int64_param: 5 } } }),
  call('RepositoryModelLoad', { model_name: 'lifecycle', parameters: { config: { string_param: '{' } } }),
  call('RepositoryModelLoad', { model_name: 'lifecycle', parameters: { 'file:1/x': { string_param: 'y' } } }),
  call('RepositoryModelUnload', { model_name: 'nope' }),
  call('RepositoryModelUnload', { model_name: 'nope', repository_name: 'x' }),
  call('RepositoryModelUnload', {
    model_name: 'nope',
    parameters: { unload_dependents: { string_param: 'y' } },
  }),
  call('RepositoryModelUnload', { model_name: 'nope', parameters: { other: { bool_param: true } } }),
];

const setting = (...value: string[]): PlainMessage => ({ value });

const settings: readonly ReferenceCase[] = [
  call('TraceSetting', {}, (answer) =>
    JSON.parse(text(answer).replace(/("trace_file":\{"value":\[)"[^"]*"/, '$1"#"')),
  ),
  call('TraceSetting', { model_name: 'nope' }),
  ...(
    [
      { trace_file: setting('x') },
      { trace_file: setting() },
      { trace_level: setting('OFF', 'TIMESTAMPS') },
      { trace_rate: setting('x') },
      { trace_rate: setting('1', '2') },
      { trace_rate: setting('99999999999') },
      { trace_rate: setting('-1') },
      { trace_count: setting('-2') },
      { trace_count: setting('x') },
      { log_frequency: setting('x') },
      { log_frequency: setting('1', '2') },
    ] as const
  ).map((settings) => call('TraceSetting', { settings })),
  call('LogSettings', {}, (answer) =>
    JSON.parse(text(answer).replace(/("log_file":\{"string_param":)"[^"]*"/, '$1"#"')),
  ),
  ...(
    [
      { log_file: { string_param: 'x' } },
      { log_info: { string_param: 'x' } },
      { log_warning: { uint32_param: 1 } },
      { log_error: { uint32_param: 1 } },
      { log_verbose_level: { bool_param: true } },
      { log_verbose_level: { string_param: '1' } },
      { log_format: { bool_param: true } },
      { log_format: { string_param: 'x' } },
    ] as const
  ).map((settings) => call('LogSettings', { settings })),
];

const regions: readonly ReferenceCase[] = [
  call('SystemSharedMemoryStatus', {}),
  call('SystemSharedMemoryStatus', { name: 'x' }),
  call('SystemSharedMemoryRegister', { name: 'x', key: '/conch-none', byte_size: 4 }),
  call('SystemSharedMemoryRegister', { name: 'x', key: '', byte_size: 4 }),
  call('SystemSharedMemoryRegister', { name: 'x', key: '///', byte_size: 4 }),
  call('SystemSharedMemoryUnregister', { name: 'x' }),
  call('SystemSharedMemoryUnregister', {}),
  call('CudaSharedMemoryStatus', {}),
  call('CudaSharedMemoryStatus', { name: 'x' }),
  call('CudaSharedMemoryUnregister', {}),
  call('CudaSharedMemoryRegister', { name: 'x', raw_handle: Buffer.alloc(64), device_id: 0, byte_size: 4 }),
];

const int32 = (...values: number[]): Buffer => Buffer.from(Int32Array.from(values).buffer);
const input = (
  name: string,
  shape: readonly number[],
  more: PlainMessage = {},
  datatype = 'INT32',
): PlainMessage => ({
  name,
  datatype,
  shape,
  ...more,
});
const echo = (more: PlainMessage, model = 'echo_int32'): PlainMessage => ({
  model_name: model,
  id: 'g1',
  inputs: [input('INPUT0', [2])],
  raw_input_contents: [int32(1, 2)],
  ...more,
});
const infer = (more: PlainMessage, model?: string): ReferenceCase => call('ModelInfer', echo(more, model));
const contents = (contents: PlainMessage, datatype = 'INT32', count = 2): PlainMessage => ({
  inputs: [input('INPUT0', [count], { contents }, datatype)],
  raw_input_contents: [],
});

const inference: readonly ReferenceCase[] = [
  infer({}),
  infer({ id: '' }),
  infer({ model_version: '1' }),
  infer({ model_version: '9' }),
  infer({ model_version: 'x' }),
  infer({ model_version: '-1' }),
  infer({}, 'nope'),
  infer({}, 'repeat'),
  infer({}, 'fails'),
  infer({ inputs: [], raw_input_contents: [] }),
  infer({ raw_input_contents: [] }),
  infer({ raw_input_contents: [int32(1, 2), int32(3)] }),
  infer({ raw_input_contents: [int32(1)] }),
  infer({ raw_input_contents: [int32(1, 2, 3)] }),
  infer({ inputs: [input('X', [2])] }),
  infer({
    inputs: [input('INPUT0', [2]), input('INPUT0', [2])],
    raw_input_contents: [int32(1, 2), int32(1, 2)],
  }),
  infer({ inputs: [input('INPUT0', [-1])] }),
  infer({ inputs: [input('INPUT0', [])] }),
  infer({ inputs: [input('INPUT0', [1, 2])] }),
  infer({ inputs: [input('INPUT0', [2], {}, 'FP32')] }),
  infer({ inputs: [input('INPUT0', [2], {}, 'XX')] }),
  infer({ inputs: [input('INPUT0', [2], { contents: { int_contents: [1, 2] } })] }),
  infer(contents({ int_contents: [1, 2] })),
  infer(contents({ int_contents: [1] })),
  infer(contents({ int_contents: [] })),
  infer(contents({})),
  infer(contents({}, 'INT32', 0)),
  infer(contents({ uint_contents: [1, 2] })),
  infer(contents({ fp32_contents: [1, 2] })),
  infer(contents({ int64_contents: [1, 2] })),
  infer(contents({ int_contents: [1, 2], fp32_contents: [1, 2] })),
  infer(contents({ bool_contents: [true, false] }, 'BOOL'), 'echo_bool'),
  infer(contents({ int_contents: [-1, 300] }, 'INT8'), 'echo_int8'),
  infer(contents({ uint_contents: [1, 300] }, 'UINT8'), 'echo_uint8'),
  infer(contents({ int64_contents: ['-9223372036854775808', '9223372036854775807'] }, 'INT64'), 'echo_int64'),
  infer(contents({ uint64_contents: ['0', '18446744073709551615'] }, 'UINT64'), 'echo_uint64'),
  infer(contents({ fp32_contents: [1.5, Infinity] }, 'FP32'), 'echo_fp32'),
  infer(contents({ fp64_contents: [1.5, NaN] }, 'FP64'), 'echo_fp64'),
  infer(contents({ bytes_contents: [Buffer.from('a'), Buffer.alloc(0)] }, 'BYTES'), 'echo_bytes'),
  infer(contents({ bytes_contents: [Buffer.from('a')] }, 'BYTES'), 'echo_bytes'),
  infer(contents({ fp32_contents: [1, 2] }, 'FP16'), 'echo_fp16'),
  infer({ outputs: [{ name: 'OUTPUT0' }] }),
  infer({ outputs: [{ name: 'X' }] }),
  infer({ outputs: [{ name: 'OUTPUT0' }, { name: 'OUTPUT0' }] }),
];

const parameter = (parameters: PlainMessage): ReferenceCase => infer({ parameters });
const output = (parameters: PlainMessage): ReferenceCase =>
  infer({ outputs: [{ name: 'OUTPUT0', parameters }] });
const inputParameters = (parameters: PlainMessage): ReferenceCase =>
  infer({ inputs: [input('INPUT0', [2], { parameters })] });

const parameters: readonly ReferenceCase[] = [
  parameter({ sequence_id: { bool_param: true } }),
  parameter({ sequence_id: { string_param: 'x'.repeat(129) } }),
  parameter({ sequence_start: { int64_param: 1 } }),
  parameter({ sequence_end: { string_param: 'x' } }),
  parameter({ priority: { string_param: 'x' } }),
  parameter({ priority: { int64_param: -1 } }),
  parameter({ priority: { uint64_param: 1 } }),
  parameter({ timeout: { string_param: 'x' } }),
  parameter({ timeout: { int64_param: 5 } }),
  parameter({ triton_x: { bool_param: true } }),
  parameter({ triton_enable_empty_final_response: { bool_param: true } }),
  parameter({ triton_enable_empty_final_response: { int64_param: 1 } }),
  parameter({ x: {} }),
  parameter({ x: { uint64_param: 1 } }),
  parameter({ x: { double_param: 1.5 } }),
  parameter({ binary_data_output: { bool_param: true } }),
  output({ classification: { int64_param: 1 } }),
  output({ classification: { int64_param: 0 } }),
  output({ classification: { int64_param: -1 } }),
  output({ classification: { string_param: 'x' } }),
  output({ binary_data: { bool_param: false } }),
  output({ other: { bool_param: false } }),
  output({ shared_memory_region: { string_param: 'r' } }),
  output({ shared_memory_region: { bool_param: true } }),
  output({ shared_memory_offset: { int64_param: 1 } }),
  output({ shared_memory_byte_size: { int64_param: 1 } }),
  output({ shared_memory_region: { string_param: 'r' }, shared_memory_byte_size: { int64_param: 4 } }),
  output({
    shared_memory_region: { string_param: 'r' },
    shared_memory_byte_size: { int64_param: 4 },
    classification: { int64_param: 1 },
  }),
  inputParameters({ shared_memory_region: { string_param: 'r' } }),
  inputParameters({
    shared_memory_region: { string_param: 'r' },
    shared_memory_byte_size: { int64_param: 8 },
  }),
  inputParameters({ shared_memory_offset: { int64_param: 1 } }),
  inputParameters({ shared_memory_byte_size: { int64_param: 8 } }),
  inputParameters({ other: { int64_param: 8 } }),
];

function stream(name: string, messages: readonly PlainMessage[]): ReferenceCase {
  return { name: `gRPC stream: ${name}`, run: ({ grpcPort }) => grpcStream(grpcPort, messages) };
}

const repeat = (id: string, values: readonly number[], more: PlainMessage = {}): PlainMessage => ({
  model_name: 'repeat',
  id,
  inputs: [input('IN', [values.length])],
  raw_input_contents: [int32(...values)],
  ...more,
});
const final = { parameters: { triton_enable_empty_final_response: { bool_param: true } } };
const step = (id: string, value: number, flags: PlainMessage): PlainMessage => ({
  model_name: 'accumulate',
  id,
  inputs: [input('INPUT', [1, 1])],
  raw_input_contents: [int32(value)],
  parameters: { sequence_id: { int64_param: 4711 }, ...flags },
});

const streams: readonly ReferenceCase[] = [
  stream('nothing', []),
  stream('an ordinary model', [echo({})]),
  stream('an ordinary model that asks for the final response', [echo(final)]),
  stream('several ordinary requests', [echo({ id: 'a' }), echo({ id: 'b' }), echo({ id: 'c' })]),
  stream('decoupled', [repeat('r', [1, 2])]),
  stream('decoupled with final response', [repeat('r', [1, 2], final)]),
  stream('decoupled without responses', [repeat('r', [])]),
  stream('decoupled without responses, with final response', [repeat('r', [], final)]),
  stream('decoupled with an error inside', [repeat('r', [1, -1, 2], final)]),
  stream('decoupled with version', [repeat('r', [1], { ...final, model_version: '1' })]),
  stream('refused requests', [
    echo({ id: 'x' }, 'nope'),
    echo({ id: 'y', model_version: '9' }),
    echo({ id: 'z' }),
  ]),
  stream('wrong inputs', [echo({ id: 'w', inputs: [input('X', [2])] })]),
  stream('a reserved parameter', [echo({ id: 'p', parameters: { triton_x: { bool_param: true } } })]),
  stream('an error of the model', [echo({ id: 'f' }, 'fails')]),
  stream('a sequence', [
    step('1', 1, { sequence_start: { bool_param: true } }),
    step('2', 2, {}),
    step('3', 3, { sequence_end: { bool_param: true } }),
  ]),
  stream('a sequence without start', [step('1', 1, {})]),
];

export const GRPC_CASES: readonly ReferenceCase[] = [
  ...management,
  ...reading,
  ...settings,
  ...regions,
  ...inference,
  ...parameters,
  ...streams,
];

// Real ONNX models, which most clients have: metadata, shapes, types, classes, texts, scalars, failures of a run, and
// what the statistics say afterwards.

import { get, post } from './http-calls.ts';
import { ask } from './life-calls.ts';
import { ONNX_GRPC_CASES } from './onnx-grpc-cases.ts';
import { ONNX_MODELS } from './onnx-models.ts';
import type { ReferenceCase } from './reference-case.ts';
import { script } from './reference-case.ts';
import type { Json } from './request-bodies.ts';
import { send } from './request-bodies.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';
import type { WireCase } from './wire-cases.ts';

const range = Array.from({ length: 16 }, (_, at) => at);
const input = (name: string, more: Json = {}): Json => ({
  name,
  datatype: 'INT32',
  shape: [1, 16],
  data: range,
  ...more,
});
const pair = (more: Json = {}, model = 'simple', first: Json = {}): WireCase =>
  send(model, { id: 'p', inputs: [input('INPUT0', first), input('INPUT1')], ...more });
const one = (
  model: string,
  datatype: string,
  shape: unknown,
  data: unknown,
  output: Json | undefined = undefined,
): WireCase =>
  send(model, {
    inputs: [{ name: 'INPUT', datatype, shape, data }],
    ...(output === undefined ? {} : { outputs: [{ name: 'OUTPUT', parameters: output }] }),
  });
const classes = (count: unknown, more: Json = {}): Json => ({
  outputs: [{ name: 'OUTPUT0', parameters: { classification: count, ...more } }],
});
const matrix = (name: string, shape: readonly number[]): Json => ({
  name,
  datatype: 'FP32',
  shape,
  data: Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, at) => at),
});

const DESCRIBED: ReferenceCase = script(
  'what ONNX models say of themselves',
  Object.keys(ONNX_MODELS)
    .filter((file) => file.endsWith('/model.onnx'))
    .map((file) => file.split('/')[0] ?? '')
    .flatMap((model) => [get(`/v2/models/${model}`), get(`/v2/models/${model}/config`)]),
);

const ANSWERS: readonly ReferenceCase[] = [
  script('a pair of ONNX tensors', [
    pair(),
    pair({}, 'bare'),
    pair({}, 'dynamic'),
    pair({ outputs: [{ name: 'OUTPUT1' }, { name: 'OUTPUT0' }] }),
    pair({
      outputs: [{ name: 'OUTPUT0', parameters: { binary_data: true } }],
      parameters: { binary_data_output: false },
    }),
    pair({ parameters: { binary_data_output: true } }),
    pair({ parameters: { binary_data_output: 'true' } }),
    pair({ parameters: { binary_data_output: null } }),
    pair({ outputs: {} }),
    pair({ outputs: 'OUTPUT0' }),
    pair({ outputs: [null] }),
    pair({ outputs: [{ name: null }] }),
    pair({ outputs: [{ name: '' }] }),
    pair({ outputs: [{ name: 'output0' }] }),
    pair({ outputs: [{ name: 'OUTPUT0', parameters: [] }] }),
    pair({ outputs: [{ name: 'OUTPUT0', parameters: 'x' }] }),
    pair({ outputs: [{ name: 'OUTPUT0', datatype: 'FP32' }] }),
    pair({ outputs: [{ name: 'OUTPUT0', shape: [5] }] }),
    pair({ outputs: [{ name: 'OUTPUT0', data: [5] }] }),
    pair({ inputs: null }),
    pair({ inputs: 'INPUT0' }),
    pair({ inputs: 5 }),
    pair({ parameters: null }),
    pair({ parameters: 'x' }),
    pair({ parameters: 5 }),
    pair({ parameters: { priority: null } }),
    pair({ parameters: { priority: {} } }),
    pair({ parameters: { priority: '1' } }),
    pair({ parameters: { timeout: null } }),
    pair({ parameters: { timeout: '5' } }),
    pair({ parameters: { sequence_id: [] } }),
    pair({ parameters: { sequence_id: {} } }),
    pair({ parameters: { sequence_start: null } }),
    pair({ parameters: { sequence_end: [] } }),
    pair({ parameters: { sequence_id: 5, sequence_start: true, sequence_end: true } }),
    pair({ parameters: { triton_enable_empty_final_response: true } }),
    pair({ parameters: { classification: 2 } }),
    pair({}, 'simple', { name: 5 }),
    pair({}, 'simple', { name: null }),
    pair({}, 'simple', { name: '' }),
    pair({}, 'simple', { name: 'input0' }),
    pair({}, 'simple', { datatype: 5 }),
    pair({}, 'simple', { datatype: null }),
    pair({}, 'simple', { datatype: '' }),
    send('simple', { inputs: ['INPUT0', 'INPUT1'].map((name) => input(name, { datatype: 'FP64' })) }),
    send('simple', {
      inputs: ['INPUT0', 'INPUT1'].map((name) => input(name, { shape: [1, 4], data: [1, 2, 3, 4] })),
    }),
    pair({}, 'simple', { shape: null }),
    pair({}, 'simple', { shape: '1,16' }),
    pair({}, 'simple', { shape: [1, 16.5] }),
    // A shape of 2^32 elements makes the reference fill 16 GiB: not asked.
    pair({}, 'simple', { shape: [0, 16], data: [] }),
    pair({}, 'simple', { shape: [16, 1] }),
    pair({}, 'simple', { shape: [1, 1, 16] }),
    pair({}, 'simple', { data: null }),
    pair({}, 'simple', { data: {} }),
    pair({}, 'simple', { data: 'text' }),
    pair({}, 'simple', { data: [] }),
    pair({}, 'simple', { data: [range, []] }),
    pair({}, 'simple', { data: [...range.slice(1), null] }),
    pair({}, 'simple', { data: [...range.slice(1), {}] }),
    pair({}, 'simple', { data: [...range.slice(1), true] }),
    pair({}, 'simple', { data: [...range.slice(1), 2 ** 31] }),
    pair({}, 'simple', { data: [...range.slice(1), 2 ** 53] }),
    pair({}, 'simple', { parameters: null }),
    pair({}, 'simple', { parameters: [] }),
    pair({}, 'simple', { parameters: { binary_data_size: 64 } }),
    pair({}, 'simple', { data: undefined, parameters: { binary_data_size: 64 } }),
    pair({}, 'simple', { data: undefined, parameters: { binary_data_size: 'x' } }),
    pair({}, 'simple', { parameters: { shared_memory_region: 'r' } }),
    pair({}, 'simple', { parameters: { shared_memory_byte_size: 64 } }),
    pair({}, 'simple', { parameters: { shared_memory_offset: 64 } }),
    pair({}, 'simple', {
      parameters: { shared_memory_region: 'r', shared_memory_byte_size: 64, binary_data_size: 64 },
    }),
  ]),
  script('classes of ONNX outputs', [
    ...[1, 4, 16, 17, 4294967296, 4294967297, 1e30, '2', true, null, [2], {}].map((count) =>
      pair(classes(count)),
    ),
    pair(classes(2, { binary_data: true })),
    pair(classes(2, { binary_data: false })),
    pair({ ...classes(3), parameters: { binary_data_output: true } }),
    pair({ outputs: [{ name: 'OUTPUT0', parameters: { classification: 1 } }, { name: 'OUTPUT1' }] }),
    pair({ outputs: [{ name: 'OUTPUT1', parameters: { classification: 5 } }] }),
    send('simple', {
      inputs: [
        input('INPUT0', { shape: [2, 16], data: [...range, ...range.toReversed()] }),
        input('INPUT1', { shape: [2, 16], data: [...range, ...range] }),
      ],
      ...classes(2),
    }),
    one('halves', 'FP16', [2], [1, 2], { classification: 1 }),
    one('bools', 'BOOL', [2], [true, false], { classification: 2 }),
    one('longs', 'INT64', [3], [5, -7, 9], { classification: 2 }),
    one('bytes', 'UINT8', [3], [5, 7, 9], { classification: 2 }),
    one('doubles', 'FP64', [3], [0.1, 1e300, -1], { classification: 3 }),
    one('fixed', 'FP32', [2, 3], [1, 2, 3, 6, 5, 4], { classification: 6 }),
    one('doubles', 'FP64', [4], [1, 1, 1, 1], { classification: 4 }),
  ]),
  script('ONNX models of all types', [
    one('text', 'BYTES', [1, 1], ['a']),
    one('text', 'BYTES', [2, 1], ['', 'ü']),
    one('text', 'BYTES', [5, 1], ['1', '2', '3', '4', '5']),
    one('text', 'BYTES', [1, 1], [5]),
    one('text', 'BYTES', [1, 1], [true]),
    one('text', 'BYTES', [1, 1], [null]),
    one(
      'texts',
      'BYTES',
      [2, 2],
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ),
    one('texts', 'BYTES', [0, 2], []),
    one('texts', 'BYTES', [1, 1], ['\u0000\u0001']),
    one('halves', 'FP16', [1], [1.5]),
    one('bools', 'BOOL', [3], [true, false, 1]),
    one('bools', 'BOOL', [0], []),
    one('longs', 'INT64', [2], [1, -1]),
    send(
      'longs',
      '{"inputs":[{"name":"INPUT","datatype":"INT64","shape":[2],"data":[9223372036854775807,-9223372036854775808]}]}',
    ),
    one('doubles', 'FP64', [3], [1, 0.1, 1e-320]),
    one('scalar', 'FP32', [1], [3]),
    one('scalar', 'FP32', [], [3]),
    one('scalar', 'FP32', [1, 1], [3]),
    one('fixed', 'FP32', [2, 3], [1, 2, 3, 4, 5, 6]),
    one('fixed', 'FP32', [3, 2], [1, 2, 3, 4, 5, 6]),
    one('folded', 'FP32', [2, 3], [1, 2, 3, 4, 5, 6]),
    one('folded', 'FP32', [6], [1, 2, 3, 4, 5, 6]),
    one('limited', 'FP32', [3], [1, 2, 3]),
    one('limited', 'FP32', [4], [1, 2, 3, 4]),
  ]),
  script('runs of ONNX models that fail', [
    send('product', { inputs: [matrix('A', [2, 3]), matrix('B', [3, 2])] }),
    send('product', { inputs: [matrix('A', [2, 3]), matrix('B', [2, 2])] }),
    send('product', { inputs: [matrix('A', [2, 0]), matrix('B', [0, 2])] }),
    send('product', { inputs: [matrix('A', [0, 2]), matrix('B', [2, 2])] }),
    send('not_zero', { inputs: [matrix('A', [4])] }),
    send('not_zero', { inputs: [matrix('A', [1])] }),
    send('not_zero', { inputs: [matrix('A', [0])] }),
    send('not_zero', {
      inputs: [matrix('A', [1])],
      outputs: [{ name: 'C', parameters: { binary_data: true } }],
    }),
  ]),
];

const COUNTS: readonly ReferenceCase[] = [
  'simple',
  'bare',
  'dynamic',
  'text',
  'product',
  'limited',
  'not_zero',
].map((model) => ({
  name: `statistics of the ONNX model ${model}`,
  run: async (target) => {
    const [status, body] = (await ask(target, get(`/v2/models/${model}/stats`))) as [number, string];
    return { status, body: body.replace(/"(ns|last_inference)":\d+/g, '"$1":"#"') };
  },
}));

const GENERATED: ReferenceCase = script('generate with ONNX models', [
  post('/v2/models/simple/generate', { INPUT0: range, INPUT1: range }),
  post('/v2/models/simple/generate', { INPUT0: range }),
  post('/v2/models/simple/generate', { INPUT0: [range], INPUT1: [range] }),
  post('/v2/models/text/generate', { INPUT: 'a' }),
  post('/v2/models/text/generate', { INPUT: ['a', 'b'] }),
  post('/v2/models/text/generate_stream', { INPUT: 'a' }),
  post('/v2/models/texts/generate', { INPUT: 'a' }),
  post('/v2/models/texts/generate', { INPUT: [['a']] }),
  post('/v2/models/scalar/generate', { INPUT: 5 }),
  post('/v2/models/fixed/generate', { INPUT: [1, 2, 3, 4, 5, 6] }),
  post('/v2/models/halves/generate', { INPUT: 1 }),
  post('/v2/models/bools/generate', { INPUT: [true, false] }),
  post('/v2/models/simple/versions/1/generate', { INPUT0: range, INPUT1: range }),
  post('/v2/models/simple/versions/2/generate', { INPUT0: range, INPUT1: range }),
]);

export const ONNX_SCENE: Scene = {
  name: 'onnx',
  needs: 'onnxruntime',
  repositories: sameFor(ONNX_MODELS),
  args: ['--exit-on-error=false'],
  cases: [DESCRIBED, ...ANSWERS, GENERATED, ...ONNX_GRPC_CASES, ...COUNTS],
};

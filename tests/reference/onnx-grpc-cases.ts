// Real ONNX models over gRPC.

import { grpcCall, grpcStream } from './grpc-exchange.ts';
import type { ReferenceCase } from './reference-case.ts';

const range = Array.from({ length: 16 }, (_, at) => at);
const int32 = Buffer.from(Int32Array.from(range).buffer);
const message = (model: string, more: object = {}): Record<string, unknown> => ({
  model_name: model,
  id: 'g',
  inputs: ['INPUT0', 'INPUT1'].map((name) => ({ name, datatype: 'INT32', shape: [1, 16] })),
  raw_input_contents: [int32, int32],
  ...more,
});
const overGrpc = (title: string, sent: Record<string, unknown>): ReferenceCase => ({
  name: `gRPC ONNX ${title}`,
  run: ({ grpcPort }) => grpcCall(grpcPort, 'ModelInfer', sent),
});
const classified = (count: number | string, name = 'OUTPUT0'): object => ({
  outputs: [{ name, parameters: { classification: { int64_param: count } } }],
});
export const ONNX_GRPC_CASES: readonly ReferenceCase[] = [
  overGrpc('pair', message('simple')),
  overGrpc('bare pair', message('bare')),
  ...[1, 4, 17, 0, -1, '4294967297'].map((count) =>
    overGrpc(`classes ${count}`, message('simple', classified(count))),
  ),
  overGrpc('classes of the second', message('simple', classified(3, 'OUTPUT1'))),
  overGrpc(
    'classes and a plain one',
    message('simple', {
      outputs: [{ name: 'OUTPUT1' }, { name: 'OUTPUT0', parameters: { classification: { int64_param: 1 } } }],
    }),
  ),
  overGrpc(
    'outputs in another order',
    message('simple', { outputs: [{ name: 'OUTPUT1' }, { name: 'OUTPUT0' }] }),
  ),
  overGrpc(
    'contents for one and bytes for the other',
    message('simple', {
      inputs: [
        { name: 'INPUT0', datatype: 'INT32', shape: [1, 16], contents: { int_contents: range } },
        { name: 'INPUT1', datatype: 'INT32', shape: [1, 16] },
      ],
      raw_input_contents: [int32],
    }),
  ),
  overGrpc(
    'contents for both',
    message('simple', {
      inputs: ['INPUT0', 'INPUT1'].map((name) => ({
        name,
        datatype: 'INT32',
        shape: [1, 16],
        contents: { int_contents: range },
      })),
      raw_input_contents: [],
    }),
  ),
  overGrpc(
    'a batch that is too large',
    message('simple', {
      inputs: ['INPUT0', 'INPUT1'].map((name) => ({ name, datatype: 'INT32', shape: [9, 16] })),
      raw_input_contents: [Buffer.alloc(576), Buffer.alloc(576)],
    }),
  ),
  overGrpc(
    'a shape with 2^32',
    message('simple', {
      inputs: ['INPUT0', 'INPUT1'].map((name) => ({ name, datatype: 'INT32', shape: ['4294967296', 16] })),
    }),
  ),
  overGrpc('bytes one short', message('simple', { raw_input_contents: [int32.subarray(1), int32] })),
  overGrpc('bytes four short', message('simple', { raw_input_contents: [int32.subarray(4), int32] })),
  overGrpc(
    'no name of an input',
    message('simple', {
      inputs: ['', 'INPUT1'].map((name) => ({ name, datatype: 'INT32', shape: [1, 16] })),
    }),
  ),
  overGrpc(
    'no type of an input',
    message('simple', {
      inputs: ['INPUT0', 'INPUT1'].map((name) => ({ name, datatype: '', shape: [1, 16] })),
    }),
  ),
  overGrpc('a failing run', {
    model_name: 'product',
    id: 'x',
    inputs: [
      { name: 'A', datatype: 'FP32', shape: [2, 3] },
      { name: 'B', datatype: 'FP32', shape: [2, 2] },
    ],
    raw_input_contents: [Buffer.alloc(24), Buffer.alloc(16)],
  }),
  overGrpc(
    'parameters of every kind',
    message('simple', {
      parameters: {
        a: { bool_param: true },
        b: { int64_param: '-9223372036854775808' },
        c: { string_param: '' },
        d: { double_param: 1e308 },
        e: { uint64_param: '18446744073709551615' },
      },
    }),
  ),
  {
    name: 'gRPC ONNX stream with faults between good ones',
    run: ({ grpcPort }) =>
      grpcStream(grpcPort, [
        message('simple', { id: 'a' }),
        message('simple', { id: 'b', raw_input_contents: [int32] }),
        message('nope', { id: 'c' }),
        message('simple', { id: 'd', model_version: 'x' }),
        message('simple', { id: 'e', ...classified(2) }),
        message('simple', { id: 'f', outputs: [{ name: 'X' }] }),
      ]).then((all) => all.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))),
  },
];

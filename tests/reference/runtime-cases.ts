// What ONNX Runtime itself refuses, at a load and at a run: each text comes with the number of the runtime's status.

import { dataTypeToConfig } from '../../src-shared/datatypes.ts';
import { graphModel, value } from '../../src-main/testing/onnx-test-models.ts';
import { writeOnnx } from '../../src-main/onnx/onnx-writer.ts';
import type { WritableNode, WritableTensor, WritableValue } from '../../src-main/onnx/onnx-writer.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { grpcCall } from './grpc-exchange.ts';
import { post } from './http-calls.ts';
import { ask, load } from './life-calls.ts';
import type { ReferenceCase } from './reference-case.ts';
import { BRANCH_LOADS } from './runtime-branches.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

const int64s = (name: string, ...values: readonly number[]): WritableTensor => ({
  name,
  datatype: 'INT64',
  dims: [values.length],
  data: new Uint8Array(BigInt64Array.from(values.map(BigInt)).buffer),
});
const floats = (name: string, dims: readonly number[]): WritableTensor => ({
  name,
  datatype: 'FP32',
  dims,
  data: new Uint8Array(Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, at) => at).buffer),
});

interface Operation {
  readonly node: Omit<WritableNode, 'inputs' | 'outputs'> & { readonly more?: readonly string[] };
  readonly constants?: readonly WritableTensor[];
  readonly input?: WritableValue;
  readonly output?: WritableValue;
}
/** A fixed first dimension keeps the batching away. */
const A = value('A', 'FP32', [3, 'b']);
const C = value('C', 'FP32', undefined);
const model = ({ node, constants = [], input = A, output = C }: Operation): Uint8Array =>
  graphModel(
    [
      {
        name: 'it',
        ...node,
        inputs: ['A', ...(node.more ?? constants.map(({ name }) => name))],
        outputs: ['C'],
      },
    ],
    [input],
    [output],
    { initializers: constants },
  );

const IMAGE = value('A', 'FP32', [1, 'b', 'c']);
const LONGS = value('A', 'INT64', [3, 'b']);

/** Each gets a tensor of three times three, or of one times three times three. */
const RUNS: Readonly<Record<string, Operation>> = {
  matmul: { node: { opType: 'MatMul' }, constants: [floats('B', [2, 2])] },
  add: { node: { opType: 'Add' }, constants: [floats('B', [3, 2])] },
  gemm: { node: { opType: 'Gemm' }, constants: [floats('B', [2, 2])] },
  reshape: { node: { opType: 'Reshape' }, constants: [int64s('B', 2, 2)] },
  gather: { node: { opType: 'Gather' }, constants: [int64s('B', 7)] },
  gather_elements: { node: { opType: 'GatherElements' }, constants: [int64s('B', 7)] },
  gather_nd: { node: { opType: 'GatherND' }, constants: [int64s('B', 7)] },
  gather_of_itself: {
    node: { opType: 'Gather', more: ['A'], attributes: { axis: 1n } },
    input: LONGS,
    output: value('C', 'INT64', undefined),
  },
  concat: { node: { opType: 'Concat', attributes: { axis: 0n } }, constants: [floats('B', [2, 2])] },
  squeeze: { node: { opType: 'Squeeze' }, constants: [int64s('B', 1)] },
  expand: { node: { opType: 'Expand' }, constants: [int64s('B', 3, 2)] },
  split: { node: { opType: 'Split', attributes: { axis: 1n } }, constants: [int64s('B', 1)] },
  top_k: { node: { opType: 'TopK' }, constants: [int64s('B', 9)] },
  pad: { node: { opType: 'Pad' }, constants: [int64s('B', 0, -9, 0, 0)] },
  einsum: {
    node: { opType: 'Einsum', attributes: { equation: 'ij,jk->ik' } },
    constants: [floats('B', [2, 2])],
  },
  conv: { node: { opType: 'Conv' }, constants: [floats('B', [1, 2, 1])], input: IMAGE },
  pool: { node: { opType: 'MaxPool', attributes: { kernel_shape: [9n] } }, input: IMAGE },
  cumulate: { node: { opType: 'CumSum' }, constants: [int64s('B', 9)] },
  scatter: {
    node: { opType: 'ScatterElements' },
    constants: [{ ...int64s('B', 9), dims: [1, 1] }, floats('D', [1, 1])],
  },
  scatter_nd: {
    node: { opType: 'ScatterND' },
    constants: [{ ...int64s('B', 9, 9), dims: [1, 2] }, floats('D', [1])],
  },
  layer: { node: { opType: 'LayerNormalization' }, constants: [floats('B', [2])] },
  instance: {
    node: { opType: 'InstanceNormalization' },
    constants: [floats('B', [2]), floats('D', [2])],
    input: IMAGE,
  },
  batch: {
    node: { opType: 'BatchNormalization' },
    constants: ['B', 'D', 'E', 'F'].map((name) => floats(name, [2])),
    input: IMAGE,
  },
  compress: {
    node: { opType: 'Compress', more: ['B'], attributes: { axis: 9n } },
    constants: [{ name: 'B', datatype: 'BOOL', dims: [1], data: Uint8Array.of(1) }],
  },
  one_hot: { node: { opType: 'OneHot' }, constants: [int64s('B', -5), floats('D', [2])] },
  shape_of_values: { node: { opType: 'ConstantOfShape' }, input: value('A', 'INT64', ['n']) },
  det: { node: { opType: 'Det' } },
  reduce: { node: { opType: 'ReduceSum' }, constants: [int64s('B', 9)] },
  unsqueeze: { node: { opType: 'Unsqueeze' }, constants: [int64s('B', 9)] },
  resize: { node: { opType: 'Resize', more: ['', 'B'] }, constants: [floats('B', [1])] },
  lstm: {
    node: { opType: 'LSTM', attributes: { hidden_size: 2n } },
    constants: [floats('B', [1, 8, 2]), floats('D', [1, 8, 2])],
    input: IMAGE,
  },
  parse: { node: { opType: 'Cast', attributes: { to: 1n } }, input: value('A', 'BYTES', [1]) },
};

const chain = (nodes: readonly WritableNode[]): Uint8Array => graphModel(nodes, [A], [C]);
const identity: WritableNode = { opType: 'Identity', inputs: ['A'], outputs: ['C'] };
const good = chain([identity]);
/** Files that are refused at the load. */
const LOADS: Readonly<Record<string, Uint8Array | string>> = {
  ...BRANCH_LOADS,
  empty: '',
  text: 'this is no model',
  cut: good.subarray(0, good.byteLength - 5),
  unknown_operator: chain([{ opType: 'Nonsense', inputs: ['A'], outputs: ['C'] }]),
  unknown_domain: chain([{ opType: 'Identity', domain: 'far.away', inputs: ['A'], outputs: ['C'] }]),
  ring: chain([
    { opType: 'Add', inputs: ['A', 'x'], outputs: ['y'] },
    { opType: 'Identity', inputs: ['y'], outputs: ['x'] },
    { opType: 'Identity', inputs: ['x'], outputs: ['C'] },
  ]),
  out_of_nowhere: chain([{ opType: 'Add', inputs: ['A', 'x'], outputs: ['C'] }]),
  made_twice: chain([identity, identity]),
  not_made: chain([{ opType: 'Identity', inputs: ['A'], outputs: ['D'] }]),
  two_types: graphModel(
    [{ opType: 'Add', inputs: ['A', 'B'], outputs: ['C'] }],
    [A, value('B', 'INT32', ['a', 'b'])],
    [C],
  ),
  too_few_inputs: chain([{ opType: 'Add', inputs: ['A'], outputs: ['C'] }]),
  too_many_inputs: chain([{ opType: 'Identity', inputs: ['A', 'A'], outputs: ['C'] }]),
  unknown_attribute: chain([{ ...identity, attributes: { nonsense: 1n } }]),
  wrong_output_type: graphModel([identity], [A], [value('C', 'INT32', ['a', 'b'])]),
  wrong_output_rank: graphModel([identity], [A], [value('C', 'FP32', ['a', 'b', 'c'])]),
  future_operators: writeOnnx({
    opsetVersion: 99,
    graph: { name: 't', nodes: [identity], inputs: [A], outputs: [C] },
  }),
  future_format: writeOnnx({
    irVersion: 99,
    graph: { name: 't', nodes: [identity], inputs: [A], outputs: [C] },
  }),
  no_such_kernel: graphModel(
    [{ opType: 'Conv', inputs: ['A', 'A'], outputs: ['C'] }],
    [value('A', 'FP64', ['a', 'b', 'c'])],
    [value('C', 'FP64', undefined)],
  ),
  half_a_constant: graphModel([{ opType: 'Add', inputs: ['A', 'B'], outputs: ['C'] }], [A], [C], {
    initializers: [{ name: 'B', datatype: 'FP32', dims: [3, 1], data: new Uint8Array(4) }],
  }),
  far_constant: graphModel([{ opType: 'Add', inputs: ['A', 'B'], outputs: ['C'] }], [A], [C], {
    initializers: [{ name: 'B', datatype: 'FP32', dims: [3, 1], data: { location: 'nowhere.bin' } }],
  }),
  constant_outside: graphModel([{ opType: 'Add', inputs: ['A', 'B'], outputs: ['C'] }], [A], [C], {
    initializers: [{ name: 'B', datatype: 'FP32', dims: [3, 1], data: { location: '../../secret.bin' } }],
  }),
};

const CONFIG = 'backend: "onnxruntime"\n';
const models: RepositoryFiles = {
  ...Object.fromEntries(
    Object.entries(RUNS).flatMap(([name, operation]) => [
      [
        `run_${name}/config.pbtxt`,
        `${CONFIG}input [ { name: "A" data_type: ${dataTypeToConfig((operation.input ?? A).datatype)} dims: [ ${(operation.input ?? A).shape?.map((dim) => (typeof dim === 'number' ? dim : -1)).join(', ')} ] } ]\n`,
      ],
      [`run_${name}/1/model.onnx`, model(operation)],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(LOADS).flatMap(([name, file]) => [
      [`load_${name}/config.pbtxt`, CONFIG],
      [`load_${name}/1/model.onnx`, file],
    ]),
  ),
};

function contentsOf(datatype: string, data: readonly unknown[]): object {
  if (datatype === 'BYTES') return { bytes_contents: data.map((text) => Buffer.from(String(text))) };
  return datatype === 'INT64' ? { int64_contents: data } : { fp32_contents: data };
}

const run = (name: string): ReferenceCase => ({
  name: `runtime refuses ${name}`,
  run: async (target) => {
    const { input = A } = RUNS[name] as Operation;
    const texts = input.datatype === 'BYTES';
    const rank = input.shape?.length ?? 2;
    const shape = texts ? [1] : rank === 1 ? [9] : rank === 3 ? [1, 3, 3] : [3, 3];
    const data = texts ? ['x'] : Array.from({ length: 9 }, (_, at) => at - (rank === 1 ? 5 : 0));
    const model = `run_${name}`;
    return [
      { step: 'load', answer: await ask(target, load(model)) },
      {
        step: 'HTTP',
        answer: await ask(
          target,
          post(`/v2/models/${model}/infer`, {
            inputs: [{ name: 'A', datatype: input.datatype, shape, data }],
          }),
        ),
      },
      {
        step: 'gRPC',
        answer: await grpcCall(target.grpcPort, 'ModelInfer', {
          model_name: model,
          inputs: [
            {
              name: 'A',
              datatype: input.datatype,
              shape,
              contents: contentsOf(input.datatype, data),
            },
          ],
        }).then(({ code, details }) => ({ code, details })),
      },
    ];
  },
});

export const RUNTIME_SCENE: Scene = {
  name: 'runtime',
  needs: 'onnxruntime',
  repositories: sameFor(models),
  args: ['--model-control-mode=explicit'],
  cases: [
    ...Object.keys(RUNS).map(run),
    ...Object.keys(LOADS).map((name) => ({
      name: `runtime does not load ${name}`,
      run: (target: Parameters<typeof ask>[0]) => ask(target, load(`load_${name}`)),
    })),
  ],
};

// Samples about plain tensors: adding and subtracting, a small network worth batching, texts, and one that fails to
// load because its dims repeat the batch dimension.

import { floatTensor, writeOnnx } from '../onnx/onnx-writer.ts';
import type { WritableTensor, WritableValue } from '../onnx/onnx-writer.ts';
import { randomWeights, seededRandom } from '../onnx/seeded-random.ts';
import type { SampleModel } from './sample-model.ts';

function simpleModel(): Uint8Array {
  const value = (name: string): WritableValue => ({ name, datatype: 'INT32', shape: [1, 16] });
  return writeOnnx({
    graph: {
      name: 'simple',
      nodes: [
        { opType: 'Add', inputs: ['INPUT0', 'INPUT1'], outputs: ['OUTPUT0'] },
        { opType: 'Sub', inputs: ['INPUT0', 'INPUT1'], outputs: ['OUTPUT1'] },
      ],
      inputs: [value('INPUT0'), value('INPUT1')],
      outputs: [value('OUTPUT0'), value('OUTPUT1')],
    },
  });
}

const SIMPLE_CONFIG = `# Adds and subtracts two tensors. One request at a time: max_batch_size is 0, so dims are the whole shape.
name: "simple"
platform: "onnxruntime_onnx"
max_batch_size: 0
input [
  {
    name: "INPUT0"
    data_type: TYPE_INT32
    dims: [ 1, 16 ]
  },
  {
    name: "INPUT1"
    data_type: TYPE_INT32
    dims: [ 1, 16 ]
  }
]
output [
  {
    name: "OUTPUT0"
    data_type: TYPE_INT32
    dims: [ 1, 16 ]
  },
  {
    name: "OUTPUT1"
    data_type: TYPE_INT32
    dims: [ 1, 16 ]
  }
]
`;

/** Two INT32 tensors in, their sum and their difference out. */
export const simpleSample = (): SampleModel => ({
  name: 'simple',
  summary: 'Adds and subtracts two tensors.',
  files: { 'config.pbtxt': SIMPLE_CONFIG, '1/model.onnx': simpleModel() },
  isLoadedAtStart: true,
});

const MLP_WIDTHS = [64, 96, 48, 10];

/** Weights and biases of one layer, scaled so that activations keep their size. */
function denseLayer(random: () => number, index: number): WritableTensor[] {
  const rows = MLP_WIDTHS[index] ?? 0;
  const columns = MLP_WIDTHS[index + 1] ?? 0;
  const scale = Math.sqrt(3 / rows);
  return [
    floatTensor(`weight${index}`, [rows, columns], randomWeights(random, rows * columns, scale)),
    floatTensor(`bias${index}`, [columns], randomWeights(random, columns, 0.1)),
  ];
}

function batchMlpModel(): Uint8Array {
  const random = seededRandom(20);
  return writeOnnx({
    graph: {
      name: 'batch_mlp',
      nodes: [
        { opType: 'Gemm', inputs: ['FEATURES', 'weight0', 'bias0'], outputs: ['dense0'] },
        { opType: 'Relu', inputs: ['dense0'], outputs: ['hidden0'] },
        { opType: 'Gemm', inputs: ['hidden0', 'weight1', 'bias1'], outputs: ['dense1'] },
        { opType: 'Relu', inputs: ['dense1'], outputs: ['hidden1'] },
        { opType: 'Gemm', inputs: ['hidden1', 'weight2', 'bias2'], outputs: ['dense2'] },
        { opType: 'Softmax', inputs: ['dense2'], outputs: ['PROBABILITIES'], attributes: { axis: -1n } },
      ],
      inputs: [{ name: 'FEATURES', datatype: 'FP32', shape: ['batch', 64] }],
      outputs: [{ name: 'PROBABILITIES', datatype: 'FP32', shape: ['batch', 10] }],
      initializers: [0, 1, 2].flatMap((index) => denseLayer(random, index)),
    },
  });
}

const BATCH_MLP_CONFIG = `# A small network. Requests that wait together run together, up to 8 at a time.
name: "batch_mlp"
platform: "onnxruntime_onnx"
max_batch_size: 8
input [
  {
    name: "FEATURES"
    data_type: TYPE_FP32
    dims: [ 64 ]
  }
]
output [
  {
    name: "PROBABILITIES"
    data_type: TYPE_FP32
    dims: [ 10 ]
  }
]
instance_group [
  {
    count: 1
    kind: KIND_CPU
  }
]
dynamic_batching {
  max_queue_delay_microseconds: 200
}
`;

/** FP32 rows in and out; large enough that a batch is worth waiting for. */
export const batchMlpSample = (): SampleModel => ({
  name: 'batch_mlp',
  summary: 'A small network with dynamic batching.',
  files: { 'config.pbtxt': BATCH_MLP_CONFIG, '1/model.onnx': batchMlpModel() },
  isLoadedAtStart: true,
});

function textBytesModel(): Uint8Array {
  const constant = (name: string, text: string): WritableTensor => ({
    name,
    datatype: 'BYTES',
    dims: [1],
    data: [text],
  });
  return writeOnnx({
    irVersion: 9,
    opsetVersion: 20,
    graph: {
      name: 'text_bytes',
      nodes: [
        { opType: 'StringConcat', inputs: ['hello', 'TEXT'], outputs: ['start'] },
        { opType: 'StringConcat', inputs: ['start', 'mark'], outputs: ['GREETING'] },
        {
          opType: 'RegexFullMatch',
          inputs: ['TEXT'],
          outputs: ['IS_NUMBER'],
          attributes: { pattern: '[+-]?[0-9]+(\\.[0-9]+)?' },
        },
      ],
      inputs: [{ name: 'TEXT', datatype: 'BYTES', shape: ['batch', 'count'] }],
      outputs: [
        { name: 'GREETING', datatype: 'BYTES', shape: ['batch', 'count'] },
        { name: 'IS_NUMBER', datatype: 'BOOL', shape: ['batch', 'count'] },
      ],
      initializers: [constant('hello', 'Hello, '), constant('mark', '!')],
    },
  });
}

const TEXT_BYTES_CONFIG = `# Texts in and out: BYTES on the wire is TYPE_STRING here.
name: "text_bytes"
platform: "onnxruntime_onnx"
max_batch_size: 8
input [
  {
    name: "TEXT"
    data_type: TYPE_STRING
    dims: [ -1 ]
  }
]
output [
  {
    name: "GREETING"
    data_type: TYPE_STRING
    dims: [ -1 ]
  },
  {
    name: "IS_NUMBER"
    data_type: TYPE_BOOL
    dims: [ -1 ]
  }
]
`;

/** Texts in; texts and booleans out. */
export const textBytesSample = (): SampleModel => ({
  name: 'text_bytes',
  summary: 'Greets each text and says whether it is a number.',
  files: { 'config.pbtxt': TEXT_BYTES_CONFIG, '1/model.onnx': textBytesModel() },
  isLoadedAtStart: true,
});

function brokenDimsModel(): Uint8Array {
  const random = seededRandom(7);
  return writeOnnx({
    graph: {
      name: 'broken_dims',
      nodes: [{ opType: 'MatMul', inputs: ['INPUT', 'weight'], outputs: ['OUTPUT'] }],
      inputs: [{ name: 'INPUT', datatype: 'FP32', shape: ['batch', 16] }],
      outputs: [{ name: 'OUTPUT', datatype: 'FP32', shape: ['batch', 4] }],
      initializers: [floatTensor('weight', [16, 4], randomWeights(random, 64, 0.5))],
    },
  });
}

const BROKEN_DIMS_CONFIG = `# Fails to load on purpose: with max_batch_size above 0 the batch dimension is added to dims, so it must not be
# listed there. Change dims of INPUT to [ 16 ].
name: "broken_dims"
platform: "onnxruntime_onnx"
max_batch_size: 8
input [
  {
    name: "INPUT"
    data_type: TYPE_FP32
    dims: [ -1, 16 ]
  }
]
output [
  {
    name: "OUTPUT"
    data_type: TYPE_FP32
    dims: [ 4 ]
  }
]
`;

/** Shows what a failure looks like, and its repair. */
export const brokenDimsSample = (): SampleModel => ({
  name: 'broken_dims',
  summary: 'Fails to load on purpose: its dims repeat the batch dimension.',
  files: { 'config.pbtxt': BROKEN_DIMS_CONFIG, '1/model.onnx': brokenDimsModel() },
  isLoadedAtStart: false,
});

// Samples about images: a classifier that names the dominant colour, and an ensemble that takes a raw image through
// preparation, that classifier and the choice of the best class.

import { floatTensor, int64Tensor, writeOnnx } from '../onnx/onnx-writer.ts';
import type { SampleModel } from './sample-model.ts';

const SIDE = 32;

/** Corners of the colour cube by (red, green, blue) in -1..1, and grey in its middle. */
const COLOURS: readonly (readonly [label: string, rgb: readonly [number, number, number]])[] = [
  ['black', [-1, -1, -1]],
  ['blue', [-1, -1, 1]],
  ['green', [-1, 1, -1]],
  ['cyan', [-1, 1, 1]],
  ['red', [1, -1, -1]],
  ['magenta', [1, -1, 1]],
  ['yellow', [1, 1, -1]],
  ['white', [1, 1, 1]],
  ['grey', [0, 0, 0]],
];

/** A smoothing convolution, the mean colour, and its closeness to each named colour. */
function imageTinyModel(): Uint8Array {
  const sharpness = 4;
  const weights = [0, 1, 2].flatMap((channel) => COLOURS.map(([, rgb]) => sharpness * (rgb[channel] ?? 0)));
  const biases = COLOURS.map(([label]) => (label === 'grey' ? sharpness * 1.5 : 0));
  return writeOnnx({
    graph: {
      name: 'image_tiny',
      nodes: [
        {
          opType: 'Conv',
          inputs: ['IMAGE', 'smoothing'],
          outputs: ['smooth'],
          attributes: { group: 3n, kernel_shape: [3n, 3n], pads: [0n, 0n, 0n, 0n] },
        },
        { opType: 'GlobalAveragePool', inputs: ['smooth'], outputs: ['mean'] },
        { opType: 'Flatten', inputs: ['mean'], outputs: ['colour'], attributes: { axis: 1n } },
        { opType: 'Gemm', inputs: ['colour', 'weight', 'bias'], outputs: ['closeness'] },
        { opType: 'Softmax', inputs: ['closeness'], outputs: ['SCORES'], attributes: { axis: -1n } },
      ],
      inputs: [{ name: 'IMAGE', datatype: 'FP32', shape: ['batch', 3, SIDE, SIDE] }],
      outputs: [{ name: 'SCORES', datatype: 'FP32', shape: ['batch', COLOURS.length] }],
      initializers: [
        floatTensor('smoothing', [3, 1, 3, 3], new Float32Array(27).fill(1 / 9)),
        floatTensor('weight', [3, COLOURS.length], weights),
        floatTensor('bias', [COLOURS.length], biases),
      ],
    },
  });
}

const IMAGE_TINY_CONFIG = `# Names the dominant colour of a 32 x 32 image with values from -1 to 1.
name: "image_tiny"
platform: "onnxruntime_onnx"
max_batch_size: 8
input [
  {
    name: "IMAGE"
    data_type: TYPE_FP32
    format: FORMAT_NCHW
    dims: [ 3, ${SIDE}, ${SIDE} ]
  }
]
output [
  {
    name: "SCORES"
    data_type: TYPE_FP32
    dims: [ ${COLOURS.length} ]
    label_filename: "colours.txt"
  }
]
`;

/** One model: an image of 3 x 8 x 8 values in, the scores of three colours with labels out. */
export const imageTinySample = (): SampleModel => ({
  name: 'image_tiny',
  summary: 'Names the dominant colour of an image.',
  files: {
    'config.pbtxt': IMAGE_TINY_CONFIG,
    'colours.txt': COLOURS.map(([label]) => `${label}\n`).join(''),
    '1/model.onnx': imageTinyModel(),
  },
  isLoadedAtStart: true,
});

/** Raw UINT8 height x width x colour to FP32 colour x height x width in -1..1. */
function prepareModel(): Uint8Array {
  return writeOnnx({
    graph: {
      name: 'pipeline_prepare',
      nodes: [
        { opType: 'Cast', inputs: ['RAW'], outputs: ['number'], attributes: { to: 1n } },
        { opType: 'Div', inputs: ['number', 'half'], outputs: ['scaled'] },
        { opType: 'Sub', inputs: ['scaled', 'one'], outputs: ['centred'] },
        {
          opType: 'Transpose',
          inputs: ['centred'],
          outputs: ['PREPARED'],
          attributes: { perm: [0n, 3n, 1n, 2n] },
        },
      ],
      inputs: [{ name: 'RAW', datatype: 'UINT8', shape: ['batch', SIDE, SIDE, 3] }],
      outputs: [{ name: 'PREPARED', datatype: 'FP32', shape: ['batch', 3, SIDE, SIDE] }],
      initializers: [floatTensor('half', [1], [127.5]), floatTensor('one', [1], [1])],
    },
  });
}

/** The best class and its score. */
function bestModel(): Uint8Array {
  return writeOnnx({
    graph: {
      name: 'pipeline_best',
      nodes: [
        {
          opType: 'TopK',
          inputs: ['SCORES', 'one'],
          outputs: ['CONFIDENCE', 'CLASS'],
          attributes: { axis: -1n },
        },
      ],
      inputs: [{ name: 'SCORES', datatype: 'FP32', shape: ['batch', COLOURS.length] }],
      outputs: [
        { name: 'CONFIDENCE', datatype: 'FP32', shape: ['batch', 1] },
        { name: 'CLASS', datatype: 'INT64', shape: ['batch', 1] },
      ],
      initializers: [int64Tensor('one', [1], [1])],
    },
  });
}

const RAW_INPUT = `input [
  {
    name: "RAW"
    data_type: TYPE_UINT8
    format: FORMAT_NHWC
    dims: [ ${SIDE}, ${SIDE}, 3 ]
  }
]`;

const PREPARE_CONFIG = `# First step of "pipeline": bytes of an image to the numbers the classifier wants.
name: "pipeline_prepare"
platform: "onnxruntime_onnx"
max_batch_size: 8
${RAW_INPUT}
output [
  {
    name: "PREPARED"
    data_type: TYPE_FP32
    dims: [ 3, ${SIDE}, ${SIDE} ]
  }
]
`;

const BEST_CONFIG = `# Last step of "pipeline": the best class and its score.
name: "pipeline_best"
platform: "onnxruntime_onnx"
max_batch_size: 8
input [
  {
    name: "SCORES"
    data_type: TYPE_FP32
    dims: [ ${COLOURS.length} ]
  }
]
output [
  {
    name: "CONFIDENCE"
    data_type: TYPE_FP32
    dims: [ 1 ]
  },
  {
    name: "CLASS"
    data_type: TYPE_INT64
    dims: [ 1 ]
  }
]
`;

const PIPELINE_CONFIG = `# Three models as one: prepare the image, classify it, choose the best class.
name: "pipeline"
platform: "ensemble"
max_batch_size: 8
${RAW_INPUT}
output [
  {
    name: "CLASS"
    data_type: TYPE_INT64
    dims: [ 1 ]
  },
  {
    name: "CONFIDENCE"
    data_type: TYPE_FP32
    dims: [ 1 ]
  }
]
ensemble_scheduling {
  step [
    {
      model_name: "pipeline_prepare"
      model_version: -1
      input_map { key: "RAW" value: "RAW" }
      output_map { key: "PREPARED" value: "prepared_image" }
    },
    {
      model_name: "image_tiny"
      model_version: -1
      input_map { key: "IMAGE" value: "prepared_image" }
      output_map { key: "SCORES" value: "colour_scores" }
    },
    {
      model_name: "pipeline_best"
      model_version: -1
      input_map { key: "SCORES" value: "colour_scores" }
      output_map { key: "CLASS" value: "CLASS" }
      output_map { key: "CONFIDENCE" value: "CONFIDENCE" }
    }
  ]
}
`;

/** The ensemble and its two steps. */
export const pipelineSamples = (): SampleModel[] => [
  {
    name: 'pipeline_prepare',
    summary: 'First step of the pipeline sample.',
    files: { 'config.pbtxt': PREPARE_CONFIG, '1/model.onnx': prepareModel() },
    isLoadedAtStart: true,
  },
  {
    name: 'pipeline_best',
    summary: 'Last step of the pipeline sample.',
    files: { 'config.pbtxt': BEST_CONFIG, '1/model.onnx': bestModel() },
    isLoadedAtStart: true,
  },
  {
    name: 'pipeline',
    summary: 'Three models as one: raw image in, class and confidence out.',
    files: { 'config.pbtxt': PIPELINE_CONFIG, '1/': '' },
    isLoadedAtStart: true,
  },
];

// Models whose speed is measured: a tiny one (what the server itself costs), a network whose weights outweigh one
// request (where batching pays), and a ResNet-50-like network (where the runtime does nearly all the work).
// Weights are seeded, so every machine measures the same files.

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { floatTensor, writeOnnx } from '../src-main/onnx/onnx-writer.ts';
import type { WritableNode, WritableTensor } from '../src-main/onnx/onnx-writer.ts';
import { randomWeights, seededRandom } from '../src-main/onnx/seeded-random.ts';

function tinyModel(): Uint8Array {
  const value = (name: string) => ({ name, datatype: 'INT32' as const, shape: ['batch', 16] });
  return writeOnnx({
    graph: {
      name: 'tiny',
      nodes: [
        { opType: 'Add', inputs: ['INPUT0', 'INPUT1'], outputs: ['OUTPUT0'] },
        { opType: 'Sub', inputs: ['INPUT0', 'INPUT1'], outputs: ['OUTPUT1'] },
      ],
      inputs: [value('INPUT0'), value('INPUT1')],
      outputs: [value('OUTPUT0'), value('OUTPUT1')],
    },
  });
}

const MLP_WIDTHS = [512, 2048, 2048, 256];
/** Elements of one row of the MLP, FP32. */
export const MLP_INPUT_COUNT = 512;

/** 24 MB of weights: one request reads all of them, and so does a batch of 32. */
function mlpModel(): Uint8Array {
  const random = seededRandom(1);
  const layers = MLP_WIDTHS.slice(1).map((columns, index) => {
    const rows = MLP_WIDTHS[index] ?? 0;
    return floatTensor(
      `weight${index}`,
      [rows, columns],
      randomWeights(random, rows * columns, Math.sqrt(3 / rows)),
    );
  });
  const nodes: WritableNode[] = layers.flatMap((layer, index) => [
    {
      opType: 'MatMul',
      inputs: [index === 0 ? 'INPUT' : `hidden${index - 1}`, layer.name],
      outputs: [`dense${index}`],
    },
    {
      opType: 'Relu',
      inputs: [`dense${index}`],
      outputs: [index === layers.length - 1 ? 'OUTPUT' : `hidden${index}`],
    },
  ]);
  return writeOnnx({
    graph: {
      name: 'mlp',
      nodes,
      inputs: [{ name: 'INPUT', datatype: 'FP32', shape: ['batch', MLP_INPUT_COUNT] }],
      outputs: [{ name: 'OUTPUT', datatype: 'FP32', shape: ['batch', 256] }],
      initializers: layers,
    },
  });
}

/** Blocks and width of the four stages of ResNet-50. */
const STAGES = [
  { blocks: 3, width: 64 },
  { blocks: 4, width: 128 },
  { blocks: 6, width: 256 },
  { blocks: 3, width: 512 },
];

/** Collects nodes and weights of a convolutional network. */
class NetworkBuilder {
  readonly nodes: WritableNode[] = [];
  readonly weights: WritableTensor[] = [];
  readonly #random = seededRandom(50);
  #count = 0;

  name(kind: string): string {
    return `${kind}${this.#count++}`;
  }

  node(opType: string, inputs: readonly string[], attributes: WritableNode['attributes'] = {}): string {
    const output = this.name(opType.toLowerCase());
    this.nodes.push({ opType, inputs, outputs: [output], attributes });
    return output;
  }

  weight(dims: readonly number[], fanIn: number): string {
    const name = this.name('weight');
    const count = dims.reduce((product, dim) => product * dim, 1);
    this.weights.push(floatTensor(name, dims, randomWeights(this.#random, count, Math.sqrt(3 / fanIn))));
    return name;
  }

  conv(input: string, from: number, to: number, kernel: number, stride: number): string {
    const pad = BigInt(Math.floor(kernel / 2));
    const weight = this.weight([to, from, kernel, kernel], from * kernel * kernel);
    const bias = this.weight([to], 100);
    return this.node('Conv', [input, weight, bias], {
      kernel_shape: [BigInt(kernel), BigInt(kernel)],
      strides: [BigInt(stride), BigInt(stride)],
      pads: [pad, pad, pad, pad],
    });
  }

  relu(input: string): string {
    return this.node('Relu', [input]);
  }

  bottleneck(input: string, from: number, width: number, stride: number): string {
    const narrow = this.relu(this.conv(input, from, width, 1, 1));
    const spatial = this.relu(this.conv(narrow, width, width, 3, stride));
    const wide = this.conv(spatial, width, 4 * width, 1, 1);
    const isSameShape = from === 4 * width && stride === 1;
    const shortcut = isSameShape ? input : this.conv(input, from, 4 * width, 1, stride);
    // Halving the sum keeps activations from growing through sixteen blocks of random weights.
    return this.relu(this.node('Mul', [this.node('Add', [wide, shortcut]), 'half']));
  }
}

/** The convolutions of ResNet-50 with random weights (102 MB), batch normalisation folded in. */
function resnetModel(): Uint8Array {
  const network = new NetworkBuilder();
  let tensor = network.relu(network.conv('INPUT', 3, 64, 7, 2));
  tensor = network.node('MaxPool', [tensor], {
    kernel_shape: [3n, 3n],
    strides: [2n, 2n],
    pads: [1n, 1n, 1n, 1n],
  });
  let channels = 64;
  STAGES.forEach(({ blocks, width }, stage) => {
    for (let block = 0; block < blocks; block++) {
      tensor = network.bottleneck(tensor, channels, width, block === 0 && stage > 0 ? 2 : 1);
      channels = 4 * width;
    }
  });
  tensor = network.node('GlobalAveragePool', [tensor]);
  tensor = network.node('Flatten', [tensor], { axis: 1n });
  const weight = network.weight([channels, 1000], channels);
  network.nodes.push({ opType: 'MatMul', inputs: [tensor, weight], outputs: ['OUTPUT'] });
  return writeOnnx({
    graph: {
      name: 'resnet',
      nodes: network.nodes,
      inputs: [{ name: 'INPUT', datatype: 'FP32', shape: ['batch', 3, 224, 224] }],
      outputs: [{ name: 'OUTPUT', datatype: 'FP32', shape: ['batch', 1000] }],
      initializers: [floatTensor('half', [1], [0.5]), ...network.weights],
    },
  });
}

/** `more`: further text of config.pbtxt. `dims` are texts without brackets, without the batch dimension. */
export interface BenchConfig {
  readonly name: string;
  readonly maxBatchSize: number;
  readonly inputs: readonly (readonly [name: string, type: string, dims: string])[];
  readonly outputs: readonly (readonly [name: string, type: string, dims: string])[];
  readonly instanceCount: number;
  readonly more: string;
}

/** Text of a config.pbtxt. */
export function configText(config: BenchConfig): string {
  const tensors = (field: string, list: BenchConfig['inputs']) =>
    list
      .map(([name, type, dims]) => `${field} { name: "${name}" data_type: ${type} dims: [ ${dims} ] }`)
      .join('\n');
  return `name: "${config.name}"
platform: "onnxruntime_onnx"
max_batch_size: ${config.maxBatchSize}
${tensors('input', config.inputs)}
${tensors('output', config.outputs)}
instance_group { count: ${config.instanceCount} kind: KIND_CPU }
${config.more}
`;
}

const ONE_THREAD = 'parameters { key: "intra_op_thread_count" value: { string_value: "1" } }';

/** Writes the models that `scenarios` need, with configurations, as a model repository. */
export async function writeBenchRepository(
  folder: string,
  names: ReadonlySet<string>,
  coreCount: number,
): Promise<void> {
  const int16 = (name: string) => [name, 'TYPE_INT32', '16'] as const;
  const mlp = {
    maxBatchSize: 32,
    inputs: [['INPUT', 'TYPE_FP32', String(MLP_INPUT_COUNT)]],
    outputs: [['OUTPUT', 'TYPE_FP32', '256']],
    instanceCount: 1,
  } as const;
  const all: readonly (readonly [BenchConfig, () => Uint8Array])[] = [
    [
      {
        name: 'tiny',
        maxBatchSize: 8,
        inputs: [int16('INPUT0'), int16('INPUT1')],
        outputs: [int16('OUTPUT0'), int16('OUTPUT1')],
        instanceCount: 1,
        more: ONE_THREAD,
      },
      tinyModel,
    ],
    [{ ...mlp, name: 'mlp_single', more: ONE_THREAD }, mlpModel],
    [{ ...mlp, name: 'mlp_batched', more: `${ONE_THREAD}\ndynamic_batching { }` }, mlpModel],
    [
      {
        name: 'resnet',
        maxBatchSize: 4,
        inputs: [['INPUT', 'TYPE_FP32', '3, 224, 224']],
        outputs: [['OUTPUT', 'TYPE_FP32', '1000']],
        instanceCount: coreCount,
        more: ONE_THREAD,
      },
      resnetModel,
    ],
  ];
  for (const [config, build] of all) {
    if (!names.has(config.name)) continue;
    const versionDir = path.join(folder, config.name, '1');
    await mkdir(versionDir, { recursive: true });
    await writeFile(path.join(folder, config.name, 'config.pbtxt'), configText(config));
    await writeFile(path.join(versionDir, 'model.onnx'), build());
  }
}

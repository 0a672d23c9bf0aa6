// The models and images of tests/fixtures, which `npm run fixtures` makes. Network files of the ONNX project are tested
// too where CONCH_FIXTURES names a folder that has them below `onnx_light`.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '../../tests/fixtures');

/** Absolute path of a file or folder below tests/fixtures. */
export function fixture(relative: string): string {
  return path.join(folder, relative);
}

/** An image network that answers FP32 `input` with FP32 `output`, both with a fixed batch of one. */
export interface NetworkFixture {
  readonly name: string;
  readonly file: string;
  readonly input: string;
  readonly inputShape: readonly number[];
  readonly output: string;
  readonly outputShape: readonly number[];
  readonly nodeCount: number;
  /** Whether several rows give the same answers as one after the other, once the first dimension is free. */
  readonly isSafeToBatch: boolean;
  /** Its answer to `networkPixels`, made without a runtime. */
  readonly scores: readonly number[];
}

interface NetworkFacts {
  readonly name: string;
  readonly nodeCount: number;
  readonly isSafeToBatch: boolean;
  readonly outputShape: readonly number[];
  readonly scores: readonly number[];
}

/** Element n is (n mod 251) / 251. */
export function networkPixels({ inputShape }: NetworkFixture): Float32Array {
  const count = inputShape.reduce((product, dim) => product * dim, 1);
  return Float32Array.from({ length: count }, (_, index) => (index % 251) / 251);
}

/** The project's own networks, and those of the ONNX project where they are asked for. */
export function networkFixtures(): readonly NetworkFixture[] {
  const facts = JSON.parse(readFileSync(fixture('networks/networks.json'), 'utf8')) as NetworkFacts[];
  const own = facts.map((network): NetworkFixture => ({
    ...network,
    file: fixture(`networks/${network.name}.onnx`),
    input: 'pixels',
    inputShape: [1, 3, 32, 32],
    output: 'scores',
  }));
  return [...own, ...publishedNetworks()];
}

const PUBLISHED = [
  ['light_resnet50', 415, 'gpu_0/data_0', 'gpu_0/softmax_1', [1, 1000], false],
  ['light_densenet121', 1746, 'data_0', 'fc6_1', [1, 1000, 1, 1], true],
  ['light_squeezenet', 105, 'data_0', 'softmaxout_1', [1, 1000, 1, 1], true],
  ['light_shufflenet', 446, 'gpu_0/data_0', 'gpu_0/softmax_1', [1, 1000], false],
] as const;

function publishedNetworks(): readonly NetworkFixture[] {
  const extra = process.env['CONCH_FIXTURES'];
  if (extra === undefined) return [];
  const published = path.resolve(extra, 'onnx_light');
  return PUBLISHED.filter(([name]) => existsSync(path.join(published, `${name}.onnx`))).map(
    ([name, nodeCount, input, output, outputShape, isSafeToBatch]) => ({
      name,
      file: path.join(published, `${name}.onnx`),
      input,
      inputShape: [1, 3, 224, 224],
      output,
      outputShape,
      nodeCount,
      isSafeToBatch,
      scores: storedScores(path.join(published, `${name}_output_0.pb`)),
    }),
  );
}

/** The values of a serialised tensor whose 1000 floats lie at its end. */
function storedScores(file: string): readonly number[] {
  const bytes = readFileSync(file);
  return [...new Float32Array(new Uint8Array(bytes.subarray(-4000)).buffer)];
}

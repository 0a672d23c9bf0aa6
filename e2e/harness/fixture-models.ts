// Models and folders that the tests drop, open and break. All made here, small, and the same bytes every time.

import { createHash } from 'node:crypto';
import { access, cp, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { floatTensor, writeOnnx } from '../../src-main/onnx/onnx-writer.ts';
import type { WritableNode, WritableTensor } from '../../src-main/onnx/onnx-writer.ts';
import { sampleModels } from '../../src-main/samples/sample-repository.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { TempRepository } from '../../src-main/testing/temp-repository.ts';

export { TempRepository } from '../../src-main/testing/temp-repository.ts';

/** Files of a sample below `folder`; the configuration gets the folder's name. */
export function sampleFiles(sample: string, folder: string = sample): RepositoryFiles {
  const model = sampleModels().find(({ name }) => name === sample);
  if (model === undefined) throw new Error(`there is no sample ${sample}`);
  const name = path.basename(folder);
  return Object.fromEntries(
    Object.entries(model.files).map(([file, content]) => [
      `${folder}/${file}`,
      typeof content === 'string' ? content.replace(`name: "${sample}"`, `name: "${name}"`) : content,
    ]),
  );
}

/** A folder with these samples, as an app leaves it whose user removed the others. One that is there stays as it is. */
export async function keepSamples(folder: string, names: readonly string[]): Promise<void> {
  const isThere = await access(folder).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  await using files = await TempRepository.create(
    Object.assign({}, ...names.map((name) => sampleFiles(name))),
  );
  await cp(files.path, folder, { recursive: true });
}

const CLASSES = 10;
const FEATURES = 48;

/** `input` FP32 [N, 48] -> `scores` FP32 [N, 10]; the weights inside, or in a file of that name. */
export function classifierOnnx(weightsFile?: string, values = weightValues()): Uint8Array {
  const weights: WritableTensor =
    weightsFile === undefined
      ? floatTensor('weights', [FEATURES, CLASSES], values)
      : { name: 'weights', datatype: 'FP32', dims: [FEATURES, CLASSES], data: { location: weightsFile } };
  return writeOnnx({
    graph: {
      name: 'classifier',
      nodes: [{ opType: 'MatMul', inputs: ['input', 'weights'], outputs: ['scores'] }],
      inputs: [{ name: 'input', datatype: 'FP32', shape: ['N', FEATURES] }],
      outputs: [{ name: 'scores', datatype: 'FP32', shape: ['N', CLASSES] }],
      initializers: [weights],
    },
  });
}

/** The same function, of a batch of 1 that nothing but the declared shapes fixes. */
export function fixedOnnx(): Uint8Array {
  return writeOnnx({
    graph: {
      name: 'fixed',
      nodes: [{ opType: 'MatMul', inputs: ['input', 'weights'], outputs: ['scores'] }],
      inputs: [{ name: 'input', datatype: 'FP32', shape: [1, FEATURES] }],
      outputs: [{ name: 'scores', datatype: 'FP32', shape: [1, CLASSES] }],
      initializers: [floatTensor('weights', [FEATURES, CLASSES], weightValues())],
    },
  });
}

/** The same classifier, except for the weights of one class. */
export function retrainedOnnx(changedClass: number): Uint8Array {
  const values = weightValues().map((value, at) => (at % CLASSES === changedClass ? value + 1 : value));
  return classifierOnnx(undefined, values);
}

/** Content of the weights file of `classifierOnnx`. */
export function classifierWeights(): Uint8Array {
  return new Uint8Array(weightValues().buffer);
}

function weightValues(): Float32Array {
  return Float32Array.from({ length: FEATURES * CLASSES }, (_, at) => (at % 7) / 7);
}

/** Relative path -> hash of every file below a folder, to show that nothing changed. */
export async function folderHashes(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const hashes = await Promise.all(
    files.sort().map(async (file) => {
      const hash = createHash('sha256')
        .update(await readFile(file))
        .digest('hex');
      return [path.relative(folder, file), hash] as const;
    }),
  );
  return Object.fromEntries(hashes);
}

/** `count` operators: a chain, and a scope "dense" whose 600 operators each read four earlier ones of it. */
export function tangledOnnx(count: number): Uint8Array {
  const dense = 600;
  const chained = Array.from({ length: count - dense }, (_, at): WritableNode => {
    const scope = `/stage_${Math.floor(at / 1000)}/block_${Math.floor(at / 100)}`;
    return {
      opType: at % 2 === 0 ? 'Relu' : 'Neg',
      name: `${scope}/node_${at}`,
      inputs: [at === 0 ? 'input' : `value_${at - 1}`],
      outputs: [`value_${at}`],
    };
  });
  const tangled = Array.from({ length: dense }, (_, at): WritableNode => {
    const earlier = (turn: number): string =>
      at === 0 ? `value_${count - dense - 1}` : `dense_${(at * 7919 + turn * 104_729) % at}`;
    return {
      opType: 'Sum',
      name: `/dense/sum_${at}`,
      inputs: [0, 1, 2, 3].map(earlier),
      outputs: [at === dense - 1 ? 'output' : `dense_${at}`],
    };
  });
  return writeOnnx({
    graph: {
      name: 'tangled',
      nodes: [...chained, ...tangled],
      inputs: [{ name: 'input', datatype: 'FP32', shape: ['N', 4] }],
      outputs: [{ name: 'output', datatype: 'FP32', shape: ['N', 4] }],
    },
  });
}

const BLOCK_OPERATORS = 8;
const UNARY = ['Relu', 'Neg', 'Abs', 'Tanh', 'Sigmoid', 'Softplus'];

/**
 * As many blocks of eight operators as `count` has, each in a scope of its own: three branches of two, their sum, and
 * around it a residual connection. `input` FP32 [N, 4] -> `output` FP32 [N, 4].
 */
export function residualOnnx(count: number): Uint8Array {
  const blocks = Math.floor(count / BLOCK_OPERATORS);
  const nodes = Array.from({ length: blocks }, (_, block): readonly WritableNode[] => {
    const scope = `/stage_${Math.floor(block / 10)}/block_${block % 10}`;
    const from = block === 0 ? 'input' : `block_${block - 1}`;
    const named = (
      opType: string,
      name: string,
      inputs: readonly string[],
      output: string,
    ): WritableNode => ({
      opType,
      name: `${scope}/${name}`,
      inputs: [...inputs],
      outputs: [output],
    });
    const branch = (index: number): readonly WritableNode[] => [
      named(UNARY[index] ?? 'Relu', `branch_${index}/first`, [from], `first_${block}_${index}`),
      named(
        UNARY[index + 3] ?? 'Relu',
        `branch_${index}/second`,
        [`first_${block}_${index}`],
        `second_${block}_${index}`,
      ),
    ];
    const ends = [0, 1, 2].map((index) => `second_${block}_${index}`);
    return [
      ...[0, 1, 2].flatMap(branch),
      named('Sum', 'sum', ends, `sum_${block}`),
      named('Add', 'add', [`sum_${block}`, from], block === blocks - 1 ? 'output' : `block_${block}`),
    ];
  });
  return writeOnnx({
    graph: {
      name: 'residual',
      nodes: nodes.flat(),
      inputs: [{ name: 'input', datatype: 'FP32', shape: ['N', 4] }],
      outputs: [{ name: 'output', datatype: 'FP32', shape: ['N', 4] }],
    },
  });
}

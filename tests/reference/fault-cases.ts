// Requests with more than one fault: shapes that are wrong in several ways, and faults of inputs beside those of outputs.
// Which one is told is a matter of order.

import { identityModel } from '../../src-main/testing/onnx-test-models.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { grpcCall } from './grpc-exchange.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

type Model = readonly [maxBatchSize: number, shape: readonly (string | number)[], dims: string];
const MODELS: Readonly<Record<string, Model>> = {
  rows: [4, ['n', 4], '4'],
  wide_rows: [4, ['n', 'a'], '-1'],
  row_lists: [4, ['n', 'a', 3], '-1, 3'],
  list: [0, ['a', 3], '-1, 3'],
  square: [0, [2, 2], '2, 2'],
};
const models: RepositoryFiles = Object.fromEntries(
  Object.entries(MODELS).flatMap(([name, [size, shape, dims]]) => [
    [
      `${name}/config.pbtxt`,
      `backend: "onnxruntime" max_batch_size: ${size}
input [ { name: "INPUT" data_type: TYPE_FP32 dims: [ ${dims} ] } ]
output [ { name: "OUTPUT" data_type: TYPE_FP32 dims: [ ${dims} ] } ]\n`,
    ],
    [`${name}/1/model.onnx`, identityModel('FP32', shape)],
  ]),
);

const SHAPES: readonly (readonly number[])[] = [
  [-1, 4],
  [-1, 2],
  [1, -1],
  [-1, -1],
  [-1, 4, 1],
  [1, 0, -1],
  [2, 2, -1],
  [-1],
  [1, -2],
  [1, -1, 3],
  [1, -1, 4],
  [-1, 2, 3],
  [0, -1],
  [9, -1],
  [-2, 4],
];

interface Parts {
  readonly [name: string]: unknown;
}
const text = (value: string): object => ({ string_param: value });
const number = (value: number): object => ({ int64_param: String(value) });
const OUTPUTS: Readonly<Record<string, Parts>> = {
  'an offset alone': { shared_memory_offset: number(5) },
  'an unknown region': { shared_memory_region: text('r'), shared_memory_byte_size: number(4) },
  'a region without size': { shared_memory_region: text('r') },
  'classes in a region': {
    shared_memory_region: text('r'),
    shared_memory_byte_size: number(4),
    classification: number(1),
  },
  'classes by text': { classification: text('x') },
  'no classes': { classification: number(0) },
  'a region by number': { shared_memory_region: number(4) },
  nothing: {},
};
const INPUTS: Readonly<Record<string, Parts>> = {
  'another field': { contents: { fp64_contents: [1] } },
  'no data': {},
  'an unknown region': {
    parameters: { shared_memory_region: text('s'), shared_memory_byte_size: number(4) },
  },
  'a region without size': { parameters: { shared_memory_region: text('s') } },
  'an unknown type': { datatype: '', contents: { fp32_contents: [1] } },
  'an unknown type and no elements': { datatype: 'FP31', contents: {} },
};

async function infer(port: number, model: string, input: Parts, outputs: readonly Parts[]): Promise<object> {
  const inputs = [{ name: 'INPUT', datatype: 'FP32', ...input }];
  const { code, details } = await grpcCall(port, 'ModelInfer', { model_name: model, inputs, outputs });
  return { code, details };
}

const shapesOf = (model: string): ReferenceCase => ({
  name: `faults of shapes, ${model}`,
  run: async ({ grpcPort }) => {
    const answers: object[] = [];
    for (const shape of SHAPES) {
      const input = { shape: shape.map(String), contents: { fp32_contents: [1, 2, 3, 4] } };
      answers.push({ step: JSON.stringify(shape), ...(await infer(grpcPort, model, input, [])) });
    }
    return answers;
  },
});

const together = (output: string): ReferenceCase => ({
  name: `faults of inputs beside outputs with ${output}`,
  run: async ({ grpcPort }) => {
    const answers: object[] = [];
    for (const [step, input] of Object.entries(INPUTS))
      for (const name of ['OUTPUT', 'NOPE'])
        answers.push({
          step: `${step}, ${name}`,
          ...(await infer(grpcPort, 'rows', { shape: ['1', '4'], ...input }, [
            { name, parameters: OUTPUTS[output] },
          ])),
        });
    return answers;
  },
});

export const FAULT_SCENE: Scene = {
  name: 'faults',
  needs: 'onnxruntime',
  repositories: sameFor(models),
  cases: [...Object.keys(MODELS).map(shapesOf), ...Object.keys(OUTPUTS).map(together)],
};

// Reshaped inputs and outputs of Python models: wildcards that move, ones that come and go, scalars, batches, shapes that fit
// and that do not. A model answers with the shapes that it saw, and with what came.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { grpcCall } from './grpc-exchange.ts';
import { get, post } from './http-calls.ts';
import { ask, load, unload } from './life-calls.ts';
import { answering, pythonFiles } from './python-models.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

const SHOWS = answering(`seen = first(request)
text = np.array([str(list(seen.shape))], dtype=object).reshape([1] * LEAD + [1])
response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", seen), pb_utils.Tensor("SEEN", text)])`);

/** What clients send, what the model sees, and shapes that are asked for. */
const RESHAPED: readonly (readonly [dims: string, inside: string, shapes: readonly (readonly number[])[]])[] =
  [
    ['4', '2, 2', [[4], [2, 2], [3], [4, 1]]],
    ['4', '4, 1', [[4], [4, 1]]],
    ['4', '1, 4', [[4]]],
    ['1', '', [[1], [2], []]],
    ['1', '1, 1', [[1]]],
    ['-1', '-1, 1', [[3], [0], [1], [3, 1]]],
    ['-1', '1, -1, 1', [[3]]],
    ['-1', '-1', [[3]]],
    [
      '-1, 2',
      '-1, 1, 2',
      [
        [3, 2],
        [0, 2],
        [3, 1],
      ],
    ],
    ['-1, 1', '-1', [[3, 1], [3]]],
    [
      '2, -1',
      '1, 2, -1',
      [
        [2, 3],
        [2, 0],
        [1, 3],
      ],
    ],
    [
      '-1, 4',
      '-1, 2, 2',
      [
        [3, 4],
        [1, 4],
      ],
    ],
    [
      '-1, 4',
      '2, -1, 2',
      [
        [3, 4],
        [1, 4],
      ],
    ],
    [
      '-1, -1',
      '-1, 1, -1',
      [
        [2, 3],
        [0, 3],
        [2, 0],
      ],
    ],
    ['-1, 6, -1', '-1, 2, 3, -1', [[2, 6, 3]]],
    [
      '-1, 2, 3',
      '-1, 6',
      [
        [2, 2, 3],
        [1, 2, 3],
      ],
    ],
    ['2, 3', '6', [[2, 3], [3, 2], [6]]],
    ['2, 3', '-1', [[2, 3]]],
    ['-1', '2, -1', [[4], [3]]],
    ['-1', '4', [[4]]],
    ['0', '', [[0]]],
  ];
const SIDES = ['both', 'input', 'output'] as const;
type Side = (typeof SIDES)[number];

const nameOf = (at: number, size: number, side: Side): string => `r${at}_${size}_${side}`;
function files(at: number, size: number, side: Side): RepositoryFiles {
  const [dims, inside] = RESHAPED[at] ?? ['', ''];
  const reshape = `reshape { shape: [ ${inside} ] }`;
  const tensor = (name: string, isReshaped: boolean): string =>
    `{ name: "${name}" data_type: TYPE_FP32 dims: [ ${dims} ] ${isReshaped ? reshape : ''} }`;
  return pythonFiles(
    nameOf(at, size, side),
    SHOWS.replace('LEAD', size > 0 ? '1' : '0'),
    `max_batch_size: ${size}
input [ ${tensor('INPUT0', side !== 'output')} ]
output [ ${tensor('OUTPUT0', side !== 'input')}, { name: "SEEN" data_type: TYPE_STRING dims: [ 1 ] } ]
instance_group [ { kind: KIND_CPU } ]`,
  );
}
const KINDS = RESHAPED.flatMap((_, at) =>
  [0, 4].flatMap((size) => SIDES.map((side) => ({ at, size, side }))),
).filter(({ size, side }) => side === 'both' || size === 4);

const asked = ({ at, size, side }: (typeof KINDS)[number]): ReferenceCase => {
  const [dims, inside, shapes] = RESHAPED[at] ?? ['', '', []];
  return {
    name: `reshaped: [${dims}] to [${inside}], ${side}, ${size}`,
    run: async (target) => {
      const name = nameOf(at, size, side);
      const answers: object[] = [{ step: 'load', answer: await ask(target, load(name)) }];
      answers.push({ step: 'metadata', answer: await ask(target, get(`/v2/models/${name}`)) });
      for (const one of shapes)
        for (const rows of size === 0 ? [[]] : [[1], [2]]) {
          const shape = [...rows, ...one];
          const count = shape.reduce((product, dim) => product * dim, 1);
          const data = Array.from({ length: count }, (_, index) => index);
          const inputs = [{ name: 'INPUT0', datatype: 'FP32', shape, data }];
          const answer = await ask(target, post(`/v2/models/${name}/infer`, { inputs }));
          const grpc = await grpcCall(target.grpcPort, 'ModelInfer', {
            model_name: name,
            inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: shape.map(BigInt) }],
            raw_input_contents: [Buffer.from(Float32Array.from(data).buffer)],
          });
          answers.push({ step: shape.join('x'), answer, grpc });
        }
      await ask(target, unload(name));
      return answers;
    },
  };
};

export const RESHAPE_SCENE: Scene = {
  name: 'reshaped',
  repositories: sameFor(Object.assign({}, ...KINDS.map(({ at, size, side }) => files(at, size, side)))),
  args: ['--model-control-mode=explicit'],
  atOnce: 3,
  cases: KINDS.map(asked),
};

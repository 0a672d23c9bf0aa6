// Batches of ONNX models whose requests differ in shape: every kind of batch input, outputs that are scattered by the
// shape of an input, and states of sequences that begin at zeros or out of a file.

import type { DataType } from '../../src-shared/datatypes.ts';
import { dataTypeToConfig } from '../../src-shared/datatypes.ts';
import { graphModel, value } from '../../src-main/testing/onnx-test-models.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { get, post } from './http-calls.ts';
import { ask, load, wait } from './life-calls.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

const KINDS: Readonly<Record<string, { readonly rank: number; readonly isOfItems?: true }>> = {
  BATCH_ELEMENT_COUNT: { rank: 1 },
  BATCH_ACCUMULATED_ELEMENT_COUNT: { rank: 1 },
  BATCH_ACCUMULATED_ELEMENT_COUNT_WITH_ZERO: { rank: 1 },
  BATCH_MAX_ELEMENT_COUNT_AS_SHAPE: { rank: 1 },
  BATCH_ITEM_SHAPE: { rank: 2 },
  BATCH_ITEM_SHAPE_FLATTEN: { rank: 1 },
};
const TYPES: readonly DataType[] = ['INT32', 'FP32'];
const DELAY = 'max_batch_size: 3 dynamic_batching { max_queue_delay_microseconds: 8000000 }';
/** Every request of a batch is answered with the whole batch input, whose elements are gathered in one row. */
const told = (rank: number, datatype: DataType, isShape: boolean): Uint8Array =>
  graphModel(
    [
      isShape
        ? { opType: 'Shape', inputs: ['N'], outputs: ['numbers'] }
        : { opType: 'Cast', inputs: ['N'], outputs: ['numbers'], attributes: { to: 7n } },
      { opType: 'Reshape', inputs: ['numbers', 'row'], outputs: ['flat'] },
      { opType: 'Shape', inputs: ['ROWS'], outputs: ['rows'] },
      { opType: 'Expand', inputs: ['flat', 'rows'], outputs: ['OUTPUT'] },
      { opType: 'Identity', inputs: ['INPUT'], outputs: ['COPY'] },
    ],
    [
      value('INPUT', 'FP32', ['n']),
      value('ROWS', 'FP32', ['r', 1]),
      value(
        'N',
        datatype,
        Array.from({ length: rank }, (_, at) => `d${at}`),
      ),
    ],
    [value('OUTPUT', 'INT64', ['r', 'c']), value('COPY', 'FP32', ['n'])],
    {
      initializers: [
        { name: 'row', datatype: 'INT64', dims: [2], data: new Uint8Array(BigInt64Array.of(1n, -1n).buffer) },
      ],
    },
  );

const configOf = (kind: string, datatype: DataType, dims: string): string => `backend: "onnxruntime" ${DELAY}
input [ { name: "INPUT" data_type: TYPE_FP32 dims: [ ${dims} ] allow_ragged_batch: true }, { name: "ROWS" data_type: TYPE_FP32 dims: [ 1 ] } ]
output [ { name: "OUTPUT" data_type: TYPE_INT64 dims: [ -1 ] }, { name: "COPY" data_type: TYPE_FP32 dims: [ ${dims} ] } ]
batch_input [ { kind: ${kind} target_name: "N" data_type: ${dataTypeToConfig(datatype)} source_input: "INPUT" } ]
batch_output [ { target_name: "COPY" kind: BATCH_SCATTER_WITH_INPUT_SHAPE source_input: "INPUT" } ]
`;

const ragged = Object.keys(KINDS).flatMap((kind) =>
  TYPES.flatMap((datatype) => ['-1', '-1, -1'].map((dims) => ({ kind, datatype, dims }))),
);
const nameOf = ({ kind, datatype, dims }: (typeof ragged)[number]): string =>
  `${kind.toLowerCase()}_${datatype.toLowerCase()}_${dims.length === 2 ? 1 : 2}`;

const accumulator = (datatype: DataType): Uint8Array =>
  graphModel(
    [
      { opType: 'Add', inputs: ['A', 'S'], outputs: ['C'] },
      { opType: 'Identity', inputs: ['C'], outputs: ['T'] },
    ],
    [value('A', datatype, ['n', 1]), value('S', datatype, ['n', 1])],
    [value('C', datatype, ['n', 1]), value('T', datatype, ['n', 1])],
  );
const GROWING = graphModel(
  [
    { opType: 'Concat', inputs: ['S', 'A'], outputs: ['C'], attributes: { axis: 1n } },
    { opType: 'Identity', inputs: ['C'], outputs: ['T'] },
  ],
  [value('A', 'FP32', ['n', 'a']), value('S', 'FP32', ['n', 's'])],
  [value('C', 'FP32', ['n', 'c']), value('T', 'FP32', ['n', 'c'])],
);

interface State {
  readonly file: Uint8Array;
  readonly state: string;
  readonly datatype?: DataType;
  readonly dims?: string;
  readonly more?: string;
}
const S = 'input_name: "S" output_name: "T"';
const typed = (dims = '1'): string => `${S} data_type: TYPE_FP32 dims: [ ${dims} ]`;
const first = (dims: string, more: string): string =>
  `initial_state { name: "s" data_type: TYPE_FP32 dims: [ ${dims} ] ${more} }`;
const FP32 = accumulator('FP32');
const STATES: Readonly<Record<string, State>> = {
  zero: { file: FP32, state: `${typed()} ${first('1', 'zero_data: true')}` },
  unnamed: { file: FP32, state: `${typed()} ${first('1', 'zero_data: true').replace('name: "s"', '')}` },
  file: { file: FP32, state: `${typed()} ${first('1', 'data_file: "seven"')}` },
  short: { file: FP32, state: `${typed()} ${first('1', 'data_file: "short"')}` },
  absent: { file: FP32, state: `${typed()} ${first('1', 'data_file: "absent"')}` },
  other_dims: { file: FP32, state: `${typed()} ${first('2', 'zero_data: true')}` },
  ints: {
    file: accumulator('INT32'),
    state: `${typed()} ${first('1', 'zero_data: true')}`.replaceAll('FP32', 'INT32'),
    datatype: 'INT32',
  },
  wrong_type: {
    file: FP32,
    state: `${typed()} ${first('1', 'zero_data: true')}`.replaceAll('FP32', 'INT32'),
  },
  same_buffer: {
    file: FP32,
    state: `${typed()} ${first('1', 'zero_data: true')} use_same_buffer_for_input_output: true`,
  },
  growing_from_one: {
    file: GROWING,
    state: `${typed('-1')} ${first('1', 'data_file: "seven"')}`,
    dims: '-1',
  },
  told: {
    file: FP32,
    state: `${typed()} ${first('1', 'zero_data: true')}`,
    more: `output [ { name: "C" data_type: TYPE_FP32 dims: [ 1 ] }, { name: "T" data_type: TYPE_FP32 dims: [ 1 ] } ]`,
  },
  oldest: {
    file: FP32,
    state: `${typed()} ${first('1', 'zero_data: true')} } oldest { max_candidate_sequences: 2`,
  },
};
const stateful = ({ state, datatype = 'FP32', dims = '1', more }: State): string => `backend: "onnxruntime"
max_batch_size: 2
input [ { name: "A" data_type: TYPE_${datatype} dims: [ ${dims} ] } ]
${more ?? `output [ { name: "C" data_type: TYPE_${datatype} dims: [ ${dims} ] } ]`}
sequence_batching { max_sequence_idle_microseconds: 60000000 state { ${state} } }
`;

const models: RepositoryFiles = {
  ...Object.fromEntries(
    ragged.flatMap((one) => [
      [`${nameOf(one)}/config.pbtxt`, configOf(one.kind, one.datatype, one.dims)],
      [
        `${nameOf(one)}/1/model.onnx`,
        told(KINDS[one.kind]?.rank ?? 1, one.datatype, one.kind.endsWith('AS_SHAPE')),
      ],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(STATES).flatMap(([name, state]) => [
      [`state_${name}/config.pbtxt`, stateful(state)],
      [`state_${name}/1/model.onnx`, state.file],
      [`state_${name}/initial_state/seven`, new Uint8Array(Float32Array.of(7).buffer)],
      [`state_${name}/initial_state/short`, new Uint8Array(3)],
    ]),
  ),
};

const SHAPES: Readonly<Record<string, readonly (readonly number[])[]>> = {
  '-1': [
    [1, 2],
    [1, 4],
    [1, 1],
  ],
  '-1, -1': [
    [1, 1, 2],
    [1, 3, 1],
    [1, 2, 2],
  ],
};

const batchOf = (one: (typeof ragged)[number]): ReferenceCase => ({
  name: `ragged: ${nameOf(one)}`,
  run: async (target) => {
    const loaded = await ask(target, load(nameOf(one)));
    const running: Promise<unknown>[] = [];
    let next = 1;
    for (const shape of SHAPES[one.dims] ?? []) {
      const count = shape.reduce((product, dim) => product * dim, 1);
      const data = Array.from({ length: count }, () => (next += 1));
      const inputs = [
        { name: 'INPUT', datatype: 'FP32', shape, data },
        { name: 'ROWS', datatype: 'FP32', shape: [1, 1], data: [0] },
      ];
      running.push(ask(target, post(`/v2/models/${nameOf(one)}/infer`, { inputs })));
      await wait(250);
    }
    const config = await ask(target, get(`/v2/models/${nameOf(one)}/config`));
    return [
      { step: 'load', loaded },
      { step: 'config', config },
      ...(await Promise.all(running)).map((answer, index) => ({ step: `request ${index}`, answer })),
    ];
  },
});

const remembered = (name: string): ReferenceCase => ({
  name: `state: ${name}`,
  run: async (target) => {
    const { datatype = 'FP32' } = STATES[name] as State;
    const model = `state_${name}`;
    const answers: unknown[] = [{ step: 'load', answer: await ask(target, load(model)) }];
    answers.push({ step: 'config', answer: await ask(target, get(`/v2/models/${model}/config`)) });
    answers.push({ step: 'metadata', answer: await ask(target, get(`/v2/models/${model}`)) });
    const told = async (id: number, parameters: object, shape = [1, 1], more: object = {}): Promise<void> => {
      const inputs = [{ name: 'A', datatype, shape, data: Array(shape.reduce((a, b) => a * b, 1)).fill(id) }];
      const body = { parameters: { sequence_id: id, ...parameters }, inputs, ...more };
      answers.push({
        step: JSON.stringify(body),
        answer: await ask(target, post(`/v2/models/${model}/infer`, body)),
      });
    };
    for (const id of [1, 2]) await told(id, { sequence_start: true });
    for (const id of [2, 1, 2]) await told(id, {});
    await told(1, {}, [2, 1]);
    await told(1, {}, [1, 2]);
    await told(1, {}, [1, 1], { outputs: [{ name: 'T' }] });
    await told(1, { sequence_start: true });
    for (const id of [1, 2]) await told(id, { sequence_end: true });
    await told(1, {});
    return answers;
  },
});

export const RAGGED_SCENE: Scene = {
  name: 'ragged',
  needs: 'onnxruntime',
  repositories: sameFor(models),
  args: ['--model-control-mode=explicit'],
  atOnce: 6,
  cases: [...ragged.map(batchOf), ...Object.keys(STATES).map(remembered)],
};

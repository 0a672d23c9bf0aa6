// Batch inputs and batch outputs that are faulty or odd: fields that are missing, doubled, or name what is not there; kinds,
// types and sources of every sort; requests of odd shapes to those that load; and ONNX models whose warm-up fails.

import type { DataType } from '../../src-shared/datatypes.ts';
import { graphModel, identityModel, value } from '../../src-main/testing/onnx-test-models.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { get, post } from './http-calls.ts';
import { ask, load, unload, wait } from './life-calls.ts';
import { saidOf } from './life-log.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

/** COPY is INPUT in one row, however its requests were cut; OUTPUT is N, once for each of ROWS. */
const graph = (datatype: DataType): Uint8Array =>
  graphModel(
    [
      { opType: 'Cast', inputs: ['N'], outputs: ['numbers'], attributes: { to: 7n } },
      { opType: 'Reshape', inputs: ['numbers', 'row'], outputs: ['flat'] },
      { opType: 'Shape', inputs: ['ROWS'], outputs: ['rows'] },
      { opType: 'Expand', inputs: ['flat', 'rows'], outputs: ['OUTPUT'] },
      { opType: 'Identity', inputs: ['INPUT'], outputs: ['COPY'] },
    ],
    [value('INPUT', 'FP32', ['n']), value('ROWS', 'FP32', ['r', 1]), value('N', datatype, ['d'])],
    [value('OUTPUT', 'INT64', ['r', 'c']), value('COPY', 'FP32', ['n'])],
    {
      initializers: [
        { name: 'row', datatype: 'INT64', dims: [2], data: new Uint8Array(BigInt64Array.of(1n, -1n).buffer) },
      ],
    },
  );

const KIND = 'kind: BATCH_ACCUMULATED_ELEMENT_COUNT';
const TARGET = 'target_name: "N"';
const SOURCE = 'source_input: "INPUT"';
const TYPE = 'data_type: TYPE_FP32';
const SCATTER = 'target_name: "COPY" kind: BATCH_SCATTER_WITH_INPUT_SHAPE source_input: "INPUT"';
const OF_ONE = `${KIND} ${TARGET} ${SOURCE} ${TYPE}`;
const input = (text: string): string => `batch_input [ { ${text} } ]`;
const output = (text: string): string => `batch_output [ { ${text} } ]`;
const RAGGED = 'allow_ragged_batch: true';

interface Fields {
  readonly fields: string;
  /** Of INPUT. */
  readonly ragged?: string;
  readonly size?: number;
  readonly datatype?: DataType;
  readonly dims?: string;
}
const both = (text: string): Fields => ({ fields: `${input(text)}\n${output(SCATTER)}` });
const scattered = (text: string): Fields => ({ fields: `${input(OF_ONE)}\n${output(text)}` });

const FIELDS: Readonly<Record<string, Fields>> = {
  'as it should be': both(OF_ONE),
  'no kind': both(`${TARGET} ${SOURCE} ${TYPE}`),
  'a kind by number': both(OF_ONE.replace(KIND, 'kind: 1')),
  'a number that is no kind': both(OF_ONE.replace(KIND, 'kind: 77')),
  'a word that is no kind': both(OF_ONE.replace(KIND, 'kind: BATCH_NONSENSE')),
  'no target': both(`${KIND} ${SOURCE} ${TYPE}`),
  'an empty target': both(`${KIND} target_name: "" ${SOURCE} ${TYPE}`),
  'two targets': both(`${OF_ONE} target_name: "M"`),
  'the same target twice': both(`${OF_ONE} ${TARGET}`),
  'a target that is an input': both(OF_ONE.replace('"N"', '"INPUT"')),
  'a target that is an output': both(OF_ONE.replace('"N"', '"COPY"')),
  'an unknown target': both(OF_ONE.replace('"N"', '"NOPE"')),
  'no source': both(`${KIND} ${TARGET} ${TYPE}`),
  'two sources': both(`${OF_ONE} source_input: "ROWS"`),
  'an unknown source': both(OF_ONE.replace('"INPUT"', '"NOPE"')),
  'a source that is an output': both(OF_ONE.replace('"INPUT"', '"COPY"')),
  'a source that is not ragged': both(OF_ONE.replace('"INPUT"', '"ROWS"')),
  'no type': both(`${KIND} ${TARGET} ${SOURCE}`),
  ...Object.fromEntries(
    ['BOOL', 'INT64', 'FP64', 'UINT8', 'FP16', 'STRING', 'INVALID'].map((type) => [
      `of type ${type}`,
      both(OF_ONE.replace('TYPE_FP32', `TYPE_${type}`)),
    ]),
  ),
  'of type INT32, an INT32 model': { ...both(OF_ONE.replace('TYPE_FP32', 'TYPE_INT32')), datatype: 'INT32' },
  'of type FP32, an INT32 model': { ...both(OF_ONE), datatype: 'INT32' },
  'two of them with one target': {
    fields: `batch_input [ { ${OF_ONE} }, { ${OF_ONE} } ]\n${output(SCATTER)}`,
  },
  'none of them': { fields: output(SCATTER) },
  'no batch output': { fields: input(OF_ONE) },
  'a model without batches': { ...both(OF_ONE), size: 0 },
  'batches of one': { ...both(OF_ONE), size: 1 },
  'a ragged input alone': { fields: '' },
  'an input that is not ragged': { ...both(OF_ONE), ragged: '' },
  'of fixed dimensions': { ...both(OF_ONE), dims: '2' },
  'an output without a kind': scattered('target_name: "COPY" source_input: "INPUT"'),
  'an output of a number that is no kind': scattered(SCATTER.replace('BATCH_SCATTER_WITH_INPUT_SHAPE', '9')),
  // Without a target the reference ends: not asked.
  'an output without a source': scattered(SCATTER.replace('source_input: "INPUT"', '')),
  'an output with two sources': scattered(`${SCATTER} source_input: "ROWS"`),
  'an output with two targets': scattered(`${SCATTER} target_name: "OUTPUT"`),
  'an output that is an input': scattered(SCATTER.replace('"COPY"', '"INPUT"')),
  'an unknown output': scattered(SCATTER.replace('"COPY"', '"NOPE"')),
  'an output of an unknown source': scattered(SCATTER.replace('"INPUT"', '"NOPE"')),
  'an output of a source that is not ragged': scattered(SCATTER.replace('"INPUT"', '"ROWS"')),
  'another output': scattered(SCATTER.replace('"COPY"', '"OUTPUT"')),
  'two outputs of one target': {
    fields: `${input(OF_ONE)}\nbatch_output [ { ${SCATTER} }, { ${SCATTER} } ]`,
  },
};

const configOf = ({
  fields,
  ragged = RAGGED,
  size = 3,
  dims = '-1',
}: Fields): string => `backend: "onnxruntime"
max_batch_size: ${size} ${size === 0 ? '' : 'dynamic_batching { max_queue_delay_microseconds: 1500000 }'}
input [ { name: "INPUT" data_type: TYPE_FP32 dims: [ ${dims} ] ${ragged} }, { name: "ROWS" data_type: TYPE_FP32 dims: [ 1 ] } ]
output [ { name: "OUTPUT" data_type: TYPE_INT64 dims: [ -1 ] }, { name: "COPY" data_type: TYPE_FP32 dims: [ ${dims} ] } ]
${fields}\n`;

const zeros = (dims: string, type = 'FP32', more = 'zero_data: true'): string =>
  `inputs { key: "INPUT" value { data_type: TYPE_${type} dims: [ ${dims} ] ${more} } }`;
/** Of a model that takes FP32 [2, 2] in batches. */
const WARMUPS: Readonly<Record<string, string>> = {
  right: `batch_size: 2 ${zeros('2')}`,
  'too many rows': `batch_size: 9 ${zeros('2')}`,
  'a shape that the file does not take': `batch_size: 1 ${zeros('3')}`,
  'no shape': `batch_size: 1 ${zeros('')}`,
  'another type': `batch_size: 1 ${zeros('2', 'FP64')}`,
  'a file that is not there': `batch_size: 1 ${zeros('2', 'FP32', 'input_data_file: "nope"')}`,
  'a file out of the folder': `batch_size: 1 ${zeros('2', 'FP32', 'input_data_file: "../config.pbtxt"')}`,
  'a large count': `batch_size: 1 count: 50 ${zeros('2')}`,
};

const titles = Object.keys(FIELDS);
const warmups = Object.keys(WARMUPS);
const fieldModel = (title: string): string => `f_${titles.indexOf(title)}`;
const warmModel = (title: string): string => `w_${warmups.indexOf(title)}`;
const models: RepositoryFiles = Object.fromEntries([
  ...titles.flatMap((title) => {
    const fields = FIELDS[title] as Fields;
    return [
      [`${fieldModel(title)}/config.pbtxt`, configOf(fields)],
      [`${fieldModel(title)}/1/model.onnx`, graph(fields.datatype ?? 'FP32')],
    ] as const;
  }),
  ...warmups.flatMap(
    (title) =>
      [
        [
          `${warmModel(title)}/config.pbtxt`,
          `backend: "onnxruntime" max_batch_size: 4
input [ { name: "INPUT" data_type: TYPE_FP32 dims: [ -1 ] } ] output [ { name: "OUTPUT" data_type: TYPE_FP32 dims: [ -1 ] } ]
model_warmup [ { name: "s" ${WARMUPS[title]} } ]\n`,
        ],
        [
          `${warmModel(title)}/1/model.onnx`,
          identityModel('FP32', ['n', title.includes('file does') ? 2 : 'm']),
        ],
      ] as const,
  ),
]);

const inferred = (model: string, shape: readonly number[], hasRows = true) =>
  post(`/v2/models/${model}/infer`, {
    inputs: [
      {
        name: 'INPUT',
        datatype: 'FP32',
        shape,
        data: Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, at) => at + 1),
      },
      ...(hasRows
        ? [
            {
              name: 'ROWS',
              datatype: 'FP32',
              shape: shape.length === 1 ? [1] : [shape[0] ?? 1, 1],
              data: Array(shape.length === 1 ? 1 : (shape[0] ?? 1)).fill(0),
            },
          ]
        : []),
    ],
  });

/** Backends' own records of an instance; ours is told by the load. */
const OF_INSTANCES = /W warmup|auto-complete|Failed to create instance/;

/** Each group is sent at once and forms a batch where it may. */
const GROUPS: readonly (readonly (readonly number[])[])[] = [
  [[1, 2]],
  [
    [1, 2],
    [1, 3],
  ],
  [
    [1, 0],
    [1, 2],
  ],
  [[2, 2]],
  [
    [2, 2],
    [1, 1],
  ],
];

const asked = (title: string): ReferenceCase => ({
  name: `batch fields: ${title}`,
  run: async (target) => {
    const model = fieldModel(title);
    const answers: unknown[] = [{ step: 'load', answer: await ask(target, load(model)) }];
    answers.push({ step: 'config', answer: await ask(target, get(`/v2/models/${model}/config`)) });
    for (const group of FIELDS[title]?.size === 0 ? [[[2]], [[0]]] : GROUPS) {
      const running: Promise<unknown>[] = [];
      for (const shape of group) {
        running.push(ask(target, inferred(model, shape)));
        await wait(120);
      }
      answers.push({ step: JSON.stringify(group), answers: await Promise.all(running) });
    }
    answers.push({ step: 'unload', answer: await ask(target, unload(model)) });
    return answers;
  },
});

const warmed = (title: string): ReferenceCase => ({
  name: `ONNX warm-up: ${title}`,
  run: async (target) => {
    const model = warmModel(title);
    const from = target.log().length;
    const loaded = await ask(target, load(model));
    const answer = await ask(target, inferred(model, [1, 2], false));
    const said = saidOf(target, from).filter((line) => line.includes(model) && !OF_INSTANCES.test(line));
    return [
      { step: 'load', loaded },
      { step: 'said', said },
      { step: 'answer', answer },
    ];
  },
});

export const BATCH_FIELD_SCENES: readonly Scene[] = [
  {
    name: 'batch fields',
    needs: 'onnxruntime',
    repositories: sameFor(models),
    args: ['--model-control-mode=explicit'],
    atOnce: 6,
    cases: titles.map(asked),
  },
  {
    name: 'warm-up of ONNX models',
    needs: 'onnxruntime',
    repositories: sameFor(models),
    args: ['--model-control-mode=explicit'],
    cases: warmups.map(warmed),
  },
];

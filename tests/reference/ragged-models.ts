// Models with ragged inputs of mixed makings, and what each is sent.

import type { DataType } from '../../src-shared/datatypes.ts';
import { dataTypeToConfig } from '../../src-shared/datatypes.ts';
import { graphModel, value } from '../../src-main/testing/onnx-test-models.ts';

/** One request. */
export interface Sent {
  /** Shapes of INPUT, and of PLAIN where the model has it. */
  readonly shape: readonly number[];
  readonly plain?: readonly number[];
  readonly left?: 'INPUT';
  readonly parameters?: object;
  readonly by?: 'grpc';
  readonly outputs?: readonly string[];
  readonly after?: number;
}
/** A model, and the requests that are sent at once, group by group. */
export interface Mixed {
  readonly config: string;
  readonly file: Uint8Array;
  readonly datatype?: DataType;
  readonly groups: readonly (readonly Sent[])[];
  readonly over?: string;
}

const DELAY = 'max_queue_delay_microseconds: 700000';
const batching = (size = 4, more = DELAY): string => `max_batch_size: ${size} dynamic_batching { ${more} }`;
const KINDS = [
  ['ELEMENT_COUNT', 1],
  ['ACCUMULATED_ELEMENT_COUNT', 1],
  ['ACCUMULATED_ELEMENT_COUNT_WITH_ZERO', 1],
  ['MAX_ELEMENT_COUNT_AS_SHAPE', 1],
  ['ITEM_SHAPE', 2],
  ['ITEM_SHAPE_FLATTEN', 1],
] as const;
type Kind = (typeof KINDS)[number];
const batchInput = ([kind]: Kind, at: number, type = 'FP32', source = 'INPUT'): string =>
  `{ kind: BATCH_${kind} target_name: "N${at}" data_type: TYPE_${type} source_input: "${source}" }`;
const io = (type: string, more = '', dims = '-1'): string =>
  `input [ { name: "INPUT" data_type: TYPE_${type} dims: [ ${dims} ] allow_ragged_batch: true ${more} } ]`;
const out = (...tensors: readonly string[]): string => `output [ ${tensors.join(', ')} ]`;
const tensor = (name: string, type: string, dims = '-1'): string =>
  `{ name: "${name}" data_type: TYPE_${type} dims: [ ${dims} ] }`;
const scatter = (name = 'COPY', source = 'INPUT'): string =>
  `batch_output [ { target_name: "${name}" kind: BATCH_SCATTER_WITH_INPUT_SHAPE source_input: "${source}" } ]`;

/** Every batch input of all kinds, side by side, told in one row for each of ROWS. */
const allKinds = graphModel(
  [
    ...KINDS.flatMap(([kind], at) => [
      kind.endsWith('AS_SHAPE')
        ? { opType: 'Shape', inputs: [`N${at}`], outputs: [`n${at}`] }
        : { opType: 'Cast', inputs: [`N${at}`], outputs: [`n${at}`], attributes: { to: 7n } },
      { opType: 'Reshape', inputs: [`n${at}`, 'row'], outputs: [`f${at}`] },
    ]),
    { opType: 'Concat', inputs: KINDS.map((_, at) => `f${at}`), outputs: ['flat'], attributes: { axis: 1n } },
    { opType: 'Shape', inputs: ['ROWS'], outputs: ['rows'] },
    { opType: 'Expand', inputs: ['flat', 'rows'], outputs: ['OUTPUT'] },
    { opType: 'Identity', inputs: ['INPUT'], outputs: ['COPY'] },
  ],
  [
    value('INPUT', 'FP32', ['n']),
    value('ROWS', 'FP32', ['r', 1]),
    ...KINDS.map(([, rank], at) => value(`N${at}`, 'FP32', rank === 1 ? [`a${at}`] : [`a${at}`, `b${at}`])),
  ],
  [value('OUTPUT', 'INT64', ['r', 'c']), value('COPY', 'FP32', ['n'])],
  {
    initializers: [
      { name: 'row', datatype: 'INT64', dims: [2], data: new Uint8Array(BigInt64Array.of(1n, -1n).buffer) },
    ],
  },
);
const allConfig = (more: string, dims = '-1'): string => `backend: "onnxruntime" ${more}
input [ { name: "INPUT" data_type: TYPE_FP32 dims: [ ${dims} ] allow_ragged_batch: true }, { name: "ROWS" data_type: TYPE_FP32 dims: [ 1 ] } ]
${out(tensor('OUTPUT', 'INT64'), tensor('COPY', 'FP32', dims))}
batch_input [ ${KINDS.map((kind, at) => batchInput(kind, at)).join(', ')} ]
${scatter()}`;

const identity = (datatype: DataType): Uint8Array =>
  graphModel(
    [{ opType: 'Identity', inputs: ['INPUT'], outputs: ['COPY'] }],
    [value('INPUT', datatype, ['n'])],
    [value('COPY', datatype, ['n'])],
  );
/** INPUT once more behind itself. */
const doubled = graphModel(
  [{ opType: 'Concat', inputs: ['INPUT', 'INPUT'], outputs: ['COPY'], attributes: { axis: 0n } }],
  [value('INPUT', 'FP32', ['n'])],
  [value('COPY', 'FP32', ['m'])],
);
/** PLAIN is in rows, INPUT in one. */
const beside = graphModel(
  [
    { opType: 'Identity', inputs: ['INPUT'], outputs: ['COPY'] },
    { opType: 'Identity', inputs: ['PLAIN'], outputs: ['SAME'] },
  ],
  [value('INPUT', 'FP32', ['n']), value('PLAIN', 'FP32', ['r', 'c'])],
  [value('COPY', 'FP32', ['n']), value('SAME', 'FP32', ['r', 'c'])],
);
const copyOf = (datatype: DataType, more = batching(), dims = '-1'): string => {
  const type = dataTypeToConfig(datatype).replace('TYPE_', '');
  return `backend: "onnxruntime" ${more} ${io(type, '', dims)} ${out(tensor('COPY', type, dims))} ${scatter()}`;
};
const PAIRS: Mixed['groups'] = [
  [{ shape: [1, 2] }],
  [{ shape: [1, 2] }, { shape: [1, 3] }],
  [{ shape: [2, 2] }, { shape: [1, 3], by: 'grpc' }],
  [{ shape: [1, 3] }, { shape: [3, 1] }],
  [{ shape: [1, 0] }, { shape: [1, 2] }, { shape: [1, 0] }],
];

const OF_TYPES: readonly DataType[] = ['BOOL', 'INT8', 'INT64', 'FP16', 'FP64'];
const besideConfig = (more: string, first = '', second = ''): string => `backend: "onnxruntime" ${more}
input [ { name: "INPUT" data_type: TYPE_FP32 dims: [ -1 ] allow_ragged_batch: true ${first} }, { name: "PLAIN" data_type: TYPE_FP32 dims: [ -1 ] ${second} } ]
${out(tensor('COPY', 'FP32'), tensor('SAME', 'FP32'))} ${scatter()}`;

/** By what they show. */
export const MIXED: Readonly<Record<string, Mixed>> = {
  'all kinds': {
    config: allConfig(batching()),
    file: allKinds,
    groups: [
      [{ shape: [1, 2] }],
      [{ shape: [1, 2] }, { shape: [1, 5] }, { shape: [1, 1] }],
      [{ shape: [2, 2] }, { shape: [1, 3] }],
      [{ shape: [1, 3] }, { shape: [3, 2] }],
      [{ shape: [4, 1] }],
      [{ shape: [1, 2] }, { shape: [4, 2] }],
      [{ shape: [1, 0] }, { shape: [1, 2] }],
      [{ shape: [1, 2] }, { shape: [1, 0] }],
      [{ shape: [5, 1] }],
      [{ shape: [2] }],
      [{ shape: [1, 2, 2] }],
    ],
  },
  'all kinds, two dimensions': {
    config: allConfig(batching(), '-1, 2'),
    file: allKinds,
    groups: [
      [{ shape: [1, 3, 2] }],
      [{ shape: [1, 3, 2] }, { shape: [1, 1, 2] }],
      [{ shape: [2, 1, 2] }, { shape: [1, 2, 2] }],
      [{ shape: [1, 2, 3] }],
      [{ shape: [1, 0, 2] }, { shape: [1, 1, 2] }],
    ],
  },
  'all kinds at once': {
    config: allConfig(batching(4, '')),
    file: allKinds,
    groups: [[{ shape: [1, 2] }], [{ shape: [2, 3] }]],
  },
  'all kinds without a batcher': {
    config: allConfig('max_batch_size: 4'),
    file: allKinds,
    groups: [[{ shape: [1, 2] }], [{ shape: [2, 3] }], [{ shape: [3, 0] }]],
  },
  'all kinds under an ensemble': {
    config: allConfig(batching()),
    file: allKinds,
    over: `platform: "ensemble" max_batch_size: 4
input [ ${tensor('INPUT', 'FP32')}, ${tensor('ROWS', 'FP32', '1')} ] ${out(tensor('OUTPUT', 'INT64'), tensor('COPY', 'FP32'))}
ensemble_scheduling { step [ { model_name: "@" model_version: -1 ${['INPUT', 'ROWS'].map((one) => `input_map { key: "${one}" value: "${one}" }`).join(' ')} ${['OUTPUT', 'COPY'].map((one) => `output_map { key: "${one}" value: "${one}" }`).join(' ')} } ] }`,
    groups: [
      [{ shape: [1, 2] }],
      [{ shape: [1, 2] }, { shape: [1, 5] }, { shape: [1, 1] }],
      [{ shape: [2, 2] }, { shape: [1, 3] }],
      [{ shape: [5, 2] }],
    ],
  },
  'beside rows': {
    config: besideConfig(batching()),
    file: beside,
    groups: [
      [
        { shape: [1, 2], plain: [1, 2] },
        { shape: [1, 3], plain: [1, 2] },
      ],
      [
        { shape: [1, 2], plain: [1, 2] },
        { shape: [1, 2], plain: [1, 3] },
      ],
      [
        { shape: [2, 2], plain: [2, 2] },
        { shape: [1, 5], plain: [1, 2], by: 'grpc' },
      ],
      [{ shape: [1, 2], plain: [2, 2] }],
      [{ shape: [2, 2], plain: [1, 2] }],
      [
        { shape: [1, 2], plain: [1, 0] },
        { shape: [1, 1], plain: [1, 0] },
      ],
      [
        { shape: [1, 2], plain: [1, 2], outputs: ['SAME'] },
        { shape: [1, 4], plain: [1, 2], outputs: ['COPY'] },
      ],
    ],
  },
  'both ragged': {
    config: besideConfig(batching(), '', 'allow_ragged_batch: true').replace(
      scatter(),
      `batch_output [ { target_name: "COPY" kind: BATCH_SCATTER_WITH_INPUT_SHAPE source_input: "INPUT" }, { target_name: "SAME" kind: BATCH_SCATTER_WITH_INPUT_SHAPE source_input: "PLAIN" } ]`,
    ),
    file: graphModel(
      [
        { opType: 'Identity', inputs: ['INPUT'], outputs: ['COPY'] },
        { opType: 'Identity', inputs: ['PLAIN'], outputs: ['SAME'] },
      ],
      [value('INPUT', 'FP32', ['n']), value('PLAIN', 'FP32', ['m'])],
      [value('COPY', 'FP32', ['n']), value('SAME', 'FP32', ['m'])],
    ),
    groups: [
      [
        { shape: [1, 2], plain: [1, 3] },
        { shape: [1, 3], plain: [1, 1] },
      ],
      [
        { shape: [2, 2], plain: [2, 1] },
        { shape: [1, 5], plain: [1, 4] },
      ],
      [{ shape: [1, 2], plain: [2, 2] }],
    ],
  },
  'an output that is not scattered': {
    config: besideConfig(batching()).replace(scatter(), ''),
    file: beside,
    groups: [
      [{ shape: [1, 2], plain: [1, 2] }],
      [
        { shape: [1, 2], plain: [1, 2] },
        { shape: [1, 3], plain: [1, 2] },
      ],
      [{ shape: [2, 1], plain: [2, 2] }],
      [
        { shape: [2, 1], plain: [2, 2], outputs: ['SAME'] },
        { shape: [1, 1], plain: [1, 2], outputs: ['SAME'] },
      ],
    ],
  },
  'an output that is too long': { config: copyOf('FP32'), file: doubled, groups: PAIRS },
  ...Object.fromEntries(
    OF_TYPES.map((datatype) => [
      `of type ${datatype}`,
      { config: copyOf(datatype), file: identity(datatype), datatype, groups: PAIRS },
    ]),
  ),
  'preferred sizes': {
    config: copyOf('FP32', batching(8, `${DELAY} preferred_batch_size: [ 2, 4 ]`)),
    file: identity('FP32'),
    groups: [
      [{ shape: [1, 2] }, { shape: [1, 1] }, { shape: [1, 3] }],
      [{ shape: [3, 2] }, { shape: [1, 1] }, { shape: [1, 3] }],
    ],
  },
  levels: {
    config: copyOf('FP32', batching(8, `${DELAY} priority_levels: 2 default_priority_level: 2`)),
    file: identity('FP32'),
    groups: [
      [
        { shape: [1, 2], parameters: { priority: 2 } },
        { shape: [1, 1], parameters: { priority: 1 } },
        { shape: [1, 3] },
      ],
    ],
  },
  'in sequences': {
    config: `backend: "onnxruntime" max_batch_size: 4 sequence_batching { oldest { max_candidate_sequences: 4 max_queue_delay_microseconds: 700000 } } ${io('FP32')} ${out(tensor('COPY', 'FP32'))} ${scatter()}`,
    file: identity('FP32'),
    groups: [
      [
        { shape: [1, 2], parameters: { sequence_id: 1, sequence_start: true } },
        { shape: [1, 3], parameters: { sequence_id: 2, sequence_start: true } },
      ],
      [
        { shape: [1, 1], parameters: { sequence_id: 1, sequence_end: true } },
        { shape: [1, 0], parameters: { sequence_id: 2, sequence_end: true } },
      ],
    ],
  },
  reshaped: {
    config: copyOf('FP32').replace(
      'dims: [ -1 ] allow',
      'dims: [ 2, -1 ] reshape { shape: [ -1, 2 ] } allow',
    ),
    file: identity('FP32'),
    groups: [[{ shape: [1, 2, 1] }], [{ shape: [1, 2, 1] }, { shape: [1, 2, 2] }]],
  },
  'one value without dimensions': {
    config: copyOf('FP32', batching(), '1').replaceAll('dims: [ 1 ]', 'dims: [ 1 ] reshape { shape: [ ] }'),
    file: identity('FP32'),
    groups: [[{ shape: [1, 1] }], [{ shape: [1, 1] }, { shape: [2, 1] }]],
  },
  optional: {
    config: besideConfig(batching(), 'optional: true', ''),
    file: beside,
    groups: [[{ shape: [1, 2], plain: [1, 2] }], [{ shape: [], plain: [1, 2], left: 'INPUT' }]],
  },
  cached: {
    config: `${copyOf('FP32')} response_cache { enable: true }`,
    file: identity('FP32'),
    groups: [[{ shape: [1, 2] }], [{ shape: [1, 2] }, { shape: [1, 3] }], [{ shape: [1, 3] }]],
  },
  wide: {
    config: copyOf('FP32', batching(), '-1, -1'),
    file: identity('FP32'),
    groups: [
      [{ shape: [1, 2, 3] }, { shape: [1, 1, 1] }],
      [{ shape: [2, 2, 3] }, { shape: [1, 3, 2] }],
      [{ shape: [1, 0, 3] }, { shape: [1, 3, 0] }],
    ],
  },
};

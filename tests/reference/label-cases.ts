// Classes of outputs of every type and shape, over both protocols, with labels of all makings: too few, too many, blank lines,
// other line ends, bytes that are no text, and counts that are none.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { grpcCall } from './grpc-exchange.ts';
import { post } from './http-calls.ts';
import { ask } from './life-calls.ts';
import { ECHO_MODEL, pythonFiles } from './python-models.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

interface Typed {
  readonly data: readonly (number | string | boolean)[];
  readonly bytes: Uint8Array;
}
const of = (
  array:
    | Uint8Array
    | Uint16Array
    | Float32Array
    | Float64Array
    | Int8Array
    | Int16Array
    | Int32Array
    | Uint32Array,
): Typed => ({
  data: [...array],
  bytes: new Uint8Array(array.buffer),
});
const of64 = (array: BigInt64Array | BigUint64Array): Typed => ({
  data: [...array].map(Number),
  bytes: new Uint8Array(array.buffer),
});
const TYPES: Readonly<Record<string, Typed>> = {
  BOOL: { ...of(Uint8Array.of(0, 1, 1, 0, 1, 0)), data: [false, true, true, false, true, false] },
  UINT8: of(Uint8Array.of(3, 255, 0, 7, 7, 128)),
  UINT16: of(Uint16Array.of(3, 65_535, 0, 7, 7, 128)),
  UINT32: of(Uint32Array.of(3, 4_294_967_295, 0, 7, 7, 128)),
  UINT64: of64(BigUint64Array.of(3n, 18_446_744_073_709_551_615n, 0n, 7n, 7n, 9_007_199_254_740_993n)),
  INT8: of(Int8Array.of(3, -128, 0, 127, 7, 7)),
  INT16: of(Int16Array.of(3, -32_768, 0, 32_767, 7, 7)),
  INT32: of(Int32Array.of(3, -2_147_483_648, 0, 2_147_483_647, 7, 7)),
  INT64: of64(BigInt64Array.of(3n, -(2n ** 63n), 0n, 2n ** 63n - 1n, 7n, 7n)),
  FP16: of(Uint16Array.of(0x3c00, 0x7c00, 0x7e00, 0xfc00, 0x8000, 0x0001)),
  FP32: of(Float32Array.of(1.5, Infinity, 0.1, -Infinity, -0, 1e-45)),
  FP64: of(Float64Array.of(1.5, 1e300, 0.1, -1e300, -0, 5e-324)),
};
const COUNTS = [1, 2, 6, 7, 0, -1, 4_294_967_296];

const LABELS: Readonly<Record<string, string | Uint8Array>> = {
  full: 'zero\none\ntwo\nthree\nfour\nfive\n',
  few: 'zero\none\n',
  many: Array.from({ length: 20 }, (_, at) => `label ${at}`).join('\n'),
  blanks: '\n\none\n  \n two \n',
  windows: 'zero\r\none\r\ntwo\r\nthree\r\n',
  empty: '',
  odd: 'a:b\n"quoted"\n\\\nünï\n\t\n:',
  bytes: Buffer.from([0xff, 0x0a, 0xfe, 0xfd, 0x0a, 0x61, 0x00, 0x62, 0x0a]),
};

const io = (type: string, dims: string, more = ''): string =>
  `input [ { name: "INPUT0" data_type: TYPE_${type} dims: [ ${dims} ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_${type} dims: [ ${dims} ] label_filename: "labels.txt" } ]
instance_group [ { kind: KIND_CPU } ] ${more}`;
const labelled = (
  name: string,
  type: string,
  dims: string,
  labels: string | Uint8Array,
  more = '',
): RepositoryFiles => ({
  ...pythonFiles(name, ECHO_MODEL, io(type, dims, more)),
  [`${name}/labels.txt`]: labels,
});
const files: RepositoryFiles = Object.assign(
  {},
  ...Object.keys(TYPES).map((type) => labelled(`t_${type.toLowerCase()}`, type, '-1', LABELS['full'] ?? '')),
  ...Object.entries(LABELS).map(([name, labels]) => labelled(`l_${name}`, 'FP32', '-1', labels)),
  labelled('batch', 'FP32', '3', LABELS['full'] ?? '', 'max_batch_size: 4'),
  labelled('grid', 'FP32', '-1, -1', LABELS['full'] ?? ''),
  labelled('grid_batch', 'INT32', '-1, -1', LABELS['full'] ?? '', 'max_batch_size: 4'),
);

/** Over HTTP as JSON and as bytes of an answer, and over gRPC. */
async function classes(
  { httpPort, grpcPort, ...target }: Parameters<ReferenceCase['run']>[0],
  model: string,
  type: string,
  {
    shape,
    count,
    values,
  }: { readonly shape: readonly number[]; readonly count: unknown; readonly values: Typed },
): Promise<unknown> {
  const input = { name: 'INPUT0', datatype: type, shape, data: values.data };
  const http = (parameters: object): Promise<unknown> =>
    ask(
      { httpPort, grpcPort, ...target },
      post(`/v2/models/${model}/infer`, { inputs: [input], outputs: [{ name: 'OUTPUT0', parameters }] }),
    );
  const grpc = await grpcCall(grpcPort, 'ModelInfer', {
    model_name: model,
    inputs: [{ name: 'INPUT0', datatype: type, shape: shape.map(BigInt) }],
    outputs: [{ name: 'OUTPUT0', parameters: { classification: { int64_param: BigInt(Number(count)) } } }],
    raw_input_contents: [Buffer.from(values.bytes)],
  });
  // JSON has no form of half precision, and no numbers without end.
  const isJson =
    type !== 'FP16' &&
    values.data.every((one) => typeof one !== 'number' || Number.isSafeInteger(one) || Math.abs(one) < 1e9);
  return {
    grpc,
    http: isJson ? await http({ classification: count }) : 'not asked',
    binary: isJson ? await http({ classification: count, binary_data: true }) : 'not asked',
  };
}

const ofType = (type: string): ReferenceCase => ({
  name: `classes of ${type}`,
  run: async (target) => {
    const answers: object[] = [];
    const values = TYPES[type] as Typed;
    for (const count of COUNTS)
      answers.push({
        step: String(count),
        ...((await classes(target, `t_${type.toLowerCase()}`, type, {
          shape: [6],
          count,
          values,
        })) as object),
      });
    return answers;
  },
});

const six = of(Float32Array.of(1, 6, 2, 5, 3, 4));
const withLabels = (name: string): ReferenceCase => ({
  name: `classes with labels, ${name}`,
  run: async (target) => [
    await classes(target, `l_${name}`, 'FP32', { shape: [6], count: 6, values: six }),
    await classes(target, `l_${name}`, 'FP32', { shape: [6], count: 1, values: six }),
  ],
});
const SHAPES: readonly (readonly [model: string, type: string, shape: readonly number[]])[] = [
  ['batch', 'FP32', [2, 3]],
  ['grid', 'FP32', [2, 3]],
  ['grid', 'FP32', [6, 1]],
  ['grid', 'FP32', [1, 6]],
  ['grid_batch', 'INT32', [1, 2, 3]],
  ['grid_batch', 'INT32', [2, 1, 3]],
  ['grid_batch', 'INT32', [3, 2, 1]],
];
const shaped: ReferenceCase = {
  name: 'classes by shape',
  run: async (target) => {
    const answers: object[] = [];
    for (const [model, type, shape] of SHAPES)
      for (const count of [1, 2, 4, 9]) {
        const values = type === 'FP32' ? six : of(Int32Array.of(1, 6, 2, 5, 3, 4));
        const answer = await classes(target, model, type, { shape, count, values });
        answers.push({ step: `${model} ${shape.join('x')} ${count}`, ...(answer as object) });
      }
    return answers;
  },
};
const ODD_COUNTS: readonly unknown[] = [
  '1',
  true,
  false,
  1.5,
  null,
  [],
  {},
  1e30,
  '',
  2 ** 64,
  4_294_967_297,
  -4_294_967_295,
];
const odd: ReferenceCase = {
  name: 'classes of odd counts',
  run: async (target) => {
    const answers: object[] = [];
    const input = { name: 'INPUT0', datatype: 'FP32', shape: [6], data: six.data };
    for (const count of ODD_COUNTS) {
      const body = { inputs: [input], outputs: [{ name: 'OUTPUT0', parameters: { classification: count } }] };
      answers.push({
        step: JSON.stringify(count),
        answer: await ask(target, post('/v2/models/l_full/infer', body)),
      });
    }
    for (const parameter of [
      { string_param: '1' },
      { bool_param: true },
      { double_param: 1 },
      { uint64_param: 1n },
      {},
    ]) {
      const message = {
        model_name: 'l_full',
        inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [6n] }],
        outputs: [{ name: 'OUTPUT0', parameters: { classification: parameter } }],
        raw_input_contents: [Buffer.from(six.bytes)],
      };
      answers.push({
        step: `gRPC ${Object.keys(parameter).join()}`,
        ...(await grpcCall(target.grpcPort, 'ModelInfer', message)),
      });
    }
    return answers;
  },
};

export const LABEL_SCENE: Scene = {
  name: 'labels',
  repositories: sameFor(files),
  args: ['--exit-on-error=false'],
  restarts: true,
  cases: [...Object.keys(TYPES).map(ofType), ...Object.keys(LABELS).map(withLabels), shaped, odd],
};

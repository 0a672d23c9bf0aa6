// Random configurations of random ONNX files: parts that completion must fill in or finds wrong, fields of the whole declared
// language, and texts with odd spelling. The same seed gives the same ones.

import { graphModel, value } from '../../src-main/testing/onnx-test-models.ts';
import type { DataType } from '../../src-shared/datatypes.ts';
import { RandomChoice } from './random-choice.ts';
import { NEWER, RandomConfigs } from './random-configs.ts';
import type { RandomModel } from './random-models.ts';
import { jsonRequest } from './random-models.ts';

/** What names devices and services that are not there, and what the test writes itself. */
const LEFT_OUT = new Set([
  ...NEWER,
  'backend',
  'platform',
  'input',
  'output',
  'model_repository_agents',
  'model_operations',
]);

const TYPES: readonly DataType[] = ['FP32', 'FP32', 'INT64', 'BYTES', 'BOOL', 'FP16', 'INT32', 'UINT8'];
const SHAPES: readonly (readonly (number | string)[])[] = [
  ['b', 4],
  ['b', 4],
  ['b', 4],
  ['b', 'n'],
  ['b'],
  [4],
  [1, 4],
  ['b', 2, 2],
  ['b', 1],
  [],
  [2, 'n'],
];
const WHICH = [
  'backend: "onnxruntime"',
  'backend: "onnxruntime"',
  'platform: "onnxruntime_onnx"',
  'platform: "onnxruntime_onnx" backend: "onnxruntime"',
  '',
  'backend: "onnx"',
  'platform: "onnxruntime"',
  'platform: "ensemble"',
  'backend: "ONNXRuntime"',
  'backend: ""',
];
const ODD: readonly ((text: string) => string)[] = [
  (text) => `${text}\nnonsense: 5`,
  (text) => `${text}\nmax_batch_size: 4`,
  (text) => `${text}\nmax_batch_size 4`,
  (text) => `${text}\nmax_batch_size: 0x4`,
  (text) => `${text}\nmax_batch_size: 010`,
  (text) => `${text}\nmax_batch_size: 4.0`,
  (text) => `${text}\nmax_batch_size: 2147483648`,
  (text) => `${text}\nmax_batch_size: "4"`,
  (text) => `${text}\nmax_batch_size: [ 4 ]`,
  (text) => `# begins\n${text} # ends`,
  (text) => text.replaceAll(' }', '; }'),
  (text) => text.replaceAll('{', '<').replaceAll('}', '>'),
  (text) => text.replaceAll('"', "'"),
  (text) => text.replaceAll(': "', ': "" "'),
  (text) => text.replaceAll(' ]', ', ]'),
  (text) => text.replaceAll(', ', ' '),
  (text) => text.replaceAll('TYPE_', 'type_'),
  (text) => text.replace('TYPE_FP32', '11'),
  (text) => text.replace('TYPE_FP32', '99'),
  (text) => `${text}\ndynamic_batching: {}`,
  (text) => `${text}\ndynamic_batching { preserve_ordering: 1 }`,
  (text) => `${text}\ndynamic_batching { preserve_ordering: t }`,
  (text) => `${text}\ndynamic_batching { max_queue_delay_microseconds: -1 }`,
  (text) => `${text}\ndynamic_batching {} dynamic_batching {}`,
  (text) => `${text}\ndynamic_batching {} sequence_batching {}`,
  (text) => `${text}\nparameters { key: "a" value { string_value: "\\x41\\102\\n\\"" } }`,
  (text) => `${text}\nparameters { key: "a" }\nparameters { key: "a" value { string_value: "b" } }`,
  (text) =>
    `${text}\nparameters: [ { key: "a" value: { string_value: "b" } }, { value { string_value: "c" } } ]`,
  (text) => `${text}\n[some.extension]: 5`,
  (text) => `${text}\nversion_policy: { latest: { num_versions: 0 } }`,
  (text) => `${text}\nversion_policy: { latest {} all {} }`,
  (text) => `${text}\ninstance_group { count: 1 kind: 2 }`,
  (text) => `${text}\ninstance_group [ { count: 1.5 } ]`,
  (text) => text.slice(0, -3),
  (text) => `${text}\n}`,
  (text) => `\uFEFF${text}`,
  (text) => text.replaceAll('\n', '\r\n'),
  (text) => `${text}\nname: "ü\u0000"`,
  (text) => `${text}\nname: "ünder"`,
  (text) => `${text}\nname: "a" name: "b"`,
];

interface Tensor {
  readonly type: DataType;
  readonly shape: readonly (number | string)[];
}

/** Models with their requests, one after the other; a seed always gives the same ones. */
export class RandomWild {
  readonly #choice: RandomChoice;
  readonly #configs: RandomConfigs;

  constructor(seed: number) {
    this.#choice = new RandomChoice(seed);
    this.#configs = new RandomConfigs(seed, LEFT_OUT);
  }

  /** The next one; many are such that a server refuses them. */
  model(): RandomModel {
    const choice = this.#choice;
    const isBatching = choice.chance(0.6);
    const tensors = Array.from({ length: choice.chance(0.7) ? 1 : 2 }, () => ({
      type: choice.one(TYPES),
      shape: choice.one(isBatching ? SHAPES.filter(([first]) => first === 'b') : SHAPES),
    }));
    const file = graphModel(
      tensors.map((_, at) => ({ opType: 'Identity', inputs: [`INPUT${at}`], outputs: [`OUTPUT${at}`] })),
      tensors.map(({ type, shape }, at) => value(`INPUT${at}`, type, shape)),
      tensors.map(({ type, shape }, at) => value(`OUTPUT${at}`, type, shape)),
    );
    const text = this.#text(tensors, isBatching);
    const version = choice.chance(0.93) ? '1' : choice.one(['3', '01', 'x']);
    return {
      text,
      files: {
        ...(text === '' ? {} : { 'config.pbtxt': text }),
        [`${version}/${choice.chance(0.93) ? 'model.onnx' : 'other.onnx'}`]: file,
        'labels.txt': 'a\nb\nc\nd\n',
      },
      requests: [this.#request(tensors, isBatching)],
    };
  }

  #text(tensors: readonly Tensor[], isBatching: boolean): string {
    const choice = this.#choice;
    if (choice.chance(0.04)) return '';
    const hasSize = choice.chance(0.6);
    const size = isBatching ? choice.one([4, 4, 1, 8]) : choice.one([0, 0, 0, 4]);
    const isCutting = hasSize ? size > 0 : choice.chance(0.3);
    const parts = [
      choice.chance(0.75) ? (WHICH[0] ?? '') : choice.one(WHICH),
      hasSize ? `max_batch_size: ${size}` : '',
      ...['input', 'output'].map((list) => this.#list(list, tensors, isCutting)),
      ...(choice.chance(0.5) ? this.#configs.more(1 + choice.below(2)) : []),
      choice.chance(0.05)
        ? `default_model_filename: "${choice.one(['other.onnx', 'model.onnx', 'x/y'])}"`
        : '',
    ];
    const text = parts.filter((part) => part !== '').join('\n');
    return choice.chance(0.12) ? choice.one(ODD)(text) : text;
  }

  #list(list: string, tensors: readonly Tensor[], isCutting: boolean): string {
    const choice = this.#choice;
    const prefix = list === 'input' ? 'INPUT' : 'OUTPUT';
    if (choice.chance(0.4)) return '';
    const told = tensors.map(({ type, shape }, at) => {
      const name = choice.chance(0.97) ? `${prefix}${at}` : choice.one(['', 'far', `${prefix}1`]);
      const shown = choice.chance(0.97) ? type : choice.one(TYPES);
      const dims = (isCutting ? shape.slice(1) : shape).map((dim) => (typeof dim === 'string' ? -1 : dim));
      const wild = choice.chance(0.94) ? dims : choice.one([[4], [-1], [1, 4], [], [0], [-2], [2, 2], [1]]);
      const members = [
        `name: "${name}"`,
        `data_type: TYPE_${shown === 'BYTES' ? 'STRING' : shown}`,
        `dims: [ ${(wild.length === 0 && choice.chance(0.7) ? [1] : wild).join(', ')} ]`,
      ].filter(() => choice.chance(0.98));
      return `{ ${members.join(' ')} }`;
    });
    const kept = told.filter(() => choice.chance(0.96));
    return kept.length === 0 ? '' : `${list} [ ${kept.join(', ')} ]`;
  }

  #request(tensors: readonly Tensor[], isBatching: boolean) {
    return jsonRequest({
      inputs: tensors.map(({ type, shape }, at) => {
        const dims = shape.map((dim) =>
          typeof dim === 'string' ? (dim === 'b' && isBatching ? 1 : 3) : dim,
        );
        const count = dims.reduce((product, dim) => product * dim, 1);
        const one = type === 'BOOL' ? true : type === 'BYTES' ? 'x' : 1;
        return {
          name: `INPUT${at}`,
          datatype: type,
          shape: dims.length === 0 ? [1] : dims,
          data: Array.from({ length: count }, () => one),
        };
      }),
    });
  }
}

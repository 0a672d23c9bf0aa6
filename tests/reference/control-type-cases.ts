// Controls of sequences in every kind and type, right and wrong: what the load says, what the configuration becomes, and what
// a model is given in the rounds of two sequences, with batches and without.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { telling } from './flow-models.ts';
import { get, post } from './http-calls.ts';
import { ask, load, unload } from './life-calls.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';
import { batching } from './sequence-flow-parts.ts';

const input = (name: string, ...controls: readonly string[]): string =>
  `control_input { name: "${name}" ${controls.map((one) => `control { ${one} }`).join(' ')} }`;
const of = (kind: string, more: string): string => `kind: CONTROL_SEQUENCE_${kind} ${more}`;
const PAIRS: readonly string[] = [
  'int32_false_true: [ 5, -5 ]',
  'int32_false_true: [ 0, 0 ]',
  'fp32_false_true: [ 1.5, -2.5 ]',
  'fp32_false_true: [ 1 ]',
  'fp32_false_true: [ 0, 1, 2 ]',
  'bool_false_true: [ false, true ]',
  'bool_false_true: [ true, false ]',
  'bool_false_true: [ true ]',
  'bool_false_true: [ false, true, true ]',
  'fp32_false_true: [ 0, 1 ] bool_false_true: [ false, true ]',
  'int32_false_true: [ 0, 1 ] bool_false_true: [ false, true ]',
  'data_type: TYPE_INT32',
  'data_type: TYPE_FP32 int32_false_true: [ 0, 1 ]',
];
const TYPES = [
  'INVALID',
  'BOOL',
  'UINT8',
  'UINT16',
  'UINT32',
  'UINT64',
  'INT8',
  'INT16',
  'INT32',
  'INT64',
  'FP16',
  'FP32',
  'FP64',
  'STRING',
  'BF16',
];
const FLAG = 'int32_false_true: [ 0, 1 ]';
const ID = of('CORRID', 'data_type: TYPE_UINT64');

/** Behind `sequence_batching`. */
const CONTROLS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['START', 'END', 'READY'].flatMap((kind) =>
      PAIRS.map((pair) => [`${kind} ${pair}`, input('C', of(kind, pair))]),
    ),
  ),
  ...Object.fromEntries(
    TYPES.map((type) => [`id in ${type}`, input('C', of('CORRID', `data_type: TYPE_${type}`))]),
  ),
  'an id with flags of floats': input('C', of('CORRID', 'data_type: TYPE_UINT64 fp32_false_true: [ 0, 1 ]')),
  'an id with flags of truths': input(
    'C',
    of('CORRID', 'data_type: TYPE_UINT64 bool_false_true: [ false, true ]'),
  ),
  'no kind': input('C', FLAG),
  'a number that is no kind': input('C', `kind: 9 ${FLAG}`),
  'two kinds in one': input('C', of('START', FLAG), of('END', FLAG)),
  'a flag and an id in one': input('C', of('START', FLAG), ID),
  'an id and a flag in one': input('C', ID, of('START', FLAG)),
  'the same kind twice in one': input('C', of('START', FLAG), of('START', FLAG)),
  'the same name twice': `${input('C', of('START', FLAG))} ${input('C', of('END', FLAG))}`,
  'an id twice': `${input('C', ID)} ${input('D', ID)}`,
  'ends twice': `${input('C', of('END', FLAG))} ${input('D', of('END', FLAG))}`,
  'readiness twice': `${input('C', of('READY', FLAG))} ${input('D', of('READY', FLAG))}`,
  'the name of the input': input('INPUT0', of('START', FLAG)),
  'the name of the output': input('OUTPUT0', of('START', FLAG)),
  'no name for a flag': input('', of('START', FLAG)),
  'three types beside each other': `${input('C', of('START', FLAG))} ${input('D', of('END', 'fp32_false_true: [ 0, 1 ]'))} ${input('E', of('READY', 'bool_false_true: [ false, true ]'))} ${input('F', of('CORRID', 'data_type: TYPE_INT32'))}`,
};

const titles = Object.keys(CONTROLS);
const nameOf = (title: string, size: number): string => `c${titles.indexOf(title)}_${size}`;
const SIZES = [4, 0];
const models: RepositoryFiles = Object.assign(
  {},
  ...titles.flatMap((title) =>
    SIZES.map((size) => telling(nameOf(title, size), batching(CONTROLS[title] ?? ''), { size })),
  ),
);

/** A text for a control of numbers, and a number for one of texts, break the memory of the reference. */
const idsOf = (title: string): readonly (number | string)[] =>
  title.includes('STRING') ? ['a', 'bc'] : [1, 300];

const asked =
  (size: number) =>
  (title: string): ReferenceCase => ({
    name: `controls, ${size === 0 ? 'alone' : 'batches'}: ${title}`,
    run: async (target) => {
      const model = nameOf(title, size);
      const loaded = (await ask(target, load(model))) as [number, string];
      const answers: object[] = [{ step: 'load', loaded }];
      if (loaded[0] !== 200) return answers;
      answers.push({ step: 'config', answer: await ask(target, get(`/v2/models/${model}/config`)) });
      answers.push({ step: 'metadata', answer: await ask(target, get(`/v2/models/${model}`)) });
      const shape = size === 0 ? [1] : [1, 1];
      const [one = 1, two = 2] = idsOf(title);
      const rounds = [
        [one, 's'],
        [two, 's'],
        [one, ''],
        [two, 'e'],
        [one, 'e'],
        [two, 'se'],
      ] as const;
      // Without batches there is one place: the second sequence would wait for the end of the first.
      for (const [id, flags] of size === 0 ? rounds.filter(([of]) => of === one) : rounds) {
        const body = {
          parameters: {
            sequence_id: id,
            sequence_start: flags.includes('s'),
            sequence_end: flags.includes('e'),
          },
          inputs: [{ name: 'INPUT0', datatype: 'FP32', shape, data: [0] }],
        };
        const answer = await ask(target, post(`/v2/models/${model}/infer`, body));
        answers.push({ step: `${id} ${flags}`, answer });
      }
      await ask(target, unload(model));
      return answers;
    },
  });

const scene = (size: number): Scene => ({
  name: `controls ${size === 0 ? 'alone' : 'in batches'}`,
  repositories: sameFor(models),
  args: ['--model-control-mode=explicit'],
  atOnce: 3,
  cases: titles.map(asked(size)),
});

export const CONTROL_TYPE_SCENES: readonly Scene[] = SIZES.map(scene);

// Python models that tell in which order they find the inputs of a request: those of the client in many orders, the
// controls and states of a sequence, and the filler requests of a direct batch. And which of several faulty inputs is told.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { post, reply } from './http-calls.ts';
import { executing, pythonFiles } from './python-models.ts';
import type { ReferenceCase } from './reference-case.ts';

const TELLS =
  executing(`names = " | ".join(",".join(one.name() for one in request.inputs()) for request in requests)
return [pb_utils.InferenceResponse(error=pb_utils.TritonError(names)) for _ in requests]`);

const NAMES = [
  ...['INPUT0', 'INPUT1', 'INPUT__0', 'input_ids', 'attention_mask', 'prompt', 'stream', 'max_tokens'],
  ...['temperature', 'top_p', 'top_k', 'a rather long name of an input tensor', 'ünïcode', 'x'],
  ...Array.from({ length: 20 }, (_, index) => `t${index}`),
];
const FEW = NAMES.slice(0, 6);
const OUTPUT = 'output { name: "OUTPUT0" data_type: TYPE_INT32 dims: [ 1 ] }';
const inputs = (names: readonly string[]): string =>
  names
    .map((name) => `input { name: "${name}" data_type: TYPE_INT32 dims: [ 1 ] optional: true }`)
    .join('\n');

const boolean = (name: string): string =>
  `control_input { name: "${name}" control { kind: CONTROL_SEQUENCE_${name} int32_false_true: [ 0, 1 ] } }`;
const ID =
  'control_input { name: "CORRID" control { kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_UINT64 } }';
const STATES = ['SC', 'SA', 'SD', 'SB', 'S9', 'ZZ']
  .map((name) => `state { input_name: "${name}" output_name: "O${name}" data_type: TYPE_INT32 dims: [ 1 ] }`)
  .join('\n');
const OLDEST = 'oldest { max_candidate_sequences: 4 }';

const SEQUENCES: Readonly<Record<string, string>> = {
  all: `${boolean('START')} ${boolean('END')} ${boolean('READY')} ${ID} direct {}`,
  turned: `${ID} ${boolean('READY')} ${boolean('END')} ${boolean('START')} ${OLDEST}`,
  states: `${STATES} ${boolean('READY')} ${ID} direct {}`,
  oldest: `${STATES} ${boolean('START')} ${OLDEST}`,
};
const sequenceModel = (name: string): string => `order_${name}`;

export const ORDER_MODELS: readonly string[] = [
  'order',
  'order_faults',
  ...Object.keys(SEQUENCES).map(sequenceModel),
];
export const ORDER_FILES: RepositoryFiles = {
  ...pythonFiles(
    'order_faults',
    TELLS,
    `max_batch_size: 4\n${inputs(NAMES.slice(0, 12)).replaceAll(' optional: true', '')}\n${OUTPUT}`,
  ),
  ...pythonFiles('order', TELLS, `${inputs(NAMES)}\n${OUTPUT}`),
  ...Object.assign(
    {},
    ...Object.entries(SEQUENCES).map(([name, batching]) =>
      pythonFiles(
        sequenceModel(name),
        TELLS,
        `max_batch_size: 3\n${inputs(FEW)}\n${OUTPUT}\ninstance_group { count: 1 }\nsequence_batching { ${batching} }`,
      ),
    ),
  ),
};

/** Every `step`-th name from `from` on, round the list. */
const picked = (names: readonly string[], from: number, step: number): string[] =>
  Array.from({ length: names.length }, (_, index) => names[(from + index * step) % names.length] ?? '');

const ask = async (
  port: number,
  model: string,
  names: readonly string[],
  parameters: object = {},
): Promise<object> => {
  const shape = model === 'order' ? [1] : [1, 1];
  const tensors = names.map((name) => ({ name, datatype: 'INT32', shape, data: [1] }));
  const answer = await reply(port, post(`/v2/models/${model}/infer`, { parameters, inputs: tensors }));
  return { step: `${model} ${names.join()} ${JSON.stringify(parameters)}`, ...answer };
};

/** Each second request lacks nothing: what is wrong with several inputs is told of one. */
const faulty = async (port: number, turn: number): Promise<object> => {
  const names = picked(NAMES.slice(0, 12), turn, 5);
  if (turn % 4 === 0) names.splice(turn % 12, 2, 'nobody', 'no-one');
  if (turn % 4 === 2) names.splice(turn % 12, 1);
  const tensors = names.map((name, index) => {
    const rows = turn % 3 === 1 && (index + turn) % 5 === 0 ? 2 : 1;
    const datatype = turn % 3 === 2 && (index + turn) % 4 < 2 ? 'UINT32' : 'INT32';
    const shape = turn % 4 === 3 && (index + turn) % 6 < 2 ? [rows, 2] : [rows, 1];
    return { name, datatype, shape, data: Array(rows * (shape[1] ?? 1)).fill(1) };
  });
  const outputs = turn % 7 === 6 ? [{ name: 'zz' }, { name: 'aa' }] : [];
  const answer = await reply(port, post('/v2/models/order_faults/infer', { inputs: tensors, outputs }));
  return { step: `faults ${turn}`, ...answer };
};

export const ORDER_ANSWERS: ReferenceCase = {
  name: 'python order of inputs',
  run: async ({ httpPort }) => {
    const answers: unknown[] = [];
    for (const count of [1, 2, 3, 6, 12, 13, 14, 20, 29, 30, NAMES.length])
      for (const [from, step] of [
        [0, 1],
        [5, 3],
        [7, 7],
      ] as const)
        answers.push(await ask(httpPort, 'order', [...new Set(picked(NAMES, from, step))].slice(0, count)));
    for (let turn = 0; turn < 48; turn += 1) answers.push(await faulty(httpPort, turn));
    for (const model of Object.keys(SEQUENCES).map(sequenceModel))
      for (const [turn, id] of [1, 2, 3, 2, 1].entries()) {
        const names = picked(FEW, turn, 5).slice(0, 4);
        const parameters = { sequence_id: id, sequence_start: turn < 3 };
        answers.push(await ask(httpPort, model, names, parameters));
      }
    return answers;
  },
};

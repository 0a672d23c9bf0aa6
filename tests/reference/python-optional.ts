// Python models whose inputs are all optional: what a request without any, or with only some, is answered.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { post, reply } from './http-calls.ts';
import { answering, pythonFiles } from './python-models.ts';
import type { ReferenceCase } from './reference-case.ts';

const COUNTS = answering(`names = ",".join(one.name() for one in request.inputs())
response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", np.array([[names]], dtype=object))])`);

const input = (name: string): string =>
  `input { name: "${name}" data_type: TYPE_FP32 dims: [ 1 ] optional: true }`;
const OUTPUT = 'output { name: "OUTPUT0" data_type: TYPE_STRING dims: [ -1 ] }';
const INPUTS = `${input('A')}\n${input('B')}\n${OUTPUT}`;

const CONFIGS: Readonly<Record<string, string>> = {
  o_single: INPUTS.replace(OUTPUT, OUTPUT.replace('-1', '-1, -1')),
  o_batch: `max_batch_size: 4\n${INPUTS}`,
  o_dynamic: `max_batch_size: 4\n${INPUTS}\ndynamic_batching { max_queue_delay_microseconds: 1000 }`,
  o_none: `max_batch_size: 4\n${OUTPUT}`,
};

export const OPTIONAL_MODELS: readonly string[] = Object.keys(CONFIGS);
export const OPTIONAL_FILES: RepositoryFiles = Object.fromEntries(
  Object.entries(CONFIGS).flatMap(([name, config]) => Object.entries(pythonFiles(name, COUNTS, config))),
);

const tensor = (name: string): object => ({ name, datatype: 'FP32', shape: [1, 1], data: [1] });
const REQUESTS: readonly object[] = [
  { inputs: [] },
  { id: 'seven', inputs: [] },
  { inputs: [tensor('A')] },
  { inputs: [tensor('B')] },
  { inputs: [tensor('B'), tensor('A')] },
];

export const OPTIONAL_ANSWERS: ReferenceCase = {
  name: 'python requests without inputs',
  run: async ({ httpPort }) => {
    const answers: unknown[] = [];
    for (const model of OPTIONAL_MODELS)
      for (const body of REQUESTS) {
        const answer = await reply(httpPort, post(`/v2/models/${model}/infer`, body));
        answers.push({ step: `${model} ${JSON.stringify(body)}`, ...answer });
      }
    return answers;
  },
};

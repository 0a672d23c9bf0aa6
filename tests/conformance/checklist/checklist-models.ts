// Configurations of the checklist's models: copies of inputs to outputs in many shapes, on the built-in backends.

import type { DataType } from '../../../src-shared/datatypes.ts';
import { dataTypeToConfig } from '../../../src-shared/datatypes.ts';
import type { RepositoryFiles } from '../../../src-main/testing/temp-repository.ts';

type TensorLine = readonly [name: string, datatype: DataType, dims: readonly number[], more?: string];

export interface ModelLines {
  readonly backend?: string;
  readonly maxBatchSize?: number;
  readonly inputs: readonly TensorLine[];
  readonly outputs?: readonly TensorLine[];
  readonly more?: string;
}

const tensors = (kind: string, list: readonly TensorLine[]): string =>
  `${kind} [ ${list
    .map(
      ([name, datatype, dims, more = '']) =>
        `{ name: "${name}" data_type: ${dataTypeToConfig(datatype)} dims: [ ${dims.join(', ')} ] ${more} }`,
    )
    .join(', ')} ]`;

/** Text of a config.pbtxt; by default each INPUT<k> comes back as OUTPUT<k> and one CPU instance runs. */
export function configText({
  backend = 'identity',
  maxBatchSize = 0,
  inputs,
  outputs,
  more = '',
}: ModelLines): string {
  const copies = inputs.map(([name, datatype, dims]): TensorLine => [
    name.replace('INPUT', 'OUTPUT'),
    datatype,
    dims,
  ]);
  return [
    `backend: "${backend}" max_batch_size: ${maxBatchSize}`,
    tensors('input', inputs),
    tensors('output', outputs ?? copies),
    'instance_group [ { count: 1 kind: KIND_CPU } ]',
    more,
  ].join('\n');
}

/** A model without a file, in the given versions. */
export function model(name: string, lines: ModelLines, versions: readonly number[] = [1]): RepositoryFiles {
  return {
    [`${name}/config.pbtxt`]: configText(lines),
    ...Object.fromEntries(versions.map((version) => [`${name}/${version}/`, ''])),
  };
}

/** A JavaScript model. */
export function scripted(name: string, lines: ModelLines, code: string): RepositoryFiles {
  return {
    [`${name}/config.pbtxt`]: configText({ backend: 'javascript', ...lines }),
    [`${name}/1/model.mjs`]: code,
  };
}

export const DECOUPLED = 'model_transaction_policy { decoupled: true }';

/** One input and output of a type. */
export const echo = (
  name: string,
  datatype: DataType,
  dims: readonly number[],
  more: Omit<ModelLines, 'inputs'> = {},
): RepositoryFiles => model(name, { inputs: [['INPUT0', datatype, dims]], ...more });

const PROMPT_CODE = `export async function execute(requests) {
  for (const request of requests) {
    const count = Number(request.inputs.REPETITION?.data[0] ?? 1n);
    for (let i = 0; i < count; i += 1) await request.send({ outputs: { TEXT: request.inputs.PROMPT.texts() } });
    await request.end();
  }
}
`;

const TELL_CODE = `export const execute = (requests) => requests.map(({ parameters }) => ({
  outputs: { TOLD: [JSON.stringify(Object.entries(parameters).sort().map(([key, value]) => [key, typeof value, String(value)]))] },
}));
`;

/** A language model's interface: a decoupled model that answers REPETITION times, and parameters told back. */
export function promptModels(): RepositoryFiles {
  return {
    ...scripted(
      'prompts',
      {
        inputs: [
          ['PROMPT', 'BYTES', [1, 1]],
          ['STREAM', 'BOOL', [1, 1]],
          ['REPETITION', 'INT64', [1, 1], 'optional: true'],
        ],
        outputs: [['TEXT', 'BYTES', [1, -1]]],
        more: DECOUPLED,
      },
      PROMPT_CODE,
    ),
    ...scripted('tell', { inputs: [['INPUT0', 'INT32', [1]]], outputs: [['TOLD', 'BYTES', [1]]] }, TELL_CODE),
  };
}

/** \`tell\` behind a copying step. */
export function toldEnsemble(): RepositoryFiles {
  return {
    ...echo('pass', 'INT32', [1]),
    'told/config.pbtxt': `platform: "ensemble" max_batch_size: 0
${tensors('input', [['INPUT0', 'INT32', [1]]])}
${tensors('output', [['TOLD', 'BYTES', [1]]])}
ensemble_scheduling { step [
  { model_name: "pass" model_version: -1 input_map { key: "INPUT0" value: "INPUT0" } output_map { key: "OUTPUT0" value: "passed" } },
  { model_name: "tell" model_version: -1 input_map { key: "INPUT0" value: "passed" } output_map { key: "TOLD" value: "TOLD" } }
] }`,
    'told/1/': '',
  };
}

// Numbers that no machine can serve are refused by the field's name, and lists of any length are judged in a time that
// their length asks for: each of the long ones here took minutes, or all memory, when every finding looked at all others.

import { describe, expect, test } from 'vitest';
import { completeModelConfig } from '../complete-model-config.ts';
import { checkConfigText } from '../check-config.ts';
import { firstError, type ConfigIssue } from '../config-issue.ts';
import { validateModelConfig } from '../config-validator.ts';
import { describeTensor } from '../model-description.ts';
import { parseModelConfig } from '../parse-model-config.ts';
import { checkInterface } from './interface-rules.ts';

const IO =
  'input { name: "A" data_type: TYPE_FP32 dims: 1 } output { name: "B" data_type: TYPE_FP32 dims: 1 }';
const BASE = `backend: "onnxruntime" max_batch_size: 8 ${IO}`;

function errorOf(extra: string, gpus: readonly number[] = []): ConfigIssue | undefined {
  const parsed = parseModelConfig(`${BASE} ${extra}`);
  const gpuInventory = gpus.map((id) => ({ id }));
  const { config } = completeModelConfig(parsed.config, { directoryName: 'm', gpuInventory });
  return firstError(validateModelConfig(config, { stage: 'load', gpuInventory }));
}

const parameter = (key: string, value: string): string =>
  `parameters { key: "${key}" value { string_value: "${value}" } }`;
const warmup = (body: string, dims = '1'): string =>
  `model_warmup { name: "w" ${body} inputs { key: "A" value { data_type: TYPE_FP32 dims: [ ${dims} ] zero_data: true } } }`;

describe('numbers that no machine can serve', () => {
  test.each([
    ['instance_group { kind: KIND_CPU count: 1024 }', undefined, ''],
    ['instance_group { kind: KIND_CPU count: 1025 }', 'instance_group[0].count', 'makes 1025 instances'],
    [
      'instance_group { kind: KIND_CPU count: 2147483647 }',
      'instance_group[0].count',
      'makes 2147483647 instances',
    ],
    [
      'instance_group [ { name: "a" kind: KIND_CPU count: 1000 }, { name: "b" kind: KIND_CPU count: 25 } ]',
      'instance_group[1].count',
      'instance group b of model m makes 1025 instances of the model, at most 1024 are allowed',
    ],
    [parameter('intra_op_thread_count', '1024'), undefined, ''],
    [
      parameter('intra_op_thread_count', '1000000'),
      'parameters["intra_op_thread_count"].string_value',
      "parameter 'intra_op_thread_count' of model m asks for 1000000 threads, at most 1024",
    ],
    [
      parameter('inter_op_thread_count', '1025'),
      'parameters["inter_op_thread_count"].string_value',
      '1025 threads',
    ],
    [
      'instance_group { count: 2 kind: KIND_CPU } sequence_batching { oldest { max_candidate_sequences: 131072 } }',
      undefined,
      '',
    ],
    [
      'instance_group { count: 2 kind: KIND_CPU } sequence_batching { oldest { max_candidate_sequences: 131073 } }',
      'sequence_batching.oldest.max_candidate_sequences',
      'places for 262146 sequences for m',
    ],
    [warmup('batch_size: 1 count: 1000000'), undefined, ''],
    [warmup('batch_size: 1 count: 4000000000'), 'model_warmup[0].count', 'to 4000000000, at most 1000000'],
    [warmup('batch_size: 65537'), 'model_warmup[0].batch_size', 'batch_size 65537, at most 65536'],
    [
      warmup('batch_size: 1', '2000000000'),
      'model_warmup[0].inputs["A"].dims',
      "8000000000 bytes for input 'A', at most 2147483648",
    ],
    [
      'sequence_batching { state { input_name: "s" output_name: "t" data_type: TYPE_FP64 dims: 300000000 } }',
      'sequence_batching.state[0].dims',
      "state input 's' of model m takes 2400000000 bytes",
    ],
  ])('%s', (extra, path, message) => {
    const error = errorOf(extra);
    expect(error?.path).toBe(path);
    expect(error?.message ?? '').toContain(message);
    expect(error?.statusCode ?? 'INVALID_ARG').toBe('INVALID_ARG');
  });

  test('instances are counted on each device', () => {
    const group = 'instance_group { kind: KIND_GPU count: 600 gpus: [ 0, 1 ] }';
    expect(errorOf(group, [0, 1])?.message).toContain('makes 1200 instances');
    expect(errorOf(group.replace('600', '500'), [0, 1])).toBeUndefined();
  });
});

const COUNT = 3000;
const many = (make: (index: number) => string): string =>
  Array.from({ length: COUNT }, (_, i) => make(i)).join('\n');
const step = (from: string, to: string): string =>
  `step { model_name: "x" model_version: -1 input_map { key: "A" value: "${from}" } output_map { key: "B" value: "${to}" } }`;
const ensemble = (input: string, output: string, steps: string): string =>
  `platform: "ensemble" input { name: "${input}" data_type: TYPE_FP32 dims: 1 } output { name: "${output}" data_type: TYPE_FP32 dims: 1 } ensemble_scheduling { ${steps} }`;

const LONG: readonly (readonly [string, string])[] = [
  ['parameters', BASE + many((i) => parameter(`k${i}`, 'v'))],
  [
    'inputs that the model has not',
    BASE + many((i) => `input { name: "i${i}" data_type: TYPE_FP32 dims: 1 }`),
  ],
  [
    'outputs that the model has not',
    BASE + many((i) => `output { name: "o${i}" data_type: TYPE_FP32 dims: 1 }`),
  ],
  [
    'warmup data of unknown inputs',
    `${BASE} model_warmup { name: "w" batch_size: 1 ${many((i) => `inputs { key: "k${i}" value { data_type: TYPE_FP32 dims: 1 zero_data: true } }`)} }`,
  ],
  ['warmup samples', BASE + many((i) => warmup('batch_size: 1').replace('"w"', `"w${i}"`))],
  [
    'controls without an input',
    `${BASE} sequence_batching { ${many((i) => `control_input { name: "c${i}" control { kind: CONTROL_SEQUENCE_START int32_false_true: [ 0, 1 ] } }`)} }`,
  ],
  [
    'controls of one input',
    `${BASE} sequence_batching { control_input { name: "c" ${many(() => 'control { int32_false_true: [ 0, 1 ] }')} } }`,
  ],
  [
    'states',
    `${BASE} sequence_batching { ${many((i) => `state { input_name: "i${i}" output_name: "o${i}" data_type: TYPE_FP32 dims: 1 }`)} }`,
  ],
  [
    'batch inputs',
    BASE + many((i) => `batch_input { target_name: "t${i}" data_type: TYPE_FP32 source_input: "x${i}" }`),
  ],
  ['versions', `${BASE} version_policy { specific { versions: [ ${many((i) => `${i},`)} 1 ] } }`],
  [
    'metric controls',
    `${BASE} model_metrics { ${many((i) => `metric_control { metric_identifier { family: "f${i}" } histogram_options { buckets: 1 } }`)} }`,
  ],
  [
    'steps in a row',
    ensemble(
      't0',
      `t${COUNT}`,
      many((i) => step(`t${i}`, `t${i + 1}`)),
    ),
  ],
  [
    'steps in a row, backwards',
    ensemble(
      't0',
      `t${COUNT}`,
      many((i) => step(`t${COUNT - 1 - i}`, `t${COUNT - i}`)),
    ),
  ],
  [
    'steps in a row from nowhere',
    ensemble(
      'x',
      `t${COUNT}`,
      many((i) => step(`t${i}`, `t${i + 1}`)),
    ),
  ],
  [
    'a wide step',
    ensemble(
      't0',
      'o0',
      `step { model_name: "x" model_version: -1 ${many((i) => `input_map { key: "A${i}" value: "t${i}" } output_map { key: "B${i}" value: "o${i}" }`)} }`,
    ),
  ],
  ['misspelled types', many((i) => `input { data_type: TYPE_FLOATY${i} }`)],
  ['wrong colons', many(() => 'input { name = "x" }')],
  ['unknown fields', many((i) => `parametres${i}: 1`)],
];

describe(`lists of ${COUNT}`, () => {
  const lookup = (): { readonly config: undefined; readonly readyVersions: readonly number[] } => ({
    config: undefined,
    readyVersions: [],
  });
  test.each(LONG)('%s', (_name, text) => {
    const checked = checkConfigText(text, { directoryName: 'm', availableVersions: [1], lookup });
    expect(checked.issues.length).toBeLessThanOrEqual(102);
    for (const { hint, message } of checked.issues) expect(hint.length + message.length).toBeLessThan(4000);
    const description = {
      inputs: Array.from({ length: COUNT }, (_, i) => describeTensor(`x${i}`, 'FP32', [-1, 1])),
      outputs: [describeTensor('B', 'FP32', [-1, 1])],
    };
    checkInterface(checked.config, description);
  });

  test('what is not shown is counted, and an error behind many warnings is shown', () => {
    const control = (i: number): string =>
      `metric_control { metric_identifier { family: "f${i}" } histogram_options { buckets: 1 } }`;
    const text = `${BASE} model_metrics { ${many(control)} metric_control { } }`;
    const { issues } = checkConfigText(text, { directoryName: 'm' });
    expect(issues).toHaveLength(102);
    expect(issues.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([
      "metric control must specify 'metric_identifier'",
    ]);
    expect(issues.at(-1)?.message).toBe(`${COUNT - 99} more findings are not shown`);
  });
});

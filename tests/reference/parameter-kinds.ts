// Parameters of requests of every kind of value, as a Python model reads them and sends them back, over both protocols: nested
// values, null, numbers at their limits, reserved and doubled names, names of sequences, and parameters of inputs and outputs.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { grpcCall, grpcStream } from './grpc-exchange.ts';
import { post } from './http-calls.ts';
import { ask } from './life-calls.ts';
import { answering, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

/** Tells its parameters as text. */
const TELLS =
  answering(`text = json.dumps([request.parameters(), request.timeout(), str(request.correlation_id()), request.flags(), request.request_id(), str(request.priority()) if hasattr(request, "priority") else ""], sort_keys=True)
response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", np.array([text.encode()], dtype=object))])`);
const TEXT = ONE_TO_ONE.replace(/(output.*)TYPE_FP32/, '$1TYPE_STRING');

const step = (model: string): string =>
  `{ model_name: "${model}" model_version: -1 input_map { key: "INPUT0" value: "INPUT0" } output_map { key: "OUTPUT0" value: "OUTPUT0" } }`;
const models: RepositoryFiles = {
  ...pythonFiles('tells', TELLS, TEXT),
  ...pythonFiles('numbered', TELLS, `${TEXT}\nsequence_batching { direct {} }`),
  ...pythonFiles(
    'levels',
    TELLS,
    `${TEXT}\nmax_batch_size: 0\ndynamic_batching { priority_levels: 3 default_priority_level: 2 }`,
  ),
  'above/config.pbtxt': `platform: "ensemble"\n${TEXT}\nensemble_scheduling { step [ ${step('tells')} ] }\n`,
  'above/1/': '',
};

/** The text of the parameters: JSON that no object of this language can hold, too. */
const VALUES = [
  '1',
  '-1',
  '0',
  '-0',
  '1.0',
  '1.5',
  '1e3',
  '1e400',
  '-1e-400',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551615',
  '18446744073709551616',
  '-9223372036854775808',
  '-9223372036854775809',
  '9007199254740993',
  '0.1',
  '5e-324',
  '123456789012345678901234567890',
  'true',
  'false',
  'null',
  '""',
  '"text"',
  '"\\u0000"',
  '"\\ud83d\\ude00"',
  '"\\n\\"\\\\"',
  '[]',
  '[1,2]',
  '[[]]',
  '{}',
  '{"a":1}',
  '{"a":{"b":null}}',
];
const NAMES = [
  '',
  ' ',
  'a',
  'ä',
  'triton_',
  'triton_a',
  'triton_enable_empty_final_response',
  'triton_final_response',
  'headers',
  'binary_data_output',
  'binary_data_size',
  'classification',
  'sequence_id',
  'sequence_start',
  'sequence_end',
  'priority',
  'timeout',
  'request_id',
  'id',
  'shared_memory_region',
];
const SOME = [
  '1',
  '-1',
  '0',
  '1.5',
  'true',
  'false',
  'null',
  '"1"',
  '"x"',
  '""',
  '[]',
  '{}',
  '18446744073709551615',
];
const input = '{"name":"INPUT0","datatype":"FP32","shape":[1],"data":[1]}';
const body = (parameters: string): string => `{"parameters":${parameters},"inputs":[${input}]}`;
const http = (model: string, parameters: string): ReturnType<typeof post> =>
  post(`/v2/models/${model}/infer`, body(parameters));

const walk = (name: string, model: string, all: readonly string[]): ReferenceCase => ({
  name: `parameters: ${name}`,
  run: async (target) => {
    const answers: object[] = [];
    for (const parameters of all)
      answers.push({ step: parameters, answer: await ask(target, http(model, parameters)) });
    return answers;
  },
});
const values = VALUES.map((value) => `{"a":${value}}`);
const ODD = [
  'null',
  '[]',
  '5',
  '"x"',
  'true',
  '{}',
  '{"a":1,"a":2}',
  '{"a":1,"b":"x","c":true}',
  '{"b":1,"a":1}',
  '{"triton_a":1,"triton_b":2}',
  '{"a":[],"triton_b":2}',
];
const IDS = [
  '1',
  '0',
  '18446744073709551615',
  '18446744073709551616',
  '-1',
  '1.0',
  '"a"',
  '""',
  '"0"',
  `"${'x'.repeat(128)}"`,
  `"${'x'.repeat(129)}"`,
  '"ä"',
  'true',
  'null',
];

const PARAMS: Readonly<Record<string, object>> = {
  'a truth': { bool_param: true },
  'a lie': { bool_param: false },
  number: { int64_param: -5n },
  'the least number': { int64_param: -(2n ** 63n) },
  'a count': { uint64_param: 2n ** 64n - 1n },
  'a real': { double_param: 1.5 },
  'not a number': { double_param: Number.NaN },
  endless: { double_param: Number.POSITIVE_INFINITY },
  text: { string_param: 'x' },
  'an empty text': { string_param: '' },
  nothing: {},
};
const message = (model: string, parameters: object, more: object = {}): Record<string, unknown> => ({
  model_name: model,
  inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1n], ...more }],
  parameters,
  raw_input_contents: [Buffer.from([0, 0, 128, 63])],
});
const rpc = (model: string): ReferenceCase => ({
  name: `parameters over gRPC: ${model}`,
  run: async ({ grpcPort }) => {
    const answers: object[] = [];
    for (const [title, value] of Object.entries(PARAMS))
      for (const name of [
        'a',
        'triton_a',
        'sequence_id',
        'sequence_start',
        'priority',
        'timeout',
        'triton_enable_empty_final_response',
        'headers',
        '',
      ])
        answers.push({
          step: `${name} ${title}`,
          ...(await grpcCall(grpcPort, 'ModelInfer', message(model, { [name]: value }))),
        });
    return answers;
  },
});
const streamed: ReferenceCase = {
  name: 'parameters on a stream',
  run: async ({ grpcPort }) => {
    const answers: object[] = [];
    for (const [title, value] of Object.entries(PARAMS))
      for (const name of ['a', 'triton_a', 'triton_enable_empty_final_response', 'sequence_id', 'timeout'])
        answers.push({
          step: `${name} ${title}`,
          answer: await grpcStream(grpcPort, [message('tells', { [name]: value })]),
        });
    return answers;
  },
};
const TENSOR_NAMES = [
  'a',
  'triton_a',
  'binary_data',
  'binary_data_size',
  'shared_memory_region',
  'shared_memory_offset',
  'shared_memory_byte_size',
];
const ofTensors = (name: string): ReferenceCase => ({
  name: `parameters of tensors: ${name}`,
  run: async (target) => {
    const answers: object[] = [];
    for (const value of SOME) {
      const parameters = `{"${name}":${value}}`;
      const onInput = `{"inputs":[${input.replace('}', `,"parameters":${parameters}}`)}]}`;
      const onOutput = `{"inputs":[${input}],"outputs":[{"name":"OUTPUT0","parameters":${parameters}}]}`;
      answers.push({
        step: `of the input ${parameters}`,
        answer: await ask(target, post('/v2/models/tells/infer', onInput)),
      });
      answers.push({
        step: `of the output ${parameters}`,
        answer: await ask(target, post('/v2/models/tells/infer', onOutput)),
      });
    }
    for (const [title, value] of Object.entries(PARAMS)) {
      answers.push({
        step: `gRPC, of the input ${title}`,
        ...(await grpcCall(
          target.grpcPort,
          'ModelInfer',
          message('tells', {}, { parameters: { [name]: value } }),
        )),
      });
      answers.push({
        step: `gRPC, of the output ${title}`,
        ...(await grpcCall(target.grpcPort, 'ModelInfer', {
          ...message('tells', {}),
          outputs: [{ name: 'OUTPUT0', parameters: { [name]: value } }],
        })),
      });
    }
    return answers;
  },
});

/** Which of two faults is told. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['classification', 'shared_memory_offset'],
  ['shared_memory_offset', 'binary_data'],
  ['binary_data', 'shared_memory_byte_size'],
  ['shared_memory_byte_size', 'shared_memory_offset'],
  ['shared_memory_region', 'shared_memory_offset'],
  ['shared_memory_region', 'shared_memory_byte_size'],
];
const paired: ReferenceCase = {
  name: 'two faulty parameters of tensors',
  run: async (target) => {
    const answers: object[] = [];
    const inputs = [
      '"data":["x"],"parameters":{"shared_memory_offset":"x"}',
      '"data":5,"parameters":{"shared_memory_offset":-1}',
      '"parameters":{"binary_data_size":4,"shared_memory_offset":"x"}',
      '"parameters":{"binary_data_size":"x","shared_memory_offset":"x"}',
      '"parameters":{"shared_memory_region":5,"shared_memory_offset":"x"}',
      '"parameters":{"shared_memory_region":"x","shared_memory_offset":"x","shared_memory_byte_size":"x"}',
      '"parameters":{"shared_memory_region":"x","shared_memory_byte_size":"x"}',
    ];
    for (const rest of inputs) {
      const call = post(
        '/v2/models/tells/infer',
        `{"inputs":[{"name":"INPUT0","datatype":"FP32","shape":[1],${rest}}]}`,
      );
      answers.push({ step: rest, answer: await ask(target, call) });
    }
    for (const [one, other] of PAIRS)
      for (const value of ['"x"', '{}', '-1']) {
        const parameters = `{"${one}":${value},"${other}":${value}}`;
        const call = post(
          '/v2/models/tells/infer',
          `{"inputs":[${input}],"outputs":[{"name":"OUTPUT0","parameters":${parameters}}]}`,
        );
        answers.push({ step: parameters, answer: await ask(target, call) });
      }
    return answers;
  },
};

export const PARAMETER_SCENE: Scene = {
  name: 'parameters of every kind',
  repositories: sameFor(models),
  restarts: true,
  cases: [
    walk('values', 'tells', values),
    walk('objects', 'tells', ODD),
    walk(
      'names',
      'tells',
      NAMES.flatMap((name) => SOME.map((value) => `{"${name}":${value}}`)),
    ),
    walk('values, through an ensemble', 'above', [...values, ...ODD]),
    walk(
      'sequences',
      'numbered',
      IDS.map((id) => `{"sequence_id":${id},"sequence_start":true,"sequence_end":true}`),
    ),
    walk(
      'sequences without sequences',
      'tells',
      IDS.map((id) => `{"sequence_id":${id},"sequence_start":true,"sequence_end":true}`),
    ),
    walk(
      'levels and timeouts',
      'levels',
      ['priority', 'timeout'].flatMap((name) => VALUES.map((value) => `{"${name}":${value}}`)),
    ),
    rpc('tells'),
    rpc('above'),
    streamed,
    ...TENSOR_NAMES.map(ofTensors),
    paired,
  ],
};

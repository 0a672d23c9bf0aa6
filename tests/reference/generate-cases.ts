// What `generate` and `generate_stream` make of the members of a body: which become inputs, which parameters, which values
// are refused, and how answers of several outputs or several responses look.

import { post } from './http-calls.ts';
import { pythonFiles } from './python-models.ts';
import type { ReferenceCase } from './reference-case.ts';
import { script } from './reference-case.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';
import type { WireCase } from './wire-cases.ts';

/** Answers what came: each input's type, shape and values, and the parameters. */
const SHOWS = `class TritonPythonModel:
    def execute(self, requests):
        responses = []
        for request in requests:
            told = []
            for tensor in request.inputs():
                values = tensor.as_numpy()
                told.append(f"{tensor.name()} {values.dtype} {list(values.shape)} {values.reshape(-1)[:6].tolist()}")
            told = sorted(told) + [json.dumps(json.loads(request.parameters()), sort_keys=True)]
            responses.append(pb_utils.InferenceResponse([pb_utils.Tensor("TOLD", np.array(["; ".join(told).encode()], np.object_))]))
        return responses
`;
const input = (name: string, type: string, dims = '-1', more = ''): string =>
  `{ name: "${name}" data_type: TYPE_${type} dims: [ ${dims} ] ${more} }`;
const told = (inputs: readonly string[], more = ''): string =>
  `input [ ${inputs.join(', ')} ]\noutput [ ${input('TOLD', 'STRING')} ]\n${more}`;

/** Sends its counts and its text, so many times as its first input says; -1 is an error response. */
const SENDS = `class TritonPythonModel:
    def execute(self, requests):
        for request in requests:
            sender = request.get_response_sender()
            for value in first(request, "COUNT").reshape(-1):
                if value < 0:
                    sender.send(pb_utils.InferenceResponse(error=pb_utils.TritonError(f"below zero: {value}")))
                elif value == 0:
                    sender.send(pb_utils.InferenceResponse([pb_utils.Tensor("NUMBER", np.zeros([0], np.int32)), pb_utils.Tensor("TEXT", np.array([], np.object_)), pb_utils.Tensor("REAL", np.zeros([0, 2], np.float32))]))
                else:
                    text = np.array(["a\\"b\\n\\u00e9".encode()] * value, np.object_)
                    sender.send(pb_utils.InferenceResponse([pb_utils.Tensor("NUMBER", np.arange(value, dtype=np.int32)), pb_utils.Tensor("TEXT", text), pb_utils.Tensor("REAL", np.full([value, 2], 0.5, np.float32))]))
            sender.send(flags=pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
        return None
`;
const SENT = `input [ ${input('COUNT', 'INT32')} ]
output [ ${input('NUMBER', 'INT32')}, ${input('TEXT', 'STRING')}, ${input('REAL', 'FP32', '-1, 2')} ]
model_transaction_policy { decoupled: true }`;

const TYPES = ['BOOL', 'UINT8', 'UINT64', 'INT8', 'INT64', 'FP16', 'BF16', 'FP64', 'STRING'];

const models: RepositoryFiles = {
  ...pythonFiles('two', SHOWS, told([input('A', 'INT32'), input('B', 'STRING')])),
  ...pythonFiles('maybe', SHOWS, told([input('A', 'INT32'), input('B', 'STRING', '-1', 'optional: true')])),
  ...pythonFiles('grid', SHOWS, told([input('A', 'FP32', '-1, -1')])),
  ...pythonFiles('rows', SHOWS, told([input('A', 'INT32', '2')], 'max_batch_size: 4')),
  ...pythonFiles('pairs', SHOWS, told([input('A', 'INT32', '-1, 2')])),
  ...pythonFiles('last', SHOWS, told([input('A', 'INT32', '2, -1')])),
  ...pythonFiles('cube', SHOWS, told([input('A', 'INT32', '-1, 2, -1')])),
  ...pythonFiles('fixed', SHOWS, told([input('A', 'INT32', '2, 1')])),
  ...pythonFiles('single', SHOWS, told([input('A', 'INT32', '1')])),
  ...pythonFiles('single_row', SHOWS, told([input('A', 'INT32', '1')], 'max_batch_size: 4')),
  ...Object.assign(
    {},
    ...TYPES.map((type) => pythonFiles(type.toLowerCase(), SHOWS, told([input('A', type)]))),
  ),
  ...pythonFiles('sends', SENDS, SENT),
  ...pythonFiles(
    'sums',
    SHOWS,
    told([input('A', 'INT32', '1')], 'max_batch_size: 2\nsequence_batching { direct {} }'),
  ),
  'over/config.pbtxt':
    `platform: "ensemble"\n${told([input('A', 'INT32')])}\nensemble_scheduling { step [ { model_name: "two" model_version: -1
  input_map { key: "A" value: "A" } input_map { key: "B" value: "B" } output_map { key: "TOLD" value: "TOLD" } } ] }`.replace(
      input('A', 'INT32'),
      `${input('A', 'INT32')}, ${input('B', 'STRING')}`,
    ),
  'over/1/': '',
};

const generate = (model: string, body: string, verb = 'generate'): WireCase =>
  post(`/v2/models/${model}/${verb}`, body);
const asked = (title: string, model: string, bodies: readonly string[], verb = 'generate'): ReferenceCase =>
  script(
    `generate fields: ${title}`,
    bodies.map((body) => generate(model, body, verb)),
  );

const VALUES = [
  '1',
  '"1"',
  '[1,0]',
  '[]',
  '[[1],[0]]',
  'true',
  '-1',
  '256',
  '1.5',
  '18446744073709551615',
  '-9223372036854775808',
  '18446744073709551616',
  'null',
  '[null]',
  '["a"]',
  '[true,1]',
  '{}',
  '1e2',
];

const FIELDS: readonly ReferenceCase[] = [
  asked('two inputs', 'two', [
    '{"A":1,"B":"x"}',
    '{"B":"x","A":[1,2]}',
    '{"A":1}',
    '{"B":"x"}',
    '{}',
    '{"a":1,"b":"x"}',
    '{"A":1,"B":"x","C":1}',
    '{"A":1,"B":["x","y",""]}',
    '{"A":1,"B":""}',
    '{"A":1,"B":"\\u0000\\ud83d\\ude00"}',
    '{"A":1,"B":"x","id":"named"}',
    '{"A":1,"B":"x","id":""}',
    '{"A":1,"B":"x","id":null}',
    '{"A":1,"B":"x","id":["a"]}',
    '{"A":1,"B":"x","parameters":{}}',
    '{"A":1,"B":"x","parameters":{"p":"q","n":2,"t":true,"f":0.5}}',
    '{"A":1,"B":"x","parameters":{"p":{}}}',
    '{"A":1,"B":"x","parameters":{"p":null}}',
    '{"A":1,"B":"x","parameters":{"p":[1]}}',
    '{"A":1,"B":"x","parameters":[]}',
    '{"A":1,"B":"x","parameters":null}',
    '{"A":1,"B":"x","parameters":"y"}',
    '{"A":1,"parameters":{"B":"x"}}',
    '{"A":1,"parameters":{"B":"x","q":1},"q":2}',
    '{"A":1,"B":"x","inputs":[]}',
    '{"A":1,"B":"x","outputs":[{"name":"TOLD"}]}',
    '{"A":1,"B":"x","model_name":"maybe"}',
    '{"A":1,"B":"x","stream":true}',
    '{"A":1,"B":"x","max_tokens":-5,"temperature":0.25,"stop":"."}',
    '{"A":1,"B":"x","big":18446744073709551615}',
    '{"A":1,"B":"x","low":-9223372036854775808}',
    '{"A":1,"B":"x","high":9223372036854775808}',
    '{"A":1,"B":"x","priority":"high"}',
    '{"A":1,"B":"x","timeout":-1}',
    '{"A":1,"B":"x","timeout":1000000}',
    '{"A":1,"B":"x","sequence_id":5}',
    '{"A":1,"B":"x","sequence_start":"yes"}',
    '{"A":1,"B":"x","binary_data_output":true}',
    '{"A":1,"B":"x","binary_data_output":1}',
    '{"A":1,"B":"x","headers":"1"}',
    '{"A":1,"B":"x","triton_enable_empty_final_response":true}',
    '{"A":1,"B":"x","":1}',
    '{"A":1,"B":"x","A":2}',
    '{"A":1,"B":"x"',
    '{"A":1,"B":"x"}}',
    '{"A":1,"B":"x"} more',
    ' {"A":1,"B":"x"} ',
    'null',
    '"text"',
    '5',
    '[{"A":1,"B":"x"}]',
    "{'A':1}",
    '{"A":NaN,"B":"x"}',
    '{"A":01,"B":"x"}',
  ]),
  asked('an input that may be missing', 'maybe', [
    '{"A":1}',
    '{"A":1,"B":"x"}',
    '{"A":1,"B":null}',
    '{"A":1,"B":[]}',
    '{"B":"x"}',
    '{"A":1,"parameters":{"B":"x"}}',
  ]),
  asked('a grid', 'grid', ['{"A":1}', '{"A":[1,2]}', '{"A":[[1,2],[3,4]]}', '{"A":[[1,2],[3]]}', '{"A":[]}']),
  asked('rows', 'rows', [
    '{"A":1}',
    '{"A":[1,2]}',
    '{"A":[1,2,3]}',
    '{"A":[1,2,3,4]}',
    '{"A":[[1,2],[3,4]]}',
    '{"A":[[[1,2]]]}',
    '{"A":[]}',
    '{"A":[1,2,3,4,5,6,7,8,9,10]}',
  ]),
  asked('one element', 'single', ['{"A":1}', '{"A":[1]}', '{"A":[[1]]}', '{"A":[1,2]}', '{"A":[]}']),
  asked('one element a row', 'single_row', [
    '{"A":1}',
    '{"A":[1]}',
    '{"A":[1,2]}',
    '{"A":[[1],[2]]}',
    '{"A":[]}',
  ]),
  asked('nothing for variable dimensions', 'pairs', ['{"A":[]}', '{"A":[1,2]}', '{"A":1}']),
  asked('nothing for the last dimension', 'last', ['{"A":[]}', '{"A":[1,2]}', '{"A":1}']),
  asked('nothing for two of three', 'cube', ['{"A":[]}', '{"A":[1,2]}', '{"A":1}']),
  asked('nothing for fixed ones', 'fixed', ['{"A":[]}', '{"A":[1,2]}', '{"A":1}']),
  ...TYPES.map((type) =>
    asked(
      `values of ${type}`,
      type.toLowerCase(),
      VALUES.map((value) => `{"A":${value}}`),
    ),
  ),
  asked('an ensemble', 'over', ['{"A":1,"B":"x"}', '{"A":1}', '{"A":1,"B":"x","p":1,"id":"e"}', '{"B":[1]}']),
  asked('a sequence', 'sums', [
    '{"A":1}',
    '{"A":1,"sequence_id":7}',
    '{"A":1,"sequence_id":7,"sequence_start":true}',
    '{"A":1,"parameters":{"sequence_id":7}}',
    '{"A":1,"sequence_id":"7"}',
    '{"A":1,"sequence_id":7,"sequence_end":true}',
    '{"A":1,"sequence_id":-7,"sequence_start":true}',
    '{"A":1,"sequence_id":7.5,"sequence_start":true}',
    '{"A":1,"sequence_id":0,"sequence_start":true}',
  ]),
  asked('several responses', 'sends', [
    '{"COUNT":1}',
    '{"COUNT":[2]}',
    '{"COUNT":[0]}',
    '{"COUNT":[1,2]}',
    '{"COUNT":[]}',
    '{"COUNT":-1}',
    '{"COUNT":[1,-1]}',
    '{"COUNT":"1"}',
  ]),
  asked(
    'several responses as a stream',
    'sends',
    [
      '{"COUNT":1}',
      '{"COUNT":[1,2],"id":"s"}',
      '{"COUNT":[0,1]}',
      '{"COUNT":[]}',
      '{"COUNT":-1}',
      '{"COUNT":[1,-1,2]}',
      '{"COUNT":"1"}',
      '{"COUNT":{}}',
      '{"count":1}',
      '{"COUNT":1,"triton_enable_empty_final_response":true}',
      '{"COUNT":1,"parameters":{"triton_enable_empty_final_response":true}}',
      '{"COUNT":1,"priority":"x"}',
      '',
      '[]',
    ],
    'generate_stream',
  ),
  asked(
    'one response as a stream',
    'two',
    ['{"A":1,"B":"x"}', '{"A":1}', '{"A":"x","B":"x"}', '{"A":1,"B":"x","p":[1]}', '{"A":1,"B":"x","id":5}'],
    'generate_stream',
  ),
  script('generate fields: paths', [
    generate('nope', '{"A":1}'),
    generate('nope', '{', 'generate'),
    generate('nope', '{"A":1}', 'generate_stream'),
    generate('two/versions/1', '{"A":1,"B":"x"}'),
    generate('two/versions/1', '{"A":1,"B":"x"}', 'generate_stream'),
    generate('two/versions/2', '{"A":1,"B":"x"}'),
    generate('two/versions/x', '{"A":1,"B":"x"}'),
    generate('two', '{"A":1,"B":"x"}', 'generate/'),
    generate('two', '{"A":1,"B":"x"}', 'generate_streams'),
    generate('two', '{"A":1,"B":"x"}', 'Generate'),
    generate('two', '{"A":1,"B":"x"}', 'generate?x=1'),
    { name: 'GET generate', method: 'GET', path: '/v2/models/two/generate' },
    { name: 'PUT generate', method: 'PUT', path: '/v2/models/two/generate', body: '{"A":1,"B":"x"}' },
    { name: 'GET generate_stream', method: 'GET', path: '/v2/models/two/generate_stream' },
    {
      ...generate('two', '{"A":1,"B":"x"}'),
      name: 'with a length of a head',
      headers: { 'Inference-Header-Content-Length': '5' },
    },
    { ...generate('two', '{"A":1,"B":"x"}'), name: 'with a type', headers: { 'Content-Type': 'text/plain' } },
    {
      ...generate('two', '{"A":1,"B":"x"}', 'generate_stream'),
      name: 'a stream that accepts gzip',
      headers: { 'Accept-Encoding': 'gzip' },
    },
  ]),
];

export const GENERATE_SCENE: Scene = {
  name: 'generate',
  repositories: sameFor(models),
  args: ['--model-load-thread-count=2'],
  atOnce: 2,
  cases: FIELDS,
};

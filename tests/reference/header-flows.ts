// Forwarded headers on other ways: generate, streams, ensembles, sequences, calls between models, headers that say several
// things, and metadata in binary.

import { Metadata } from '@grpc/grpc-js';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { grpcCall } from './grpc-exchange.ts';
import { post } from './http-calls.ts';
import { ask, floats, infer } from './life-calls.ts';
import { answering, pythonFiles } from './python-models.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { playStream } from './stream-exchange.ts';
import type { WireCase } from './wire-cases.ts';

const TOLD = `input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ -1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_STRING dims: [ -1 ] } ]`;
const SHOWS = answering(`text = json.dumps(json.loads(request.parameters()), sort_keys=True)
response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", np.array([text.encode()], np.object_))])`);
const passing = (more: string): string =>
  answering(`asked = pb_utils.InferenceRequest(model_name="shows", requested_output_names=["OUTPUT0"], inputs=[pb_utils.Tensor("INPUT0", first(request))]${more}).exec()
response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", asked.output_tensors()[0].as_numpy())])`);
const STREAMS = `class TritonPythonModel:
    def execute(self, requests):
        for request in requests:
            sender = request.get_response_sender()
            text = json.dumps(json.loads(request.parameters()), sort_keys=True)
            sender.send(pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", np.array([text.encode()], np.object_))]))
            sender.send(flags=pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
        return None
`;
const step = (model: string): string =>
  `{ model_name: "${model}" model_version: -1 input_map { key: "INPUT0" value: "INPUT0" } output_map { key: "OUTPUT0" value: "OUTPUT0" } }`;

const models: RepositoryFiles = {
  ...pythonFiles('shows', SHOWS, TOLD),
  ...pythonFiles('streams', STREAMS, `${TOLD}\nmodel_transaction_policy { decoupled: true }`),
  ...pythonFiles('sequence', SHOWS, `${TOLD}\nmax_batch_size: 2\nsequence_batching { direct {} }`),
  ...pythonFiles('passes', passing(', parameters=json.loads(request.parameters())'), TOLD),
  ...pythonFiles('keeps', passing(''), TOLD),
  'chain/config.pbtxt': `platform: "ensemble"\n${TOLD}\nensemble_scheduling { step [ ${step('shows')} ] }`,
  'chain/1/': '',
};

const MY = { my_one: '1', 'X-My': 'two', other: 'no' };
const headed = (name: string, call: WireCase, headers: Record<string, string>): ReferenceCase => ({
  name: `forwarded: ${name}`,
  run: (target) => ask(target, { ...call, headers }),
});
const metadataOf = (pairs: readonly (readonly [string, string | Buffer])[]): Metadata => {
  const metadata = new Metadata();
  for (const [key, value] of pairs) metadata.add(key, value);
  return metadata;
};
const message = (
  model: string,
  parameters: object = {},
  shape: readonly number[] = [1],
): Record<string, unknown> => ({
  model_name: model,
  parameters,
  inputs: [{ name: 'INPUT0', datatype: 'FP32', shape }],
  raw_input_contents: [Buffer.alloc(4)],
});
const overGrpc = (
  name: string,
  pairs: readonly (readonly [string, string | Buffer])[],
  sent: Record<string, unknown> = message('shows'),
): ReferenceCase => ({
  name: `forwarded over gRPC: ${name}`,
  run: ({ grpcPort }) => grpcCall(grpcPort, 'ModelInfer', sent, metadataOf(pairs)),
});

const CASES: readonly ReferenceCase[] = [
  headed('generate', post('/v2/models/shows/generate', { INPUT0: 1 }), MY),
  headed('generate with a parameter', post('/v2/models/shows/generate', { INPUT0: 1, my_one: 'body' }), MY),
  headed(
    'generate with parameters inside',
    post('/v2/models/shows/generate', { INPUT0: 1, parameters: { my_one: 5, q: true } }),
    MY,
  ),
  headed('generate_stream', post('/v2/models/streams/generate_stream', { INPUT0: 1 }), MY),
  headed('generate of a decoupled model', post('/v2/models/streams/generate', { INPUT0: 1 }), MY),
  headed('a decoupled model', infer('streams', floats([1])), MY),
  headed('an ensemble', infer('chain', floats([1])), MY),
  headed('an ensemble with parameters', infer('chain', { ...floats([1]), parameters: { q: 1 } }), MY),
  headed('a call that passes parameters', infer('passes', floats([1])), MY),
  headed('a call that does not', infer('keeps', floats([1])), MY),
  headed(
    'a sequence',
    infer('sequence', {
      ...floats([1], [1, 1]),
      parameters: { sequence_id: 5, sequence_start: true, sequence_end: true },
    }),
    MY,
  ),
  headed('a parameter of another type', infer('shows', { ...floats([1]), parameters: { my_one: 7 } }), MY),
  headed('a parameter in other letters', infer('shows', { ...floats([1]), parameters: { MY_ONE: 7 } }), MY),
  headed('an empty value', infer('shows', floats([1])), { my_one: '' }),
  headed('a number', infer('shows', floats([1])), { my_one: '5' }),
  headed('a truth', infer('shows', floats([1])), { my_one: 'true' }),
  headed('JSON', infer('shows', floats([1])), { my_one: '{"a":[1,"b"]}' }),
  headed('quotes and backslashes', infer('shows', floats([1])), { my_one: 'a"b\\c' }),
  headed('commas', infer('shows', floats([1])), { my_one: 'a, b,c' }),
  headed('a long value', infer('shows', floats([1])), { my_one: 'x'.repeat(4000) }),
  headed('a byte that is no UTF-8', infer('shows', floats([1])), { my_one: 'é' }),
  headed('UTF-8', infer('shows', floats([1])), { my_one: Buffer.from('é€😀').toString('latin1') }),
  headed('names with dots and signs', infer('shows', floats([1])), { 'my.one': '1', 'my!two': '2', my: '3' }),
  headed('standard headers', infer('shows', floats([1])), {
    'X-Forwarded-For': '1.2.3.4',
    'User-Agent': 'mine',
  }),
  headed('a request that is refused', infer('shows', { inputs: [] }), MY),
  headed('a header of the protocol', infer('shows', floats([1])), {
    'my-inference-header-content-length': '5',
  }),
  overGrpc('several', [
    ['my_one', '1'],
    ['x-my', '2'],
    ['other', '3'],
  ]),
  overGrpc('the same twice', [
    ['my_one', '1'],
    ['my_one', '2'],
  ]),
  overGrpc('binary', [['my-bin', Buffer.from([0, 1, 255])]]),
  overGrpc('binary text', [['my-bin', Buffer.from('text')]]),
  overGrpc('beside a parameter', [['my_one', '1']], message('shows', { my_one: { int64_param: 5 } })),
  overGrpc('an ensemble', [['my_one', '1']], message('chain')),
  overGrpc('a call that passes', [['my_one', '1']], message('passes')),
  overGrpc('an empty value', [['my_one', '']]),
  overGrpc('commas', [['my_one', 'a, b,c']]),
  overGrpc(
    'a sequence',
    [['my_one', '1']],
    message(
      'sequence',
      {
        sequence_id: { int64_param: 5 },
        sequence_start: { bool_param: true },
        sequence_end: { bool_param: true },
      },
      [1, 1],
    ),
  ),
  overGrpc('a long value', [['my_one', 'x'.repeat(3000)]]),
  overGrpc('what the client sends itself', [['my_grpc-timeout', '5']]),
  {
    name: 'forwarded over a stream',
    run: ({ grpcPort }) =>
      playStream(grpcPort, [message('streams'), message('shows', { q: { bool_param: true } }), 200], {
        metadata: { my_one: '1', other: '2' },
      }),
  },
];

const scene = (name: string, args: readonly string[], cases: readonly ReferenceCase[]): Scene => ({
  name: `forwarded headers ${name}`,
  repositories: () => [models],
  args,
  cases,
});

export const HEADER_FLOW_SCENES: readonly Scene[] = [
  scene(
    'everywhere',
    ['--http-header-forward-pattern=(my|X-).*', '--grpc-header-forward-pattern=(my|x-).*'],
    CASES,
  ),
  scene(
    'over one of both',
    ['--http-header-forward-pattern=my_one'],
    [CASES[0], CASES[6], CASES[11], CASES[25], CASES[30]].flatMap((one) =>
      one === undefined ? [] : [{ ...one, name: `${one.name}, over HTTP only` }],
    ),
  ),
];

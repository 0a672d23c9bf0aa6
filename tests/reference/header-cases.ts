// Header forwarding: which headers become parameters of a request, by pattern.

import { Metadata } from '@grpc/grpc-js';
import { grpcCall } from './grpc-exchange.ts';
import { post } from './http-calls.ts';
import { ask, floats } from './life-calls.ts';
import { answering, pythonFiles } from './python-models.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';

const SHOWS = answering(`text = json.dumps(json.loads(request.parameters()), sort_keys=True)
response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", np.array([text.encode()], np.object_))])`);

const MODEL = pythonFiles(
  'shows',
  SHOWS,
  `input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ -1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_STRING dims: [ -1 ] } ]`,
);

type Headers = Readonly<Record<string, string | readonly string[]>>;

const HEADERS: readonly Headers[] = [
  { my_one: '1' },
  { My_One: '1', 'X-My': '2' },
  { MY_ONE: 'A  b', other: 'c' },
  { my_one: '1', my_two: '2' },
  { my_one: ['1', '2'] },
  { my_sequence_id: '5', my_priority: '7' },
  { sequence_id: '5' },
  { Priority: '5' },
  { priority: '5' },
  { triton_my: '5' },
  { Triton_My: '5' },
  { binary_data_output: 'true' },
  { my_one: '' },
  { my_one: 'a\tb' },
];

const inHttp = (headers: Headers, parameters: object): ReferenceCase => ({
  name: `headers over HTTP ${JSON.stringify(headers)} ${JSON.stringify(parameters)}`,
  run: (target) =>
    ask(target, { ...post('/v2/models/shows/infer', { parameters, ...floats([1]) }), headers }),
});

const inGrpc = (headers: Headers): ReferenceCase => ({
  name: `headers over gRPC ${JSON.stringify(headers)}`,
  run: ({ grpcPort }) => {
    const metadata = new Metadata();
    for (const [name, values] of Object.entries(headers))
      for (const value of [values].flat()) metadata.add(name, value);
    const input = { name: 'INPUT0', datatype: 'FP32', shape: [1n] };
    const message = { model_name: 'shows', inputs: [input], raw_input_contents: [Buffer.alloc(4)] };
    return grpcCall(grpcPort, 'ModelInfer', message, metadata);
  },
});

const scene = (name: string, pattern: string): Scene => ({
  name: `headers ${name}`,
  repositories: () => [MODEL],
  args: [`--http-header-forward-pattern=${pattern}`, `--grpc-header-forward-pattern=${pattern}`],
  cases: [
    ...HEADERS.map((headers) => inHttp(headers, {})),
    inHttp({ my_one: 'header' }, { my_one: 'parameter' }),
    ...HEADERS.map(inGrpc),
  ].map((one) => ({ ...one, name: `${one.name} with ${pattern}` })),
});

export const HEADER_SCENES: readonly Scene[] = [
  scene('anywhere', 'my|priority|sequence_id|binary'),
  scene('with case', '(?-i)My_|X-'),
  scene('anchored', '^my_(?P<rest>.*)$'),
  scene('flag inside', 'nothing|(?-i)MY_.*|^[[:alpha:]]+_one$'),
  scene('group with flags', '^(?-i:my)_(?i)ONE\\z'),
  scene('invalid', '(?<!a)my'),
  scene('triton', '^(triton|priority).*'),
];

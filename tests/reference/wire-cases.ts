// Requests that are sent unchanged to the reference server and to ours; both answers must agree. The models are
// `add_sub` (INT32 [16], max_batch_size 8: sum and difference) and `echo` (any number of unbatched pairs by type).

export interface WireCase {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** A name with several values is sent several times. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Uint8Array | string;
  /** Parts of the body that differ by nature (versions, times); replaced before comparing. */
  readonly ignore?: readonly RegExp[];
}

const INFER = '/v2/models/add_sub/infer';
const ones = Array<number>(16).fill(1);
const range = ones.map((_, index) => index);

function input(name: string, change: object = {}): object {
  return { name, datatype: 'INT32', shape: [1, 16], data: name === 'INPUT0' ? range : ones, ...change };
}

function body(change: object = {}): string {
  return JSON.stringify({ id: 'r1', inputs: [input('INPUT0'), input('INPUT1')], ...change });
}

function infer(
  name: string,
  text: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): WireCase {
  return { name, method: 'POST', path: INFER, body: text, headers };
}

function int32(values: readonly number[]): Buffer {
  return Buffer.from(Int32Array.from(values).buffer);
}

/** JSON head followed by raw tensors. */
function binary(name: string, head: object, tensors: readonly Buffer[], headLength?: string): WireCase {
  const text = Buffer.from(JSON.stringify(head));
  return infer(name, Buffer.concat([text, ...tensors]), {
    'Inference-Header-Content-Length': headLength ?? String(text.byteLength),
    'Content-Type': 'application/octet-stream',
  });
}

const binaryInput = (name: string, size = 64) => ({
  name,
  datatype: 'INT32',
  shape: [1, 16],
  parameters: { binary_data_size: size },
});
const twoBinary = { inputs: [binaryInput('INPUT0'), binaryInput('INPUT1')] };
const tensors = [int32(range), int32(ones)];

const get = (name: string, path: string, ignore?: readonly RegExp[]): WireCase => ({
  name,
  method: 'GET',
  path,
  ...(ignore === undefined ? {} : { ignore }),
});
const post = (name: string, path: string, text = ''): WireCase => ({
  name,
  method: 'POST',
  path,
  body: text,
});

const management: readonly WireCase[] = [
  get('server live', '/v2/health/live'),
  get('server ready', '/v2/health/ready'),
  get('server metadata', '/v2', [/"version":"[^"]*"/]),
  get('model ready', '/v2/models/add_sub/ready'),
  get('model ready with version', '/v2/models/add_sub/versions/1/ready'),
  get('unknown model ready', '/v2/models/nope/ready'),
  get('unknown version ready', '/v2/models/add_sub/versions/9/ready'),
  get('model metadata', '/v2/models/add_sub', [/"platform":"[^"]*"/]),
  get('unknown model metadata', '/v2/models/nope'),
  get('unknown version metadata', '/v2/models/add_sub/versions/9'),
  get('unknown model config', '/v2/models/nope/config'),
  get('statistics of an unknown model', '/v2/models/nope/stats'),
  get('statistics of an unknown version', '/v2/models/add_sub/versions/9/stats'),
  get('no such route', '/v2/nothing'),
  get('root', '/'),
  get('absolute target', 'http://localhost/v2/health/live'),
  get('absolute target without a route', 'http://localhost/nothing'),
  get('v1', '/v1/models'),
  post('POST where GET is meant', '/v2/health/live'),
  { name: 'DELETE a model', method: 'DELETE', path: '/v2/models/add_sub' },
  { name: 'PUT infer', method: 'PUT', path: INFER, body: body() },
  get('GET infer', INFER),
  post('index', '/v2/repository/index'),
  post('index of ready models', '/v2/repository/index', '{"ready":true}'),
  post('index with broken JSON', '/v2/repository/index', '{"ready":'),
  post('index with a wrong type', '/v2/repository/index', '{"ready":"yes"}'),
  get('GET index', '/v2/repository/index'),
  post('load an unknown model', '/v2/repository/models/nope/load'),
  post('unload an unknown model', '/v2/repository/models/nope/unload'),
  post('load with an unknown parameter', '/v2/repository/models/add_sub/load', '{"parameters":{"x":"y"}}'),
  post(
    'load with a config of wrong type',
    '/v2/repository/models/add_sub/load',
    '{"parameters":{"config":3}}',
  ),
  post('load with a broken config', '/v2/repository/models/add_sub/load', '{"parameters":{"config":"{"}}'),
  post('load with broken JSON', '/v2/repository/models/add_sub/load', '{"parameters"'),
  get('trace settings', '/v2/trace/setting', [/"trace_file":"[^"]*"/]),
  get('trace settings of a model', '/v2/models/add_sub/trace/setting', [/"trace_file":"[^"]*"/]),
  get('trace settings of an unknown model', '/v2/models/nope/trace/setting'),
  post('trace file cannot be set', '/v2/trace/setting', '{"trace_file":"x"}'),
  post('trace level OFF with others', '/v2/trace/setting', '{"trace_level":["OFF","TIMESTAMPS"]}'),
  post('trace rate that is no number', '/v2/trace/setting', '{"trace_rate":"x"}'),
  post('trace count below -1', '/v2/trace/setting', '{"trace_count":"-2"}'),
  post('trace setting with a number', '/v2/trace/setting', '{"trace_rate":5}'),
  get('log settings', '/v2/logging'),
  post('log file cannot be set', '/v2/logging', '{"log_file":"x"}'),
  post('log level of wrong type', '/v2/logging', '{"log_verbose_level":-1}'),
  post('log info of wrong type', '/v2/logging', '{"log_info":"x"}'),
  post('log format unknown', '/v2/logging', '{"log_format":"x"}'),
  get('system shared memory status', '/v2/systemsharedmemory/status'),
  get('unknown region', '/v2/systemsharedmemory/region/x/status'),
  post('register without key', '/v2/systemsharedmemory/region/x/register', '{"byte_size":4}'),
  post('register without size', '/v2/systemsharedmemory/region/x/register', '{"key":"/x"}'),
  post(
    'register a missing object',
    '/v2/systemsharedmemory/region/x/register',
    '{"key":"/conch-none","byte_size":4}',
  ),
  post('unregister all', '/v2/systemsharedmemory/unregister'),
  post('unregister unknown', '/v2/systemsharedmemory/region/x/unregister'),
  get('cuda status', '/v2/cudasharedmemory/status'),
];

const inference: readonly WireCase[] = [
  infer('JSON', body()),
  infer('JSON without id', body({ id: undefined })),
  infer('nested data', body({ inputs: [input('INPUT0', { data: [range] }), input('INPUT1')] })),
  infer('deeply nested data', body({ inputs: [input('INPUT0', { data: [[[range]]] }), input('INPUT1')] })),
  infer(
    'batch of 2',
    body({
      inputs: [2, 2].map((_, i) => input(`INPUT${i}`, { shape: [2, 16], data: [...range, ...range] })),
    }),
  ),
  infer('one output', body({ outputs: [{ name: 'OUTPUT1' }] })),
  infer('one binary output', body({ outputs: [{ name: 'OUTPUT1', parameters: { binary_data: true } }] })),
  infer('all outputs binary', body({ parameters: { binary_data_output: true } })),
  infer(
    'mixed outputs',
    body({ outputs: [{ name: 'OUTPUT0', parameters: { binary_data: true } }, { name: 'OUTPUT1' }] }),
  ),
  infer('classification', body({ outputs: [{ name: 'OUTPUT0', parameters: { classification: 3 } }] })),
  infer(
    'classification beyond size',
    body({ outputs: [{ name: 'OUTPUT0', parameters: { classification: 99 } }] }),
  ),
  infer('classification 0', body({ outputs: [{ name: 'OUTPUT0', parameters: { classification: 0 } }] })),
  binary('binary inputs', twoBinary, tensors),
  binary('one binary one JSON input', { inputs: [binaryInput('INPUT0'), input('INPUT1')] }, [int32(range)]),
  binary('binary too short', twoBinary, [int32(range)]),
  binary('binary too long', twoBinary, [...tensors, int32([1])]),
  binary('declared size differs from shape', { inputs: [binaryInput('INPUT0', 60), binaryInput('INPUT1')] }, [
    int32(range.slice(1)),
    int32(ones),
  ]),
  binary('head length too large', twoBinary, tensors, '100000'),
  binary('head length no number', twoBinary, tensors, 'abc'),
  binary('head length negative', twoBinary, tensors, '-5'),
  binary('head length 0', twoBinary, tensors, '0'),
  infer('empty body', ''),
  infer('broken JSON', '{"inputs":['),
  infer('JSON array', '[]'),
  infer('JSON number', '5'),
  infer('no inputs member', '{}'),
  infer('inputs no array', '{"inputs":{}}'),
  infer('no inputs', body({ inputs: [] })),
  infer('one input missing', body({ inputs: [input('INPUT0')] })),
  infer('too many inputs', body({ inputs: [input('INPUT0'), input('INPUT1'), input('INPUT2')] })),
  infer('unknown input', body({ inputs: [input('INPUT0'), input('X')] })),
  infer('same input twice', body({ inputs: [input('INPUT0'), input('INPUT0')] })),
  infer('unknown output', body({ outputs: [{ name: 'X' }] })),
  infer('same output twice', body({ outputs: [{ name: 'OUTPUT0' }, { name: 'OUTPUT0' }] })),
  infer('wrong datatype', body({ inputs: [input('INPUT0', { datatype: 'FP32' }), input('INPUT1')] })),
  infer('invalid datatype', body({ inputs: [input('INPUT0', { datatype: 'XX' }), input('INPUT1')] })),
  infer('lower-case datatype', body({ inputs: [input('INPUT0', { datatype: 'int32' }), input('INPUT1')] })),
  infer(
    'wrong shape',
    body({ inputs: [input('INPUT0', { shape: [1, 15], data: range.slice(1) }), input('INPUT1')] }),
  ),
  infer(
    'shape without batch',
    body({ inputs: [input('INPUT0', { shape: [16] }), input('INPUT1', { shape: [16] })] }),
  ),
  infer('empty shape', body({ inputs: [input('INPUT0', { shape: [] }), input('INPUT1')] })),
  infer(
    'batches differ',
    body({ inputs: [input('INPUT0', { shape: [2, 16], data: [...range, ...range] }), input('INPUT1')] }),
  ),
  infer(
    'batch too large',
    body({
      inputs: [0, 1].map((i) => input(`INPUT${i}`, { shape: [9, 16], data: Array<number>(144).fill(1) })),
    }),
  ),
  infer('negative dimension', body({ inputs: [input('INPUT0', { shape: [1, -1] }), input('INPUT1')] })),
  infer('shape of texts', body({ inputs: [input('INPUT0', { shape: ['1', '16'] }), input('INPUT1')] })),
  infer('shape missing', body({ inputs: [input('INPUT0', { shape: undefined }), input('INPUT1')] })),
  infer('name missing', body({ inputs: [input('INPUT0', { name: undefined }), input('INPUT1')] })),
  infer('datatype missing', body({ inputs: [input('INPUT0', { datatype: undefined }), input('INPUT1')] })),
  infer('data missing', body({ inputs: [input('INPUT0', { data: undefined }), input('INPUT1')] })),
  infer('too few elements', body({ inputs: [input('INPUT0', { data: range.slice(1) }), input('INPUT1')] })),
  infer('too many elements', body({ inputs: [input('INPUT0', { data: [...range, 1] }), input('INPUT1')] })),
  infer(
    'elements of texts',
    body({ inputs: [input('INPUT0', { data: range.map(String) }), input('INPUT1')] }),
  ),
  infer(
    'fractions',
    body({ inputs: [input('INPUT0', { data: range.map((v) => v + 0.5) }), input('INPUT1')] }),
  ),
  infer('data no array', body({ inputs: [input('INPUT0', { data: 5 }), input('INPUT1')] })),
  infer('id a number', body({ id: 5 })),
  infer('parameters a list', body({ parameters: [] })),
  infer('reserved parameter', body({ parameters: { triton_x: 1 } })),
  infer('null parameter', body({ parameters: { x: null } })),
  infer('custom parameters', body({ parameters: { a: 'x', b: 1, c: true, d: 1.5 } })),
  infer('priority of wrong type', body({ parameters: { priority: 'x' } })),
  infer('priority negative', body({ parameters: { priority: -1 } })),
  infer('timeout of wrong type', body({ parameters: { timeout: 'x' } })),
  infer('sequence id of wrong type', body({ parameters: { sequence_id: 1.5 } })),
  infer('sequence start of wrong type', body({ parameters: { sequence_start: 1 } })),
  infer('long sequence id', body({ parameters: { sequence_id: 'x'.repeat(129) } })),
  infer(
    'region without size',
    body({
      inputs: [
        input('INPUT0', { data: undefined, parameters: { shared_memory_region: 'x' } }),
        input('INPUT1'),
      ],
    }),
  ),
  infer(
    'unknown region',
    body({
      inputs: [
        input('INPUT0', {
          data: undefined,
          parameters: { shared_memory_region: 'x', shared_memory_byte_size: 64 },
        }),
        input('INPUT1'),
      ],
    }),
  ),
  infer('outputs no array', body({ outputs: 5 })),
  infer('unknown content encoding', body(), { 'Content-Encoding': 'br' }),
  infer('gzip that is none', body(), { 'Content-Encoding': 'gzip' }),
  { ...infer('unknown model', body()), path: '/v2/models/nope/infer' },
  { ...infer('unknown version', body()), path: '/v2/models/add_sub/versions/9/infer' },
  { ...infer('known version', body()), path: '/v2/models/add_sub/versions/1/infer' },
  { ...infer('version no number', body()), path: '/v2/models/add_sub/versions/x/infer' },
  { ...infer('generate without fields', '{}'), path: '/v2/models/add_sub/generate' },
  {
    ...infer('generate', JSON.stringify({ INPUT0: range, INPUT1: ones })),
    path: '/v2/models/add_sub/generate',
  },
  { ...infer('generate with broken JSON', '{'), path: '/v2/models/add_sub/generate' },
  { ...infer('generate of an unknown model', '{}'), path: '/v2/models/nope/generate' },
];

export const WIRE_CASES: readonly WireCase[] = [...management, ...inference];

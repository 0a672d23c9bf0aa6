// What takes several calls to see over HTTP: the life of models, versions, sequences, queues, generate, settings.

import type { ReferenceCase, Target } from './reference-case.ts';
import { overlapping, script } from './reference-case.ts';
import { exchange } from './exchange.ts';
import type { WireCase } from './wire-cases.ts';

type Json = Readonly<Record<string, unknown>>;

export function call(
  method: string,
  path: string,
  body?: string | Json,
  ignore?: readonly RegExp[],
): WireCase {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  return {
    name: `${method} ${path} ${text ?? ''}`.trim(),
    method,
    path,
    ...(text === undefined ? {} : { body: text }),
    ...(ignore === undefined ? {} : { ignore }),
  };
}

const get = (path: string): WireCase => call('GET', path);
const post = (path: string, body: string | Json = ''): WireCase => call('POST', path, body);
const ints = (name: string, data: readonly number[], shape: readonly number[] = [data.length]): Json => ({
  name,
  datatype: 'INT32',
  shape,
  data,
});
const infer = (model: string, inputs: readonly Json[], more: Json = {}): WireCase =>
  post(`/v2/models/${model}/infer`, { inputs, ...more });

interface IndexEntry {
  readonly name: string;
  readonly version?: string;
  readonly state?: string;
}

/** Entries of these models once nothing loads or unloads any more. */
async function settledIndex(httpPort: number, models: readonly string[]): Promise<readonly IndexEntry[]> {
  for (;;) {
    const { body } = await exchange(httpPort, post('/v2/repository/index'));
    const entries = (JSON.parse(body) as IndexEntry[]).filter(({ name }) => models.includes(name));
    if (entries.every(({ state }) => state !== 'LOADING' && state !== 'UNLOADING'))
      return entries.sort((a, b) => `${a.name}/${a.version}`.localeCompare(`${b.name}/${b.version}`));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The index in order of name and version, which servers choose freely. */
function indexCase(name: string, before: readonly WireCase[], models: readonly string[]): ReferenceCase {
  return {
    name: `HTTP script: ${name}`,
    run: async ({ httpPort }: Target) => {
      const answers: unknown[] = [];
      for (const step of before) {
        answers.push({ step: step.name, ...(await exchange(httpPort, step)) });
        answers.push(await settledIndex(httpPort, models));
      }
      return answers;
    },
  };
}

const control = (model: string, verb: 'load' | 'unload', body: string | Json = ''): WireCase =>
  post(`/v2/repository/models/${model}/${verb}`, body);
const echo = infer('lifecycle', [ints('INPUT0', [1, 2])]);
const twinConfig = (change: Json): Json => ({ parameters: { config: JSON.stringify(change) } });

/** The twins run on different backends. */
const PLATFORM = [/"platform":"(python|javascript)"/];

const repository: readonly ReferenceCase[] = [
  indexCase(
    'unload and load',
    [
      control('lifecycle', 'unload'),
      echo,
      post('/v2/models/lifecycle/versions/1/infer', { inputs: [ints('INPUT0', [1])] }),
      get('/v2/models/lifecycle'),
      get('/v2/models/lifecycle/config'),
      get('/v2/models/lifecycle/stats'),
      get('/v2/models/lifecycle/versions/1/stats'),
      get('/v2/models/lifecycle/ready'),
      get('/v2/models/lifecycle/trace/setting'),
      get('/v2/health/ready'),
      control('lifecycle', 'unload'),
      control('lifecycle', 'load'),
      control('lifecycle', 'load'),
      echo,
    ],
    ['lifecycle'],
  ),
  indexCase(
    'unload an ensemble and its members',
    [
      control('chain_later', 'load'),
      control('chain_later', 'unload'),
      get('/v2/models/echo_int32/ready'),
      control('chain_later', 'load'),
      control('chain_later', 'unload', { parameters: { unload_dependents: true } }),
      get('/v2/models/echo_int32/ready'),
      control('chain_later', 'unload', { parameters: { unload_dependents: 'yes' } }),
    ],
    ['chain_later', 'echo_int32'],
  ),
  indexCase(
    'unload the member of ensembles',
    [
      control('echo_int32', 'unload'),
      get('/v2/models/chain/ready'),
      get('/v2/health/ready'),
      control('echo_int32', 'load'),
      control('chain', 'load'),
      infer('chain', [ints('INPUT0', [4, 5])]),
    ],
    ['chain', 'echo_int32'],
  ),
  indexCase(
    'a model that was never loaded',
    [get('/v2/models/broken/ready'), get('/v2/models/broken')],
    ['broken'],
  ),
  script('load bodies', [
    control('lifecycle', 'load', '[]'),
    control('lifecycle', 'load', '{}'),
    control('lifecycle', 'load', '5'),
    control('lifecycle', 'load', '{"parameters":[]}'),
    control('lifecycle', 'load', '{"parameters":{}}'),
    control('lifecycle', 'load', '{"parameters":null}'),
    control('lifecycle', 'load', '{"parameters":{"config":""}}'),
    control('lifecycle', 'load', twinConfig({ name: 'another' })),
    control('lifecycle', 'load', twinConfig({ nonsense: 1 })),
    control('lifecycle', 'load', '{"parameters":{"file:1/x":"AAAA"}}'),
    control('lifecycle', 'load', '{"parameters":{"file:1/x":5}}'),
    control('lifecycle', 'load', '{"other":1}'),
    control('lifecycle', 'unload', '[]'),
    control('lifecycle', 'load'),
    control('lifecycle', 'unload', '{"parameters":{"other":1}}'),
    control('lifecycle', 'load'),
    control('lifecycle', 'unload', '{"broken'),
    control('lifecycle', 'load'),
    post('/v2/repository/somewhere/index'),
    post('/v2/repository/somewhere/models/lifecycle/load'),
    post('/v2/repository/somewhere/models/lifecycle/unload'),
    echo,
  ]),
  script('versions', [
    call('GET', '/v2/models/versions', undefined, PLATFORM),
    call('GET', '/v2/models/versions/versions/2', undefined, PLATFORM),
    get('/v2/models/versions/versions/4'),
    get('/v2/models/versions/versions/0'),
    call('GET', '/v2/models/versions/versions/02', undefined, PLATFORM),
    get('/v2/models/versions/versions/99999999999999999999'),
    get('/v2/models/versions/versions/-1'),
    get('/v2/models/versions/versions/'),
    infer('versions', [ints('INPUT0', [1])]),
    post('/v2/models/versions/versions/1/infer', { inputs: [ints('INPUT0', [1])] }),
    get('/v2/models/versions/versions/2/ready'),
  ]),
];

const metadata: readonly ReferenceCase[] = [
  script(
    'metadata of models of all kinds',
    ['echo_bytes', 'batched', 'optional', 'reshaped', 'accumulate', 'repeat', 'chain'].map((model) =>
      call('GET', `/v2/models/${model}`, undefined, PLATFORM),
    ),
  ),
  script(
    'configurations of models of all kinds',
    [
      'echo_bytes',
      'batched',
      'optional',
      'reshaped',
      'accumulate',
      'repeat',
      'chain',
      'patient',
      'versions',
      'cached',
    ].map((model) =>
      call('GET', `/v2/models/${model}/config`, undefined, [
        /"(backend|default_model_filename)":"[^"]*"/,
        /"(backend|default_model_filename)":"[^"]*"/,
        /"runtime":"[^"]*"/,
      ]),
    ),
  ),
  script('paths', [
    get('/v2/'),
    get('/v2/models'),
    get('/v2/models/'),
    get('/v2/models/add_sub/'),
    get('/v2/models/add_sub/nothing'),
    get('/v2/models/add_sub/versions'),
    get('/v2/models/add_sub/versions/1/trace/setting'),
    get('/v2/health'),
    get('/v2/repository/models/add_sub'),
    get('/metrics'),
    call('GET', '/v2?x=1', undefined, [/"version":"[^"]*"/]),
    get('/v2/health/live?x=1'),
    get('/V2'),
    get('//v2'),
    get('/v2/models/stats/ready'),
    call('HEAD', '/v2/health/live'),
    call('OPTIONS', '/v2'),
    call('PATCH', '/v2'),
    call('DELETE', '/v2/nothing'),
    call('PUT', '/v2/logging'),
    call('PUT', '/v2/trace/setting'),
    call('DELETE', '/v2/systemsharedmemory/status'),
    post('/v2/models/stats'),
    post('/v2/models/add_sub/config'),
    get('/v2/systemsharedmemory/region/x/register'),
    get('/v2/models/add_sub/generate'),
  ]),
];

const step = (id: unknown, value: number, flags: Json = {}): WireCase =>
  infer('accumulate', [ints('INPUT', [value], [1, 1])], { parameters: { sequence_id: id, ...flags } });

const sequences: readonly ReferenceCase[] = [
  script('sequences in turns', [
    step(1, 1, { sequence_start: true }),
    step(2, 10, { sequence_start: true }),
    step(1, 2),
    step(2, 20),
    step(1, 3, { sequence_end: true }),
    step(2, 30, { sequence_end: true }),
    step(1, 4),
    step(3, 5, { sequence_start: true, sequence_end: true }),
    step(3, 5),
  ]),
  script('faulty sequences', [
    step(0, 1, { sequence_start: true }),
    step('', 1, { sequence_start: true }),
    infer('accumulate', [ints('INPUT', [1], [1, 1])]),
    step(77, 1),
    step('text', 1, { sequence_start: true }),
    step(78, 1, { sequence_start: true }),
    step(78, 5, { sequence_start: true }),
    step(78, 5, { sequence_end: true }),
    infer('accumulate', [ints('INPUT', [1, 2], [2, 1])], {
      parameters: { sequence_id: 79, sequence_start: true },
    }),
    step(18446744073709, 1, { sequence_start: true, sequence_end: true }),
    step(-5, 1, { sequence_start: true }),
    step(true, 1, { sequence_start: true }),
    infer('echo_int32', [ints('INPUT0', [1])], { parameters: { sequence_id: 5, sequence_start: true } }),
    infer('accumulate', [ints('INPUT', [1], [1, 1]), ints('START', [1], [1, 1])], {
      parameters: { sequence_id: 80, sequence_start: true },
    }),
  ]),
];

const slow = (model: string, parameters: Json = {}): WireCase =>
  infer(model, [ints('INPUT0', [1], [1, 1])], { parameters });

const queues: readonly ReferenceCase[] = [
  overlapping('a full queue refuses', [slow('queue'), slow('queue'), slow('queue')]),
  overlapping('a timeout in the queue', [slow('patient'), slow('patient', { timeout: 1000 })]),
  overlapping('a priority beyond the levels', [
    slow('patient', { priority: 9 }),
    slow('patient', { priority: 1 }),
  ]),
];

const generate = (model: string, body: string, verb = 'generate'): WireCase =>
  post(`/v2/models/${model}/${verb}`, body);

const generation: readonly ReferenceCase[] = [
  script('generate', [
    generate('echo_int32', '{"INPUT0":5}'),
    generate('echo_int32', '{"INPUT0":[5]}'),
    generate('echo_int32', '{"INPUT0":[1,2,3]}'),
    generate('echo_int32', '{"INPUT0":[]}'),
    generate('echo_int32', '{"INPUT0":[[1,2],[3,4]]}'),
    generate('matrix', '{"INPUT0":[]}'),
    generate('fixed', '{"INPUT0":[]}'),
    generate('batched', '{"INPUT0":[]}'),
    generate('echo_bytes', '{"INPUT0":[]}'),
    generate('text', '{"INPUT0":[]}'),
    generate('echo_int32', '{"id":"g1","INPUT0":5,"other":"x"}'),
    generate('echo_int32', '{"id":7,"INPUT0":5}'),
    generate('echo_int32', '{"INPUT0":"5"}'),
    generate('echo_int32', '{"INPUT0":1.5}'),
    generate('echo_int32', '{"INPUT0":{}}'),
    generate('echo_int32', '{"INPUT0":null}'),
    generate('echo_int32', '{"INPUT0":5,"other":{}}'),
    generate('echo_int32', '{"INPUT0":5,"other":[1]}'),
    generate('echo_int32', '{"INPUT0":5,"other":null}'),
    generate('echo_int32', '{"INPUT0":5,"parameters":{"a":1}}'),
    generate('echo_int32', '{"parameters":{"INPUT0":5}}'),
    generate('echo_int32', '{"INPUT0":5,"parameters":{"INPUT0":5}}'),
    generate('echo_int32', '{"INPUT0":5,"parameters":5}'),
    generate('echo_int32', '{"INPUT0":5,"INPUT0":6}'),
    generate('echo_int32', '[]'),
    generate('echo_int32', ''),
    generate('echo_int32', '{"INPUT0":5,"triton_x":1}'),
    generate('echo_bytes', '{"INPUT0":"text"}'),
    generate('echo_bytes', '{"INPUT0":["a","b"]}'),
    generate('echo_bytes', '{"INPUT0":5}'),
    generate('echo_bool', '{"INPUT0":true}'),
    generate('echo_bool', '{"INPUT0":1}'),
    generate('echo_fp32', '{"INPUT0":1}'),
    generate('echo_fp16', '{"INPUT0":1}'),
    generate('pair', '{"INPUT0":1}'),
    generate('pair', '{"INPUT0":1,"INPUT1":2.5}'),
    generate('matrix', '{"INPUT0":[1,2,3,4]}'),
    generate('fixed', '{"INPUT0":[1,2,3,4,5,6]}'),
    generate('fixed', '{"INPUT0":[1,2,3,4]}'),
    generate('batched', '{"INPUT0":[1,2]}'),
    generate('fails', '{"INPUT0":1}'),
    generate('tell', '{"INPUT0":1,"a":"x","b":2,"c":true,"d":1.5,"priority":3}'),
  ]),
  script('generate of a decoupled model', [
    generate('repeat', '{"IN":[1]}'),
    generate('repeat', '{"IN":[1,2]}'),
    generate('repeat', '{"IN":[]}'),
    generate('repeat', '{"IN":[-1]}'),
  ]),
  script('generate_stream', [
    generate('repeat', '{"id":"s","IN":[1,2,3]}', 'generate_stream'),
    generate('repeat', '{"IN":[1,-1,3]}', 'generate_stream'),
    generate('repeat', '{"IN":[-1,2]}', 'generate_stream'),
    generate('echo_int32', '{"INPUT0":5}', 'generate_stream'),
    generate('fails', '{"INPUT0":1}', 'generate_stream'),
    generate('echo_int32', '{', 'generate_stream'),
    generate('echo_int32', '{}', 'generate_stream'),
    generate('nope', '{}', 'generate_stream'),
  ]),
];

const requests: readonly ReferenceCase[] = [
  script('optional inputs', [
    infer('optional', [ints('INPUT0', [1])]),
    infer('optional', []),
    infer('optional', [ints('INPUT0', [1]), ints('INPUT1', [2])]),
    infer('optional', [ints('INPUT1', [2])]),
    infer('optional', [ints('INPUT0', [1]), ints('INPUT1', [2]), ints('INPUT2', [3])]),
  ]),
  script('errors and parameters of models', [
    infer('fails', [ints('INPUT0', [1])], { id: 'f1' }),
    infer('repeat', [ints('IN', [1])]),
    infer('tell', [ints('INPUT0', [1])], { parameters: { b: 'x', a: 1, d: true, c: 1.5 } }),
    infer('tell', [ints('INPUT0', [1])], { parameters: { priority: 1, timeout: 5, sequence_id: 9 } }),
    infer('chain', [ints('INPUT0', [1, 2])], { id: 'c1' }),
    infer('chain', [ints('INPUT0', [])]),
    infer('chain', [ints('INPUT0', [1])], { parameters: { sequence_id: 5, sequence_start: true } }),
    infer('chain', [ints('INPUT0', [1])], { parameters: { sequence_id: 'five', sequence_end: true } }),
    infer('chain', [ints('INPUT0', [1])], { parameters: { sequence_id: '' } }),
    infer('pair', [ints('X', [1]), ints('Y', [1])]),
    infer('pair', [ints('INPUT0', [1])], { outputs: [{ name: 'X' }, { name: 'Y' }] }),
    infer('pair', [ints('INPUT0', [1]), ints('INPUT1', [1])], { outputs: [{ name: 'X' }, { name: 'Y' }] }),
    infer('pair', [ints('INPUT0', [1, 2], [1, 2]), ints('INPUT1', [1])]),
    infer('cached', [ints('INPUT0', [8])]),
    infer('cached', [ints('INPUT0', [8])]),
  ]),
  script('classification', [
    ...[1, 2, 3, 9].map((classification) =>
      infer(
        'batched',
        [{ name: 'INPUT0', datatype: 'FP32', shape: [2, 3], data: [1, 5, 3, -1.5, 1e10, 0.25] }],
        {
          outputs: [{ name: 'OUTPUT0', parameters: { classification } }],
        },
      ),
    ),
    infer('echo_int32', [ints('INPUT0', [-5, 5, 0])], {
      outputs: [{ name: 'OUTPUT0', parameters: { classification: 2 } }],
    }),
    // Classes of BYTES end the reference's process: not asked.
    infer('echo_bool', [{ name: 'INPUT0', datatype: 'BOOL', shape: [1], data: [true] }], {
      outputs: [{ name: 'OUTPUT0', parameters: { classification: 1 } }],
    }),
    infer('echo_int32', [ints('INPUT0', [1])], {
      outputs: [{ name: 'OUTPUT0', parameters: { classification: -1 } }],
    }),
    infer('echo_int32', [ints('INPUT0', [1])], {
      outputs: [{ name: 'OUTPUT0', parameters: { classification: 'x' } }],
    }),
    infer('echo_int32', [ints('INPUT0', [1])], {
      outputs: [{ name: 'OUTPUT0', parameters: { classification: 1, binary_data: true } }],
    }),
  ]),
];

const file = [/"trace_file":"[^"]*"/, /"log_file":"[^"]*"/];
const trace = (body: string, model = ''): WireCase =>
  call('POST', `/v2${model === '' ? '' : `/models/${model}`}/trace/setting`, body, file);
const logging = (body: string): WireCase => call('POST', '/v2/logging', body, file);

const settings: readonly ReferenceCase[] = [
  script('trace settings', [
    trace('{"trace_rate":"5"}'),
    trace('{"trace_rate":"7"}', 'add_sub'),
    trace('{"trace_rate":"9"}'),
    call('GET', '/v2/models/add_sub/trace/setting', undefined, file),
    trace('{"trace_rate":null}', 'add_sub'),
    trace('{"trace_rate":null}'),
    trace('{"trace_count":"5"}'),
    trace('{"trace_count":"-1"}'),
    trace('{"trace_count":"x"}'),
    trace('{"trace_count":"99999999999"}'),
    trace('{"trace_count":5}'),
    trace('{"trace_count":null}'),
    trace('{"log_frequency":"3"}'),
    trace('{"log_frequency":"x"}'),
    trace('{"log_frequency":null}'),
    trace('{"trace_level":"TIMESTAMPS"}'),
    trace('{"trace_level":["NONSENSE"]}'),
    trace('{"trace_level":["OFF"]}'),
    trace('{"trace_level":[5]}'),
    trace('{"trace_level":null}'),
    trace('{"trace_rate":"-1"}'),
    trace('{"trace_rate":"99999999999"}'),
    trace('{"trace_rate":"5x"}'),
    trace('{"trace_rate":""}'),
    trace('{"trace_rate":true}'),
    trace('{"trace_file":null}'),
    trace('{"trace_mode":"opentelemetry"}'),
    trace('{"nonsense":"5"}'),
    trace('{}'),
    trace('[]'),
    trace(''),
    trace('5'),
    trace('{"trace_rate":"5"}', 'nope'),
    call('GET', '/v2/trace/setting', undefined, file),
  ]),
  script('log settings', [
    logging('{"log_info":true}'),
    logging('{"log_info":1}'),
    logging('{"log_info":null}'),
    logging('{"log_warning":"false"}'),
    logging('{"log_error":5}'),
    logging('{"log_verbose_level":1}'),
    logging('{"log_verbose_level":4294967296}'),
    logging('{"log_verbose_level":0}'),
    logging('{"log_verbose_level":"1"}'),
    logging('{"log_verbose_level":1.5}'),
    logging('{"log_verbose_level":true}'),
    logging('{"log_verbose_level":null}'),
    logging('{"log_format":"ISO8601"}'),
    logging('{"log_format":"default"}'),
    logging('{"log_format":5}'),
    logging('{"log_format":null}'),
    logging('{"log_file":null}'),
    logging('{"nonsense":1}'),
    logging('{}'),
    logging('[]'),
    logging(''),
    logging('{'),
    call('GET', '/v2/logging', undefined, file),
  ]),
];

export const HTTP_SCRIPTS: readonly ReferenceCase[] = [
  ...metadata,
  ...requests,
  ...generation,
  ...sequences,
  ...queues,
  ...settings,
  ...repository,
];

// What takes several calls to see over HTTP: metadata, requests, sequences, queues, and the scripts beside this file.

import { GENERATE_SCRIPTS } from './generate-scripts.ts';
import { get, post } from './http-calls.ts';
import { LIFE_SCRIPTS } from './life-scripts.ts';
import type { ReferenceCase } from './reference-case.ts';
import { overlapping, script } from './reference-case.ts';
import type { Json } from './request-bodies.ts';
import { call, infer, ints, PLATFORM } from './script-calls.ts';
import { SETTING_SCRIPTS } from './setting-scripts.ts';
import type { WireCase } from './wire-cases.ts';

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

export const HTTP_SCRIPTS: readonly ReferenceCase[] = [
  ...metadata,
  ...requests,
  ...GENERATE_SCRIPTS,
  ...sequences,
  ...queues,
  ...SETTING_SCRIPTS,
  ...LIFE_SCRIPTS,
];

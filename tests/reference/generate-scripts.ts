// Generate and its stream over HTTP.

import { post } from './http-calls.ts';
import type { ReferenceCase } from './reference-case.ts';
import { script } from './reference-case.ts';
import type { WireCase } from './wire-cases.ts';

const generate = (model: string, body: string, verb = 'generate'): WireCase =>
  post(`/v2/models/${model}/${verb}`, body);

export const GENERATE_SCRIPTS: readonly ReferenceCase[] = [
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

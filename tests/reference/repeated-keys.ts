// Bodies in which a key stands twice, with values that differ or are no good: the first one counts.

import { post } from './http-calls.ts';
import type { ReferenceCase } from './reference-case.ts';
import { script } from './reference-case.ts';
import type { WireCase } from './wire-cases.ts';

const one = '{"name":"INPUT0","datatype":"INT32","shape":[1],"data":[1]}';
const two = one.replace('"data":[1]', '"data":[2]');
const INFER: readonly string[] = [
  `{"inputs":[${one}],"inputs":[${two}]}`,
  `{"inputs":[${one}],"inputs":5}`,
  `{"inputs":5,"inputs":[${one}]}`,
  `{"id":"a","id":"b","inputs":[${one}]}`,
  `{"id":"a","id":5,"inputs":[${one}]}`,
  `{"inputs":[${one}],"outputs":[{"name":"OUTPUT0","name":"X"}]}`,
  `{"inputs":[${one}],"outputs":[{"name":"OUTPUT0"}],"outputs":[{"name":"X"}]}`,
  '{"inputs":[{"name":"INPUT0","name":"X","datatype":"INT32","datatype":"FP32","shape":[1],"shape":[2],"data":[1],"data":[1,2]}]}',
  ...['"a":1,"a":{}', '"a":{},"a":1', '"priority":1,"priority":"x"', '"sequence_id":1,"sequence_id":"x"'].map(
    (parameters) => `{"inputs":[${one}],"parameters":{${parameters}}}`,
  ),
  `{"inputs":[${one}],"parameters":{},"parameters":{"a":{}}}`,
  ...['"binary_data":false,"binary_data":true', '"classification":1,"classification":"x"'].map(
    (parameters) => `{"inputs":[${one}],"outputs":[{"name":"OUTPUT0","parameters":{${parameters}}}]}`,
  ),
];
const LOADS: readonly string[] = [
  '{"parameters":{},"parameters":5}',
  '{"parameters":{"config":"{}","config":5}}',
  '{"parameters":{"config":5,"config":"{}"}}',
];
const REGIONS: readonly string[] = [
  '{"key":"/conch-none","key":5,"offset":0,"byte_size":4}',
  '{"key":"/conch-none","offset":0,"byte_size":4,"byte_size":"x"}',
];
const to =
  (path: string) =>
  (body: string): WireCase =>
    post(path, body);

export const REPEATED_KEYS: ReferenceCase = script('keys that stand twice in a body', [
  ...INFER.map(to('/v2/models/echo_int32/infer')),
  ...LOADS.map(to('/v2/repository/models/no_such_model/load')),
  ...REGIONS.map(to('/v2/systemsharedmemory/region/twice/register')),
]);

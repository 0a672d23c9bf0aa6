// Loads, configurations and what servers do beside answering: what is allowed to differ from the running reference.

import type { KnownDifference } from './known-differences.ts';

const NEWER = 'newer servers do as we do';

export const KNOWN_LIFE: readonly KnownDifference[] = [
  {
    rows: /^log of (bad_code|over_bad) > .* lines$/,
    reason: 'what a Python model says before it is linked to the server begins with one blank more',
    level: (answer) => answer.replaceAll('"I  Failed', '"I Failed'),
  },
  {
    rows: /configuration platform: "ensemble".* > config$/,
    reason: `max_inflight_requests: ${NEWER}`,
    level: (answer) => answer.replaceAll('"max_inflight_requests":0,', ''),
  },
  {
    rows: /configuration .*runtime: "nonsense.so"/,
    reason: 'backends lie in other folders',
    level: (answer) => answer.replace(/'\/\S*\/backends\/python' /, "'<backends>/python' "),
  },
  { rows: /configuration .*\.\.\/labels\.txt/, reason: 'files outside of the model are refused by name' },
  {
    rows: /configuration .*state \[ { input_name: "I" output_name: "O" dims/,
    reason: 'a state without data type is refused by name',
  },
  { rows: /configuration .*TYPE_BF16/, reason: 'which of two faults of one tensor is told first' },
  {
    rows: /configuration .*model_name: "e_2[78]"|^log of ring_a > .*answered|^log of ring_a > POST .*load$/,
    reason: 'a ring of ensembles is told at every load; the reference tells it once',
  },
  { rows: /^log of ring_a > .* lines$/, reason: 'a ring of ensembles is told at every load' },
  {
    rows: /^log of lost > /,
    reason: 'what an ensemble misses is told at every load; the reference tells it once',
  },
  {
    rows: /^(log of bad_config|changes of a model that is served > a broken one)/,
    reason: 'the parser says what is wrong and where in the record itself',
  },
  {
    rows: /^shared memory > .*"key":"\/triton_python_backend/,
    reason: `the reserved prefix is refused: ${NEWER}`,
  },
  {
    rows: /^shared memory > (POST .*\/region\/a\/unregister|GET .*\/region\/a\/status|POST .*"byte_size":64})$/,
    reason: `a region in use is unregistered when its requests are done: ${NEWER}`,
  },
  {
    rows: /^shared memory > POST .*\/register .*("byte_size":("x"|-1)|"key":5)/,
    reason: `errors name the field: ${NEWER}`,
    level: (answer) => answer.replace(/Unable to parse '\w+': /, ''),
  },
  {
    rows: /^shared memory > POST .*\/infer .*"shared_memory_region":"a"(,"shared_memory_byte_size":0)?}/,
    reason: 'no bytes of a region are too few, not too many',
  },
  {
    rows: /^traces of a refused request/,
    reason: 'a request that is refused after its trace began leaves that trace',
  },
];

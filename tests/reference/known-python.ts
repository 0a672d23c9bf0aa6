// Python models: what is allowed to differ from the running reference.

import type { KnownDifference } from './known-differences.ts';

const NEWER = 'newer servers do as we do';

export const KNOWN_PYTHON: readonly KnownDifference[] = [
  {
    rows: /^python streams > .* as events$/,
    reason: `an error of the model keeps its own status instead of 400: ${NEWER}`,
    level: (answer) => answer.replace('\\"status\\":400', '\\"status\\":500'),
  },
  {
    rows: /^python HTTP clients that hang up/,
    reason: `a client that closes its connection cancels its request: ${NEWER}`,
  },
  {
    rows: /^python calls, .*(ensemble over HTTP > (OUT|MIDDLE)$|asking\("both", \[1\.0, 2\.0\], names=\["OUT"\]\))/,
    reason:
      'some outputs of an ensemble are answered; the reference tells a deadlock where a step reads another one',
  },
  {
    rows: /^python calls, outputs of an ensemble over HTTP > (.* .*)?$/,
    reason: 'sequence parameters once: a name stands once in an object',
    level: (answer) => answer.replace(/((,?\\"sequence_\w+\\":\w+)+),\\"sequence_id.*?(?=\})/, '$1'),
  },
  {
    rows: /^python (calls, .*np\.zeros\(\(0, 1\)\)|inputs > i_rows FP32 \[0,2\])/,
    reason: 'a batch of nothing is refused as such',
  },
  { rows: /^python readiness > .*, (ready|gRPC)/, reason: `a model is asked by is_ready: ${NEWER}` },
  {
    rows: /^python environments, v_(up|absolute|no_archive|file) > load/,
    reason: 'what is wrong with an archive is told; the reference leaves entries out that lead outside',
  },
  {
    rows: /^python environments, v_bare_archive > load/,
    reason: 'archives are unpacked into a folder of chance',
    level: (answer) => answer.replace(/python_env_\w+\/\d+/, 'python_env'),
  },
  {
    rows: /^python metrics, sharing > one: del twice/,
    reason: 'a series stays while another family of the same name has it',
  },
  {
    rows: /^python metrics, life > (unload|load|one|two)/,
    reason: 'the series of a model leave with it; the reference keeps them as they were',
  },
  {
    rows: /^python edges, exceptions > raises_syntax/,
    reason: 'the line that is no Python is shown',
    level: (answer) => answer.replace(/<traceback>[^}]*/, '<traceback>'),
  },
  {
    rows: /^python load of l_syntax > load$/,
    reason: 'the line that is no Python is shown',
    level: (answer) => answer.replace(/(model\.py, line \d+\)).*?;(\\*n)/, '$1;$2'),
  },
  {
    rows: /^python what modules and classes have > .*dir\((InferenceResponse|request\(\)\.exec\(\)|.*decoupled=True\))\)/,
    reason: `responses have parameters, calls can be cancelled: ${NEWER}`,
  },
  { rows: /^python .*(> parameters|> with_parameters)/, reason: `responses have parameters: ${NEWER}` },
  {
    rows: /^python answers over gRPC > twice$/,
    reason: 'an output sent twice comes twice; the reference mixes the two',
  },
  {
    rows: /^python parameters > request\(parameters=(3|\[\]|"x")\)/,
    reason: 'the type is called dict',
    level: (answer) => answer.replace('N8pybind114dictE', 'dict'),
  },
  {
    rows: /^python parameters > .*2\*\*63/,
    reason: 'a number that no request can carry is refused where it is given',
  },
  {
    rows: /^python functions > pb_utils\.triton_to_numpy_type\(1\)/,
    reason: 'numpy 2 calls the type numpy.bool',
    level: (answer) => answer.replace('numpy.bool_', 'numpy.bool'),
  },
];

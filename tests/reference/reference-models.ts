// The models of the comparison, written twice: for the reference's Python backend and for our JavaScript backend, with
// one configuration text for both. What they compute must agree; what the servers make of it is compared.

import { dataTypeToConfig } from '../../src-shared/datatypes.ts';
import type { DataType } from '../../src-shared/datatypes.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';

/** The reference's Python backend has no array type for BF16. */
export const COMPARED_TYPES = [
  'BOOL',
  'UINT8',
  'UINT16',
  'UINT32',
  'UINT64',
  'INT8',
  'INT16',
  'INT32',
  'INT64',
  'FP16',
  'FP32',
  'FP64',
  'BYTES',
] as const satisfies readonly DataType[];

/** Loaded by cases, not at the start. */
export const UNSTARTED = ['broken', 'chain_later'];

interface TwinCode {
  readonly python: string;
  readonly javascript: string;
}

interface TwinModel {
  readonly config: string;
  /** Absent for ensembles. */
  readonly code?: TwinCode;
  readonly versions?: readonly number[];
  readonly files?: Readonly<Record<string, string>>;
}

const python = (body: string, more = ''): string => `import json
import time
import numpy as np
import triton_python_backend_utils as pb


class TritonPythonModel:
${more}    def execute(self, requests):
        responses = []
        for request in requests:
${body
  .split('\n')
  .map((line) => (line === '' ? '' : `            ${line}`))
  .join('\n')}
        return responses
`;

const ECHO: TwinCode = {
  python: python(`wanted = request.requested_output_names()
pairs = [(tensor.name().replace("INPUT", "OUTPUT"), tensor) for tensor in request.inputs()]
outputs = [pb.Tensor(name, tensor.as_numpy()) for name, tensor in sorted(pairs, key=lambda p: p[0]) if name in wanted]
responses.append(pb.InferenceResponse(outputs))`),
  javascript: `export const execute = (requests) => requests.map(({ inputs, requestedOutputs }) => ({
  outputs: Object.fromEntries(Object.entries(inputs)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { shape, data }]) => [name.replace('INPUT', 'OUTPUT'), { shape, data }])
    .filter(([name]) => requestedOutputs.includes(name))),
}));
`,
};

const ADD_SUB: TwinCode = {
  python: python(`a = pb.get_input_tensor_by_name(request, "INPUT0").as_numpy()
b = pb.get_input_tensor_by_name(request, "INPUT1").as_numpy()
outputs = [pb.Tensor("OUTPUT0", a + b), pb.Tensor("OUTPUT1", a - b)]
responses.append(pb.InferenceResponse([o for o in outputs if o.name() in request.requested_output_names()]))`),
  javascript: `export const execute = (requests) => requests.map(({ inputs: { INPUT0: a, INPUT1: b } }) => ({
  outputs: {
    OUTPUT0: { shape: a.shape, data: a.data.map((value, i) => value + b.data[i]) },
    OUTPUT1: { shape: a.shape, data: a.data.map((value, i) => value - b.data[i]) },
  },
}));
`,
};

const SLOW: TwinCode = {
  python: ECHO.python.replace('responses = []', 'responses = []\n        time.sleep(0.4)'),
  javascript: ECHO.javascript.replace(
    'export const execute = (requests) => requests',
    'export const execute = async (requests) => (await new Promise((done) => setTimeout(done, 400)), requests)',
  ),
};

const ACCUMULATE: TwinCode = {
  python: python(
    `one = lambda name: pb.get_input_tensor_by_name(request, name).as_numpy().reshape(-1)[0]
if one("START"):
    self.sums[one("CORRID")] = 0
value = self.sums.get(one("CORRID"), 0) + one("INPUT")
self.sums[one("CORRID")] = value
flags = [int(one("START")), int(one("END")), int(one("READY"))]
outputs = [pb.Tensor("OUTPUT", np.array([[value]], np.int32)), pb.Tensor("FLAGS", np.array([flags], np.int32))]
responses.append(pb.InferenceResponse(outputs))`,
    '    def initialize(self, args):\n        self.sums = {}\n\n',
  ),
  javascript: `const sums = new Map();
export const execute = (requests) => requests.map(({ inputs }) => {
  const one = (name) => inputs[name].data[0];
  if (one('START')) sums.set(one('CORRID'), 0);
  const value = (sums.get(one('CORRID')) ?? 0) + one('INPUT');
  sums.set(one('CORRID'), value);
  return { outputs: {
    OUTPUT: { shape: [1, 1], data: [value] },
    FLAGS: { shape: [1, 3], data: [one('START'), one('END'), one('READY')] },
  } };
});
`,
};

const SLOW_ACCUMULATE: TwinCode = {
  python: ACCUMULATE.python.replace('responses = []', 'responses = []\n        time.sleep(0.4)'),
  javascript: ACCUMULATE.javascript.replace(
    'export const execute = (requests) => requests',
    'export const execute = async (requests) => (await new Promise((done) => setTimeout(done, 400)), requests)',
  ),
};

const REPEAT: TwinCode = {
  python: `import numpy as np
import triton_python_backend_utils as pb


class TritonPythonModel:
    def execute(self, requests):
        for request in requests:
            sender = request.get_response_sender()
            for value in pb.get_input_tensor_by_name(request, "IN").as_numpy().reshape(-1):
                if value < 0:
                    sender.send(pb.InferenceResponse(error=pb.TritonError("negative element")))
                else:
                    sender.send(pb.InferenceResponse([pb.Tensor("OUT", np.array([value], np.int32))]))
            sender.send(flags=pb.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
        return None
`,
  javascript: `export async function execute(requests) {
  for (const request of requests) {
    for (const value of request.inputs.IN.data) {
      await request.send(value < 0 ? { error: 'negative element' } : { outputs: { OUT: [value] } });
    }
    await request.end();
  }
}
`,
};

const FAILS: TwinCode = {
  python: python('responses.append(pb.InferenceResponse(error=pb.TritonError("fails on purpose")))'),
  javascript: `export const execute = (requests) => requests.map(() => ({ error: 'fails on purpose' }));\n`,
};

const TELL: TwinCode = {
  python: python(`told = json.dumps(json.loads(request.parameters()), sort_keys=True, separators=(",", ":"))
responses.append(pb.InferenceResponse([pb.Tensor("TOLD", np.array([told.encode()], np.object_))]))`),
  javascript: `export const execute = (requests) => requests.map(({ parameters }) => ({
  outputs: { TOLD: [JSON.stringify(Object.fromEntries(Object.entries(parameters)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => [key, typeof value === 'bigint' ? Number(value) : value])))] },
}));
`,
};

const BROKEN: TwinCode = {
  python: 'raise RuntimeError("broken on purpose")\n',
  javascript: 'throw new Error("broken on purpose");\n',
};

const tensor = (name: string, datatype: DataType, dims: readonly number[], more = ''): string =>
  `{ name: "${name}" data_type: ${dataTypeToConfig(datatype)} dims: [ ${dims.join(', ')} ] ${more} }`;

function config(
  maxBatchSize: number,
  inputs: readonly string[],
  outputs: readonly string[],
  more = '',
): string {
  return `max_batch_size: ${maxBatchSize}
input [ ${inputs.join(', ')} ]
output [ ${outputs.join(', ')} ]
${more}
`;
}

const CPU = 'instance_group [ { kind: KIND_CPU count: 1 } ]';
const one = (datatype: DataType, dims: readonly number[], more = CPU, maxBatchSize = 0): string =>
  config(maxBatchSize, [tensor('INPUT0', datatype, dims)], [tensor('OUTPUT0', datatype, dims)], more);
const two = (
  maxBatchSize: number,
  datatypes: readonly [DataType, DataType],
  dims: readonly number[],
  more = CPU,
): string =>
  config(
    maxBatchSize,
    datatypes.map((datatype, i) => tensor(`INPUT${i}`, datatype, dims)),
    datatypes.map((datatype, i) => tensor(`OUTPUT${i}`, datatype, dims)),
    more,
  );

const ACCUMULATE_CONFIG = config(
  4,
  [tensor('INPUT', 'INT32', [1])],
  [tensor('OUTPUT', 'INT32', [1]), tensor('FLAGS', 'INT32', [3])],
  `${CPU}
sequence_batching {
  max_sequence_idle_microseconds: 60000000
  control_input [
    { name: "START" control [ { kind: CONTROL_SEQUENCE_START int32_false_true: [ 0, 1 ] } ] },
    { name: "END" control [ { kind: CONTROL_SEQUENCE_END int32_false_true: [ 0, 1 ] } ] },
    { name: "READY" control [ { kind: CONTROL_SEQUENCE_READY int32_false_true: [ 0, 1 ] } ] },
    { name: "CORRID" control [ { kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_UINT64 } ] }
  ]
}`,
);

const CHAIN = `platform: "ensemble"
${one('INT32', [-1], '')}ensemble_scheduling { step [
  { model_name: "echo_int32" model_version: -1 input_map { key: "INPUT0" value: "INPUT0" } output_map { key: "OUTPUT0" value: "between" } },
  { model_name: "echo_int32" model_version: -1 input_map { key: "INPUT0" value: "between" } output_map { key: "OUTPUT0" value: "OUTPUT0" } }
] }`;

/** By model name. */
export const TWIN_MODELS: Readonly<Record<string, TwinModel>> = {
  add_sub: { config: two(8, ['INT32', 'INT32'], [16]), code: ADD_SUB },
  ...Object.fromEntries(
    COMPARED_TYPES.map((datatype) => [
      `echo_${datatype.toLowerCase()}`,
      { config: one(datatype, [-1]), code: ECHO },
    ]),
  ),
  matrix: { config: one('FP32', [-1, -1]), code: ECHO },
  fixed: { config: one('FP32', [2, 3]), code: ECHO },
  text: { config: one('BYTES', [1]), code: ECHO },
  wide_text: { config: one('BYTES', [2]), code: ECHO },
  pair: { config: two(0, ['INT32', 'FP32'], [-1]), code: ECHO },
  optional: {
    config: config(
      0,
      [tensor('INPUT0', 'INT32', [-1]), tensor('INPUT1', 'INT32', [-1], 'optional: true')],
      [tensor('OUTPUT0', 'INT32', [-1])],
      CPU,
    ),
    code: ECHO,
  },
  reshaped: {
    config: config(
      4,
      [tensor('INPUT0', 'INT32', [4], 'reshape { shape: [ 2, 2 ] }')],
      [tensor('OUTPUT0', 'INT32', [4], 'reshape { shape: [ 2, 2 ] }')],
      CPU,
    ),
    code: ECHO,
  },
  batched: {
    config: config(
      8,
      [tensor('INPUT0', 'FP32', [-1])],
      [tensor('OUTPUT0', 'FP32', [-1], 'label_filename: "labels.txt"')],
      `${CPU} dynamic_batching {}`,
    ),
    code: ECHO,
    files: { 'labels.txt': 'zero\none\ntwo\n' },
  },
  queue: {
    config: one('INT32', [1], `${CPU} dynamic_batching { default_queue_policy { max_queue_size: 1 } }`, 1),
    code: SLOW,
  },
  patient: {
    config: one(
      'INT32',
      [1],
      `${CPU} dynamic_batching { priority_levels: 2 default_priority_level: 2 default_queue_policy { allow_timeout_override: true default_timeout_microseconds: 20000000 } }`,
      1,
    ),
    code: SLOW,
  },
  accumulate: { config: ACCUMULATE_CONFIG, code: ACCUMULATE },
  repeat: {
    config: config(
      0,
      [tensor('IN', 'INT32', [-1])],
      [tensor('OUT', 'INT32', [1])],
      `${CPU} model_transaction_policy { decoupled: true }`,
    ),
    code: REPEAT,
  },
  fails: { config: one('INT32', [1]), code: FAILS },
  tell: {
    config: config(0, [tensor('INPUT0', 'INT32', [1])], [tensor('TOLD', 'BYTES', [1])], CPU),
    code: TELL,
  },
  versions: {
    config: one('INT32', [-1], `${CPU} version_policy { all {} }`),
    code: ECHO,
    versions: [1, 2, 3],
  },
  lifecycle: { config: one('INT32', [-1]), code: ECHO },
  counted: { config: one('INT32', [-1], `${CPU} dynamic_batching {}`, 8), code: ECHO },
  cached: { config: one('INT32', [-1], `${CPU} response_cache { enable: true }`), code: ECHO },
  chain: { config: CHAIN },
  chain_later: { config: CHAIN },
  broken: { config: one('INT32', [1]), code: BROKEN },
  burst_preferred: {
    config: one('INT32', [-1], `${CPU} dynamic_batching { preferred_batch_size: [ 4, 6 ] }`, 8),
    code: SLOW,
  },
  burst_rows: { config: one('INT32', [-1], `${CPU} dynamic_batching {}`, 8), code: SLOW },
  burst_shapes: { config: one('INT32', [-1], `${CPU} dynamic_batching {}`, 8), code: SLOW },
  burst_full: {
    config: one('INT32', [-1], `${CPU} dynamic_batching { default_queue_policy { max_queue_size: 3 } }`, 8),
    code: SLOW,
  },
  burst_late: {
    config: one(
      'INT32',
      [-1],
      `${CPU} dynamic_batching { default_queue_policy { default_timeout_microseconds: 100000 } }`,
      8,
    ),
    code: SLOW,
  },
  burst_direct: { config: ACCUMULATE_CONFIG, code: SLOW_ACCUMULATE },
};

export const STARTED: readonly string[] = Object.keys(TWIN_MODELS).filter(
  (name) => !UNSTARTED.includes(name),
);

/** The same repository for either server. */
export function twinRepository(side: 'reference' | 'ours'): RepositoryFiles {
  const files: Record<string, string> = {};
  for (const [name, model] of Object.entries(TWIN_MODELS)) {
    const backend = side === 'ours' ? 'javascript' : 'python';
    files[`${name}/config.pbtxt`] =
      model.code === undefined ? model.config : `backend: "${backend}"\n${model.config}`;
    for (const version of model.versions ?? [1]) {
      if (model.code === undefined) files[`${name}/${version}/`] = '';
      else if (side === 'ours') files[`${name}/${version}/model.mjs`] = model.code.javascript;
      else files[`${name}/${version}/model.py`] = model.code.python;
    }
    for (const [file, text] of Object.entries(model.files ?? {})) files[`${name}/${file}`] = text;
  }
  return files;
}

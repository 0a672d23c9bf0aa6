// Python models that call models of other kinds, from coroutines and threads, and hand arrays of every making over.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { graphModel, value } from '../../src-main/testing/onnx-test-models.ts';
import { post, reply } from './http-calls.ts';
import { CALL_PROBE_CODE, CALL_PROBES } from './python-call-probes.ts';
import { answering, ECHO_MODEL, executing, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

const TEXTS = ONE_TO_ONE.replaceAll('TYPE_FP32', 'TYPE_STRING');
const CPU = 'instance_group [ { kind: KIND_CPU count: 1 } ]';
const ROWS = ONE_TO_ONE.replaceAll('[ -1 ]', '[ 1 ]');

const step = (model: string, from: string, to: string): string =>
  `{ model_name: "${model}" model_version: -1 input_map { key: "INPUT0" value: "${from}" } output_map { key: "OUTPUT0" value: "${to}" } }`;
const ensemble = (name: string, ...models: readonly [string, string]): RepositoryFiles => ({
  [`${name}/config.pbtxt`]: `platform: "ensemble"
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ -1 ] } ]
output [ { name: "OUT" data_type: TYPE_FP32 dims: [ -1 ] }, { name: "MIDDLE" data_type: TYPE_FP32 dims: [ -1 ] } ]
ensemble_scheduling { step [ ${step(models[0], 'INPUT0', 'MIDDLE')}, ${step(models[1], 'MIDDLE', 'OUT')} ] }`,
  [`${name}/1/`]: '',
});

const SUMS: RepositoryFiles = {
  'sums/config.pbtxt': `backend: "onnxruntime"
max_batch_size: 4
${ROWS}
${CPU}
sequence_batching { max_sequence_idle_microseconds: 60000000 state { input_name: "STATE" output_name: "STATE_OUT" data_type: TYPE_FP32 dims: [ 1 ] initial_state { name: "zero" data_type: TYPE_FP32 dims: [ 1 ] zero_data: true } } }`,
  'sums/1/model.onnx': graphModel(
    [
      { opType: 'Add', inputs: ['INPUT0', 'STATE'], outputs: ['OUTPUT0'] },
      { opType: 'Identity', inputs: ['OUTPUT0'], outputs: ['STATE_OUT'] },
    ],
    ['INPUT0', 'STATE'].map((name) => value(name, 'FP32', ['batch', 1])),
    ['OUTPUT0', 'STATE_OUT'].map((name) => value(name, 'FP32', ['batch', 1])),
  ),
};

const SLOW = answering(
  'time.sleep(float(first(request)[0]) / 20)\nresponse = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))])',
);
const REPEAT = executing(`for request in requests:
    sender = request.get_response_sender()
    for value in first(request):
        sender.send(pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", np.array([value], np.float32))]))
    sender.send(flags=pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
return None`);
/** Calls echo, or itself with one more below zero. */
const CALLER = answering(`value = float(first(request)[0])
name = "echo" if value >= 0 else "nobody"
asked = pb_utils.InferenceRequest(model_name=name, requested_output_names=["OUTPUT0"], inputs=[pb_utils.Tensor("INPUT0", first(request))])
found = asked.exec()
if found.has_error():
    raise pb_utils.TritonModelException(found.error().message())
response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", found.output_tensors()[0].as_numpy() + 1)])`);
/** As many calls deep as its input says. */
const ITSELF = answering(`asked = first(request)
if asked[0] > 0:
    deeper = pb_utils.InferenceRequest(model_name="itself", requested_output_names=["OUTPUT0"], inputs=[pb_utils.Tensor("INPUT0", asked - 1)])
    asked = deeper.exec().output_tensors()[0].as_numpy() + 10
response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", asked)])`);
const PAIR = answering(
  'response = pb_utils.InferenceResponse([pb_utils.Tensor("A2", first(request, "A")), pb_utils.Tensor("B2", first(request, "B"))])',
);

const files: RepositoryFiles = {
  ...pythonFiles(
    'probe',
    CALL_PROBE_CODE,
    `input [ { name: "CODE" data_type: TYPE_STRING dims: [ -1 ] } ]
output [ { name: "RESULT" data_type: TYPE_STRING dims: [ -1 ] } ]
${CPU}`,
  ),
  ...pythonFiles('echo', ECHO_MODEL, `${ONE_TO_ONE}\n${CPU}`),
  ...pythonFiles('texts', ECHO_MODEL, `${TEXTS}\n${CPU}`),
  ...pythonFiles('slow', SLOW, `${ONE_TO_ONE}\n${CPU}`),
  ...pythonFiles(
    'limited',
    SLOW,
    `${ROWS}\nmax_batch_size: 1\n${CPU}\ndynamic_batching { default_queue_policy { allow_timeout_override: true default_timeout_microseconds: 10000000 } }`
      .replaceAll('[ 1 ]', '[ -1 ]')
      .replace('max_batch_size: 1\n', 'max_batch_size: 1\n'),
  ),
  ...pythonFiles(
    'grouped',
    ECHO_MODEL,
    `${ROWS}\nmax_batch_size: 4\n${CPU}\ndynamic_batching { max_queue_delay_microseconds: 100000 }`,
  ),
  ...pythonFiles('raises', executing('raise ValueError("on purpose")'), `${ONE_TO_ONE}\n${CPU}`),
  ...pythonFiles('repeat', REPEAT, `${ONE_TO_ONE}\n${CPU}\nmodel_transaction_policy { decoupled: true }`),
  ...pythonFiles('caller', CALLER, `${ONE_TO_ONE}\n${CPU}`),
  ...pythonFiles('itself', ITSELF, `${ONE_TO_ONE}\n${CPU.replace('1', '4')}`),
  ...pythonFiles(
    'pair',
    PAIR,
    `input [ { name: "A" data_type: TYPE_FP32 dims: [ 2 ] }, { name: "B" data_type: TYPE_INT64 dims: [ 1 ] } ]
output [ { name: "A2" data_type: TYPE_FP32 dims: [ 2 ] }, { name: "B2" data_type: TYPE_INT64 dims: [ 1 ] } ]
${CPU}`,
  ),
  ...SUMS,
  ...ensemble('both', 'echo', 'caller'),
  ...ensemble('both_many', 'echo', 'repeat'),
  ...ensemble('both_lost', 'echo', 'nobody'),
};

const probeCase = (theme: string, codes: readonly string[]): ReferenceCase => ({
  name: `python calls, ${theme}`,
  run: async ({ httpPort }) => {
    const answers: unknown[] = [];
    for (const code of codes) {
      const body = { inputs: [{ name: 'CODE', datatype: 'BYTES', shape: [1], data: [code] }] };
      const { body: text } = await reply(httpPort, post('/v2/models/probe/infer', body));
      const { outputs, error } = (text.startsWith('{') ? JSON.parse(text) : { error: text }) as {
        outputs?: readonly { data: readonly string[] }[];
        error?: string;
      };
      const said = (outputs?.[0]?.data[0] ?? String(error))
        .replace(/^TypeError: .*$/s, 'TypeError')
        .replace(/(\\*n)+At:.*?(?=['"\]]|$)/gs, '<traceback>');
      answers.push({ step: code, said });
      if (said.includes('nothing came') || said.includes('not healthy')) break;
    }
    return answers;
  },
});

const OUTPUTS: ReferenceCase = {
  name: 'python calls, outputs of an ensemble over HTTP',
  run: async ({ httpPort }) => {
    const answers: unknown[] = [];
    for (const names of [['OUT'], ['MIDDLE'], ['OUT', 'MIDDLE'], ['MIDDLE', 'OUT'], []]) {
      const inputs = [{ name: 'INPUT0', datatype: 'FP32', shape: [2], data: [1, 2] }];
      const body = { inputs, outputs: names.map((name) => ({ name })) };
      answers.push({
        step: names.join(' '),
        ...(await reply(httpPort, post('/v2/models/both/infer', body))),
      });
    }
    return answers;
  },
};

export const PYTHON_CALL_SCENE: Scene = {
  name: 'python calls',
  needs: 'onnxruntime',
  repositories: sameFor(files),
  args: ['--exit-on-error=false'],
  cases: [OUTPUTS, ...Object.entries(CALL_PROBES).map(([theme, codes]) => probeCase(theme, codes))],
};

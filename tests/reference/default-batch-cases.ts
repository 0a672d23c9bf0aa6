// What options add to configurations that say nothing: the default batch size, for all backends and for one; configurations by
// name; the name of the server.

import { graphModel, identityModel, value } from '../../src-main/testing/onnx-test-models.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { grpcCall } from './grpc-exchange.ts';
import { get, post } from './http-calls.ts';
import { ask, load, unload, wait } from './life-calls.ts';
import { codeFile, ECHO_MODEL, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

const sum = graphModel(
  [{ opType: 'Add', inputs: ['A', 'B'], outputs: ['C'] }],
  [value('A', 'FP32', ['n', 4]), value('B', 'FP32', ['n', 4])],
  [value('C', 'FP32', ['n', 4])],
);
const TENSORS = `input [ { name: "INPUT" data_type: TYPE_FP32 dims: [ 4 ] } ] output [ { name: "OUTPUT" data_type: TYPE_FP32 dims: [ 4 ] } ]`;
const onnx = (name: string, file: Uint8Array, config?: string): RepositoryFiles => ({
  [`${name}/1/model.onnx`]: file,
  ...(config === undefined ? {} : { [`${name}/config.pbtxt`]: config }),
});
const rows = identityModel('FP32', ['n', 4]);
const completing = (body: string): string => `${ECHO_MODEL}
    @staticmethod
    def auto_complete_config(config):
        ${body}
        config.add_input({"name": "INPUT0", "data_type": "TYPE_FP32", "dims": [-1]})
        config.add_output({"name": "OUTPUT0", "data_type": "TYPE_FP32", "dims": [-1]})
        return config
`;

const models: RepositoryFiles = {
  ...onnx('bare', rows),
  ...onnx('bare_sum', sum),
  ...onnx('bare_fixed', identityModel('FP32', [2, 4])),
  ...onnx('bare_one', identityModel('FP32', [1, 4])),
  ...onnx('bare_vector', identityModel('FP32', ['n'])),
  ...onnx('bare_scalar', identityModel('FP32', [])),
  ...onnx('bare_texts', identityModel('BYTES', ['n', 'm'])),
  ...onnx('backend', rows, 'backend: "onnxruntime"'),
  ...onnx('zero', rows, 'backend: "onnxruntime" max_batch_size: 0'),
  ...onnx('one', rows, 'backend: "onnxruntime" max_batch_size: 1'),
  ...onnx('three', rows, 'backend: "onnxruntime" max_batch_size: 3'),
  ...onnx('tensors', rows, `backend: "onnxruntime" ${TENSORS}`),
  ...onnx('whole', rows, `backend: "onnxruntime" ${TENSORS.replaceAll('[ 4 ]', '[ -1, 4 ]')}`),
  ...onnx('input', rows, `backend: "onnxruntime" ${TENSORS.replace(/output.*$/, '')}`),
  ...onnx('dynamic', rows, 'backend: "onnxruntime" dynamic_batching { }'),
  ...onnx('dynamic_zero', rows, 'backend: "onnxruntime" max_batch_size: 0 dynamic_batching { }'),
  ...onnx('dynamic_one', rows, 'backend: "onnxruntime" max_batch_size: 1 dynamic_batching { }'),
  ...onnx('preferred', rows, 'backend: "onnxruntime" dynamic_batching { preferred_batch_size: [ 2 ] }'),
  ...onnx('sequence', rows, 'backend: "onnxruntime" sequence_batching { }'),
  ...onnx('vector_dynamic', identityModel('FP32', ['n']), 'backend: "onnxruntime" dynamic_batching { }'),
  ...onnx('instances', rows, 'backend: "onnxruntime" instance_group [ { count: 2 kind: KIND_CPU } ]'),
  ...pythonFiles('python', ECHO_MODEL),
  ...pythonFiles('completes', completing('config.set_max_batch_size(0)'), 'max_batch_size: 0'),
  'completes_bare/1/model.py': codeFile(completing('config.set_max_batch_size(2)')),
  'completes_bare/1/__pycache__': '',
  'completes_dynamic/1/model.py': codeFile(
    completing('config.set_max_batch_size(4); config.set_dynamic_batching()'),
  ),
  'completes_dynamic/1/__pycache__': '',
  'silent/1/model.py': codeFile(ECHO_MODEL),
  'silent/1/__pycache__': '',
};

const configOf =
  (model: string): ReferenceCase['run'] =>
  async (target) => {
    const answers: object[] = [{ step: 'load', answer: await ask(target, load(model)) }];
    answers.push({ step: 'config', answer: await ask(target, get(`/v2/models/${model}/config`)) });
    answers.push({ step: 'metadata', answer: await ask(target, get(`/v2/models/${model}`)) });
    await ask(target, unload(model));
    return answers;
  };
const names = [...new Set(Object.keys(models).map((file) => file.split('/')[0] ?? ''))];

const defaults = (title: string, ...args: readonly string[]): Scene => ({
  name: `default batches, ${title}`,
  needs: 'onnxruntime',
  repositories: sameFor(models),
  args: ['--model-control-mode=explicit', ...args],
  together: 'waiting',
  cases: names.map((model) => ({ name: `default batch, ${title}: ${model}`, run: configOf(model) })),
});

/** A folder in place of such a file ends the reference: not asked. */
const NAMED_FILES: RepositoryFiles = {
  ...pythonFiles('both', ECHO_MODEL),
  'both/configs/custom.pbtxt': `backend: "python"\n${ONE_TO_ONE}\nmax_batch_size: 3\n`,
  ...pythonFiles('plain', ECHO_MODEL),
  ...pythonFiles('wrong_name', ECHO_MODEL),
  'wrong_name/configs/custom.pbtxt': `name: "other"\nbackend: "python"\n${ONE_TO_ONE}\n`,
  ...pythonFiles('broken', ECHO_MODEL),
  'broken/configs/custom.pbtxt': 'max_batch_size: x\n',
  ...pythonFiles('empty', ECHO_MODEL),
  'empty/configs/custom.pbtxt': '',
  'alone/configs/custom.pbtxt': `backend: "python"\n${ONE_TO_ONE}\nmax_batch_size: 3\n`,
  'alone/1/model.py': codeFile(ECHO_MODEL),
  'alone/1/__pycache__': '',
};
const NAMED = ['both', 'plain', 'wrong_name', 'broken', 'empty', 'alone'];
const NAMED_CASES: readonly ReferenceCase[] = NAMED.map((model) => ({
  name: `configuration by name: ${model}`,
  run: async (target) => {
    const answers: object[] = [];
    const add = async (call: ReturnType<typeof get>): Promise<void> => {
      answers.push({ step: call.name, answer: await ask(target, call) });
    };
    await add(load(model));
    await add(get(`/v2/models/${model}/config`));
    await add(
      post(`/v2/repository/models/${model}/load`, {
        parameters: { config: '{"backend":"python","max_batch_size":1}' },
      }),
    );
    await add(get(`/v2/models/${model}/config`));
    await add(load(model));
    await add(get(`/v2/models/${model}/config`));
    await add(unload(model));
    await wait(300);
    await add(get(`/v2/models/${model}/config`));
    return answers;
  },
}));

const identity: ReferenceCase = {
  name: 'the name of the server',
  run: async (target) => {
    const hide = (answer: unknown): unknown =>
      JSON.parse(JSON.stringify(answer).replace(/2\.\d+\.\d+/g, '#')) as unknown;
    return [
      { step: 'HTTP', answer: hide(await ask(target, get('/v2'))) },
      { step: 'gRPC', answer: hide(await grpcCall(target.grpcPort, 'ServerMetadata', {})) },
      { step: 'live', answer: await ask(target, get('/v2/health/live')) },
    ];
  },
};

const custom = (title: string, ...args: readonly string[]): Scene => ({
  name: `configurations by name, ${title}`,
  repositories: sameFor(NAMED_FILES),
  args: ['--model-control-mode=explicit', '--id=my "server" é', ...args],
  together: 'waiting',
  cases: [identity, ...NAMED_CASES].map((one) => ({ ...one, name: `${one.name}, ${title}` })),
});

const size = (value: string, backend = ''): string =>
  `--backend-config=${backend === '' ? '' : `${backend},`}default-max-batch-size=${value}`;
export const DEFAULT_BATCH_SCENES: readonly Scene[] = [
  defaults('7', size('7')),
  defaults('7 but 2 for ONNX', size('7'), size('2', 'onnxruntime')),
  defaults('0 for ONNX', size('0', 'onnxruntime')),
  defaults('5 for Python', size('5', 'python'), size('6', 'onnxruntime')),
  defaults('7, no completion', size('7'), '--disable-auto-complete-config'),
  custom('custom', '--model-config-name=custom'),
  custom('no name'),
  custom('a name that none has', '--model-config-name=other'),
];

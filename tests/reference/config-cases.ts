// Configurations, good and bad, with and without completion: the load's answer, and what the server made of it.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { get, post, reply } from './http-calls.ts';
import { CONFIGURED_MODELS, ONNX_CONFIGS } from './onnx-configs.ts';
import { IO, PYTHON_CONFIGS } from './python-configs.ts';
import { codeFile, ECHO_MODEL } from './python-models.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

const step = (model: string, from: string, to: string, input = 'INPUT0', output = 'OUTPUT0'): string =>
  `{ model_name: "${model}" model_version: -1 input_map { key: "${input}" value: "${from}" } output_map { key: "${output}" value: "${to}" } }`;
const ensemble = (...steps: readonly string[]): string =>
  `platform: "ensemble" ${IO} ensemble_scheduling { step [ ${steps.join(', ')} ] }`;

/** Whole configurations of ensembles over the model `c_0`. */
const ENSEMBLES: readonly string[] = [
  ensemble(step('c_0', 'INPUT0', 'OUTPUT0')),
  ensemble(step('c_0', 'INPUT0', 'x'), step('c_0', 'x', 'OUTPUT0')),
  ensemble(step('nope', 'INPUT0', 'OUTPUT0')),
  ensemble(step('c_0', 'INPUT0', 'x')),
  ensemble(step('c_0', 'x', 'OUTPUT0')),
  ensemble(step('c_0', 'INPUT0', 'OUTPUT0', 'X')),
  ensemble(step('c_0', 'INPUT0', 'OUTPUT0', 'INPUT0', 'X')),
  ensemble(step('c_0', 'INPUT0', 'x'), step('c_0', 'INPUT0', 'x'), step('c_0', 'x', 'OUTPUT0')),
  ensemble(step('c_0', 'x', 'y'), step('c_0', 'y', 'x'), step('c_0', 'INPUT0', 'OUTPUT0')),
  ensemble(step('c_0', 'INPUT0', 'OUTPUT0').replace('-1', '1')),
  ensemble(step('c_0', 'INPUT0', 'OUTPUT0').replace('-1', '9')),
  ensemble(step('c_0', 'INPUT0', 'OUTPUT0').replace('-1', '-2')),
  ensemble(step('', 'INPUT0', 'OUTPUT0')),
  ensemble(step('c_0', '', 'OUTPUT0')),
  ensemble(`{ model_name: "c_0" model_version: -1 output_map { key: "OUTPUT0" value: "OUTPUT0" } }`),
  ensemble(`{ model_name: "c_0" model_version: -1 input_map { key: "INPUT0" value: "INPUT0" } }`),
  ensemble(),
  `${ensemble(step('c_0', 'INPUT0', 'OUTPUT0'))} max_batch_size: 4`,
  `${ensemble(step('c_0', 'INPUT0', 'OUTPUT0'))} instance_group [ { kind: KIND_CPU } ]`,
  `${ensemble(step('c_0', 'INPUT0', 'OUTPUT0'))} dynamic_batching {}`,
  `${ensemble(step('c_0', 'INPUT0', 'OUTPUT0'))} response_cache { enable: true }`,
  `${ensemble(step('c_0', 'INPUT0', 'OUTPUT0'))} model_warmup [ { name: "w" inputs { key: "INPUT0" value { data_type: TYPE_FP32 dims: [ 1 ] zero_data: true } } } ]`,
  ensemble(step('c_0', 'INPUT0', 'OUTPUT0')).replace('TYPE_FP32 dims: [ -1 ]', 'TYPE_INT32 dims: [ -1 ]'),
  ensemble(step('c_0', 'INPUT0', 'OUTPUT0')).replace('dims: [ -1 ]', 'dims: [ 2, 2 ]'),
  ensemble(step('c_0', 'INPUT0', 'OUTPUT0')).replace('dims: [ -1 ]', 'dims: [ 7 ]'),
  `platform: "ensemble" ${IO}`,
  ensemble(step('e_26', 'INPUT0', 'OUTPUT0')),
  ensemble(step('e_28', 'INPUT0', 'OUTPUT0')),
  ensemble(step('e_27', 'INPUT0', 'OUTPUT0')),
  ensemble(step('c_96', 'INPUT0', 'OUTPUT0')),
];

/** Texts that are no configuration. */
const BROKEN: readonly string[] = [
  'max_batch_size: x',
  'nonsense: 5',
  'input [',
  'input { name: 5 }',
  'backend: "python" backend: "python"',
  'backend: python',
  'input [ { data_type: TYPE_X } ]',
  'max_batch_size: 99999999999',
  'dynamic_batching: 5',
  'backend: "python"\n# comment',
];

const rows: readonly (readonly [name: string, text: string])[] = [
  ...PYTHON_CONFIGS.map((text, index) => [`c_${index}`, `python | ${text}`] as const),
  ...ONNX_CONFIGS.map(([model, text], index) => [`o_${index}`, `${model} | ${text ?? 'no file'}`] as const),
  ...ENSEMBLES.map((text, index) => [`e_${index}`, text] as const),
  ...BROKEN.map((text, index) => [`b_${index}`, text] as const),
];

function files(): RepositoryFiles {
  const found: Record<string, string | Uint8Array> = {};
  PYTHON_CONFIGS.forEach((text, index) => {
    found[`c_${index}/config.pbtxt`] = `backend: "python"\n${text}\n`;
    found[`c_${index}/1/model.py`] = codeFile(ECHO_MODEL);
    found[`c_${index}/labels.txt`] = 'a\nb\n';
  });
  ONNX_CONFIGS.forEach(([model, text], index) => {
    if (text !== undefined) found[`o_${index}/config.pbtxt`] = text;
    found[`o_${index}/1/model.onnx`] = CONFIGURED_MODELS[model] ?? '';
  });
  ENSEMBLES.forEach((text, index) => {
    found[`e_${index}/config.pbtxt`] = text;
    found[`e_${index}/1/`] = '';
  });
  BROKEN.forEach((text, index) => {
    found[`b_${index}/config.pbtxt`] = text;
    found[`b_${index}/1/model.py`] = codeFile(ECHO_MODEL);
  });
  return found;
}

/** Without what later servers have more. */
function settled(body: string): object {
  const config = JSON.parse(body) as Record<string, unknown>;
  delete config['max_inflight_requests'];
  return config;
}

export const loadCase = (name: string, text: string): ReferenceCase => ({
  name: `configuration ${text}`,
  run: async ({ httpPort, folders }) => {
    const hide = (said: string): string => said.replaceAll(folders[0] ?? '', '<repository>');
    const loaded = await reply(httpPort, post(`/v2/repository/models/${name}/load`));
    const answers: unknown[] = [{ step: 'load', status: loaded.status, body: hide(loaded.body) }];
    if (loaded.status === 200) {
      const { status, body } = await reply(httpPort, get(`/v2/models/${name}/config`));
      answers.push({ step: 'config', status, body: status === 200 ? settled(body) : body });
    }
    // Each Python model is a process.
    if (name !== 'c_0' && loaded.status === 200)
      await reply(httpPort, post(`/v2/repository/models/${name}/unload`));
    return answers;
  },
});

const cases: readonly ReferenceCase[] = rows.map(([name, text]) => loadCase(name, text));

export const CONFIG_SCENE: Scene = {
  name: 'configurations',
  needs: 'onnxruntime',
  repositories: sameFor(files()),
  args: ['--model-control-mode=explicit', '--cache-config=local,size=1048576'],
  atOnce: 4,
  cases,
};

/** Python models take long to load, and completion changes little about them. */
export const STRICT_SCENE: Scene = {
  ...CONFIG_SCENE,
  name: 'strict',
  args: [...(CONFIG_SCENE.args ?? []), '--disable-auto-complete-config'],
  cases: rows
    .filter(([name], index) => name.startsWith('o_') || name === 'c_0' || index < 10)
    .map(([name, text]) => ({ ...loadCase(name, text), name: `strict configuration ${text}` })),
};

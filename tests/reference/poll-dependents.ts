// Polling of models that others need: ensembles over ensembles, ensembles with pinned versions, and Python models that call
// others, while files come, change, break and go. Statistics say what was made anew.

import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { get } from './http-calls.ts';
import { floats, infer } from './life-calls.ts';
import { add, drop, polling, put, step } from './poll-steps.ts';
import { answering, codeFile, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { Scene } from './scene.ts';
import type { WireCase } from './wire-cases.ts';

const CPU = 'instance_group [ { kind: KIND_CPU count: 1 } ]';
const adding = (value: number): string =>
  answering(
    `response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request) + np.float32(${value}))])`,
  );
const adds = (name: string, value: number, more = ''): RepositoryFiles =>
  pythonFiles(name, adding(value), `${ONE_TO_ONE}\n${CPU}\n${more}`);
/** Asks another model by name and answers with ten times of what it gave. */
const calls = (name: string, other: string): RepositoryFiles =>
  pythonFiles(
    name,
    answering(`asked = pb_utils.InferenceRequest(model_name="${other}", requested_output_names=["OUTPUT0"], inputs=[pb_utils.Tensor("INPUT0", first(request))])
called = asked.exec()
if called.has_error():
    response = pb_utils.InferenceResponse(error=pb_utils.TritonError(called.error().message()))
else:
    response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", np.float32(10) * pb_utils.get_output_tensor_by_name(called, "OUTPUT0").as_numpy())])`),
    `${ONE_TO_ONE}\n${CPU}`,
  );
const chain = (name: string, steps: readonly string[], version = -1): RepositoryFiles => ({
  [`${name}/config.pbtxt`]: `platform: "ensemble"\n${ONE_TO_ONE}\nensemble_scheduling { step [ ${steps
    .map(
      (model, at) => `{ model_name: "${model}" model_version: ${version}
  input_map { key: "INPUT0" value: "${at === 0 ? 'INPUT0' : `T${at}`}" }
  output_map { key: "OUTPUT0" value: "${at === steps.length - 1 ? 'OUTPUT0' : `T${at + 1}`}" } }`,
    )
    .join(', ')} ] }\n`,
  [`${name}/1/`]: '',
});
const one = floats([1]);
const MODELS = ['step', 'inner', 'outer', 'caller'];
const stats = (name: string): WireCase => get(`/v2/models/${name}/stats`);
const config = (value: string): string => `backend: "python"\n${ONE_TO_ONE}\n${CPU}\n${value}`;

const cases = [
  polling(
    'dependents',
    [...MODELS.map((name) => infer(name, one)), ...MODELS.map(stats), get('/v2/health/ready')],
    [
      step('the model file changes', ([folder = '']) =>
        writeFile(path.join(folder, 'step/1/model.py'), codeFile(adding(2))),
      ),
      step('its configuration says the same in other words', ([folder = '']) =>
        writeFile(path.join(folder, 'step/config.pbtxt'), config('# more\n')),
      ),
      step('its configuration has a description', ([folder = '']) =>
        writeFile(
          path.join(folder, 'step/config.pbtxt'),
          config('parameters { key: "a" value { string_value: "b" } }'),
        ),
      ),
      step('two instances', ([folder = '']) =>
        writeFile(path.join(folder, 'step/config.pbtxt'), config('').replace('count: 1', 'count: 2')),
      ),
      step('a second version', async ([folder = '']) => {
        await mkdir(path.join(folder, 'step/2'));
        await writeFile(path.join(folder, 'step/2/__pycache__'), '');
        await writeFile(path.join(folder, 'step/2/model.py'), codeFile(adding(20)));
      }),
      step('both versions', ([folder = '']) =>
        writeFile(path.join(folder, 'step/config.pbtxt'), config('version_policy { all {} }')),
      ),
      step('the ensemble wants version 1', add(0, chain('inner', ['step'], 1))),
      step('version 1 goes', ([folder = '']) => rm(path.join(folder, 'step/1'), { recursive: true })),
      step('the ensemble wants the newest', add(0, chain('inner', ['step']))),
      step('code that fails', ([folder = '']) =>
        writeFile(path.join(folder, 'step/2/model.py'), 'raise ValueError("on purpose")\n'),
      ),
      step('code that is mended', ([folder = '']) =>
        writeFile(path.join(folder, 'step/2/model.py'), codeFile(adding(30))),
      ),
      step('a broken configuration', ([folder = '']) =>
        writeFile(path.join(folder, 'step/config.pbtxt'), 'backend: "python" nonsense: 5'),
      ),
      step('no configuration', ([folder = '']) => rm(path.join(folder, 'step/config.pbtxt'))),
      step('other outputs than the ensemble wants', ([folder = '']) =>
        writeFile(path.join(folder, 'step/config.pbtxt'), config('').replaceAll('TYPE_FP32', 'TYPE_FP64')),
      ),
      step('those that it wants', ([folder = '']) =>
        writeFile(path.join(folder, 'step/config.pbtxt'), config('')),
      ),
      step('the folder gets another name', ([folder = '']) =>
        rename(path.join(folder, 'step'), path.join(folder, 'other')),
      ),
      step('and its own', ([folder = '']) => rename(path.join(folder, 'other'), path.join(folder, 'step'))),
      step('a name in the configuration that is another', ([folder = '']) =>
        writeFile(path.join(folder, 'step/config.pbtxt'), `name: "other"\n${config('')}`),
      ),
      step('the right one', ([folder = '']) =>
        writeFile(path.join(folder, 'step/config.pbtxt'), `name: "step"\n${config('')}`),
      ),
    ],
  ),
  polling(
    'ensembles of ensembles',
    [...MODELS.map((name) => infer(name, one)), ...MODELS.map(stats), get('/v2/health/ready')],
    [
      step('the outer one leaves out the inner one', add(0, chain('outer', ['step', 'step']))),
      step('the inner one goes', drop(0, 'inner')),
      step('it comes back', add(0, chain('inner', ['step']))),
      step('the outer one is over both', add(0, chain('outer', ['inner', 'step', 'caller']))),
      step('the model that is called goes', drop(0, 'step')),
      step('an ensemble of its name', add(0, chain('step', ['deep']))),
      step('the model below it comes', add(0, adds('deep', 7))),
      step('a ring', add(0, chain('deep', ['outer']))),
      step('the ring is open again', add(0, adds('deep', 8))),
      step('the model that calls fails', ([folder = '']) =>
        writeFile(path.join(folder, 'caller/1/model.py'), 'nonsense('),
      ),
      step('it calls another', ([folder = '']) => put(folder, calls('caller', 'deep'))),
      step('a file beside the model', ([folder = '']) =>
        writeFile(path.join(folder, 'deep/1/notes.txt'), 'x'),
      ),
      step('a file in its folder', ([folder = '']) => writeFile(path.join(folder, 'deep/notes.txt'), 'x')),
      step('an older file', async ([folder = '']) => {
        const before = new Date(Date.now() - 86_400_000);
        await utimes(path.join(folder, 'deep/1/model.py'), before, before);
      }),
      step('the version folder gets another number', ([folder = '']) =>
        rename(path.join(folder, 'deep/1'), path.join(folder, 'deep/5')),
      ),
      step('no version', ([folder = '']) => rm(path.join(folder, 'deep/5'), { recursive: true })),
      step('everything goes at once', async ([folder = '']) => {
        for (const name of ['deep', 'step', 'inner', 'outer', 'caller'])
          await rm(path.join(folder, name), { recursive: true });
      }),
    ],
  ),
];

const files: RepositoryFiles = {
  ...adds('step', 1),
  ...chain('inner', ['step']),
  ...chain('outer', ['inner', 'step']),
  ...calls('caller', 'step'),
};

export const POLL_DEPENDENT_SCENES: readonly Scene[] = cases.map((one) => ({
  name: one.name,
  repositories: () => [files],
  args: ['--model-control-mode=poll', '--repository-poll-secs=1', '--exit-on-error=false'],
  together: 'waiting',
  cases: [one],
}));

// Polling: what servers do by themselves when folders come, change and go, with several repositories, namespaces and
// ensembles over both.

import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { get, post } from './http-calls.ts';
import { ask, floats, infer } from './life-calls.ts';
import { add, drop, polling, put, step } from './poll-steps.ts';
import { answering, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';

const adds = (name: string, value: number): RepositoryFiles =>
  pythonFiles(
    name,
    answering(
      `response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request) + np.float32(${value}))])`,
    ),
  );

const chain = (name: string, step: string, version = -1): RepositoryFiles => ({
  [`${name}/config.pbtxt`]: `platform: "ensemble"\n${ONE_TO_ONE}
ensemble_scheduling { step [ { model_name: "${step}" model_version: ${version}
  input_map { key: "INPUT0" value: "INPUT0" } output_map { key: "OUTPUT0" value: "OUTPUT0" } } ] }\n`,
  [`${name}/1/`]: '',
});

const one = floats([1]);
const NAMESPACED: readonly ReferenceCase[] = [
  polling(
    'with namespaces',
    [
      infer('over', one),
      infer('step', one),
      get('/v2/models/over/ready'),
      get('/v2/models/step'),
      get('/v2/models/over/config'),
    ],
    [
      step("the ensemble's own composing model goes", drop(0, 'step')),
      step('it comes back', add(0, adds('step', 1))),
      step('the other one goes', drop(1, 'step')),
      step('its own one goes too', drop(0, 'step')),
      step('one in the third repository', add(2, adds('step', 100))),
      step('one more in the second', add(1, adds('step', 10))),
      step('the third one goes', drop(2, 'step')),
      step('the second one changes', add(1, adds('step', 20))),
      step('the ensemble goes', drop(0, 'over')),
    ],
  ),
];

const PLAIN: readonly ReferenceCase[] = [
  polling(
    'two repositories',
    [infer('over', one), infer('step', one), get('/v2/models/step'), get('/v2/health/ready')],
    [
      step('a model of the same name', add(1, adds('step', 10))),
      step('the first one goes', drop(0, 'step')),
      step('a second version', async ([, second = '']) => {
        await put(second, {
          ...adds('step', 10),
          'step/2/model.py': bare(30),
          'step/2/__pycache__': '',
        });
      }),
      step('the first version goes', async ([, second = '']) => {
        await rm(path.join(second, 'step/1'), { recursive: true });
      }),
      step('a broken configuration', async ([, second = '']) => {
        await writeFile(path.join(second, 'step/config.pbtxt'), 'nonsense: 5');
      }),
      step('a mended one', add(1, adds('step', 40))),
      step(
        'code that fails',
        add(1, { ...adds('step', 40), 'step/1/model.py': 'raise ValueError("on purpose")\n' }),
      ),
      step('code that is mended', add(1, adds('step', 50))),
      step('an ensemble over nothing', add(0, chain('lost', 'nope'))),
      step('the ensemble wants version 7', add(0, chain('over', 'step', 7))),
      step('the ensemble goes, and the one over nothing', async ([first = '']) => {
        await rm(path.join(first, 'over'), { recursive: true });
        await rm(path.join(first, 'lost'), { recursive: true });
      }),
      step('a file of the model is touched', async ([, second = '']) => {
        const later = new Date(Date.now() + 5000);
        await utimes(path.join(second, 'step/1/model.py'), later, later);
      }),
      step('a folder without files', async ([first = '']) => {
        await mkdir(path.join(first, 'bare'));
      }),
      step('a file among the models', async ([first = '']) => {
        await writeFile(path.join(first, 'readme.txt'), 'hello');
      }),
      step('the second repository is gone', async ([, second = '']) => {
        await rename(second, `${second}-gone`);
      }),
      step('and is back', async ([, second = '']) => {
        await rename(`${second}-gone`, second);
      }),
      step('all is gone', async ([first = '', second = '']) => {
        await rm(path.join(second, 'step'), { recursive: true });
        await rm(path.join(first, 'bare'), { recursive: true });
      }),
    ],
  ),
  {
    name: 'polling and calls',
    run: async (target) => {
      const calls = ['load', 'unload'].map((verb) => post(`/v2/repository/models/step/${verb}`));
      const answers: unknown[] = [];
      for (const call of calls) answers.push({ step: call.path, answer: await ask(target, call) });
      return answers;
    },
  },
];

/** The code alone, for a further version. */
function bare(value: number): string {
  return String(adds('m', value)['m/1/model.py']);
}

const POLL = ['--model-control-mode=poll', '--repository-poll-secs=1'];

export const POLL_SCENES: readonly Scene[] = [
  {
    name: 'polling',
    repositories: () => [{ ...chain('over', 'step'), ...adds('step', 1) }, {}],
    args: POLL,
    together: 'waiting',
    cases: PLAIN,
  },
  {
    name: 'namespaces',
    repositories: () => [{ ...chain('over', 'step'), ...adds('step', 1) }, adds('step', 10), {}],
    args: [...POLL, '--model-namespacing=true'],
    together: 'waiting',
    cases: NAMESPACED,
  },
];

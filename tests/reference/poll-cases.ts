// Polling: what servers do by themselves when folders come, change and go, with several repositories, namespaces and
// ensembles over both.

import { existsSync } from 'node:fs';
import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { get, post } from './http-calls.ts';
import { ask, floats, infer, wait } from './life-calls.ts';
import { saidOf } from './life-log.ts';
import { answering, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import type { WireCase } from './wire-cases.ts';

/** Longer than the time between two polls. */
const QUIET_MS = 2600;
const LIMIT_MS = 25_000;

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

/** Files of one model appear at once: written beside the repository and moved into it. */
async function put(folder: string, files: RepositoryFiles): Promise<void> {
  const name = Object.keys(files)[0]?.split('/')[0] ?? '';
  const stage = `${folder}-stage`;
  for (const [file, content] of Object.entries(files)) {
    const target = path.join(stage, file);
    await mkdir(file.endsWith('/') ? target : path.dirname(target), { recursive: true });
    if (!file.endsWith('/')) await writeFile(target, content);
  }
  const [old, fresh, place] = [path.join(stage, 'old'), path.join(stage, name), path.join(folder, name)];
  if (existsSync(place)) await rename(place, old);
  await rename(fresh, place);
  await rm(stage, { recursive: true });
}

/** Until nothing new has been said for longer than a poll, and all loads that began have ended. */
async function settled(target: Target, from: number): Promise<void> {
  const startedAt = Date.now();
  let [seen, since] = ['', startedAt];
  while (Date.now() - startedAt < LIMIT_MS) {
    const said = saidOf(target, from, true);
    const now = JSON.stringify(isRepeated(said) ? [...new Set(said)] : said);
    if (now !== seen) [seen, since] = [now, Date.now()];
    const count = (pattern: RegExp): number => said.filter((line) => pattern.test(line)).length;
    const isLoading = !isRepeated(said) && count(/^I loading: /) > count(/^I successfully loaded '/);
    if (!isLoading && Date.now() - since > QUIET_MS) return;
    await wait(100);
  }
}

/** What fails is tried and told again with every poll. */
function isRepeated(said: readonly string[]): boolean {
  return said.some((line) => /fail/i.test(line));
}

function linesOf(target: Target, from: number): readonly string[] {
  const said = saidOf(target, from, true);
  return isRepeated(said) ? [...new Set(said)] : said;
}

interface PollStep {
  readonly name: string;
  readonly act: (folders: readonly string[]) => Promise<unknown>;
}

const step = (name: string, act: PollStep['act']): PollStep => ({ name, act });
const add =
  (repository: number, files: RepositoryFiles) =>
  (folders: readonly string[]): Promise<void> =>
    put(folders[repository] ?? '', files);
const drop =
  (repository: number, name: string) =>
  (folders: readonly string[]): Promise<void> =>
    rm(path.join(folders[repository] ?? '', name), { recursive: true });

/** States of all models, by name; the order in which they are found is chance. */
async function indexOf(target: Target): Promise<unknown> {
  const [code, body] = (await ask(target, post('/v2/repository/index'))) as [number, string];
  const found: unknown = JSON.parse(body);
  return Array.isArray(found) ? found.map((model) => JSON.stringify(model)).sort() : [code, found];
}

const polling = (name: string, calls: readonly WireCase[], steps: readonly PollStep[]): ReferenceCase => ({
  name: `polling ${name}`,
  limitMs: 600_000,
  run: async (target) => {
    const answers: unknown[] = [];
    await settled(target, target.log().length);
    for (const { name: told, act } of [step('at the start', async () => {}), ...steps]) {
      const before = target.log().length;
      await act(target.folders);
      await settled(target, before);
      answers.push({ step: `${told} > lines`, said: linesOf(target, before) });
      answers.push({ step: `${told} > index`, index: await indexOf(target) });
      for (const call of calls)
        answers.push({ step: `${told} > ${call.path}`, answer: await ask(target, call) });
    }
    return answers;
  },
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

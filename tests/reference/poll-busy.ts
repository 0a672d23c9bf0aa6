// Polling beside requests that run and wait: what becomes of them when their model is taken away, renamed, broken or
// changed, and of a load whose files change meanwhile.

import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { countsOf } from './flow-counts.ts';
import { get, reply } from './http-calls.ts';
import { ask, floats, infer, wait } from './life-calls.ts';
import type { PollStep } from './poll-steps.ts';
import { add, drop, indexOf, linesOf, settled, step } from './poll-steps.ts';
import { answering, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';

/** Adds a number; each execution takes longer than a poll. */
const adding = (value: number): string =>
  answering(`time.sleep(2)
response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request) + np.float32(${value}))])`);
const ONE_INSTANCE = `${ONE_TO_ONE}\ninstance_group [ { kind: KIND_CPU count: 1 } ]`;
const plain = (value: number, more = ''): RepositoryFiles =>
  pythonFiles('plain', adding(value), `${ONE_INSTANCE}\n${more}`);
const bare = (value: number): string => String(plain(value)['plain/1/model.py']);
const slow = (more: string): RepositoryFiles =>
  pythonFiles(
    'slow',
    `${adding(0).trimEnd()}\n    def initialize(self, args):\n        time.sleep(4)\n`,
    `${ONE_INSTANCE}\nparameters { key: "mark" value { string_value: "${more}" } }`,
  );
const config = (more: string): string => `backend: "python"\n${ONE_INSTANCE}\n${more}\n`;

const OVER: RepositoryFiles = {
  'over/config.pbtxt': `platform: "ensemble"\n${ONE_TO_ONE}
ensemble_scheduling { step [ { model_name: "plain" model_version: -1
  input_map { key: "INPUT0" value: "INPUT0" } output_map { key: "OUTPUT0" value: "OUTPUT0" } } ] }\n`,
  'over/1/': '',
};

const move =
  (from: string, to: string) =>
  ([folder = '']: readonly string[]): Promise<void> =>
    rename(path.join(folder, from), path.join(folder, to));
const write =
  (file: string, text: string) =>
  ([folder = '']: readonly string[]): Promise<void> =>
    writeFile(path.join(folder, file), text);

const STEPS: readonly PollStep[] = [
  step('its folder goes', drop(0, 'plain')),
  step('it comes back', add(0, plain(10))),
  step('its folder is renamed', move('plain', 'other')),
  step('and back', move('other', 'plain')),
  step('its configuration is broken', write('plain/config.pbtxt', config('nonsense: 5'))),
  step('and mended', write('plain/config.pbtxt', config(''))),
  step(
    'its configuration is changed',
    write('plain/config.pbtxt', config('metric_tags { key: "a" value: "b" }')),
  ),
  step('a second version', (folders) =>
    add(0, { ...plain(20), 'plain/2/model.py': bare(30), 'plain/2/__pycache__': '' })(folders),
  ),
  step('the second version goes', ([folder = '']) => rm(path.join(folder, 'plain/2'), { recursive: true })),
  step('its code is broken', write('plain/1/model.py', 'raise RuntimeError("on purpose")\n')),
  step('its code is mended', write('plain/1/model.py', bare(40))),
  step('its version goes', ([folder = '']) =>
    rename(path.join(folder, 'plain/1'), path.join(folder, 'away')),
  ),
  step('its version is back', ([folder = '']) =>
    rename(path.join(folder, 'away'), path.join(folder, 'plain/1')),
  ),
];

/** Two requests for the model and one for the ensemble over it, then the change. */
const beside: ReferenceCase = {
  name: 'polling beside requests',
  limitMs: 600_000,
  run: async (target) => {
    const answers: object[] = [];
    await settled(target, target.log().length);
    for (const { name, act } of STEPS) {
      const before = target.log().length;
      const running: Promise<unknown>[] = [];
      for (const [index, model] of ['plain', 'plain', 'over'].entries()) {
        running.push(ask(target, infer(model, floats([index]))));
        await wait(60);
      }
      await act(target.folders);
      answers.push({ step: `${name} > those that ran`, answer: await Promise.all(running) });
      await settled(target, before);
      answers.push({ step: `${name} > lines`, said: [...new Set(linesOf(target, before))] });
      answers.push({ step: `${name} > index`, index: await indexOf(target) });
      answers.push({
        step: `${name} > the next`,
        answer: await Promise.all(['plain', 'over'].map((model) => ask(target, infer(model, floats([7]))))),
      });
      const counts = await countsOf(target, ['plain', 'over']);
      answers.push(...counts.map((one) => ({ ...one, step: `${name} > ${one.step}` })));
    }
    return answers;
  },
};

/**
 * A change one second into the load that another one began. A folder that goes then is left out: without its file a Python
 * model holds up the reference for good.
 */
const during = (name: string, first: PollStep['act'], second: PollStep['act']): ReferenceCase => ({
  name: `polling, ${name}`,
  limitMs: 120_000,
  run: async (target: Target) => {
    const before = target.log().length;
    await first(target.folders);
    for (let times = 0; times < 100; times += 1) {
      if (target.log().slice(before).includes('loading: slow:')) break;
      await wait(50);
    }
    await wait(1000);
    await second(target.folders);
    await settled(target, before);
    const { body } = await reply(target.httpPort, get('/v2/models/slow/config'));
    return [
      { step: 'lines', said: [...new Set(linesOf(target, before))] },
      { step: 'index', index: await indexOf(target) },
      { step: 'mark', mark: /"mark":\{[^}]*\}/.exec(body)?.[0] ?? body },
      { step: 'infer', answer: await ask(target, infer('slow', floats([7]))) },
    ];
  },
});

const DURING: readonly ReferenceCase[] = [
  during(
    'a configuration changes in its load',
    add(0, slow('first')),
    write('slow/config.pbtxt', config('parameters { key: "mark" value { string_value: "second" } }')),
  ),
  during(
    'a folder comes and is broken in its load',
    add(0, slow('fourth')),
    write('slow/config.pbtxt', config('nonsense: 5')),
  ),
];

const scene = (name: string, files: RepositoryFiles, cases: readonly ReferenceCase[]): Scene => ({
  name,
  repositories: () => [files],
  args: ['--model-control-mode=poll', '--repository-poll-secs=1'],
  together: 'waiting',
  cases,
});

export const POLL_BUSY_SCENES: readonly Scene[] = [
  scene('polling while busy', { ...plain(1), ...OVER }, [beside]),
  scene('polling while loading', {}, DURING),
];

// Loads under a rate limiter: resources that nobody has, too few of them, of one instance or of all, named twice, of no count;
// with what the command line says there is, and without. A model that loads is asked once.

import { get, post } from './http-calls.ts';
import { ask, floats, infer, load, unload, wait } from './life-calls.ts';
import { ECHO_MODEL, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';

const group = (limiter: string, count = 1): string =>
  `instance_group [ { kind: KIND_CPU count: ${count} rate_limiter { ${limiter} } } ]`;
const resource = (name: string, count: number, more = ''): string =>
  `{ name: "${name}" count: ${count} ${more} }`;
const of = (...resources: readonly string[]): string => `resources [ ${resources.join(', ')} ]`;

const LOADS: Readonly<Record<string, string>> = {
  'no limiter': 'instance_group [ { kind: KIND_CPU count: 1 } ]',
  'an empty one': group(''),
  'a priority': group('priority: 3'),
  'one of R1': group(of(resource('R1', 1))),
  'two of R1': group(of(resource('R1', 2))),
  'two instances of two of R1': group(of(resource('R1', 2)), 2),
  'R1 for all': group(of(resource('R1', 1, 'global: true'))),
  'two of R2 for all': group(of(resource('R2', 2, 'global: true'))),
  'R2 of one instance': group(of(resource('R2', 1))),
  'R1 twice': group(of(resource('R1', 1), resource('R1', 2))),
  'none of R1': group(of(resource('R1', 0))),
  'no count': group(of('{ name: "R1" }')),
  'two groups':
    'instance_group [ { kind: KIND_CPU rate_limiter { resources [ { name: "R1" count: 1 } ] } }, { kind: KIND_CPU rate_limiter { priority: 2 resources [ { name: "R1" count: 2 } ] } } ]',
  // What a model that failed asked for, the reference counts on for a while: these come last.
  'five of R1': group(of(resource('R1', 5))),
  'five of R2 for all': group(of(resource('R2', 5, 'global: true'))),
  'R1 for one and for all': group(of(resource('R1', 1), resource('R1', 1, 'global: true'))),
  'an unknown one': group(of(resource('R9', 4))),
  'an unknown one for all': group(of(resource('R8', 4, 'global: true'))),
  'no name': group(of('{ count: 1 }')),
};
const titles = Object.keys(LOADS);
const nameOf = (title: string): string => `l_${titles.indexOf(title)}`;
const models: RepositoryFiles = Object.assign(
  {},
  ...titles.map((title) => pythonFiles(nameOf(title), ECHO_MODEL, `${ONE_TO_ONE}\n${LOADS[title]}`)),
);

const loaded =
  (args: string) =>
  (title: string): ReferenceCase => ({
    name: `limiter load, ${args}: ${title}`,
    run: async (target) => {
      const model = nameOf(title);
      const answers = [
        { step: 'load', answer: await ask(target, load(model)) },
        { step: 'config', answer: await ask(target, get(`/v2/models/${model}/config`)) },
        { step: 'infer', answer: await ask(target, infer(model, floats([1]))) },
        { step: 'unload', answer: await ask(target, unload(model)) },
      ];
      // What a model holds of the resources it holds until it is gone.
      for (let tries = 0; tries < 100; tries += 1) {
        if (!JSON.stringify(await ask(target, post('/v2/repository/index'))).includes('UNLOADING')) break;
        await wait(100);
      }
      return answers;
    },
  });

const scene = (told: string, ...args: readonly string[]): Scene => ({
  name: `limiter loads ${told}`,
  repositories: () => [models],
  args: ['--model-control-mode=explicit', ...args],
  cases: titles.map(loaded(told)),
});

const ON = '--rate-limit=execution_count';
export const LIMITER_LOAD_SCENES: readonly Scene[] = [
  scene('on', ON),
  scene(
    'with resources',
    ON,
    '--rate-limit-resource=R1:3',
    '--rate-limit-resource=R2:2',
    '--rate-limit-resource=R8:1:0',
  ),
];

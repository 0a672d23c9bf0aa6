// What the command line says there is of a resource, on which device, told once or twice; and models that ask for one more
// than that. A CPU instance takes of no device's own.

import { get, post } from './http-calls.ts';
import { ask, floats, infer, load, unload, wait } from './life-calls.ts';
import { ECHO_MODEL, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';

const TOLD = [
  'R1:4',
  'R2:3:0',
  'R3:2:1',
  'R4:1',
  'R4:6',
  'R5:2:0',
  'R5:5',
  'R6:5',
  'R6:2:0',
  'R7:0',
  'R8:3:0',
  'R8:1:1',
  'R 9:2',
];
/** What a model asks for: of each resource as much as there is, and one more. */
const AMOUNTS: Readonly<Record<string, readonly number[]>> = {
  R1: [4, 5],
  R2: [1, 3, 4],
  R3: [2],
  R4: [2, 6, 7],
  R5: [2, 3, 5, 6],
  R6: [2, 3, 5, 6],
  R7: [1],
  R8: [1, 3],
  'R 9': [2, 3],
  r1: [1],
};
const ASKED: readonly string[] = Object.entries(AMOUNTS).flatMap(([name, counts]) =>
  counts.map((count) => `{ name: "${name}" count: ${count} }`),
);
const nameOf = (index: number): string => `d_${index}`;
const models: RepositoryFiles = Object.assign(
  {},
  ...ASKED.map((resource, index) =>
    pythonFiles(
      nameOf(index),
      ECHO_MODEL,
      `${ONE_TO_ONE}\ninstance_group [ { kind: KIND_CPU count: 1 rate_limiter { resources [ ${resource} ] } } ]`,
    ),
  ),
);

const cases: readonly ReferenceCase[] = ASKED.map((resource, index) => ({
  name: `limiter devices: ${resource}`,
  run: async (target) => {
    const model = nameOf(index);
    const loaded = (await ask(target, load(model))) as [number, string];
    if (loaded[0] !== 200) return [{ step: 'load', loaded }];
    const answers = [
      { step: 'load', loaded },
      { step: 'config', answer: await ask(target, get(`/v2/models/${model}/config`)) },
      { step: 'infer', answer: await ask(target, infer(model, floats([1]))) },
    ];
    await ask(target, unload(model));
    // What a model holds of the resources it holds until it is gone.
    for (let tries = 0; tries < 100; tries += 1) {
      if (!JSON.stringify(await ask(target, post('/v2/repository/index'))).includes('UNLOADING')) break;
      await wait(100);
    }
    return answers;
  },
}));

export const LIMITER_DEVICE_SCENE: Scene = {
  name: 'limiter devices',
  repositories: () => [models],
  args: [
    '--model-control-mode=explicit',
    '--rate-limit=execution_count',
    ...TOLD.map((told) => `--rate-limit-resource=${told}`),
  ],
  cases,
};

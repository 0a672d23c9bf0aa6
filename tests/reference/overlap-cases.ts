// Loads, unloads and questions that meet: models that take their time to load and to go, asked for again meanwhile, changed,
// unloaded, used, and ensembles over them. Each step is started at its own time, whatever the ones before do.

import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { get, post } from './http-calls.ts';
import { ask, infer, load, unload, wait } from './life-calls.ts';
import { ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import type { WireCase } from './wire-cases.ts';

/** Takes these seconds to load, to answer and to go. Answers with the first value plus the parameter `plus`. */
const model = (loads: number, answers = 0, goes = 0): string => `class TritonPythonModel:
    def initialize(self, args):
        config = json.loads(args["model_config"])
        self.plus = float(config.get("parameters", {}).get("plus", {}).get("string_value", "0"))
        time.sleep(${loads})
        if self.plus < 0:
            raise ValueError("below zero")

    def execute(self, requests):
        time.sleep(${answers})
        return [pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request) + np.float32(self.plus))]) for request in requests]

    def finalize(self):
        time.sleep(${goes})
`;
const CPU = 'instance_group [ { kind: KIND_CPU count: 1 } ]';
const CONFIG = `${ONE_TO_ONE}\n${CPU}`;
const over = (steps: readonly string[]): string =>
  `platform: "ensemble"\n${ONE_TO_ONE}\nensemble_scheduling { step [ ${steps
    .map(
      (step, at) =>
        `{ model_name: "${step}" model_version: -1 input_map { key: "INPUT0" value: "${at === 0 ? 'INPUT0' : `T${at}`}" } output_map { key: "OUTPUT0" value: "${at === steps.length - 1 ? 'OUTPUT0' : `T${at + 1}`}" } }`,
    )
    .join(', ')} ] }`;

/** A call, or a configuration that is written into the model's folder. */
type Step = WireCase | { readonly text: string };

const withPlus = (plus: number, more: object = {}): object => ({
  backend: 'python',
  input: [{ name: 'INPUT0', data_type: 'TYPE_FP32', dims: [-1] }],
  output: [{ name: 'OUTPUT0', data_type: 'TYPE_FP32', dims: [-1] }],
  instance_group: [{ kind: 'KIND_CPU', count: 1 }],
  parameters: { plus: { string_value: String(plus) } },
  ...more,
});
const changed = (name: string, plus: number, more: object = {}): WireCase =>
  post(`/v2/repository/models/${name}/load`, {
    parameters: { config: JSON.stringify(withPlus(plus, more)) },
  });
const written = (plus: number): Step => ({
  text: `backend: "python"\n${CONFIG}\nparameters { key: "plus" value { string_value: "${plus}" } }\n`,
});
const ready = (name: string): WireCase => get(`/v2/models/${name}/ready`);
const withDependents = (name: string): WireCase =>
  post(`/v2/repository/models/${name}/unload`, { parameters: { unload_dependents: true } });

interface Meeting {
  readonly files: (name: string) => RepositoryFiles;
  /** Groups: a group begins when everything of the one before is answered and calm. */
  readonly steps: (name: string) => readonly (readonly Step[])[];
}
const slow =
  (loads = 3, answers = 0, goes = 0) =>
  (name: string): RepositoryFiles =>
    pythonFiles(name, model(loads, answers, goes), CONFIG);
const pair =
  (loads = 3, answers = 0, goes = 0) =>
  (name: string): RepositoryFiles => ({
    ...slow(loads, answers, goes)(`${name}_a`),
    ...slow(0, answers, 0)(`${name}_b`),
    [`${name}/config.pbtxt`]: over([`${name}_a`, `${name}_b`]),
    [`${name}/1/`]: '',
  });

const MEETINGS: Readonly<Record<string, Meeting>> = {
  'a load twice': {
    files: slow(),
    steps: (n) => [[load(n), load(n), ready(n), infer(n)], [infer(n)]],
  },
  'a load and an unload': {
    files: slow(),
    steps: (n) => [[load(n), unload(n), ready(n)], [infer(n), load(n)], [infer(n)]],
  },
  'a load and another configuration': {
    files: slow(),
    steps: (n) => [[load(n), changed(n, 5)], [infer(n), load(n)], [infer(n)]],
  },
  'another configuration and the old one': {
    files: slow(),
    steps: (n) => [[changed(n, 5), load(n)], [infer(n)]],
  },
  'another configuration that fails': {
    files: slow(),
    steps: (n) => [
      [load(n)],
      [changed(n, -5), infer(n)],
      [infer(n), ready(n), get(`/v2/models/${n}/config`)],
    ],
  },
  'an unload while another configuration loads': {
    files: slow(),
    steps: (n) => [[load(n)], [changed(n, 5), unload(n), infer(n)], [infer(n), ready(n)]],
  },
  'a first load that fails, and one that does not': {
    files: slow(),
    steps: (n) => [[changed(n, -5), load(n)], [infer(n)]],
  },
  'requests while the model is loaded anew': {
    files: slow(3, 0.3),
    steps: (n) => [[load(n)], [changed(n, 5), infer(n), infer(n), infer(n)], [infer(n)]],
  },
  'requests while the model goes': {
    files: slow(0, 2, 1),
    steps: (n) => [[load(n)], [infer(n), infer(n), unload(n), infer(n), ready(n)], [load(n)], [infer(n)]],
  },
  'a load while the model goes': {
    files: slow(3, 2, 3),
    steps: (n) => [
      [load(n)],
      [infer(n), unload(n), load(n), ready(n)],
      [infer(n), unload(n), unload(n)],
      [ready(n)],
    ],
  },
  'unloads twice': {
    files: slow(0, 0, 3),
    steps: (n) => [[load(n)], [unload(n), unload(n), infer(n)], [unload(n), load(n)], [infer(n)]],
  },
  'a file that changes while it loads': {
    files: slow(),
    steps: (n) => [[load(n), written(7)], [infer(n), load(n)], [infer(n), load(n)], [infer(n)]],
  },
  'an ensemble and its slow step': {
    files: pair(),
    steps: (n) => [
      [load(n), load(`${n}_a`), ready(n)],
      [infer(n), infer(`${n}_a`)],
    ],
  },
  'a step, then its ensemble': {
    files: pair(),
    steps: (n) => [
      [load(`${n}_a`), load(n)],
      [infer(n), infer(`${n}_b`)],
    ],
  },
  'a step goes while its ensemble loads': {
    files: pair(),
    steps: (n) => [
      [load(n), unload(`${n}_a`)],
      [infer(n), ready(`${n}_a`), ready(`${n}_b`)],
      [load(n)],
      [infer(n)],
    ],
  },
  'a step goes while the ensemble runs': {
    files: pair(0, 2),
    steps: (n) => [
      [load(n)],
      [infer(n), unload(`${n}_b`), infer(n), ready(n)],
      [infer(n)],
      [load(`${n}_b`)],
      [infer(n)],
    ],
  },
  'a step changes while the ensemble runs': {
    files: pair(0, 2),
    steps: (n) => [[load(n)], [infer(n), changed(`${n}_b`, 5)], [infer(n), ready(n)]],
  },
  'an ensemble goes with its steps while it runs': {
    files: pair(0, 2),
    steps: (n) => [
      [load(n)],
      [infer(n), withDependents(n), infer(`${n}_a`), ready(`${n}_b`)],
      [ready(`${n}_b`)],
      [load(`${n}_b`)],
      [infer(`${n}_b`)],
    ],
  },
  'an ensemble goes while its step is loaded anew': {
    files: pair(),
    steps: (n) => [
      [load(n)],
      [changed(`${n}_a`, 5), unload(n)],
      [infer(n), infer(`${n}_a`)],
      [load(n)],
      [infer(n)],
    ],
  },
  'a step whose other configuration fails': {
    files: pair(),
    steps: (n) => [[load(n)], [changed(`${n}_a`, -5), infer(n)], [infer(n), ready(n)], [load(n)], [infer(n)]],
  },
  'many loads at once': {
    files: slow(1),
    steps: (n) => [
      Array.from({ length: 6 }, () => load(n)),
      [infer(n)],
      [unload(n), unload(n), unload(n)],
      [ready(n)],
    ],
  },
};

const titles = Object.keys(MEETINGS);
const nameOf = (title: string): string => `m${titles.indexOf(title)}`;

/** States of these models, by name. */
async function indexOf(target: Target, name: string): Promise<unknown> {
  const [status, body] = (await ask(target, post('/v2/repository/index'))) as [number, string];
  if (status !== 200) return [status, body];
  const found = JSON.parse(body) as { name: string }[];
  return found
    .filter((one) => one.name === name || one.name.startsWith(`${name}_`))
    .map((one) => JSON.stringify(one))
    .sort();
}

/** States once nothing loads or goes any more. */
async function settled(target: Target, name: string): Promise<unknown> {
  for (;;) {
    await wait(CALM_MS);
    const states = await indexOf(target, name);
    if (!/LOADING/.test(JSON.stringify(states))) return states;
  }
}

/** Between the steps of a group; short against what a model takes its time for. */
const GAP_MS = 800;
const CALM_MS = 700;

const asked = (title: string): ReferenceCase => ({
  name: `meeting: ${title}`,
  run: async (target) => {
    const name = nameOf(title);
    const answers: object[] = [];
    for (const [group, steps] of (MEETINGS[title]?.steps(name) ?? []).entries()) {
      const running: Promise<object>[] = [];
      for (const [at, one] of steps.entries()) {
        if ('text' in one) {
          await writeFile(path.join(target.folders[0] ?? '', name, 'config.pbtxt'), one.text);
        } else {
          const step = `${group}.${at} ${one.path}`;
          running.push(ask(target, one).then((answer) => ({ step, answer })));
        }
        await wait(GAP_MS);
      }
      answers.push(...(await Promise.all(running)));
      answers.push({ step: `${group} at the end`, states: await settled(target, name) });
    }
    return answers;
  },
});

export const OVERLAP_SCENE: Scene = {
  name: 'meeting loads',
  repositories: () => [
    Object.assign({}, ...titles.map((title) => MEETINGS[title]?.files(nameOf(title)))) as RepositoryFiles,
  ],
  // Without it the reference starts a process before it knows of a load.
  args: ['--model-control-mode=explicit', '--disable-auto-complete-config'],
  // A load call holds a thread of the reference's HTTP server, and with it the connections that the thread has.
  argsOf: (side) => (side === 'reference' ? ['--http-thread-count=64'] : []),
  cases: titles.map(asked),
};

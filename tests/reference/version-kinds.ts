// Version policies of every making, and version folders of odd names: what is loaded, what the index, the metadata, the
// statistics and the metrics say, and what becomes of them when the configuration is changed and loaded again.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { countsOf } from './flow-counts.ts';
import { grpcCall } from './grpc-exchange.ts';
import { get, post } from './http-calls.ts';
import { ask, floats, infer, load, unload, wait } from './life-calls.ts';
import { ECHO_MODEL, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

const POLICIES: Readonly<Record<string, string>> = {
  none: '',
  'the latest': 'version_policy { latest {} }',
  'the latest 0': 'version_policy { latest { num_versions: 0 } }',
  'the latest 2': 'version_policy { latest { num_versions: 2 } }',
  'the latest 9': 'version_policy { latest { num_versions: 9 } }',
  'the latest of 32 bits': 'version_policy { latest { num_versions: 4294967295 } }',
  'the latest, beyond': 'version_policy { latest { num_versions: 4294967296 } }',
  'the latest, below': 'version_policy { latest { num_versions: -1 } }',
  all: 'version_policy { all {} }',
  'all, in a colon': 'version_policy: { all: { } }',
  'specific none': 'version_policy { specific {} }',
  'specific 1': 'version_policy { specific { versions: 1 } }',
  'specific 1, 3': 'version_policy { specific { versions: [ 1, 3 ] } }',
  'specific 3, 1, 1': 'version_policy { specific { versions: [ 3, 1, 1 ] } }',
  'specific 2': 'version_policy { specific { versions: [ 2 ] } }',
  'specific 1, 2': 'version_policy { specific { versions: [ 1, 2 ] } }',
  'specific 0': 'version_policy { specific { versions: [ 0 ] } }',
  'specific -1': 'version_policy { specific { versions: [ -1 ] } }',
  'specific 01': 'version_policy { specific { versions: [ 01 ] } }',
  'specific, very large': 'version_policy { specific { versions: [ 9007199254740991 ] } }',
  'an empty policy': 'version_policy {}',
  'two policies': 'version_policy { all {} latest {} }',
  'two fields': 'version_policy { all {} } version_policy { latest {} }',
  'an unknown policy': 'version_policy { newest {} }',
};

const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  one: ['1'],
  'leading zeros': ['007'],
  'leading zeros beside': ['07', '8'],
  zero: ['0'],
  'zero beside': ['0', '3'],
  'zeros alone': ['000'],
  large: ['4294967296'],
  'larger beside': ['2147483648', '10', '9'],
  letters: ['a1', '2'],
  'letters alone': ['v1'],
  hidden: ['.1', '2'],
  none: [],
};
const titles = Object.keys(POLICIES);
const folders = Object.keys(FOLDERS);
const policyModel = (title: string): string => `p_${titles.indexOf(title)}`;
const folderModel = (title: string): string => `d_${folders.indexOf(title)}`;
const echo = (name: string): string | Uint8Array => pythonFiles(name, ECHO_MODEL)[`${name}/1/model.py`] ?? '';
const versions = (name: string, config: string, all: readonly string[]): RepositoryFiles => ({
  [`${name}/config.pbtxt`]: `backend: "python"\n${ONE_TO_ONE}\n${config}\n`,
  ...Object.fromEntries(
    all.flatMap((one) => [
      [`${name}/${one}/model.py`, echo(name)],
      [`${name}/${one}/__pycache__`, ''],
    ]),
  ),
});
const models: RepositoryFiles = Object.assign(
  {},
  ...titles.map((title) => versions(policyModel(title), POLICIES[title] ?? '', ['1', '3', '4'])),
  ...folders.map((title) => versions(folderModel(title), 'version_policy { all {} }', FOLDERS[title] ?? [])),
  versions('changes', '', ['1', '2', '3']),
);

/** Index entries come in any order. */
async function indexOf(target: Target, model: string): Promise<unknown> {
  const [status, body] = (await ask(target, post('/v2/repository/index'))) as [number, string];
  if (status !== 200) return [status, body];
  const entries = JSON.parse(body) as { name: string; version?: string }[];
  return entries
    .filter(({ name }) => name === model)
    .sort((one, other) => Number(one.version ?? 0) - Number(other.version ?? 0));
}

async function standing(
  target: Target,
  model: string,
  asked: readonly string[],
): Promise<readonly unknown[]> {
  const answers: unknown[] = [
    { step: 'index', answer: await indexOf(target, model) },
    { step: 'metadata', answer: await ask(target, get(`/v2/models/${model}`)) },
    { step: 'ready', answer: await ask(target, get(`/v2/models/${model}/ready`)) },
  ];
  for (const version of asked) {
    const base = `/v2/models/${model}/versions/${version}`;
    answers.push({
      step: `version ${version}`,
      ready: await ask(target, get(`${base}/ready`)),
      metadata: await ask(target, get(base)),
      stats: ((await ask(target, get(`${base}/stats`))) as [number, string])[0],
      answer: await ask(target, post(`${base}/infer`, floats([1]))),
      grpc: await grpcCall(target.grpcPort, 'ModelReady', { name: model, version }),
    });
  }
  answers.push({ step: 'answer', answer: await ask(target, infer(model, floats([2]))) });
  answers.push(...(await countsOf(target, [model])));
  return answers;
}

const walk = (name: string, model: string, asked: readonly string[]): ReferenceCase => ({
  name: `versions: ${name}`,
  run: async (target) => {
    const loaded = await ask(target, load(model));
    const answers = await standing(target, model, asked);
    await ask(target, unload(model));
    return [{ step: 'load', loaded }, ...answers];
  },
});

const changed = (policy: object): ReturnType<typeof post> =>
  post('/v2/repository/models/changes/load', {
    parameters: {
      config: JSON.stringify({
        backend: 'python',
        version_policy: policy,
        input: [{ name: 'INPUT0', data_type: 'TYPE_FP32', dims: [-1] }],
        output: [{ name: 'OUTPUT0', data_type: 'TYPE_FP32', dims: [-1] }],
      }),
    },
  });
const changes: ReferenceCase = {
  name: 'versions: changes',
  limitMs: 120_000,
  run: async (target) => {
    const answers: unknown[] = [];
    const calls = [
      load('changes'),
      changed({ latest: { num_versions: 2 } }),
      changed({ all: {} }),
      changed({ specific: { versions: [1] } }),
      changed({ specific: { versions: [1, 9] } }),
      changed({ specific: { versions: [9] } }),
      changed({ specific: { versions: ['2', 3] } }),
      changed({ latest: { num_versions: 0 } }),
      changed({ latest: { numVersions: 3 } }),
      changed({}),
      load('changes'),
    ];
    for (const [at, call] of calls.entries()) {
      answers.push({ step: `${at} ${call.name.slice(-60)}`, answer: await ask(target, call) });
      // The process of a Python model takes its time to end.
      await wait(2500);
      for (const one of await standing(target, 'changes', ['1', '2', '3', '9']))
        answers.push({ ...(one as object), step: `${at} ${(one as { step: string }).step}` });
    }
    return answers;
  },
};

export const VERSION_SCENE: Scene = {
  name: 'versions of every kind',
  repositories: sameFor(models),
  args: ['--model-control-mode=explicit'],
  atOnce: 3,
  cases: [
    ...titles.map((title) => walk(`policy ${title}`, policyModel(title), ['1', '2', '3', '4'])),
    ...folders.map((title) =>
      walk(`folders ${title}`, folderModel(title), [
        ...(FOLDERS[title] ?? []).filter((one) => /^\d+$/.test(one)),
        '0',
        '01',
        '-1',
        '1x',
        '18446744073709551616',
      ]),
    ),
    changes,
  ],
};

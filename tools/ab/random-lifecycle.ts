// A random life of a few models in two repositories: files that come, change and go, and calls that load and unload.

import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { graphModel, value } from '../../src-main/testing/onnx-test-models.ts';
import { RandomChoice } from './random-choice.ts';

/** Names that folders of the repositories may have. */
export const LIFE_MODELS = ['copy', 'twin', 'chain', 'over'] as const;
type Name = (typeof LIFE_MODELS)[number];
/** Versions that a model may have; which ones are there changes. */
export const LIFE_VERSIONS = [1, 2, 3] as const;

/** One step: something done to the folders, or a call of a server. */
export type LifeStep =
  | { readonly text: string; readonly act: (folders: readonly string[]) => Promise<unknown> }
  | { readonly text: string; readonly path: string; readonly body: string };

const row = (name: string) => value(name, 'FP32', ['batch', 4]);
/** What tells the versions of a model apart. */
const OPERATORS = ['Identity', 'Neg', 'Abs', 'Ceil', 'Sign'];
const code = (operator: string): Uint8Array =>
  graphModel(
    [{ opType: operator, inputs: ['INPUT0'], outputs: ['OUTPUT0'] }],
    [row('INPUT0')],
    [row('OUTPUT0')],
  );
const TENSORS = `input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 4 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 4 ] } ]`;
const POLICIES = [
  '',
  'version_policy { all {} }',
  'version_policy { latest { num_versions: 2 } }',
  'version_policy { specific { versions: [ 1, 3 ] } }',
  'version_policy { specific { versions: [ 2 ] } }',
  'version_policy { specific { versions: [ 9 ] } }',
];
const MORE = [
  '',
  'instance_group [ { kind: KIND_CPU count: 2 } ]',
  'instance_group [ { kind: KIND_CPU count: 1 } ]',
  'dynamic_batching {}',
  'response_cache { enable: true }',
  'parameters { key: "a" value { string_value: "b" } }',
  'metric_tags { key: "k" value: "v" }',
  'model_warmup { name: "w" batch_size: 1 inputs { key: "INPUT0" value { data_type: TYPE_FP32 dims: [ 4 ] zero_data: true } } }',
];
const BROKEN = [
  'nonsense: 5',
  'backend: "onnxruntime" max_batch_size: -1',
  `name: "else" backend: "onnxruntime"\n${TENSORS}`,
  `backend: "onnxruntime" max_batch_size: 8\n${TENSORS.replace('dims: [ 4 ]', 'dims: [ 5 ]')}`,
  `backend: "far"\n${TENSORS}`,
  '',
];
const POLICY_JSON = [
  {},
  { version_policy: { all: {} } },
  { version_policy: { specific: { versions: [1, 2] } } },
  { instance_group: [{ kind: 'KIND_CPU', count: 2 }] },
  { max_batch_size: 0 },
  { backend: 'far' },
  { nonsense: 1 },
];

const step = (model: string, from: string, to: string): string =>
  `{ model_name: "${model}" model_version: -1 input_map { key: "INPUT0" value: "${from}" } output_map { key: "OUTPUT0" value: "${to}" } }`;
const ENSEMBLE_STEPS: Readonly<Record<string, readonly string[]>> = {
  chain: [step('copy', 'INPUT0', 'OUTPUT0')],
  over: [step('chain', 'INPUT0', 'm'), step('twin', 'm', 'OUTPUT0')],
};
const ensembleText = (steps: readonly string[]): string =>
  `platform: "ensemble" max_batch_size: 8\n${TENSORS}\nensemble_scheduling { step [ ${steps.join(', ')} ] }`;
const isEnsemble = (name: Name): boolean => name in ENSEMBLE_STEPS;
const textOf = (name: Name, more: string): string =>
  isEnsemble(name)
    ? ensembleText(ENSEMBLE_STEPS[name] ?? [])
    : `backend: "onnxruntime" max_batch_size: 8\n${TENSORS}\n${more}`;

async function write(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
}

/** What both repositories hold at first. */
export async function writeFirstModels(folders: readonly string[]): Promise<void> {
  const [first = ''] = folders;
  for (const name of LIFE_MODELS) await writeModel(first, name, 'Neg', '');
}

async function writeModel(folder: string, name: Name, operator: string, more: string): Promise<void> {
  await write(path.join(folder, name, 'config.pbtxt'), textOf(name, more));
  if (isEnsemble(name)) await mkdir(path.join(folder, name, '1'), { recursive: true });
  else await write(path.join(folder, name, '1/model.onnx'), code(operator));
}

/** The same seed gives the same life. */
export class RandomLifecycle {
  readonly #choice: RandomChoice;
  readonly #calls: boolean;

  /** Without `calls` only folders change, as for a server that polls. */
  constructor(seed: number, calls: boolean) {
    this.#choice = new RandomChoice(seed);
    this.#calls = calls;
  }

  /** The next change of files, or the next call. */
  step(): LifeStep {
    return this.#calls && this.#choice.chance(0.6) ? this.#call() : this.#change();
  }

  #name(): Name {
    return this.#choice.one(LIFE_MODELS);
  }

  #call(): LifeStep {
    const choice = this.#choice;
    const name = choice.chance(0.04) ? 'nothing' : this.#name();
    const asked = (what: 'load' | 'unload', parameters?: object): LifeStep => {
      const body = parameters === undefined ? '' : JSON.stringify({ parameters });
      const place = `/v2/repository/models/${name}/${what}`;
      return { text: `${what} ${name} ${body.slice(0, 300)}`, path: place, body };
    };
    const kind = choice.next();
    if (kind < 0.45) return asked('load');
    if (kind < 0.65) return asked('unload');
    if (kind < 0.72) return asked('unload', { unload_dependents: choice.chance(0.7) });
    const base =
      name === 'chain' || name === 'over' || choice.chance(0.1)
        ? {}
        : {
            backend: 'onnxruntime',
            max_batch_size: 8,
            input: [{ name: 'INPUT0', data_type: 'TYPE_FP32', dims: [4] }],
            output: [{ name: 'OUTPUT0', data_type: 'TYPE_FP32', dims: [4] }],
          };
    const config = JSON.stringify({ ...base, ...choice.one(POLICY_JSON) });
    // The reference keeps the files of before when nothing but instances changed.
    const isOfInstances = config.includes('instance_group');
    if (kind < 0.88 || isOfInstances) return asked('load', { config });
    const file = Buffer.from(code(choice.one(OPERATORS))).toString('base64');
    const place = `file:${choice.one(['1', '3', '7'])}/model.onnx`;
    return asked('load', choice.chance(0.15) ? { [place]: file } : { config, [place]: file });
  }

  #change(): LifeStep {
    const name = this.#name();
    const repository = this.#choice.chance(0.8) ? 0 : 1;
    const where: Where = {
      name,
      told: `${name} of repository ${repository}`,
      place: (folders, ...parts) => path.join(folders[repository] ?? '', name, ...parts),
      repository,
    };
    const kind = this.#choice.next();
    if (kind < 0.42) return this.#changeConfig(where);
    return kind < 0.8 ? this.#changeVersion(where) : this.#changeFolder(where);
  }

  #more(): string {
    const choice = this.#choice;
    return `${choice.one(POLICIES)}\n${choice.chance(0.5) ? choice.one(MORE) : ''}`;
  }

  #changeConfig({ name, told, place }: Where): LifeStep {
    const kind = this.#choice.next();
    const [more, broken] = [this.#more(), this.#choice.one(BROKEN)];
    if (kind < 0.1)
      return {
        text: `${told}: no configuration`,
        act: (folders) => rm(place(folders, 'config.pbtxt'), { force: true }),
      };
    if (kind < 0.3)
      return {
        text: `${told}: broken configuration ${broken.replaceAll('\n', ' ').slice(0, 60)}`,
        act: ifThere(place, (folders) => write(place(folders, 'config.pbtxt'), broken)),
      };
    return {
      text: `${told}: configuration ${isEnsemble(name) ? '' : more.replaceAll('\n', ' ')}`,
      act: ifThere(place, (folders) => write(place(folders, 'config.pbtxt'), textOf(name, more))),
    };
  }

  #changeVersion({ name, told, place }: Where): LifeStep {
    const version = String(this.#choice.one(LIFE_VERSIONS));
    const operator = this.#choice.one(OPERATORS);
    const kind = this.#choice.next();
    const file = (folders: readonly string[]): string => place(folders, version, 'model.onnx');
    if (kind < 0.26)
      return {
        text: `${told}: without version ${version}`,
        act: (folders) => rm(place(folders, version), { recursive: true, force: true }),
      };
    if (kind < 0.4)
      return {
        text: `${told}: version ${version} is no model`,
        act: ifThere(place, (folders) => write(file(folders), 'no model')),
      };
    return {
      text: `${told}: version ${version} is ${operator}`,
      act: ifThere(place, (folders) =>
        isEnsemble(name)
          ? mkdir(place(folders, version), { recursive: true })
          : write(file(folders), code(operator)),
      ),
    };
  }

  #changeFolder({ name, told, place, repository }: Where): LifeStep {
    const [operator, more] = [this.#choice.one(OPERATORS), this.#more()];
    if (this.#choice.chance(0.35))
      return {
        text: `${told} goes`,
        act: (folders) => rm(place(folders), { recursive: true, force: true }),
      };
    return {
      text: `${told} comes: ${operator}`,
      act: (folders) => writeModel(folders[repository] ?? '', name, operator, more),
    };
  }
}

interface Where {
  readonly name: Name;
  readonly told: string;
  readonly repository: number;
  readonly place: (folders: readonly string[], ...parts: readonly string[]) => string;
}

/** Files of a model that is not there would make a new one. */
const ifThere =
  (place: Where['place'], act: (folders: readonly string[]) => Promise<unknown>) =>
  async (folders: readonly string[]): Promise<void> => {
    if (existsSync(place(folders))) await act(folders);
  };

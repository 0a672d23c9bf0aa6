// Random models for two servers that should say the same about them: a folder's files, and requests. Of four kinds: one ONNX
// file with random configurations, random ensembles over models that lie there too, sequence models, and models in Python.

import type { DataType } from '../../src-shared/datatypes.ts';
import type { PlainMessage } from '../../src-main/grpc-wire/messages.ts';
import { graphModel, value } from '../../src-main/testing/onnx-test-models.ts';
import { RandomConfigs } from './random-configs.ts';
import { RandomEnsembles } from './random-ensembles.ts';
import { randomNumbers } from './random-numbers.ts';
import { PYTHON_STEPS, RandomPythons } from './random-python.ts';
import { RandomSequences } from './random-sequences.ts';
import { RandomStates } from './random-states.ts';
import { RandomWild } from './random-wild.ts';

/** Path in the model's folder -> content; a path that ends with "/" is a folder. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A request to a model that is named by whoever sends it. */
export type ModelRequest =
  | {
      readonly protocol: 'http';
      readonly body: string | Uint8Array;
      /** Bytes of JSON before those of tensors. */
      readonly headLength?: number;
    }
  | { readonly protocol: 'grpc'; readonly message: PlainMessage }
  | { readonly protocol: 'stream'; readonly messages: readonly PlainMessage[] };

/** Over HTTP. */
export function jsonRequest(body: object): ModelRequest {
  return { protocol: 'http', body: JSON.stringify(body) };
}

/** One model for both servers: its configuration, its files and what is sent to it. */
export interface RandomModel {
  readonly text: string;
  /** Path in the model's folder -> content; a path that ends with "/" is a folder. */
  readonly files: Files;
  readonly requests: readonly ModelRequest[];
}

const KINDS = ['onnx', 'ensemble', 'sequence', 'python', 'state', 'wild'] as const;

/** What a model is about. */
export type Kind = (typeof KINDS)[number];

/** Models of the kinds that are wanted, one after the other; a seed always gives the same ones. */
export class RandomModels {
  readonly #configs: RandomConfigs;
  readonly #ensembles: RandomEnsembles;
  readonly #sequences: RandomSequences;
  readonly #pythons: RandomPythons;
  readonly #states: RandomStates;
  readonly #wild: RandomWild;
  readonly #next: () => number;
  readonly #kinds: readonly Kind[];

  /** `kinds`: names of kinds with "," between them; the first three when empty. */
  constructor(seed: number, kinds: string) {
    this.#configs = new RandomConfigs(seed);
    this.#ensembles = new RandomEnsembles(seed);
    this.#sequences = new RandomSequences(seed);
    this.#pythons = new RandomPythons(seed);
    this.#states = new RandomStates(seed);
    this.#wild = new RandomWild(seed);
    this.#next = randomNumbers(seed);
    this.#kinds = kinds === '' ? KINDS.slice(0, 3) : KINDS.filter((kind) => kinds.split(',').includes(kind));
  }

  /** The next one, of any of the wanted kinds. */
  model(): RandomModel {
    const kind = this.#kinds[Math.floor(this.#next() * this.#kinds.length)];
    if (kind === 'python') return this.#pythons.model();
    if (kind === 'state') return this.#states.model();
    if (kind === 'wild') return this.#wild.model();
    if (kind === 'sequence') return this.#sequences.model();
    if (kind === 'ensemble') {
      const text = this.#ensembles.config();
      return { text, files: { 'config.pbtxt': text, '1/': '' }, requests: [request(1), request(2)] };
    }
    const text = this.#configs.config(identityTensors);
    const files = {
      'config.pbtxt': `backend: "onnxruntime"\n${text}\n`,
      '1/model.onnx': COPY,
      'labels.txt': 'a\nb\nc\nd\n',
    };
    return { text, files, requests: [request(1)] };
  }
}

/** The models that ensembles are made of and that models in Python call, by name. */
export function stepModels(): Readonly<Record<string, Files>> {
  return {
    copy: batched(COPY, ['INPUT0'], ['OUTPUT0'], 'FP32'),
    ints: batched(identity('INT32'), ['INPUT0'], ['OUTPUT0'], 'INT32'),
    both: batched(BOTH, ['INPUT0', 'INPUT1'], ['OUTPUT0', 'OUTPUT1'], 'FP32'),
    whole: { 'config.pbtxt': `backend: "onnxruntime" ${identityTensors(false)}`, '1/model.onnx': COPY },
    ...PYTHON_STEPS,
  };
}

function batched(
  file: Uint8Array,
  inputs: readonly string[],
  outputs: readonly string[],
  type: string,
): Files {
  const list = (names: readonly string[]): string =>
    names.map((name) => `{ name: "${name}" data_type: TYPE_${type} dims: [ 4 ] }`).join(', ');
  const text = `backend: "onnxruntime" max_batch_size: 8 input [ ${list(inputs)} ] output [ ${list(outputs)} ]`;
  return { 'config.pbtxt': text, '1/model.onnx': file };
}

function identityTensors(isBatching: boolean): string {
  const tensor = (name: string): string =>
    `{ name: "${name}" data_type: TYPE_FP32 dims: [ ${isBatching ? '4' : '-1, 4'} ] }`;
  return `input [ ${tensor('INPUT0')} ] output [ ${tensor('OUTPUT0')} ]`;
}

const rows = (name: string, type: DataType) => value(name, type, ['batch', 4]);

function identity(type: DataType): Uint8Array {
  return graphModel(
    [{ opType: 'Identity', inputs: ['INPUT0'], outputs: ['OUTPUT0'] }],
    [rows('INPUT0', type)],
    [rows('OUTPUT0', type)],
  );
}

const COPY = identity('FP32');

const BOTH = graphModel(
  [
    { opType: 'Add', inputs: ['INPUT0', 'INPUT1'], outputs: ['OUTPUT0'] },
    { opType: 'Sub', inputs: ['INPUT0', 'INPUT1'], outputs: ['OUTPUT1'] },
  ],
  [rows('INPUT0', 'FP32'), rows('INPUT1', 'FP32')],
  [rows('OUTPUT0', 'FP32'), rows('OUTPUT1', 'FP32')],
);

function request(inputCount: number): ModelRequest {
  const names = ['INPUT0', 'INPUT1'].slice(0, inputCount);
  return jsonRequest({
    inputs: names.map((name, at) => ({
      name,
      datatype: 'FP32',
      shape: [1, 4],
      data: [1, 2, 3, 4].map((each) => each * 10 ** at),
    })),
  });
}

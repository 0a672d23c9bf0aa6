// Random walks through the life of system shared memory: regions at odd places and of odd sizes, tensors of several types in
// them, next to each other, across their ends, outputs that fit and that do not. What lies in memory afterwards is compared
// as well.

import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { identityModel } from '../../src-main/testing/onnx-test-models.ts';
import type { DataType } from '../../src-shared/datatypes.ts';
import { dataTypeToConfig } from '../../src-shared/datatypes.ts';
import type { PlainMessage } from '../../src-main/grpc-wire/messages.ts';
import { RandomChoice } from '../../tools/ab/random-choice.ts';
import { grpcCall } from './grpc-exchange.ts';
import { get, post } from './http-calls.ts';
import { ask } from './life-calls.ts';
import { ECHO_MODEL, pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

const OBJECT_BYTES = 8192;
const STEPS = 60;
const NAMES = ['a', 'b', 'c'] as const;
/** A region that begins inside its object is read beyond its end by the reference. */
const BEGINS = [0, 0, 0, 1, 8, 8192, -1];
const OFFSETS = [0, 0, 0, 1, 4, 8, 60, 64, 4095, 4096, 8184, 8192, -1];
const SIZES = [0, 1, 7, 8, 16, 64, 64, 100, 4096, 8192, 8193];
interface Model {
  readonly name: string;
  readonly type: DataType;
  readonly rows: boolean;
}
const MODELS: readonly Model[] = [
  { name: 'floats', type: 'FP32', rows: false },
  { name: 'bytes', type: 'UINT8', rows: false },
  { name: 'texts', type: 'BYTES', rows: false },
  { name: 'rows', type: 'FP32', rows: true },
  { name: 'echo', type: 'FP32', rows: false },
];
const config = (type: DataType, rows: boolean): string => {
  const tensor = (name: string): string =>
    `{ name: "${name}" data_type: ${dataTypeToConfig(type)} dims: [ -1 ] }`;
  return `backend: "onnxruntime" max_batch_size: ${rows ? 4 : 0}
input [ ${tensor('INPUT')} ] output [ ${tensor('OUTPUT')} ]`;
};
const files = Object.fromEntries(
  MODELS.filter(({ name }) => name !== 'echo').flatMap(({ name, type, rows }) => [
    [`${name}/config.pbtxt`, config(type, rows)],
    [`${name}/1/model.onnx`, identityModel(type, rows ? ['batch', 'n'] : ['n'])],
  ]),
);
const python = pythonFiles(
  'echo',
  ECHO_MODEL.replaceAll('OUTPUT0', 'OUTPUT').replace('first(request)', 'first(request, "INPUT")'),
  'input [ { name: "INPUT" data_type: TYPE_FP32 dims: [ -1 ] } ] output [ { name: "OUTPUT" data_type: TYPE_FP32 dims: [ -1 ] } ]',
);

interface Place {
  readonly region: string;
  readonly size: number | undefined;
  readonly offset: number | undefined;
}

/** One walk; the same seed takes the same steps on either side. */
class Walk {
  readonly #choice: RandomChoice;
  readonly #target: Target;
  readonly #key: string;
  readonly answers: unknown[] = [];

  constructor(seed: number, target: Target) {
    this.#choice = new RandomChoice(seed);
    this.#target = target;
    this.#key = `conch-walk-${seed}-${target.side}-${target.pid}`;
  }

  #file(name: string): string {
    return path.join('/dev/shm', `${this.#key}-${name}`);
  }

  async go(): Promise<void> {
    const numbers = Buffer.from(Float32Array.from({ length: OBJECT_BYTES / 4 }, (_, at) => at).buffer);
    // Four texts of four bytes each.
    numbers.write('\u0004\0\0\0abcd\u0004\0\0\0efgh\u0004\0\0\0ijkl\u0004\0\0\0mnop', 0, 'latin1');
    for (const name of NAMES) await writeFile(this.#file(name), numbers);
    for (let at = 0; at < STEPS; at += 1) await this.#step(at);
    await this.#tell('the end', post('/v2/systemsharedmemory/unregister'));
    for (const name of NAMES) await rm(this.#file(name));
  }

  async #step(at: number): Promise<void> {
    const choice = this.#choice;
    const kind = choice.next();
    const name = choice.one(NAMES);
    if (kind < 0.25) {
      const [size, offset] = [choice.one(SIZES), choice.one(BEGINS)];
      const body = {
        key: choice.chance(0.95) ? `/${this.#key}-${name}` : '/conch-walk-none',
        byte_size: size,
        ...(choice.chance(0.7) ? { offset } : {}),
      };
      return this.#tell(`${at} register`, post(`/v2/systemsharedmemory/region/${name}/register`, body));
    }
    if (kind < 0.32)
      return this.#tell(`${at} unregister`, post(`/v2/systemsharedmemory/region/${name}/unregister`));
    if (kind < 0.38) return this.#tell(`${at} status`, get(`/v2/systemsharedmemory/region/${name}/status`));
    return this.#infer(at);
  }

  #place(needed: number): Place {
    const choice = this.#choice;
    const size = choice.chance(0.75)
      ? needed
      : choice.one([needed + 1, needed * 2, 100_000, Math.max(1, needed - 1)]);
    const offset = choice.chance(0.5) ? undefined : choice.one(OFFSETS);
    return { region: choice.chance(0.95) ? choice.one(NAMES) : 'nope', size, offset };
  }

  async #infer(at: number): Promise<void> {
    const choice = this.#choice;
    const { name, type, rows } = choice.one(MODELS);
    const count = 1 + choice.below(4);
    const shape = rows ? [1 + choice.below(2), count] : [count];
    const elements = shape.reduce((product, dim) => product * dim, 1);
    const needed = elements * (type === 'BYTES' ? 8 : type === 'UINT8' ? 1 : 4);
    const input = this.#place(needed);
    const output = choice.chance(0.7) ? this.#place(needed) : undefined;
    const label = `${at} ${name} ${JSON.stringify([shape, input, output])}`;
    if (choice.chance(0.5)) await this.#overHttp(label, name, type, shape, input, output);
    else await this.#overGrpc(label, name, type, shape, input, output);
    const sums = await Promise.all(
      NAMES.map(async (region) =>
        createHash('sha1')
          .update(await readFile(this.#file(region)))
          .digest('hex')
          .slice(0, 8),
      ),
    );
    this.answers.push({ step: `${label} memory`, sums });
  }

  async #overHttp(
    label: string,
    model: string,
    datatype: string,
    shape: readonly number[],
    input: Place,
    output?: Place,
  ): Promise<void> {
    const parameters = ({ region, size, offset }: Place): object => ({
      shared_memory_region: region,
      ...(size === undefined ? {} : { shared_memory_byte_size: size }),
      ...(offset === undefined ? {} : { shared_memory_offset: offset }),
    });
    const body = {
      inputs: [{ name: 'INPUT', datatype, shape, parameters: parameters(input) }],
      ...(output === undefined ? {} : { outputs: [{ name: 'OUTPUT', parameters: parameters(output) }] }),
    };
    await this.#tell(`${label} HTTP`, post(`/v2/models/${model}/infer`, body));
  }

  async #overGrpc(
    label: string,
    model: string,
    datatype: string,
    shape: readonly number[],
    input: Place,
    output?: Place,
  ): Promise<void> {
    const parameters = ({ region, size, offset }: Place): PlainMessage => ({
      shared_memory_region: { string_param: region },
      ...(size === undefined ? {} : { shared_memory_byte_size: { int64_param: size } }),
      ...(offset === undefined ? {} : { shared_memory_offset: { int64_param: offset } }),
    });
    const answer = await grpcCall(this.#target.grpcPort, 'ModelInfer', {
      model_name: model,
      inputs: [{ name: 'INPUT', datatype, shape, parameters: parameters(input) }],
      outputs: output === undefined ? [] : [{ name: 'OUTPUT', parameters: parameters(output) }],
    });
    this.answers.push({ step: `${label} gRPC`, answer });
  }

  async #tell(step: string, call: Parameters<typeof ask>[1]): Promise<void> {
    const answer = JSON.stringify(await ask(this.#target, call)).replaceAll(this.#key, '<key>');
    this.answers.push({ step: `${step} ${call.name.replaceAll(this.#key, '<key>').slice(0, 200)}`, answer });
  }
}

const walk = (seed: number): ReferenceCase => ({
  name: `shared memory, walk ${seed}`,
  run: async (target) => {
    const one = new Walk(seed, target);
    await one.go();
    return one.answers;
  },
});

export const REGION_WALKS: Scene = {
  name: 'region walks',
  needs: 'onnxruntime',
  repositories: sameFor(files, python),
  cases: [1, 2, 3, 4, 5, 6].map(walk),
};

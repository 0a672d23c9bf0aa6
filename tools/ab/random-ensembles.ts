// Random ensembles over the models of STEPS: mostly right, with the faults that people make (a tensor that nothing makes,
// a wrong name, type or shape, a step too many, a cycle). The same seed gives the same texts.

import { randomNumbers } from './random-numbers.ts';

interface StepModel {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly dataType: 'FP32' | 'INT32';
}

/** What the steps can be; the models have batches of up to 8 rows of 4, but for `whole`, which has none. */
const STEPS: readonly StepModel[] = [
  { name: 'copy', inputs: ['INPUT0'], outputs: ['OUTPUT0'], dataType: 'FP32' },
  { name: 'both', inputs: ['INPUT0', 'INPUT1'], outputs: ['OUTPUT0', 'OUTPUT1'], dataType: 'FP32' },
  { name: 'ints', inputs: ['INPUT0'], outputs: ['OUTPUT0'], dataType: 'INT32' },
  { name: 'whole', inputs: ['INPUT0'], outputs: ['OUTPUT0'], dataType: 'FP32' },
];

const TENSORS = ['t0', 't1', 't2', 't3'];

/** Texts of ensembles, one after the other; a seed always gives the same ones. */
export class RandomEnsembles {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = randomNumbers(seed);
  }

  /** Text of the next config.pbtxt. */
  config(): string {
    const inputs = this.#chance(0.3) ? ['INPUT0', 'INPUT1'] : ['INPUT0'];
    const outputs = this.#chance(0.25) ? ['OUTPUT0', 'OUTPUT1'] : ['OUTPUT0'];
    const size = this.#one([8, 8, 8, 8, 4, 4, 0, 16]);
    const known = [...inputs];
    /** What no step takes yet. */
    const open = [...inputs];
    const count = this.#chance(0.05) ? 0 : 1 + this.#below(3);
    const steps = Array.from({ length: count }, (_, at) =>
      this.#step(known, open, outputs, at === count - 1),
    );
    const scheduling = this.#chance(0.05) ? '' : `ensemble_scheduling { ${steps.join(' ')} }`;
    const more = this.#chance(0.1) ? this.#one(MORE) : '';
    return [
      'platform: "ensemble"',
      `max_batch_size: ${size}`,
      `input [ ${inputs.map((name) => this.#tensor(name, size)).join(', ')} ]`,
      `output [ ${outputs.map((name) => this.#tensor(name, size)).join(', ')} ]`,
      scheduling,
      more,
    ].join('\n');
  }

  #tensor(name: string, size: number): string {
    const dims = this.#chance(0.06) ? this.#one(['5', '-1', '2, 2', '']) : size > 0 ? '4' : '-1, 4';
    const type = this.#chance(0.03) ? 'INT32' : 'FP32';
    const more = this.#chance(0.05) ? this.#one(['optional: true', 'reshape { shape: [ 2, 2 ] }']) : '';
    return `{ name: "${name}" data_type: TYPE_${type} dims: [ ${dims} ] ${more} }`;
  }

  #step(known: string[], open: string[], outputs: readonly string[], isLast: boolean): string {
    const model = this.#one(this.#chance(0.75) ? STEPS.slice(0, 2) : STEPS);
    const made: string[] = [];
    const input = model.inputs
      .filter(() => this.#chance(0.95))
      .map((name) => entry('input_map', this.#bent(name), this.#taken(known, open)));
    const output = model.outputs
      .filter((_, at) => at === 0 || this.#chance(isLast ? 0.9 : 0.3))
      .map((name, at) => {
        const free = outputs.filter((each) => !known.includes(each));
        const wanted = isLast || this.#chance(0.2) ? free[at] : undefined;
        const fresh = TENSORS.filter((each) => !known.includes(each) && !made.includes(each));
        const value = this.#chance(0.04)
          ? this.#one(known)
          : (wanted ?? this.#one(fresh.length > 0 ? fresh : TENSORS));
        made.push(value);
        return entry('output_map', this.#bent(name), value);
      });
    known.push(...made);
    open.push(...made.filter((tensor) => !outputs.includes(tensor)));
    const name = this.#chance(0.02) ? 'nobody' : model.name;
    const version = this.#chance(0.9) ? -1 : this.#one([1, 1, 3]);
    return `step { model_name: "${name}" model_version: ${version} ${[...input, ...output].join(' ')} }`;
  }

  /** A tensor for an input: one that nobody takes yet where there is one. */
  #taken(known: readonly string[], open: string[]): string {
    if (this.#chance(0.04)) return this.#one(TENSORS);
    return (this.#chance(0.9) ? open.pop() : undefined) ?? this.#one(known);
  }

  #bent(name: string): string {
    return this.#chance(0.03) ? `${name}X` : name;
  }

  #below(count: number): number {
    return Math.floor(this.#next() * count);
  }

  #chance(share: number): boolean {
    return this.#next() < share;
  }

  #one<T>(list: readonly T[]): T {
    return list[this.#below(list.length)] as T;
  }
}

const MORE = [
  'instance_group { kind: KIND_CPU }',
  'dynamic_batching {}',
  'sequence_batching {}',
  'response_cache { enable: true }',
  'model_transaction_policy { decoupled: true }',
  'backend: "onnxruntime"',
  'parameters { key: "a" value { string_value: "b" } }',
  'version_policy { latest { num_versions: 2 } }',
  'default_model_filename: "x"',
  'batch_input { kind: BATCH_ELEMENT_COUNT target_name: "N" data_type: TYPE_FP32 source_input: "INPUT0" }',
];

function entry(map: string, key: string, value: string): string {
  return `${map} { key: "${key}" value: "${value}" }`;
}

// Random model configurations as text: a right one for the model at hand with one to four fields more, drawn from the
// declared language (src-shared/config/schema), with values that are mostly possible. The same seed gives the same texts.

import type { FieldSchema, MessageSchema, ScalarName } from '../../src-shared/config/schema/field-types.ts';
import { MODEL_CONFIG } from '../../src-shared/config/schema/model-fields.ts';
import { randomNumbers } from './random-numbers.ts';

/** Fields of later releases than those that can be had without a container. */
export const NEWER = ['max_inflight_requests', 'model_metrics'];

/** Left out: what names devices, files and services that are not there, or only how long something may take. */
const LEFT_OUT = new Set([
  ...NEWER,
  'name',
  'backend',
  'platform',
  'input',
  'output',
  'model_repository_agents',
  'cc_model_filenames',
  'runtime',
  'model_operations',
  'gpus',
  'secondary_devices',
  'host_policy',
  'model_warmup',
  'optimization',
  'metric_tags',
]);

/** Values that are right more often than not, by field. */
const USUAL: Readonly<Record<string, readonly (number | string)[]>> = {
  max_queue_delay_microseconds: [0, 100],
  max_sequence_idle_microseconds: [1_000_000],
  default_timeout_microseconds: [0, 1_000_000],
  preferred_batch_size: [1, 2, 4],
  priority_levels: [2, 3],
  default_priority_level: [1, 2],
  max_queue_size: [0, 8],
  max_candidate_sequences: [1, 4],
  minimum_slot_utilization: ['0.5', '1'],
  count: [1, 2],
  kind: ['KIND_CPU', 'CONTROL_SEQUENCE_START', 'BATCH_ELEMENT_COUNT', 'BATCH_SCATTER_WITH_INPUT_SHAPE'],
  int32_false_true: ['0, 1'],
  fp32_false_true: ['0, 1'],
  bool_false_true: ['false, true'],
  data_type: ['TYPE_FP32', 'TYPE_INT32', 'TYPE_UINT64'],
  dims: [1, 4, -1],
  shape: [1, 4, -1],
  versions: [1],
  num_versions: [1, 2],
  default_model_filename: ['"model.onnx"'],
  source_input: ['"INPUT0"'],
  target_name: ['"OUTPUT0"', '"a"'],
  label_filename: ['"labels.txt"'],
  passive: ['false'],
  decoupled: ['false', 'true'],
  key: [1, 2],
};

const NAMES = ['INPUT0', 'OUTPUT0', 'START', 'END', 'READY', 'CORRID', 'STATE_IN', 'STATE_OUT', 'a', ''];
const NUMBERS = [0, 1, 2, 3, 4, 8, 100, -1];
const MOST_DEPTH = 6;

/** Texts of configurations, one after the other; a seed always gives the same ones. */
export class RandomConfigs {
  readonly #next: () => number;
  readonly #leftOut: ReadonlySet<string>;

  constructor(seed: number, leftOut: ReadonlySet<string> = LEFT_OUT) {
    this.#next = randomNumbers(seed);
    this.#leftOut = leftOut;
  }

  /** Some fields of a configuration that the caller does not write itself. */
  more(count: number): string[] {
    return this.#fields(
      MODEL_CONFIG.fields.filter(({ name }) => !this.#leftOut.has(name) && name !== 'max_batch_size'),
      count,
      0,
    );
  }

  /** `ioOf`: the text of inputs and outputs that fits the model, with or without batches. */
  config(ioOf: (isBatching: boolean) => string): string {
    const isWhole = this.#chance(0.85);
    const size = this.#chance(0.7) ? this.#one([0, 1, 4, 8, 8, 4, -1]) : undefined;
    const io = ioOf((size ?? 0) > 0);
    const more = this.more(1 + this.#below(2));
    return [size === undefined ? '' : `max_batch_size: ${size}`, isWhole ? io : this.#bent(io), ...more]
      .filter((text) => text !== '')
      .join('\n');
  }

  /** Inputs and outputs with one field more in one of them, or without one. */
  #bent(io: string): string {
    const tensor = MODEL_CONFIG.byName.get(this.#one(['input', 'output']))?.type as MessageSchema;
    if (this.#chance(0.2)) return '';
    const fields = tensor.fields.filter(({ name }) => !['name', 'data_type', 'dims'].includes(name));
    const added = this.#chance(0.6)
      ? this.#field(this.#one(fields), 1)
      : this.#field(this.#one(tensor.fields), 1);
    return this.#chance(0.5) ? io.replace('{', `{ ${added}`) : io.replace(/(.*)\{/s, `$1{ ${added}`);
  }

  #fields(fields: readonly FieldSchema[], count: number, depth: number): string[] {
    const chosen = new Set<FieldSchema>();
    for (let each = 0; each < count && fields.length > 0; each += 1) chosen.add(this.#one(fields));
    return Array.from(chosen, (field) => this.#field(field, depth));
  }

  #field(field: FieldSchema, depth: number): string {
    const { name, type, label } = field;
    if (label === 'map') {
      const key = field.keyType === 'string' ? `"${this.#one(NAMES)}"` : this.#one(NUMBERS);
      const value = type.kind === 'message' ? this.#message(type, depth + 1) : this.#value(field);
      return `${name} { key: ${key} value: ${value} }`;
    }
    const count = this.#chance(0.8) ? 1 : this.#below(3);
    if (type.kind === 'message') {
      return Array.from(
        { length: label === 'repeated' ? (this.#chance(0.3) ? 2 : 1) : 1 },
        () => `${name} ${this.#message(type, depth + 1)}`,
      ).join(' ');
    }
    if (label === 'repeated') {
      return `${name}: [ ${Array.from({ length: count }, () => this.#value(field)).join(', ')} ]`;
    }
    return `${name}: ${this.#value(field)}`;
  }

  #message(type: MessageSchema, depth: number): string {
    const fields = type.fields.filter(({ name }) => !this.#leftOut.has(name) || name === 'name');
    if (depth > MOST_DEPTH) return '{}';
    // A message of a few fields is written whole more often than not.
    const isWhole = fields.length <= 4 && this.#chance(0.5);
    const texts = isWhole
      ? fields.map((field) => this.#field(field, depth))
      : this.#fields(fields, this.#below(4), depth);
    return `{ ${texts.join(' ')} }`;
  }

  #value({ name, type }: FieldSchema): string {
    const usual = USUAL[name];
    if (usual !== undefined && this.#chance(0.85)) {
      const known = usual.map(String).filter((text) => type.kind !== 'enum' || type.names.includes(text));
      if (known.length > 0) return this.#one(known);
    }
    if (type.kind === 'enum') return this.#one(type.names);
    if (type.kind === 'message') return '{}';
    return this.#scalar(type.scalar);
  }

  #scalar(scalar: ScalarName): string {
    switch (scalar) {
      case 'string':
        return `"${this.#one(NAMES)}"`;
      case 'bool':
        return this.#one(['true', 'false']);
      case 'float':
      case 'double':
        return this.#one(['0', '0.5', '1', '1.5', '-1']);
      case 'uint32':
      case 'uint64':
        return String(Math.abs(this.#one(NUMBERS)));
      default:
        return String(this.#one(NUMBERS));
    }
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
